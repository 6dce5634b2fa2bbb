"""Rank graphs: which cards of a suit are undealt matters only by how many of each kind of rank."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import product
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from small_graphs import LOSS, NO_EDGE, SmallGraph, small_graphs

from gpuodds.backends.cpu.known_hands.threat_graphs.rank_graphs import KIND_BITS, RANKS, read_rank_graph
from gpuodds.backends.graph_words import TYPES


def read(graph: SmallGraph) -> tuple[tuple[int, ...], list[int]]:
    """Return the normal form of a rank graph, and the kinds of its ranks."""
    digits = [sum((size >> bit & 1) << i for i, size in enumerate(graph.sizes)) for bit in range(3)]
    loss, tie = graph.rows()
    rows, key = np.zeros(RANKS, np.int64), np.zeros(RANKS, np.int64)
    rows[: len(loss)] = loss | tie << TYPES
    scratch = np.zeros((6, RANKS), np.int64)
    length, packed = read_rank_graph(rows, digits[0], digits[1], digits[2], scratch, key)
    return tuple(key[:length].tolist()), [packed >> KIND_BITS * i & 15 for i in range(len(loss))]


def with_suit(graph: SmallGraph, suited: tuple[int, ...]) -> Counter[tuple[int, int]]:
    """Match a rank graph with ``suited`` cards of a rank in the suit, two of which lose."""
    count = len(graph.sizes)
    kinds = {}
    for i in range(2 * count):
        for j in range(i, 2 * count):
            kinds[i, j] = LOSS if i >= count else graph.kind(i % count, j % count)
    sizes = [size - taken for size, taken in zip(graph.sizes, suited, strict=True)]
    return _present(SmallGraph((*sizes, *suited), kinds)).matchings()


def _present(graph: SmallGraph) -> SmallGraph:
    there = [i for i, size in enumerate(graph.sizes) if size]
    pairs = [(i, j) for i in range(len(there)) for j in range(i, len(there))]
    kinds = {(i, j): graph.kind(there[i], there[j]) for i, j in pairs}
    return SmallGraph(tuple(graph.sizes[i] for i in there), kinds)


@given(small_graphs(max_types=4, max_cards=6))
@settings(max_examples=40, deadline=None)
def test_ranks_of_a_kind_are_alike(graph: SmallGraph) -> None:
    _, kinds = read(graph)
    matched: dict[Any, set[Any]] = defaultdict(set)
    for suited in product((0, 1), repeat=len(graph.sizes)):
        taken = Counter(kind for kind, one in zip(kinds, suited, strict=True) if one)
        matched[tuple(sorted(taken.items()))].add(tuple(sorted(with_suit(graph, suited).items())))
    assert all(len(found) == 1 for found in matched.values())


@given(small_graphs(max_types=4, max_cards=6), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_equal_forms_are_equal_graphs(graph: SmallGraph, random: Any) -> None:
    order = list(range(len(graph.sizes)))
    random.shuffle(order)
    other = graph.relabelled(order)
    if read(graph)[0] == read(other)[0]:
        by_kind = [Counter(read(one)[1]) for one in (graph, other)]
        assert by_kind[0] == by_kind[1]
        assert graph.matchings() == other.matchings()


def test_kinds_of_a_known_graph() -> None:
    # Two ranks of three cards lose to each other; a third, of two, makes nothing.
    kinds = {(i, j): NO_EDGE for i in range(4) for j in range(i, 4)} | {(0, 1): LOSS}
    form, kinds_of = read(SmallGraph((3, 3, 2, 1), kinds))
    assert kinds_of == [0, 0, 1, 1] and len(form) == 2
