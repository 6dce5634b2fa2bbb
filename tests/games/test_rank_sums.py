"""Hand ranks by sums of keys: every multiset of ranks, every count of suits, the file of offsets."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb

import numpy as np
import pytest

from gpuodds.games.holdem import rank_sums as module
from gpuodds.games.holdem.build_rank_sums import DATA_FILE, build
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.rank_sums import rank_sums
from gpuodds.games.shared.hand_ranks import rank_cards


def look_up(sums: np.ndarray, table: np.ndarray) -> np.ndarray:
    """Do what plain_rank of ``kernels/arrays/rank_sums.cuh`` does, in 32 bits."""
    rows = (sums.astype(np.uint32) * np.uint32(module.SPREAD << 9 & 0xFFFFFFFF)) >> np.uint32(19)
    return table[8192 + table[rows].astype(np.int64) + (sums & 1023)]


@pytest.mark.parametrize("size", [5, 6, 7])
def test_every_multiset_of_ranks(size: int) -> None:
    multisets = np.array([m for m in combinations_with_replacement(range(13), size)])
    multisets = multisets[(multisets[:, 4:] != multisets[:, :-4]).all(axis=1)]  # four of a rank at most
    # No five cards of a suit: the n-th card of a rank has suit n, then suits are mixed up.
    seen = (multisets[:, :, None] == multisets[:, None, :]) & np.tri(size, k=-1, dtype=bool)
    suits = (seen.sum(axis=2) + multisets) % 4
    tables = rank_sums(size, HOLDEM)
    sums = tables.keys[4 * multisets + suits].sum(axis=1, dtype=np.uint32)
    assert len(np.unique(sums & (1 << 23) - 1)) == len(multisets)
    found = look_up(sums, tables.table)
    free = np.array([max(np.bincount(row)) < 5 for row in suits])
    assert free.mean() > 0.8
    for row in np.flatnonzero(free)[:: 1 if size == 5 else 23]:
        assert found[row] == rank_cards((4 * multisets[row] + suits[row]).tolist())


@pytest.mark.parametrize("size", [5, 6, 7])
def test_every_count_of_suits(size: int) -> None:
    tables = rank_sums(size, HOLDEM)
    dealt = [suits for suits in combinations_with_replacement(range(4), size)]
    assert len(dealt) == comb(size + 3, 3)
    for suits in dealt:
        cards = [4 * rank + suit for rank, suit in enumerate(suits)]
        digits = int(tables.keys[cards].sum(dtype=np.uint32)) >> 23
        flush = [suit + 1 for suit in range(4) if suits.count(suit) >= 5]
        assert tables.flush_suits[digits] == (flush[0] if flush else 0)


def test_any_sum_leads_into_the_table() -> None:
    for size in (5, 6, 7):
        table = rank_sums(size, HOLDEM).table
        assert 8192 + int(table[:8192].max()) + 1023 < len(table) and len(table) % 8 == 0
        assert table.nbytes <= 120_000


def test_the_file_holds_what_the_builder_finds() -> None:
    with np.load(DATA_FILE, allow_pickle=False) as data:
        found = build()
        assert set(data.files) == set(found)
        for name, offsets in found.items():
            assert np.array_equal(data[name], offsets)
