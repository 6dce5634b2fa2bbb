"""The elimination order of threat graphs, found on the device, one thread a graph.

numba.cuda: the functions are the CPU backend's (:mod:`gpuodds.backends.cpu.elimination_order`), and
finding an order takes a small part of the time that solving the graph does. Not yet measured on a GPU.
"""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

from numba import cuda, int64

from gpuodds.backends.cpu.elimination_order import count_states, shape_counts, sweep_order, unpack
from gpuodds.backends.cpu.jit import cached
from gpuodds.backends.cpu.threats import TYPES

POOLS = TYPES + 1

# A spot with few graphs makes a small grid; numba's warning about it is not for users.
warnings.filterwarnings("ignore", message="Grid size .* under-utilization")


@partial(cached, cuda.jit)
def find_orders(
    words: Any,
    lengths: Any,
    tags: Any,
    first: int,
    last: int,
    most: int,
    one_limb: Any,
    orders: Any,
    shapes: Any,
    states: Any,
) -> None:
    """Find the elimination orders of the graphs ``first`` to ``last``, one thread each.

    Args:
        words: (n, 26) int64, the words of each graph.
        lengths: (n,) int32, the number of words.
        tags: (n, 26) int8, the card rank of each word's type.
        first: The first graph.
        last: The graph after the last one.
        most: Edges to count up to.
        one_limb: int64, for each number of edges the most cards whose matchings fit one limb.
        orders: (n, 26) int8, receives the order of the types.
        shapes: (n, 3) int32, receives the shape of the counts: limbs, edges + 1, ties + 1.
        states: (n, 2) int32, receives the most states and the most pools of the sweep.
    """
    graph = first + cuda.grid(1)
    if graph >= last:
        return
    size = cuda.local.array(TYPES, int64)
    loss = cuda.local.array(TYPES, int64)
    tie = cuda.local.array(TYPES, int64)
    pool_size = cuda.local.array(POOLS, int64)
    pool_loss = cuda.local.array(POOLS, int64)
    pool_tie = cuda.local.array(POOLS, int64)
    cap = cuda.local.array(POOLS, int64)
    becomes = cuda.local.array(POOLS, int64)
    count = int64(lengths[graph])
    order = orders[graph]
    unpack(words[graph], count, size, loss, tie)
    sweep_order(count, size, loss, tie, tags[graph], order)
    shape_counts(count, size, tie, most, one_limb, shapes[graph])
    most_states, most_pools = count_states(
        count, most, size, loss, tie, order, pool_size, pool_loss, pool_tie, cap, becomes
    )
    states[graph, 0] = most_states
    states[graph, 1] = most_pools


def launch(kernel: Any, threads: int, items: int, arguments: tuple[Any, ...]) -> None:
    """Launch a numba.cuda kernel, one thread per item, on CuPy's current device and stream."""
    import cupy

    pointer = cupy.cuda.get_current_stream().ptr
    with cuda.gpus[cupy.cuda.Device().id]:
        stream = cuda.external_stream(pointer) if pointer else 0
        kernel[-(-items // threads), threads, stream](*arguments)
