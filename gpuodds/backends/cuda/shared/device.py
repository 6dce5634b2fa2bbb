"""The GPUs of this machine, the reason if there is none, and the kernels compiled for them.

Nothing here imports CuPy before a device is wanted.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files
from importlib.util import find_spec
from threading import Lock
from typing import Any

import numpy as np

from gpuodds.backends.compiling import (
    COMPILING_KERNELS,
    COMPILING_KERNELS_EACH_TIME,
    UNSAFE_KERNELS,
    compiles,
)
from gpuodds.backends.cuda.shared.layout import THREADS, header
from gpuodds.backends.startup import is_compiled, kernel_cache, mark_compiled, why_not_kept
from gpuodds.errors import InputError

INSTALL = (
    "pip install 'gpuodds[cuda13]' (driver 580 or newer) or 'gpuodds[cuda12]' (driver 525 or newer)"
)
NO_DEVICE = "the driver shows no device (is CUDA_VISIBLE_DEVICES set?)"
OPTIONS = ("-std=c++17", "--device-int128")
CONSTANTS = (
    "constants.cuh"  # the include that :func:`gpuodds.backends.cuda.shared.layout.header` writes
)

_copying = Lock()

Kernel = Callable[[tuple[int, ...], tuple[int, ...], tuple[Any, ...]], None]


@lru_cache(maxsize=1)
def why_no_device() -> str | None:
    """Return why no GPU can be used, and the remedy, or None if one can."""
    if find_spec("cupy") is None:
        return f"CuPy is not installed: {INSTALL}"
    try:
        import cupy

        runtime = cupy.cuda.runtime
        driver, needed = runtime.driverGetVersion(), runtime.runtimeGetVersion()
    except Exception as error:
        return f"CuPy does not load ({_first_line(error)}): {INSTALL}"
    if driver == 0:
        return "no NVIDIA driver is installed: get one from nvidia.com/drivers"
    if driver // 1000 < needed // 1000:
        return (
            f"the NVIDIA driver is too old: it serves CUDA {_version(driver)}, this CuPy needs "
            f"{_version(needed)}; update the driver or {INSTALL}"
        )
    try:
        if runtime.getDeviceCount() == 0:
            return NO_DEVICE
        _try_kernel()
    except Exception as error:
        if "NoDevice" in str(error):
            return NO_DEVICE
        return f"the device does not respond: {_first_line(error)}"
    return None


def _try_kernel() -> None:
    import cupy

    nothing = cupy.zeros(1, np.uint8), np.int32(1)
    kernel("shared/check_cards", "check_cards")(
        (1,), (1,), (*nothing, *nothing, np.int64(0), cupy.zeros(1, np.uint64))
    )
    synchronize()


def _version(number: int) -> str:
    return f"{number // 1000}.{number % 1000 // 10}"


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).strip().splitlines()[0]


def describe_devices() -> list[str]:
    """Name each device with its memory and compute capability."""
    import cupy

    lines = []
    for number in range(cupy.cuda.runtime.getDeviceCount()):
        properties = cupy.cuda.runtime.getDeviceProperties(number)
        with on(number):
            free, total = cupy.cuda.Device().mem_info
        capability = f"{properties['major']}.{properties['minor']}"
        lines.append(
            f"{properties['name'].decode()}, {total / 2**30:.1f} GiB ({free / 2**30:.1f} free), "
            f"compute capability {capability}"
        )
    return lines


def driver_version() -> str:
    """Return the CUDA version that the driver serves."""
    import cupy

    return _version(cupy.cuda.runtime.driverGetVersion())


def choose_devices(name: str) -> tuple[int, ...]:
    """Return the devices that a backend's name means: all of ``"cuda"``, two of ``"cuda:0,2"``."""
    import cupy

    count = cupy.cuda.runtime.getDeviceCount()
    wanted = name.partition(":")[2]
    if not wanted:
        return tuple(range(count))
    numbers = wanted.split(",")
    for number in numbers:
        if not number.isdecimal() or int(number) >= count:
            raise InputError(
                f"backend {name!r}: device {number!r}: expected 0 to {count - 1}, "
                f"there {'is one device' if count == 1 else f'are {count} devices'}"
            )
    return tuple(dict.fromkeys(int(number) for number in numbers))


def source(file: str) -> str:
    """Return a file of kernels/ for the compiler: see :func:`expand`."""
    return expand(files("gpuodds.kernels").joinpath(file).read_text("utf-8"))


def expand(text: str) -> str:
    """Return a source with the files of kernels/ that it includes in their places, each file once.

    CuPy caches compiled kernels by their source; this way headers and constants are a part of it.
    """
    folder = files("gpuodds.kernels")
    seen: set[str] = set()

    def include(name: str) -> str:
        if name in seen:
            return ""
        seen.add(name)
        return put_in(header() if name == CONSTANTS else folder.joinpath(name).read_text("utf-8"))

    def put_in(text: str) -> str:
        return re.sub(r'^#include "(.+)"$', lambda line: include(line[1]), text, flags=re.MULTILINE)

    return put_in(text).replace("#pragma once\n", "")


