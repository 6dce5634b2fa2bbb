"""The matchings of threat graphs: elimination orders, then one sweep a graph.

CUDA C++ through CuPy: a thread orders a graph, a block sweeps one. Not yet measured on a GPU.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.known_hands.accumulator import most_cards_in_one_limb
from gpuodds.backends.cuda.shared.device import (
    free_bytes,
    kernel,
    launch,
    processors,
    release_memory,
    resident_blocks,
)
from gpuodds.backends.cuda.shared.layout import MAX_POOLS, MAX_STATES, SOLVE_THREADS
from gpuodds.backends.cuda.shared.pieces import launches_by_work
from gpuodds.backends.graph_words import TYPES

Ints = npt.NDArray[np.int64]

ORDER_THREADS = 64
MAX_NUMBERS = 1 << 27  # of a launch, for each multiprocessor: see pieces.py
# Threads of a block, and the most numbers in a step of the graphs that it takes.
SOLVE_SIZES = (32, 500), (128, 20_000), (SOLVE_THREADS, 1 << 62)


@dataclass(frozen=True)
class Orders:
    """The elimination orders of graphs, and what their sweeps need.

    ``orders`` (n, 26) int8 and ``shapes`` (n, 3) int32 are on the device: see ``find_orders`` in
    kernels/known_hands/elimination_orders.cu. For each graph, ``states`` and ``numbers`` are the most
    of a step, ``sizes`` the numbers of its result, ``work`` the numbers of all steps.
    """

    orders: Any
    shapes: Any
    sizes: Ints
    states: Ints
    numbers: Ints
    work: Ints


def find_orders(words: Any, lengths: Any, tags: Any, most: int) -> Orders:
    """Order the graphs of ``words`` (n, 26), their ``lengths`` (n,) and ``tags`` (n, 26).

    Raises:
        RuntimeError: The kernels have no bits for the sweep of a graph.
    """
    import cupy

    count = len(words)
    orders, shapes = cupy.empty((count, TYPES), np.int8), cupy.empty((count, 3), np.int32)
    peaks = cupy.empty((count, 3), np.int64)
    one_limb = cupy.asarray(most_cards_in_one_limb())
    inputs = words, lengths, tags, np.int64(count), np.int32(most), one_limb
    arguments = *inputs, orders, shapes, peaks
    launch("known_hands/elimination_orders", "find_orders", count, ORDER_THREADS, arguments)
    states, pools, steps = cupy.asnumpy(peaks).T
    _check_peaks(int(states.max()), int(pools.max()))
    sizes = cupy.asnumpy(shapes).astype(np.int64).prod(axis=1)
    return Orders(orders, shapes, sizes, states, states * sizes, steps * sizes)


def _check_peaks(states: int, pools: int) -> None:
    """Refuse graphs that pools.cuh and limbs.cuh of kernels/ have no bits for; none is known."""
    if states > MAX_STATES or pools > MAX_POOLS:
        raise RuntimeError(
            f"a threat graph with {states} states and {pools} pools: "
            f"at most {MAX_STATES} and {MAX_POOLS} are possible"
        )


def count_matchings(
    words: Any, lengths: Any, orders: Orders, place: Any, most: int, results: Any
) -> None:
    """Count matchings of graphs with up to ``most`` edges, each from its ``place`` in ``results``."""
    import cupy

    solve = kernel("known_hands/matchings", "solve_graphs")
    smallest = 0
    for threads, largest in SOLVE_SIZES:
        of_size = np.flatnonzero((orders.numbers >= smallest) & (orders.numbers < largest))
        smallest = largest
        blocks = resident_blocks(solve, threads)
        for some in _by_scratch(of_size, orders, blocks, free_bytes() // 2):
            some = some[np.argsort(-orders.work[some], kind="stable")]
            graphs = cupy.asarray(some.astype(np.int32))
            size, states = int(orders.numbers[some].max()), int(orders.states[some].max())
            fitting = free_bytes() // 2 // _scratch_bytes(size, states)
            scratch, opens, num_blocks = _allocate(min(blocks, len(some), fitting), size, states)
            space = scratch, np.int64(size), opens, np.int64(states)
            for part in launches_by_work(orders.work[some], processors() * MAX_NUMBERS, num_blocks):
                chosen = graphs[part]
                inputs = words, lengths, orders.orders, orders.shapes, place, chosen
                taken = np.int32(len(chosen)), np.int32(most), *space, cupy.zeros(1, np.int32)
                solve((num_blocks,), (threads,), (*inputs, *taken, results))


def _scratch_bytes(numbers: Any, states: Any) -> Any:
    """Return what a block needs: two steps, and the open cards of two types."""
    return 16 * (numbers + states)


def _by_scratch(chosen: Ints, orders: Orders, blocks: int, memory: int) -> Iterator[Ints]:
    """Yield the graphs that one launch takes: all, if each of the blocks has memory for the largest.

    Otherwise the graphs for which there is too little come first, in groups in which none needs less
    than half of what the largest does.
    """
    needs = _scratch_bytes(orders.numbers[chosen], orders.states[chosen])
    fits = needs * min(blocks, len(chosen)) <= memory
    large = chosen[~fits][np.argsort(-needs[~fits], kind="stable")]
    needs = np.sort(needs[~fits])[::-1]
    while len(large):
        end = int(np.searchsorted(-needs, -(needs[0] // 2), side="right"))
        yield large[:end]
        large, needs = large[end:], needs[end:]
    if fits.any():
        yield chosen[fits]


def _allocate(blocks: int, numbers: int, states: int) -> tuple[Any, Any, int]:
    """Return the scratch of as many of ``blocks`` blocks as there is memory for, and their number."""
    import cupy

    blocks = max(1, blocks)
    while True:
        try:
            scratch = cupy.empty(blocks * 2 * numbers, np.uint64)
            return scratch, cupy.empty(blocks * 2 * states, np.uint64), blocks
        except MemoryError:
            release_memory()
            if blocks == 1:
                raise
            blocks //= 2
