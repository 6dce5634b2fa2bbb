"""Log messages about compilation, and who is told of it, in a module that imports nothing heavy."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

COMPILING = (
    "compiling what this question needs, once on this machine: 2 to 10 seconds; "
    "gpuodds doctor --warm compiles all ordinary questions ahead, those of Omaha with --game omaha ..."
)
COMPILING_EACH_TIME = (
    "compiling what this question needs (2 to 10 seconds), in this and every later process: no folder "
    "for compiled code is writable; set NUMBA_CACHE_DIR to one that is"
)
COMPILING_KERNELS = "compiling CUDA kernels, once per machine ..."
COMPILING_KERNELS_EACH_TIME = "compiling CUDA kernels, in this and every later process: none are kept"
ON_THE_CPU = "computing on the CPU: %s"
STAYS_ON_THE_CPU = "about %s, less than a GPU needs to start (about %s, a prediction)"
NOT_KEPT = "cannot cache the compiled code (%s): the next process compiles it again"
UNSAFE = (
    "compiled code is not kept where another user could change it: %s; set NUMBA_CACHE_DIR to the "
    "absolute path of a folder that only you can write"
)
UNSAFE_KERNELS = (
    "compiled CUDA kernels are not kept where another user could change them: %s; set CUPY_CACHE_DIR "
    "to the absolute path of a folder that only you can write"
)


_tell: list[Callable[[bool], None]] = []
_lock, _depth = threading.Lock(), [0]


def watch_compiling(tell: Callable[[bool], None]) -> None:
    """Have a function called whenever this process begins and ends to compile or load code.

    Args:
        tell: Called with True when it begins, with False when it has ended.
    """
    _tell.append(tell)


def begin_compiling() -> None:
    """Note that a thread compiles or loads code; such times may be nested."""
    _change(1)


def end_compiling() -> None:
    """Note that it has ended."""
    _change(-1)


@contextmanager
def compiles() -> Iterator[None]:
    """Note that the block compiles or loads code."""
    begin_compiling()
    try:
        yield
    finally:
        end_compiling()


def _change(step: int) -> None:
    if not _tell:  # so a process that is forked inherits no lock that is held
        return
    with _lock:
        before, _depth[0] = _depth[0], _depth[0] + step
        if (before > 0) != (_depth[0] > 0):
            for tell in _tell:
                tell(step > 0)