@cache
def _module(file: str) -> tuple[Any, str]:
    """Return the module of a file of kernels/, and what stands for its version in CuPy's cache."""
    import cupy

    _keep_out_of_unsafe_folder()
    code = source(file + ".cu")
    target = cupy.cuda.Device().compute_capability, cupy.__version__, OPTIONS
    version = sha256(f"{target}{code}".encode()).hexdigest()[:16]
    return cupy.RawModule(code=code, options=OPTIONS), version


def _keep_out_of_unsafe_folder() -> None:
    """Have CuPy keep kernels in memory where another user could change what is in its folder."""
    why = why_not_kept()
    if why is not None:
        logging.getLogger("gpuodds").warning(UNSAFE_KERNELS, why)
        os.environ["CUPY_CACHE_IN_MEMORY"] = "1"  # read whenever CuPy compiles


@cache
def _say_compiling() -> None:
    text = COMPILING_KERNELS if kernel_cache() else COMPILING_KERNELS_EACH_TIME
    logging.getLogger("gpuodds").info(text)


@cache
def kernel(file: str, name: str) -> Kernel:
    """Return the kernel ``name`` of ``kernels/<file>.cu``, compiled for the current device if needed.

    CuPy caches compiled kernels on disk (``CUPY_CACHE_DIR``).
    """
    module, version = _module(file)
    if not is_compiled(file, version):
        _say_compiling()
    with compiles():
        function: Kernel = module.get_function(name)
    mark_compiled(file, version)
    return function


def grid(launched: Kernel, blocks: int, block: int = THREADS) -> tuple[int, ...]:
    """Return the grid of a kernel whose blocks take work in strides.

    Args:
        launched: The kernel.
        blocks: Blocks that have work, if each does as little as it can.
        block: Threads of a block.

    Returns:
        That many blocks, or as many as the current device runs at once if these are fewer.
    """
    return (max(1, min(blocks, resident_blocks(launched, block))),)


def processors() -> int:
    """Return the number of multiprocessors of the current device."""
    import cupy

    return int(cupy.cuda.Device().attributes["MultiProcessorCount"])


def launch(file: str, name: str, work: int, block: int, arguments: tuple[Any, ...]) -> None:
    """Launch the kernel ``name`` of ``kernels/<file>.cu`` for ``work`` threads, blocks of ``block``.

    The grid has no more blocks than the current device runs at once: threads take work in strides.
    """
    launched = kernel(file, name)
    launched(grid(launched, -(-work // block), block), (block,), arguments)


def resident_blocks(launched: Kernel, block: int) -> int:
    """Return how many blocks of a kernel the current device runs at once."""
    import cupy

    return _resident_blocks(cupy.cuda.Device().id, launched, block)


@cache
def _resident_blocks(device: int, launched: Any, block: int) -> int:
    import cupy

    occupancy = cupy.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor
    return processors() * max(1, int(occupancy(launched.kernel.ptr, block, 0)))


def free_bytes() -> int:
    """Return the free memory of the current device in bytes, including CuPy's own pool."""
    import cupy

    pool = cupy.get_default_memory_pool()
    kept: int = pool.total_bytes() - pool.used_bytes()
    return kept + int(cupy.cuda.Device().mem_info[0])


def release_memory() -> None:
    """Return the memory of CuPy's pool to the current device."""
    import cupy

    cupy.get_default_memory_pool().free_all_blocks()


def synchronize() -> None:
    """Wait until the current device has done all that it was given."""
    import cupy

    cupy.cuda.Device().synchronize()


def is_out_of_memory(error: Exception) -> bool:
    """Return whether an error says that a device has too little memory.

    CuPy's allocations raise a MemoryError. Where a module is loaded, or the local memory of a kernel
    grows at its first launch, the driver and the runtime raise errors of their own, which have only
    their names in common.
    """
    names = "CUDA_ERROR_OUT_OF_MEMORY", "cudaErrorMemoryAllocation"
    return isinstance(error, MemoryError) or any(name in str(error) for name in names)


@contextmanager
def on(device: int) -> Iterator[None]:
    """Make a device the current one, and restore the former one afterwards."""
    import cupy

    with cupy.cuda.Device(device):
        yield


def kept_arrays(build: Callable[[], tuple[Any, ...]]) -> tuple[Any, ...]:
    """Return the arrays that a function builds, on the current device, where they are copied once.

    Kernels get their addresses alone: they stay alive because nothing takes their place.
    """
    import cupy

    with _copying:  # of two threads that both copied, one would lose its arrays
        return _kept_arrays(cupy.cuda.Device().id, build)


@cache
def _kept_arrays(device: int, build: Callable[[], tuple[Any, ...]]) -> tuple[Any, ...]:
    import cupy

    arrays = tuple(cupy.asarray(array) for array in build())
    cupy.cuda.get_current_stream().synchronize()  # whichever stream uses them next
    return arrays
