"""Two players' hands on two boards on GPUs.

CUDA C++ through CuPy: a thread takes a pair of hands; those of the second player lie side by side, so
that a warp reads neighbours. Not yet measured on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import THREADS
from gpuodds.backends.cuda.shared.pieces import share_out

Int32s = npt.NDArray[np.int32]
UInt16s = npt.NDArray[np.uint16]

MAX_CELLS = 1 << 31  # runouts compared in a launch: see pieces.py


def count_pairs(
    first: UInt16s,
    second: UInt16s,
    deck: int,
    size: int,
    progress: Progress | None,
    devices: Sequence[int],
) -> Int32s:
    """Count on some devices: see the operation."""
    heroes, others = first.shape[1], second.shape[1]
    rows, columns = (deck, deck) if size == 2 else (1, deck**size)
    counts = np.zeros((heroes, others, 8), np.int32)

    def start() -> Callable[[int, int], None]:
        import cupy

        theirs = cupy.asarray(np.ascontiguousarray(second.transpose(0, 2, 1)))

        def work(begin: int, end: int) -> None:
            ours = cupy.asarray(np.ascontiguousarray(first[:, begin:end]))
            out = cupy.empty((end - begin, others, 8), np.int32)
            shape = np.int64(end - begin), np.int64(others)
            table = (np.int32(number) for number in (rows, columns, size))
            arguments = (ours, theirs, *shape, *table, out)
            pairs = (end - begin) * others
            device.launch("double_boards/pairs", "count_pairs_on_two_boards", pairs, THREADS, arguments)
            counts[begin:end] = cupy.asnumpy(out)

        return work

    most = max(1, MAX_CELLS // (others * rows * columns))
    share_out(devices, heroes, start, lambda: most, progress)
    return counts
