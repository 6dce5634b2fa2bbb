"""The kernels that order and sweep threat graphs, each by itself, and the launches of many graphs."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest

from gpuodds.backends.cpu.known_hands.accumulator import Accumulator, most_cards_in_one_limb
from gpuodds.backends.cpu.known_hands.elimination_order import (
    count_states,
    shape_counts,
    sweep_order,
    unpack,
)
from gpuodds.backends.cpu.known_hands.matching_counts import board_scan
from gpuodds.backends.cpu.known_hands.matchings import Graph, Shape
from gpuodds.backends.cpu.known_hands.matchings import count_matchings as cpu_matchings
from gpuodds.backends.cuda.known_hands import solving
from gpuodds.backends.cuda.shared.layout import MAX_STATES
from gpuodds.games.shared.hand_ranks import hand_rank_tables
from gpuodds.spots.spot import Spot

TYPES, SIZE_SHIFT, LIMB_BITS = 26, 52, 48


BOARDS = [("AsKs", "2s7d9hTc"), ("7c2d", "2s7s9s"), ("8h8d", "8s8c3d5h"), ("AcAd", "KsQsJs9s")]


@cache
def graphs_of_boards() -> tuple[Any, Any, Any]:
    """Return the words, lengths and tags of some threat graphs."""
    accumulator = Accumulator()
    for hand, board in BOARDS:
        spot = Spot.of([hand], opponents=9, board=board)
        scan = board_scan(spot)
        accumulator.add_boards(scan, 0, len(scan.runout_ranks), spot.undealt, hand_rank_tables())
    graphs = accumulator.graphs
    start = graphs.table.start[: len(graphs) + 1]
    count = len(start) - 1
    words, tags = np.zeros((count, TYPES), np.uint64), np.zeros((count, TYPES), np.int8)
    for graph in range(count):
        length = start[graph + 1] - start[graph]
        words[graph, :length] = graphs.table.words[start[graph] : start[graph + 1]]
        tags[graph, :length] = graphs.tags[start[graph] : start[graph + 1]]
    return words, np.diff(start).astype(np.int32), tags


def drawn_graphs(count: int, types: int, seed: int) -> tuple[Any, Any, Any]:
    """Draw the words, lengths and tags of graphs whose types have few edges."""
    rng = np.random.default_rng(seed)
    words, tags = np.zeros((count, TYPES), np.uint64), np.zeros((count, TYPES), np.int8)
    for graph in range(count):
        kinds = np.triu(rng.choice(3, (types, types), p=(0.6, 0.2, 0.2)))
        kinds = np.maximum(kinds, kinds.T)
        for i in range(types):
            loss, tie = (sum(1 << j for j in range(types) if kinds[i, j] == kind) for kind in (1, 2))
            words[graph, i] = loss | tie << TYPES | int(rng.integers(1, 5)) << SIZE_SHIFT
        tags[graph, :types] = rng.integers(0, 13, types)
    return words, np.full(count, types, np.int32), tags


def orders_of_the_cpu(words: Any, lengths: Any, tags: Any, most: int) -> tuple[Any, Any, Any]:
    orders, shapes = np.zeros((len(words), TYPES), np.int8), np.zeros((len(words), 3), np.int32)
    peaks = np.zeros((len(words), 2), np.int64)
    for g, count in enumerate(lengths.tolist()):
        size, loss, tie = np.zeros((3, TYPES), np.int64)
        unpack(words[g].astype(np.int64), count, size, loss, tie)
        sweep_order(count, size, loss, tie, tags[g], orders[g])
        shape_counts(count, size, tie, most, most_cards_in_one_limb(), shapes[g])
        pools = np.zeros((5, TYPES + 1), np.int64)
        peaks[g] = count_states(count, most, size, loss, tie, orders[g], *pools)
    return orders, shapes, peaks


@pytest.mark.parametrize("most", [3, 9, 22])
@pytest.mark.parametrize(
    "graphs", [graphs_of_boards, lambda: drawn_graphs(60, 8, 1)], ids=["boards", "drawn"]
)
def test_find_orders(cuda: Any, run: Any, graphs: Callable[[], Any], most: int) -> None:
    words, lengths, tags = graphs()
    count = len(words)
    assert count > 50
    orders, shapes = cuda.zeros((count, TYPES), np.int8), cuda.empty((count, 3), np.int32)
    peaks, one_limb = cuda.empty((count, 3), np.int64), cuda.asarray(most_cards_in_one_limb())
    given = cuda.asarray(words), cuda.asarray(lengths), cuda.asarray(tags), np.int64(count)
    run(
        "known_hands/elimination_orders",
        "find_orders",
        *(*given, np.int32(most), one_limb, orders, shapes, peaks),
    )
    expected = orders_of_the_cpu(words, lengths, tags, most)
    assert np.array_equal(cuda.asnumpy(orders), expected[0])
    assert np.array_equal(cuda.asnumpy(shapes), expected[1])
    assert np.array_equal(cuda.asnumpy(peaks)[:, :2], expected[2])


def test_the_steps_of_a_sweep_are_counted(cuda: Any, run: Any) -> None:
    """Three cards that beat each other: none, one, then no open card, of at most one at once."""
    words, lengths = np.zeros((1, TYPES), np.uint64), np.array([1], np.int32)
    words[0, 0] = 1 | 3 << SIZE_SHIFT
    found = solving.find_orders(
        cuda.asarray(words), cuda.asarray(lengths), cuda.zeros((1, TYPES), np.int8), 1
    )
    assert found.states.tolist() == [2] and found.sizes.tolist() == [2]
    assert found.work.tolist() == [2 * (2 + 2 + 1)] and found.numbers.tolist() == [4]


def count_matchings(edges: dict[tuple[int, int], int], cards: int) -> dict[tuple[int, int], int]:
    """Count the matchings of cards joined by losses (1) and ties (2), by edges and ties, one by one."""
    counts: dict[tuple[int, int], int] = {}

    def extend(card: int, taken: int, edge_count: int, ties: int) -> None:
        if card == cards:
            counts[edge_count, ties] = counts.get((edge_count, ties), 0) + 1
            return
        extend(card + 1, taken, edge_count, ties)
        for other in range(card + 1, cards):
            kind = edges.get((card, other), 0)
            if kind and not (taken >> card | taken >> other) & 1:
                extend(card + 1, taken | 1 << card | 1 << other, edge_count + 1, ties + (kind == 2))

    extend(0, 0, 0, 0)
    return counts


def draw_graph(rng: Any) -> tuple[list[int], dict[tuple[int, int], int], int]:
    """Draw the words of a graph of four types, and its cards with their edges."""
    sizes = rng.integers(1, 4, 4).tolist()
    kinds = np.triu(rng.integers(0, 3, (4, 4)))
    kinds = np.maximum(kinds, kinds.T)
    words = []
    for i, size in enumerate(sizes):
        loss, tie = (sum(1 << j for j in range(4) if kinds[i, j] == kind) for kind in (1, 2))
        words.append(loss | tie << TYPES | size << SIZE_SHIFT)
    types = [i for i, size in enumerate(sizes) for _ in range(size)]
    pairs = combinations(range(len(types)), 2)
    return words, {(a, b): int(kinds[types[a], types[b]]) for a, b in pairs}, len(types)


def solve(cuda: Any, run: Any, graphs: list[list[int]], limbs: int, max_edges: int) -> list[Any]:
    """Return the matchings (edges, ties) of each graph as integers."""
    count, width = len(graphs), max_edges + 1
    words = np.zeros((count, TYPES), np.uint64)
    for row, graph in zip(words, graphs, strict=True):
        row[: len(graph)] = graph
    orders = np.tile(np.arange(TYPES, dtype=np.int8), (count, 1))
    block = limbs * width * width
    results = cuda.empty(count * block, np.uint64)
    scratch_size, max_states, blocks = 400 * block, 400, 20
    run(
        "known_hands/matchings",
        "solve_graphs",
        cuda.asarray(words),
        cuda.asarray(np.array([len(graph) for graph in graphs], np.int32)),
        cuda.asarray(orders),
        cuda.asarray(np.array([[limbs, width, width]] * count, np.int32)),
        cuda.asarray(np.arange(count, dtype=np.int64) * block),
        cuda.asarray(np.arange(count, dtype=np.int32)),
        np.int32(count),
        np.int32(max_edges),
        cuda.empty(blocks * 2 * scratch_size, np.uint64),
        np.int64(scratch_size),
        cuda.empty(blocks * 2 * max_states, np.uint64),
        np.int64(max_states),
        cuda.zeros(1, np.int32),
        results,
    )
    found = cuda.asnumpy(results).astype(object).reshape(count, limbs, width, width)
    return [sum(plane << LIMB_BITS * limb for limb, plane in enumerate(graph)) for graph in found]


@pytest.mark.parametrize("limbs", [1, 2])
def test_solve_graphs(cuda: Any, run: Any, limbs: int) -> None:
    rng = np.random.default_rng(5)
    drawn = [draw_graph(rng) for _ in range(6)]
    found = solve(cuda, run, [words for words, _, _ in drawn], limbs, 4)
    for matchings, (_, edges, cards) in zip(found, drawn, strict=True):
        expected = count_matchings(edges, cards)
        for j, t in np.ndindex(5, 5):
            assert matchings[j, t] == expected.get((j, t), 0)


def test_solve_graphs_beyond_64_bits(cuda: Any, run: Any) -> None:
    """Forty-five cards beat each other: n! / ((n - 2j)! j! 2^j) matchings of j edges."""
    (matchings,) = solve(cuda, run, [[1 | 45 << SIZE_SHIFT]], 2, 22)
    ways = 1
    for j in range(23):
        assert matchings[j, 0] == ways and not matchings[j, 1:].any()
        ways = ways * comb(45 - 2 * j, 2) // (j + 1)
    assert int(matchings[22, 0]).bit_length() > 64 and MAX_STATES > 23


@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize("most", [3, 9, pytest.param(22, marks=pytest.mark.slow)])
def test_graphs_are_solved_as_on_the_cpu(cuda: Any, seed: int, most: int) -> None:
    """Graphs of boards, and others with more pools, which close in more than one go."""
    parts = zip(graphs_of_boards(), drawn_graphs(40, 8, 2), drawn_graphs(4, 12, 3), strict=True)
    words, lengths, tags = (np.concatenate(part) for part in parts)
    if cuda.__version__ == "stand-in":
        cuda.cuda.settings.seed = seed
    given = cuda.asarray(words), cuda.asarray(lengths)
    found = solving.find_orders(*given, cuda.asarray(tags), most)
    starts = np.cumsum(found.sizes) - found.sizes
    results = cuda.full(int(found.sizes.sum()), 99, np.uint64)
    solving.count_matchings(*given, found, cuda.asarray(starts), most, results)
    orders, shapes, peaks = orders_of_the_cpu(words, lengths, tags, most)
    assert peaks[:, 1].max() > 4
    for g, (limbs, edges, ties) in enumerate(shapes.tolist()):
        size, loss, tie = np.zeros((3, TYPES), np.int64)
        unpack(words[g].astype(np.int64), lengths[g], size, loss, tie)
        expected = np.zeros(limbs * edges * ties, np.uint64)
        shape = Shape(most, limbs, edges, ties)
        cpu_matchings(int(lengths[g]), Graph(size, loss, tie, orders[g]), shape, expected)
        assert np.array_equal(cuda.asnumpy(results)[starts[g] :][: expected.size], expected), g


def orders_with(numbers: list[int]) -> solving.Orders:
    sizes = np.array(numbers, np.int64)
    return solving.Orders(None, None, sizes, np.ones_like(sizes), sizes, sizes)


def test_graphs_go_into_one_launch_where_memory_allows() -> None:
    found = orders_with([10, 4000, 50, 900])
    everything = np.arange(4)
    bytes_needed = 4 * 16 * 4001
    assert [list(some) for some in solving._by_scratch(everything, found, 100, bytes_needed)] == [
        [0, 1, 2, 3]
    ]
    groups = [list(some) for some in solving._by_scratch(everything, found, 100, bytes_needed - 1)]
    assert groups == [[1], [0, 2, 3]]
    few = [list(some) for some in solving._by_scratch(everything, found, 100, 64 * 12)]
    assert few == [[1], [3], [2], [0]]


def test_the_size_of_blocks_follows_the_numbers_of_a_step(cuda: Any) -> None:
    if cuda.__version__ != "stand-in":
        pytest.skip("only the stand-in lists launches")
    words, lengths, tags = (cuda.asarray(part) for part in graphs_of_boards())
    found = solving.find_orders(words, lengths, tags, 9)
    place = cuda.asarray(np.cumsum(found.sizes) - found.sizes)
    results = cuda.empty(int(found.sizes.sum()), np.uint64)
    cuda.cuda.settings.launches.clear()
    solving.count_matchings(words, lengths, found, place, 9, results)
    launches = [(threads, name) for _, name, _, threads in cuda.cuda.settings.launches]
    assert launches == [(32, "solve_graphs"), (128, "solve_graphs"), (512, "solve_graphs")]
