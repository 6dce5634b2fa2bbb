"""The intern table of threat graphs on a device, and the matchings of each graph.

CUDA C++ through CuPy: 64-bit words, a hash table by compare-and-swap, barriers between the steps of a
block. Elimination orders are numba.cuda's (:mod:`gpuodds.backends.cuda.elimination_order`). Not yet
measured on a GPU.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np

from gpuodds.backends.cpu.accumulator import most_cards_in_one_limb
from gpuodds.backends.cpu.threats import TYPES
from gpuodds.backends.cuda.device import BLOCKS_PER_PROCESSOR, free_bytes, grid, kernel, release_memory
from gpuodds.backends.cuda.elimination_order import find_orders, launch
from gpuodds.backends.cuda.layout import GRAPH_THREADS, MAX_POOLS, MAX_STATES
from gpuodds.backends.cuda.ranks import packed_tables
from gpuodds.backends.cuda.spots import Spots

ORDER_THREADS = 64
SOLVE_THREADS = 128
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
        kernel("threat_graphs", "count_pairs")(
            grid(count, GRAPH_THREADS),
            (GRAPH_THREADS,),
            (spots.packed, packed_tables(), np.int64(begin), classes, np.int64(count), self.results),
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
            classes: Board classes of :func:`~gpuodds.backends.cuda.spots.list_classes`.

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
        shape = grid(count, GRAPH_THREADS), (GRAPH_THREADS,)
        kernel("threat_graphs", "find_graphs")(
            *shape,
            (
                spots.packed,
                packed_tables(),
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
        shape = grid(count, GRAPH_THREADS), (GRAPH_THREADS,)
        self._make_slots(count)
        found = cupy.empty(count, np.int32)
        added = cupy.zeros(1, np.int32)
        mask = np.int64(self.slots.size - 1)
        self.in_order = False
        kernel("intern_table", "find_slots")(
            *shape,
            (
                keys,
                lengths,
                np.int64(count),
                self.words,
                self.lengths,
                self.slots,
                mask,
                found,
                added,
            ),
        )
        graphs = self.used + int(added[0])
        self.words = grow(self.words, graphs)
        self.lengths = grow(self.lengths, graphs)
        self.tags = grow(self.tags, graphs)
        used = cupy.full(1, self.used, np.int32)
        kernel("intern_table", "adopt_graphs")(
            *shape,
            (
                keys,
                lengths,
                tags,
                np.int64(count),
                found,
                self.slots,
                used,
                self.words,
                self.lengths,
                self.tags,
            ),
        )
        kernel("intern_table", "read_slots")(*shape, (found, np.int64(count), self.slots))
        self.used = graphs
        self.in_order = True
        return found

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
            kernel("intern_table", "enter_graphs")(
                grid(self.used, GRAPH_THREADS),
                (GRAPH_THREADS,),
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
        import cupy

        first, last = self.solved, self.used
        if first == last:
            return
        orders = cupy.empty((last, TYPES), np.int8)
        states = cupy.empty((last, 2), np.int32)
        shapes = grow(self.shapes, last)
        words = self.words.view(np.int64)
        one_limb = cupy.asarray(most_cards_in_one_limb())
        graphs = words, self.lengths, self.tags, first, last
        given = (*graphs, self.most, one_limb, orders, shapes, states)
        launch(find_orders, ORDER_THREADS, last - first, given)
        peaks = cupy.asnumpy(states[first:last]).astype(np.int64)
        _check_peaks(*peaks.max(axis=0).tolist())
        sizes = cupy.asnumpy(shapes[first:last]).astype(np.int64).prod(axis=1)
        ends = self.end + np.cumsum(sizes)
        place = grow(self.place, last)
        place[first:last] = cupy.asarray(ends - sizes)
        results = grow(self.results, int(ends[-1]))
        for some, scratch_size in _by_scratch(peaks[:, 0] * sizes):
            max_states = int(peaks[some, 0].max())
            self._solve_some(first + some, scratch_size, max_states, orders, shapes, place, results)
        self.shapes, self.place, self.results = shapes, place, results
        self.end = int(ends[-1])
        self.solved = last

    def _solve_some(
        self,
        numbers: Any,
        scratch_size: int,
        max_states: int,
        orders: Any,
        shapes: Any,
        place: Any,
        results: Any,
    ) -> None:
        import cupy

        graphs = cupy.asarray(numbers.astype(np.int32))
        processors = cupy.cuda.Device().attributes["MultiProcessorCount"]
        blocks = min(len(numbers), processors * BLOCKS_PER_PROCESSOR)
        blocks = max(1, min(blocks, free_bytes() // 2 // (8 * (2 * scratch_size + max_states))))
        while True:
            try:
                scratch = cupy.empty(blocks * 2 * scratch_size, np.uint64)
                opens = cupy.empty(blocks * max_states, np.uint64)
                break
            except MemoryError:
                release_memory()
                if blocks == 1:
                    raise
                blocks //= 2
        taken = cupy.zeros(1, np.int32)
        kernel("matchings", "solve_graphs")(
            (blocks,),
            (SOLVE_THREADS,),
            (
                self.words,
                self.lengths,
                orders,
                shapes,
                place,
                graphs,
                np.int32(len(numbers)),
                np.int32(self.most),
                scratch,
                np.int64(scratch_size),
                opens,
                np.int64(max_states),
                taken,
                results,
            ),
        )


def _check_peaks(states: int, pools: int) -> None:
    """Refuse graphs that kernels/pools.cuh and limbs.cuh have no bits for; none is known."""
    if states > MAX_STATES or pools > MAX_POOLS:
        raise RuntimeError(
            f"a threat graph with {states} states and {pools} pools: "
            f"at most {MAX_STATES} and {MAX_POOLS} are possible"
        )


def _by_scratch(numbers: Any) -> Iterator[tuple[Any, int]]:
    """Group graphs by the numbers that a block keeps for them, the largest first.

    Within a group no graph needs less than half of what the largest does.
    """
    order = np.argsort(-numbers, kind="stable")
    begin = 0
    while begin < len(order):
        largest = int(numbers[order[begin]])
        end = begin + int(np.searchsorted(-numbers[order[begin:]], -(largest // 2), side="left"))
        end = max(end, begin + 1)
        yield order[begin:end], largest
        begin = end
