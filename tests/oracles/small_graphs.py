"""Small threat graphs for the tests: made by hypothesis, and matched pair by pair."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from gpuodds.backends.cpu.known_hands.matchings import Graph, Shape, count_matchings

NO_EDGE, LOSS, TIE = range(3)
LIMB_BITS = 48


class SmallGraph(NamedTuple):
    """Cards of each type, and the edge of each two types, or within one: ``kind[i][j]``, i <= j."""

    sizes: tuple[int, ...]
    kinds: dict[tuple[int, int], int]

    def kind(self, i: int, j: int) -> int:
        """Return the edge between a card of type i and another of type j."""
        return self.kinds[min(i, j), max(i, j)]

    def rows(self) -> tuple[Any, Any]:
        """Return the loss and the tie rows of the types, as masks."""
        count = len(self.sizes)
        return tuple(
            np.array(
                [
                    sum(
                        1 << j
                        for j in range(count)
                        if self.kind(i, j) == kind and (i != j or self.sizes[i] > 1)
                    )
                    for i in range(count)
                ],
                np.int64,
            )
            for kind in (LOSS, TIE)
        )  # type: ignore[return-value]

    def relabelled(self, order: list[int]) -> SmallGraph:
        """Return the graph with type ``order[i]`` in place i."""
        count = len(order)
        pairs = [(i, j) for i in range(count) for j in range(i, count)]
        return SmallGraph(
            tuple(self.sizes[i] for i in order),
            {(i, j): self.kind(order[i], order[j]) for i, j in pairs},
        )

    def matchings(self) -> Counter[tuple[int, int]]:
        """Count the matchings by edges and ties, pair by pair."""
        cards = [i for i, size in enumerate(self.sizes) for _ in range(size)]
        counts: Counter[tuple[int, int]] = Counter()

        def match(left: list[int], edges: int, ties: int) -> None:
            if not left:
                counts[edges, ties] += 1
                return
            first, others = left[0], left[1:]
            match(others, edges, ties)
            for place, other in enumerate(others):
                kind = self.kind(first, other)
                if kind != NO_EDGE:
                    match(others[:place] + others[place + 1 :], edges + 1, ties + (kind == TIE))

        match(cards, 0, 0)
        return counts


@st.composite
def small_graphs(draw: Any, max_types: int = 5, max_cards: int = 9) -> SmallGraph:
    """Draw a graph."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=max_types))
    while sum(sizes) > max_cards:
        sizes.pop()
    pairs = [(i, j) for i in range(len(sizes)) for j in range(i, len(sizes))]
    kinds = draw(
        st.lists(st.sampled_from((NO_EDGE, LOSS, TIE)), min_size=len(pairs), max_size=len(pairs))
    )
    return SmallGraph(tuple(sizes), dict(zip(pairs, kinds, strict=True)))


def solve(
    sizes: Any, loss: Any, tie: Any, order: list[int], max_edges: int, limbs: int = 1
) -> Counter[tuple[int, int]]:
    """Count matchings by the backend's sweep."""
    types = len(order)
    wide = np.zeros((3, 26), np.int64)
    wide[:, :types] = sizes, loss, tie
    sweep = np.zeros(26, np.int8)
    sweep[:types] = order
    result = np.zeros((limbs, max_edges + 1, max_edges + 1), np.uint64)
    count_matchings(
        types,
        Graph(wide[0], wide[1], wide[2], sweep),
        Shape(max_edges, limbs, max_edges + 1, max_edges + 1),
        result.reshape(-1),
    )
    counts: Counter[tuple[int, int]] = Counter()
    for limb in range(limbs):
        for edges, ties in np.argwhere(result[limb]).tolist():
            counts[edges, ties] += int(result[limb, edges, ties]) << LIMB_BITS * limb
    return counts
