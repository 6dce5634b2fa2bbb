"""The intern table of threat graphs on a device, and the matchings of each graph.

CUDA C++ through CuPy: 64-bit words, a hash table by compare-and-swap. Not yet measured on a GPU.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from gpuodds.backends.cuda.arrays.ranks import packed_tables
from gpuodds.backends.cuda.known_hands.solving import count_matchings, find_orders
from gpuodds.backends.cuda.known_hands.spots import Spots
from gpuodds.backends.cuda.shared.device import launch
from gpuodds.backends.cuda.shared.layout import GRAPH_THREADS
from gpuodds.backends.cuda.shared.pieces import in_pieces
from gpuodds.backends.graph_words import TYPES

CLASS_BYTES = 300  # of all arrays with an entry for each class of a batch
MIN_GRAPHS, MIN_SLOTS = 1024, 4096  # of a new intern table


def grow(array: Any, length: int) -> Any:
    """Return an array of at least ``length`` rows that begins with those of ``array``."""
    import cupy

    if len(array) >= length:
        return array
    grown = cupy.empty((max(length, 2 * len(array)), *array.shape[1:]), array.dtype)
    grown[: len(array)] = array
    return grown


class Matchings(Protocol):
    """The matchings of numbered graphs with up to ``most`` edges.

    The counts of graph g have the shape ``shapes[g]`` (limbs, edges + 1, ties + 1) and begin at
    ``results[place[g]]``.
    """

    most: int
    shapes: Any
    place: Any
    results: Any


class Pairs:
    """The matchings of board classes with up to two edges, in closed form: class i is graph i."""

    def __init__(self, spots: Spots, begin: int, classes: Any, most: int) -> None:
        """Count those of ``classes``, whose first item is ``begin``."""
        import cupy

        count = len(classes)
        self.most = most
        self.shapes = cupy.empty((count, 3), np.int32)
        self.shapes[:] = cupy.asarray(np.array([1, 3, 3], np.int32))
        self.place = 9 * cupy.arange(count, dtype=np.int64)
        self.results = cupy.empty(9 * count, np.uint64)
        launch(
            "known_hands/threat_graphs/threat_graphs",
            "count_pairs",
            count,
            GRAPH_THREADS,
            (
                spots.packed,
                packed_tables(spots.game),
                np.int64(begin),
                classes,
                np.int64(count),
                self.results,
            ),
        )


class Graphs:
    """Graphs met on one device, solved up to ``most`` edges: see :class:`Matchings`.

    Graph g has ``lengths[g]`` types, the words ``words[g]`` and the card ranks ``tags[g]``.
    """

    def __init__(self, most: int) -> None:
        """Start with no graph."""
        import cupy

        self.most = most
        self.used = 0
        self.solved = 0
        self.words = cupy.empty((MIN_GRAPHS, TYPES), np.uint64)
        self.lengths = cupy.empty(MIN_GRAPHS, np.int32)
        self.tags = cupy.empty((MIN_GRAPHS, TYPES), np.int8)
        self.slots = cupy.zeros(MIN_SLOTS, np.int32)
        self.in_order = True  # the slots hold graphs only
        self.shapes = cupy.empty((0, 3), np.int32)
        self.place = cupy.empty(0, np.int64)
        self.results = cupy.empty(0, np.uint64)
        self.end = 0  # of the results that are in use

    def find(self, spots: Spots, begin: int, classes: Any) -> tuple[Any, Any]:
        """Intern the graphs of board classes.

        Args:
            spots: The spots that were classified.
            begin: The first item of the classes.
            classes: Board classes of :func:`~gpuodds.backends.cuda.known_hands.spots.list_classes`.

        Returns:
            The graph of each class and the number of cards that opponents are dealt from, CuPy arrays
            int32.
        """
        import cupy

        count = len(classes)
        keys = cupy.empty((count, TYPES), np.uint64)
        lengths = cupy.empty(count, np.int32)
        tags = cupy.empty((count, TYPES), np.int8)
        decks = cupy.empty(count, np.int32)
        launch(
            "known_hands/threat_graphs/threat_graphs",
            "find_graphs",
            count,
            GRAPH_THREADS,
            (
                spots.packed,
                packed_tables(spots.game),
                np.int64(begin),
                classes,
                np.int64(count),
                keys,
                lengths,
                tags,
                decks,
            ),
        )
        return self._intern(keys, lengths, tags), decks

    def _intern(self, keys: Any, lengths: Any, tags: Any) -> Any:
        import cupy

        count = len(keys)
        self._make_slots(count)
        numbers = cupy.empty(count, np.int32)
        added = cupy.zeros(1, np.int32)
        mask = np.int64(self.slots.size - 1)
        self.in_order = False
        launch(
            "known_hands/threat_graphs/intern_table",
            "find_slots",
            count,
            GRAPH_THREADS,
            (
                keys,
                lengths,
                np.int64(count),
                self.words,
                self.lengths,
                self.slots,
                mask,
                numbers,
                added,
            ),
        )
        graphs = self.used + int(added[0])
        self.words = grow(self.words, graphs)
        self.lengths = grow(self.lengths, graphs)
        self.tags = grow(self.tags, graphs)
        used = cupy.full(1, self.used, np.int32)
        launch(
            "known_hands/threat_graphs/intern_table",
            "adopt_graphs",
            count,
            GRAPH_THREADS,
            (
                keys,
                lengths,
                tags,
                np.int64(count),
                numbers,
                self.slots,
                used,
                self.words,
                self.lengths,
                self.tags,
            ),
        )
        launch(
            "known_hands/threat_graphs/intern_table",
            "read_slots",
            count,
            GRAPH_THREADS,
            (numbers, np.int64(count), self.slots),
        )
        self.used = graphs
        self.in_order = True
        return numbers

    def _make_slots(self, count: int) -> None:
        # A batch that ran out of memory half-way has left marks in the slots: the table is refilled.
        import cupy

        needed = 2 * (self.used + count)
        if self.in_order and self.slots.size >= needed:
            return
        size = max(self.slots.size, 1 << needed.bit_length())
        self.slots = cupy.zeros(size, np.int32)
        self.in_order = True
        if self.used:
            launch(
                "known_hands/threat_graphs/intern_table",
                "enter_graphs",
                self.used,
                GRAPH_THREADS,
                (
                    self.words,
                    self.lengths,
                    np.int64(self.used),
                    self.slots,
                    np.int64(size - 1),
                ),
            )

    def solve(self) -> None:
        """Count the matchings of the graphs that came since the last call."""
        for _ in in_pieces(self.solved, self.used, self.used, self._solve):
            pass

    def _solve(self, first: int, last: int) -> None:
        import cupy

        words, lengths, tags = self.words[first:last], self.lengths[first:last], self.tags[first:last]
        orders = find_orders(words, lengths, tags, self.most)
        ends = self.end + np.cumsum(orders.sizes)
        shapes, place = grow(self.shapes, last), grow(self.place, last)
        shapes[first:last] = orders.shapes
        place[first:last] = cupy.asarray(ends - orders.sizes)
        results = grow(self.results, int(ends[-1]))
        count_matchings(words, lengths, orders, place[first:last], self.most, results)
        self.shapes, self.place, self.results = shapes, place, results
        self.end = int(ends[-1])
        self.solved = last
