"""Elimination orders, and the scratch sizes of the sweep over a graph."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from small_graphs import SmallGraph, small_graphs

from gpuodds.backends.cpu.known_hands.accumulator import most_cards_in_one_limb
from gpuodds.backends.cpu.known_hands.elimination_order import (
    count_states,
    merge_pools,
    own_cards,
    shape_counts,
    sweep_order,
    tighten_shape,
)
from gpuodds.games.holdem.multiway import deals

POOLS = 27


def arrays(graph: SmallGraph) -> list[Any]:
    return [np.array(values, np.int64) for values in (graph.sizes, *graph.rows())]


@given(small_graphs(max_types=8, max_cards=20), st.data())
@settings(max_examples=60)
def test_types_of_a_rank_stay_together(graph: SmallGraph, data: st.DataObject) -> None:
    count = len(graph.sizes)
    tags = np.array(data.draw(st.lists(st.integers(0, 3), min_size=count, max_size=count)), np.int8)
    order = np.full(count, -1, np.int8)
    size, loss, tie = arrays(graph)
    sweep_order(count, size, loss, tie, tags, order)
    assert sorted(order.tolist()) == list(range(count))
    ranks = [rank for rank, _ in groupby(tags[order].tolist())]
    assert len(ranks) == len(set(ranks))
    for _, group in groupby(order.tolist(), key=lambda i: int(tags[i])):
        several = [graph.sizes[i] > 1 for i in group]
        assert several == sorted(several, reverse=True)


@given(small_graphs(), st.integers(1, 6))
@settings(max_examples=60)
def test_shapes_bound_every_matching(graph: SmallGraph, max_edges: int) -> None:
    size, _, tie = arrays(graph)
    shape = np.zeros(3, np.int32)
    shape_counts(len(graph.sizes), size, tie, max_edges, most_cards_in_one_limb(), shape)
    limbs, edges, ties = shape.tolist()
    assert limbs == 1
    for matched, tied in graph.matchings():
        if matched <= max_edges:
            assert matched < edges and tied < ties


@given(small_graphs(), st.integers(1, 6))
@settings(max_examples=60)
def test_tight_shapes_bound_every_matching(graph: SmallGraph, max_edges: int) -> None:
    size, loss, tie = arrays(graph)
    shape, one_limb = np.zeros(3, np.int32), most_cards_in_one_limb()
    shape_counts(len(graph.sizes), size, tie, max_edges, one_limb, shape)
    loose = shape.tolist()
    tighten_shape(len(graph.sizes), size, loss, tie, one_limb, shape)
    limbs, edges, ties = shape.tolist()
    assert limbs == 1 and edges <= loose[1] and ties <= loose[2]
    for matched, tied in graph.matchings():
        if matched <= max_edges:
            assert matched < edges and tied < ties


def test_few_cards_bound_the_matchings_of_many() -> None:
    # Two kings tie with 38 other cards: no matching has more than two of these ties.
    size, loss, tie = np.array([2, 38]), np.array([0, 0]), np.array([2, 1])
    shape, one_limb = np.array([1, 21, 21], np.int32), most_cards_in_one_limb()
    tighten_shape(2, size, loss, tie, one_limb, shape)
    assert shape.tolist() == [1, 3, 3]


@given(small_graphs(), st.data())
@settings(max_examples=60)
def test_one_state_per_combination_of_pool_counts(graph: SmallGraph, data: st.DataObject) -> None:
    # By hand: cards are open in pools of those with the same edges to the types to come.
    count, max_edges = len(graph.sizes), data.draw(st.integers(1, 4))
    order = data.draw(st.permutations(range(count)))
    size, loss, tie = arrays(graph)
    pools = [np.zeros(POOLS, np.int64) for _ in range(5)]
    states, max_pools = count_states(
        count, max_edges, size, loss, tie, np.array(order, np.int8), *pools
    )
    largest = 0
    for done in range(count + 1):
        rest = sum(1 << i for i in order[done:])
        open_pools: dict[tuple[int, int], int] = {}
        for i in order[:done]:
            ahead = int(loss[i]) & rest, int(tie[i]) & rest
            if any(ahead):
                open_pools[ahead] = open_pools.get(ahead, 0) + graph.sizes[i]
        product = 1
        for (losses, ties), cards in open_pools.items():
            partners = sum(n for i, n in enumerate(graph.sizes) if (losses | ties) >> i & 1)
            product *= 1 + min(cards, partners, max_edges)
        largest = max(largest, product)
        assert max_pools >= len(open_pools)
    assert states >= largest


def test_pools_that_look_alike_become_one() -> None:
    size = np.array([2, 1, 3, 4], np.int64)
    cap, becomes = np.zeros(POOLS, np.int64), np.zeros(POOLS, np.int64)
    held, loss, tie = (np.zeros(POOLS, np.int64) for _ in range(3))
    # Three pools: two that lose to type 3 alone, once type 2 is done, and one without a future.
    held[:3], loss[:3], tie[:3] = (2, 1, 3), (0b1100, 0b1000, 0b0100), (0, 0, 0b0100)
    assert merge_pools(2, 0b1000, 9, size, cap, held, loss, tie, becomes) == 1
    assert becomes[:3].tolist() == [0, 0, -1]
    assert (held[0], loss[0], tie[0], cap[0]) == (3, 0b1000, 0, 3)
    assert merge_pools(0, 0b1000, 2, size, cap, held, loss, tie, becomes) == 1 and cap[0] == 2


def test_open_cards_are_bounded() -> None:
    size = np.array([3], np.int64)
    assert own_cards(0, size, 0b10, 0, 9) == 3 and own_cards(0, size, 0b10, 0, 2) == 2
    assert own_cards(0, size, 0, 1, 9) == 1 and own_cards(0, size, 0, 0, 9) == 0


def test_one_limb_holds_all_matchings() -> None:
    for edges, cards in enumerate(most_cards_in_one_limb().tolist()):
        assert max(deals(cards, k) for k in range(edges + 1)) < 1 << 64
        if cards < 51:
            assert max(deals(cards + 1, k) for k in range(edges + 1)) >= 1 << 64
