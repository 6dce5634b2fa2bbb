"""A stand-in for CuPy on a machine without a GPU: arrays are NumPy's, kernels are interpreted.

It has what gpuodds.backends.cuda uses and no more. It is stricter than CuPy where a mistake would be
silent on a device: the types of a kernel's arguments must be the declared ones, arrays of the host and
of other devices are refused, and so are structs by value whose fields are elsewhere or point to no
array that is alive on the current device. ``kernels.py`` and ``arrays.py`` say what else is refused.

``settings`` is for tests: how many devices there are, their memory, errors to be raised, the seed that
orders warps and lanes, and what launches are checked for.
"""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import numba
import numba_cuda_host
import numpy as np

from . import arrays
from . import cuda as cuda
from .arrays import apply, on_device
from .arrays import ndarray as ndarray
from .cuda import settings
from .kernels import RawModule as RawModule

__version__ = "stand-in"


def empty(shape: Any, dtype: Any = float) -> Any:
    return arrays.allocate(shape, dtype)


def zeros(shape: Any, dtype: Any = float) -> Any:
    return full(shape, 0, dtype)


def full(shape: Any, value: Any, dtype: Any = None) -> Any:
    array = empty(shape, dtype or np.asarray(value).dtype)
    array.fill(value)
    return array


def asarray(array: Any, dtype: Any = None) -> Any:
    if not isinstance(array, ndarray):
        return on_device(np.asarray(array, dtype))
    if array.device.id != settings.current:
        array = array.copy()
    return array if dtype is None else array.astype(dtype, copy=False)


def ascontiguousarray(array: Any, dtype: Any = None) -> Any:
    if not isinstance(array, ndarray):
        return asarray(np.ascontiguousarray(array, dtype))
    arrays.check_device(array)
    array = array if dtype is None else array.astype(dtype, copy=False)
    return array if array.flags.c_contiguous else array.copy()


def asnumpy(array: Any) -> Any:
    return array.get() if isinstance(array, ndarray) else np.array(array)


def _same(name: str) -> Any:
    def call(*arguments: Any, **options: Any) -> Any:
        return apply(lambda *read: getattr(np, name)(*read, **options), *arguments)

    return call


arange = _same("arange")
argsort = _same("argsort")
cumsum = _same("cumsum")
flatnonzero = _same("flatnonzero")
unique = _same("unique")
searchsorted = _same("searchsorted")
concatenate = lambda arrays: apply(lambda *parts: np.concatenate(parts), *arrays)  # noqa: E731


def get_default_memory_pool() -> Any:
    nothing = {"free_all_blocks": lambda: None, "used_bytes": lambda: 0, "total_bytes": lambda: 0}
    return SimpleNamespace(**nothing)


# One package stands for both: importing the stand-in for CuPy also installs that for numba.cuda.
numba.cuda = sys.modules["numba.cuda"] = numba_cuda_host
