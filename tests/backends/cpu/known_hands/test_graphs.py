"""The normal form of threat graphs: merging any twins keeps the matchings."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from small_graphs import LOSS, NO_EDGE, SmallGraph, small_graphs, solve

from gpuodds.backends.cpu.known_hands.elimination_order import unpack
from gpuodds.backends.cpu.known_hands.threat_graphs.normal_form import (
    SCRATCH_ROWS,
    card_degree,
    normal_form,
    remove_certain,
    size_of,
)
from gpuodds.backends.cpu.known_hands.threat_graphs.threats import Sizes
from gpuodds.backends.graph_words import TYPES


def packed(graph: SmallGraph) -> tuple[int, Sizes, np.ndarray]:
    """Return the types present, their sizes by binary digit, and the rows of losses and ties."""
    masks = [sum((size >> bit & 1) << i for i, size in enumerate(graph.sizes)) for bit in range(3)]
    loss, tie = graph.rows()
    rows = np.zeros(TYPES, np.int64)
    rows[: len(loss)] = loss | tie << TYPES
    return (1 << len(loss)) - 1, (masks[0], masks[1], masks[2]), rows


def unpacked(key: np.ndarray, count: int) -> tuple[list[int], list[int], list[int]]:
    size, loss, tie = (np.zeros(TYPES, np.int64) for _ in range(3))
    unpack(key, count, size, loss, tie)
    return size[:count].tolist(), loss[:count].tolist(), tie[:count].tolist()


def in_normal_form(graph: SmallGraph) -> tuple[np.ndarray, int]:
    present, sizes, rows = packed(graph)
    key, tags = np.zeros(TYPES, np.int64), np.zeros(TYPES, np.int8)
    scratch = np.zeros((SCRATCH_ROWS, TYPES), np.int64)
    count = normal_form(present, sizes, rows, scratch, key, tags)
    return key, count


def test_sizes_and_degrees() -> None:
    sizes = (0b101, 0b110, 0b1000)  # 1, 2, 3 and 4 cards
    assert [size_of(i, sizes) for i in range(4)] == [1, 2, 3, 4]
    assert card_degree(0b1111, sizes) == 10 and card_degree(0b1010, sizes) == 6


@given(small_graphs())
@settings(max_examples=100)
def test_merging_twins_keeps_the_matchings(graph: SmallGraph) -> None:
    key, count = in_normal_form(graph)
    size, loss, tie = unpacked(key, count)
    assert sum(size) == sum(graph.sizes)
    max_edges = sum(size) // 2
    assert solve(size, loss, tie, list(range(count)), max_edges) == graph.matchings()


@given(small_graphs(), st.data())
@settings(max_examples=50)
def test_the_order_of_types_changes_no_matching(graph: SmallGraph, data: st.DataObject) -> None:
    other = graph.relabelled(data.draw(st.permutations(range(len(graph.sizes)))))
    sums = []
    for one in (graph, other):
        key, count = in_normal_form(one)
        sums.append(solve(*unpacked(key, count), list(range(count)), sum(graph.sizes) // 2))
    assert sums[0] == sums[1]


def test_types_that_behave_alike_become_one() -> None:
    # Three types without an edge among them lose to a fourth: four and one types become two.
    kinds = {(i, j): NO_EDGE for i in range(4) for j in range(i, 4)}
    kinds |= {(i, 3): LOSS for i in range(3)}
    key, count = in_normal_form(SmallGraph((2, 1, 4, 1), kinds))
    size, loss, tie = unpacked(key, count)
    assert count == 2 and sorted(size) == [1, 7] and not any(tie)
    assert sorted(loss) == [0b01, 0b10]


@given(small_graphs(max_types=6))
@settings(max_examples=100)
def test_certain_cards_lose_with_any_partner(graph: SmallGraph) -> None:
    present, sizes, rows = packed(graph)
    cards = [i for i, size in enumerate(graph.sizes) for _ in range(size)]
    certain = {
        i
        for place, i in enumerate(cards)
        if len(cards) > 1 and all(graph.kind(i, j) == LOSS for k, j in enumerate(cards) if k != place)
    }
    kept, removed = remove_certain(rows, sizes)
    assert removed == sum(graph.sizes[i] for i in certain)
    left = [i for i in range(len(graph.sizes)) if i not in certain]
    joined = {
        i
        for i, j in [*combinations(left, 2), *((j, i) for i, j in combinations(left, 2))]
        if graph.kind(i, j) != NO_EDGE
    } | {i for i in left if graph.sizes[i] > 1 and graph.kind(i, i) != NO_EDGE}
    assert {i for i in range(TYPES) if kept >> i & 1} == joined
    for i in joined:
        loss, tie = graph.rows()
        mask = sum(1 << j for j in left)
        assert rows[i] == loss[i] & mask | (tie[i] & mask) << TYPES
    assert present >> len(graph.sizes) == 0
