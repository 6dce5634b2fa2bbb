"""A stand-in for ``numba.cuda``: a kernel's threads run one after another, on the CPU.

The kernel itself is plain Python here; the functions that it calls are compiled, for the CPU.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import numpy as np

_thread = 0


def grid(dimensions: int) -> int:
    assert dimensions == 1
    return _thread


class CudaAPIError(Exception):
    """What numba.cuda raises for an error of the driver."""

    def __str__(self) -> str:
        return "[{}] {}".format(*self.args)


class Kernel:
    def __init__(self, function: Callable[..., None]) -> None:
        self.function = function

    def __getitem__(self, shape: tuple[int, int, Any]) -> Callable[..., None]:
        blocks, threads, _ = shape

        def run(*arguments: Any) -> None:
            global _thread
            from cupy.arrays import ndarray, read
            from cupy.cuda import settings

            settings.raise_error(self.function.__name__)
            settings.launches.append((settings.current, self.function.__name__, blocks, threads))
            given = [read(a) if isinstance(a, ndarray) else a for a in arguments]
            for _thread in range(blocks * threads):
                self.function(*given)

        return run


def jit(cache: bool) -> Callable[[Callable[..., None]], Kernel]:
    return Kernel


local = SimpleNamespace(array=lambda shape, dtype: np.zeros(shape, str(dtype)))
external_stream = int


class _Devices:
    def __getitem__(self, number: int) -> Any:
        return nullcontext()


gpus = _Devices()
