"""The nearest of some centres, on GPUs.

CUDA C++ through CuPy: a warp takes a point, its lanes the centres. Not yet measured on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import THREADS
from gpuodds.backends.cuda.shared.pieces import launches, share_out

Int32s = npt.NDArray[np.int32]
UInt16s = npt.NDArray[np.uint16]

WARP = 32
MAX_BYTES = 1 << 28  # of the points of a batch
MAX_DISTANCES = 1 << 33  # numbers compared in a launch: see pieces.py


def nearest_centres(
    points: Int32s, centres: Int32s, squared: bool, devices: Sequence[int]
) -> tuple[UInt16s, Int32s]:
    """Find the nearest centre of each point: see the operation."""
    import cupy

    given = np.ascontiguousarray(points, np.int32)
    columns = np.ascontiguousarray(centres.T, np.int32)
    dimensions, size = columns.shape
    numbers, distances = np.empty(len(given), np.uint16), np.empty(len(given), np.int32)

    def start() -> Callable[[int, int], None]:
        on_device = cupy.asarray(columns)
        find = device.kernel("tables/nearest_centres", "nearest_centres")

        def work(begin: int, end: int) -> None:
            batch = cupy.asarray(given[begin:end])
            found, far = cupy.empty(end - begin, np.uint16), cupy.empty(end - begin, np.int32)
            for first, last in launches(0, end - begin, MAX_DISTANCES // (dimensions * size)):
                arguments = (
                    batch[first:last], np.int64(last - first), np.int32(dimensions), on_device,
                    np.int32(size), np.int32(squared), found[first:last], far[first:last],
                )  # fmt: skip
                blocks = -(-(last - first) * WARP // THREADS)
                find(device.grid(find, blocks), (THREADS,), arguments)
            numbers[begin:end] = cupy.asnumpy(found)
            distances[begin:end] = cupy.asnumpy(far)

        return work

    share_out(devices, len(given), start, lambda: MAX_BYTES // (4 * dimensions), None)
    return numbers, distances
