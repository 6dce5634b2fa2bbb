"""Deals drawn at random on GPUs: see :mod:`gpuodds.games.holdem.draws`.

CUDA C++ through CuPy: 32-bit multiplications and tables, as in the other kernels. Not yet measured on a
GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cuda.device import grid, kernel
from gpuodds.backends.cuda.layout import DRAWS, SAMPLE_THREADS
from gpuodds.backends.cuda.pieces import share_out
from gpuodds.backends.cuda.ranks import packed_tables
from gpuodds.games.holdem.draws import Draws

Ints = npt.NDArray[np.int64]

MAX_SAMPLES = 1 << 30  # of a launch: a block's counters have 32 bits


def sample_deals(
    draws: Draws,
    opponents: int,
    board: Sequence[int],
    dead: Sequence[int],
    seed: int,
    begin: int,
    end: int,
    devices: Sequence[int],
) -> tuple[Ints, int]:
    """Draw samples on some devices: see the protocol."""
    import cupy

    ranges = draws.players
    shape = ranges, ranges + opponents
    known = sum(1 << card for card in (*board, *dead))
    total = np.zeros(shape, np.int64)
    tuples = 0
    lock = Lock()

    def start() -> Callable[[int, int], None]:
        given = cupy.asarray(np.array([*board, 0], np.uint8))
        tables = tuple(cupy.asarray(table) for table in draws)

        def work(first: int, last: int) -> None:
            nonlocal tuples
            counts = cupy.zeros(shape, np.uint64)
            tried = cupy.zeros(1, np.uint64)
            kernel("sample_deals", "sample_deals")(
                grid(last - first, SAMPLE_THREADS),
                (SAMPLE_THREADS,),
                (
                    np.int64(begin + first),
                    np.int64(begin + last),
                    np.uint64(seed),
                    np.int32(ranges),
                    np.int32(opponents),
                    given,
                    np.int32(len(board)),
                    np.uint64(known),
                    DRAWS.pack(*tables),
                    packed_tables(),
                    counts,
                    tried,
                ),
            )
            found = cupy.asnumpy(counts).astype(np.int64)
            with lock:
                total[:] += found
                tuples += int(tried[0])

        return work

    share_out(devices, end - begin, start, lambda: MAX_SAMPLES, None)
    return total, tuples
