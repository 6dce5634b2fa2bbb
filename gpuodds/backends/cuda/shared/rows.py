"""Rows of arrays, each computed by itself, on devices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gpuodds.backends.cuda.shared.device import free_bytes
from gpuodds.backends.cuda.shared.pieces import share_out, working_on
from gpuodds.spots.arrays import device_of, is_on_device


def from_rows(
    function: Callable[..., Any],
    rows: Sequence[Any],
    dtype: Any,
    shape: tuple[int, ...],
    row_bytes: int,
    devices: Sequence[int],
) -> Any:
    """Return what a function gives for rows: of CuPy arrays on their device, of NumPy arrays in pieces.

    Args:
        function: Takes arrays of rows on a device, and returns one with as many rows.
        rows: The arrays of rows.
        dtype: The dtype of the result.
        shape: The shape of a row of the result.
        row_bytes: Bytes of memory that a row needs.
        devices: The devices.
    """
    import cupy

    if is_on_device(rows[0]):
        with working_on(device_of(rows[0])):
            return function(*rows)
    results = np.empty((len(rows[0]), *shape), dtype)

    def work(begin: int, end: int) -> None:
        results[begin:end] = cupy.asnumpy(function(*(cupy.asarray(array[begin:end]) for array in rows)))

    def max_rows() -> int:
        return max(1, free_bytes() // 2 // row_bytes)

    share_out(devices, len(results), lambda: work, max_rows, None)
    return results
