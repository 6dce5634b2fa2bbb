"""The plan of each graph's solution, made on the device, one thread a graph.

This kernel is numba.cuda: a plan is made once a graph by the very functions that the CPU backend uses
(:mod:`gpuodds.backends.cpu.elimination_order`), and takes a small part of the time that solving the
graph does. No measurement on a GPU has been made yet.
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
THREADS = 64

# A spot with few graphs makes a small grid: numba's advice against it is not for our users.
warnings.filterwarnings("ignore", message="Grid size .* under-utilization")


@partial(cached, cuda.jit)
def plan_graphs(
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
    """Plan the graphs ``first`` to ``last``, one thread each.

    ``words`` (n, 26) int64, ``lengths`` (n,) int32 and ``tags`` (n, 26) int8 are the graphs. ``orders``
    (n, 26) int8 receives the order of the types, ``shapes`` (n, 3) int32 the shape of the counts,
    ``states`` (n, 2) int32 the most states and the most pools of the sweep.
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


def launch_plans(graphs: int, arguments: tuple[Any, ...]) -> None:
    """Launch :func:`plan_graphs` for so many graphs, on CuPy's current device and stream."""
    launch(plan_graphs, THREADS, graphs, arguments)


def launch(kernel: Any, threads: int, items: int, arguments: tuple[Any, ...]) -> None:
    """Launch a numba.cuda kernel, a thread an item, on CuPy's current device and stream."""
    import cupy

    pointer = cupy.cuda.get_current_stream().ptr
    with cuda.gpus[cupy.cuda.Device().id]:
        stream = cuda.external_stream(pointer) if pointer else 0
        kernel[-(-items // threads), threads, stream](*arguments)
