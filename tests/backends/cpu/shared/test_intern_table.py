"""Intern tables number sequences of words by their first appearance, as a dict does."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gpuodds.backends.cpu.shared.intern_table import (
    InternTable,
    copy_intern_table,
    intern,
    new_intern_table,
)

WORDS = st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(0, 2), max_size=3)


def numbers(table: InternTable, keys: list[list[int]]) -> list[int]:
    return [int(intern(table, np.array([*key, 7], np.int64), len(key))) for key in keys]


def entries(table: InternTable) -> list[list[int]]:
    starts = table.start[: table.used[0] + 1].tolist()
    return [table.words[a:b].tolist() for a, b in pairwise(starts)]


@given(st.lists(WORDS, max_size=30))
def test_numbers_are_those_of_a_dict(keys: list[list[int]]) -> None:
    table = new_intern_table(30, 90)
    expected: dict[tuple[int, ...], int] = {}
    for key in keys:
        expected.setdefault(tuple(key), len(expected))
    assert numbers(table, keys) == [expected[tuple(key)] for key in keys]
    assert numbers(table, keys) == [expected[tuple(key)] for key in keys]
    assert [tuple(entry) for entry in entries(table)] == list(expected)


@given(st.lists(WORDS, max_size=20), st.lists(WORDS, max_size=20))
def test_copies_keep_the_entries(ours: list[list[int]], theirs: list[list[int]]) -> None:
    table, other = new_intern_table(40, 120), new_intern_table(20, 60)
    numbers(table, ours)
    numbers(other, theirs)
    places = np.empty(int(other.used[0]), np.int64)
    copy_intern_table(other, 0, table, places)
    copied = entries(table)
    assert [copied[place] for place in places.tolist()] == entries(other)
    assert numbers(table, theirs) == [copied.index(key) for key in theirs]


def test_a_full_table_has_free_slots() -> None:
    # Equal hashes only cost another look: slots are more than twice the entries.
    table = new_intern_table(1000, 1000)
    assert numbers(table, [[key << 40] for key in range(1000)]) == list(range(1000))
    assert np.count_nonzero(table.slots) == 1000 < table.slots.size / 2
