"""The sweep over a threat graph against matchings counted pair by pair."""

from __future__ import annotations

from math import comb, factorial

from hypothesis import given, settings
from hypothesis import strategies as st
from small_graphs import LOSS, TIE, SmallGraph, small_graphs, solve

from gpuodds.games.holdem.multiway import deals


@given(small_graphs(), st.data())
@settings(max_examples=80)
def test_every_matching_is_counted_in_any_order(graph: SmallGraph, data: st.DataObject) -> None:
    max_edges = data.draw(st.integers(0, sum(graph.sizes) // 2))
    order = data.draw(st.permutations(range(len(graph.sizes))))
    expected = {key: ways for key, ways in graph.matchings().items() if key[0] <= max_edges}
    loss, tie = graph.rows()
    assert solve(graph.sizes, loss, tie, order, max_edges) == expected
    assert solve(graph.sizes, loss, tie, order, max_edges, limbs=2) == expected


@given(small_graphs(), st.data())
@settings(max_examples=50)
def test_relabelling_cards_keeps_matchings(graph: SmallGraph, data: st.DataObject) -> None:
    other = graph.relabelled(data.draw(st.permutations(range(len(graph.sizes)))))
    max_edges, order = sum(graph.sizes) // 2, list(range(len(graph.sizes)))
    assert solve(graph.sizes, *graph.rows(), order, max_edges) == solve(
        other.sizes, *other.rows(), order, max_edges
    )


def test_numbers_beyond_64_bits() -> None:
    # 45 cards, any two of which lose: k disjoint pairs of 45 cards.
    sizes = (4,) * 11 + (1,)
    every = {(i, j): LOSS for i in range(12) for j in range(i, 12)}
    graph = SmallGraph(sizes, every)
    found = solve(sizes, *graph.rows(), list(range(12)), 22, limbs=2)
    assert found == {(k, 0): deals(45, k) for k in range(23)}
    assert found[22, 0] == factorial(45) // (factorial(22) << 22) > 1 << 64


def test_losses_and_ties_between_two_types() -> None:
    # Four cards each tie with four others; two edges may also both be losses within a type.
    graph = SmallGraph((4, 4), {(0, 0): LOSS, (0, 1): TIE, (1, 1): 0})
    found = solve(graph.sizes, *graph.rows(), [0, 1], 2)
    assert found[1, 0] == comb(4, 2) and found[1, 1] == 16
    assert found[2, 0] == 3 and found[2, 1] == comb(4, 2) * 2 * 4 and found[2, 2] == 72
