"""Runouts by the cards that they contain, on a GPU.

CUDA C++ through CuPy: a thread takes a runout and adds it to its subsets. Not yet measured on a GPU.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import THREADS
from gpuodds.backends.cuda.shared.pieces import working_on

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]


def count_subsets(
    labels: UInt8s, deck: int, size: int, most: int, kinds: int, devices: Sequence[int]
) -> Ints:
    """Count on the first of the devices, for milliseconds: see the operation."""
    import cupy

    sets = sum(comb(deck, shared) for shared in range(most + 1))
    with working_on(devices[0]):
        counts = cupy.zeros((sets, kinds), np.uint32)
        given = cupy.asarray(labels), np.int64(len(labels))
        sizes = (np.int32(number) for number in (deck, size, most, kinds))
        arguments = (*given, *sizes, counts)
        device.launch("double_boards/subsets", "count_runout_subsets", len(labels), THREADS, arguments)
        counted: Ints = cupy.asnumpy(counts).astype(np.int64)
    return counted
