"""A stand-in for CuPy on a machine without a GPU: arrays are NumPy's, kernels run on the CPU.

It has what gpuodds.backends.cuda uses and no more. Kernels are compiled by g++ behind ``shim.h``. It is
stricter than CuPy where a mistake would be silent on a device: the types of a kernel's arguments must
be the declared ones, arrays of the host and of other devices are refused, and so are structs by value
whose fields are elsewhere or point to no array that is alive on the current device. ``arrays.py`` says
what else is refused.

``settings`` is for tests: how many devices there are, their memory, errors to be raised, the seed that
orders a block's threads, and the maximum threads of a block (results must not depend on it).
"""

from __future__ import annotations

import ctypes
import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from types import SimpleNamespace
from typing import Any

import numba
import numba_cuda_host
import numpy as np

from . import arrays
from . import cuda as cuda
from .arrays import apply, on_device
from .arrays import ndarray as ndarray
from .cuda import CUDADriverError, settings

__version__ = "stand-in"
HERE = Path(__file__).resolve().parent.parent
FOLDER = HERE / "__pycache__"  # keeps compiled kernels
RUNNING = Lock()  # the shim runs one kernel at a time
FLAGS = ["-std=c++17", "-O1", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror"]
FLAGS += ["-Wno-unused-variable", "-Wno-unknown-pragmas"]
FLAGS += ["-fsanitize=alignment", "-fno-sanitize-recover=all"]  # a device faults where the CPU does not
# A kernel and, if declared, the maximum threads of its block.
KERNELS = re.compile(r"__global__\s+void\s+(?:__launch_bounds__\((\w+)[^)]*\)\s+)?(\w+)\(")
WARP = 32
WARP_OPERATIONS = re.compile(r"__(shfl|ballot|any|all|reduce)_\w*sync\(|__syncwarp\(")
ILLEGAL_ADDRESS = "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered"


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


def _check_struct(record: Any, declared: str, where: str) -> None:
    """Refuse a struct with other fields, or with a pointer to no array on the device."""
    # CuPy passes an array of size 1 by value; it refuses NumPy's scalars of structured types.
    assert type(record) is np.ndarray and record.size == 1, where + str(type(record))
    codes = declared.strip("{},").split(",")
    fields = [("u8" if code[0] == "*" else code) for code in codes]
    names = record.dtype.names or ()
    assert len(names) == len(fields), where + str(record.dtype)
    expected = np.dtype(list(zip(names, fields, strict=True)), align=True)
    assert record.dtype == expected, where + str(record.dtype)
    for name, code in zip(names, codes, strict=True):
        address = int(record[name][0])
        if code[0] == "*" and address != 0:  # that of no numbers
            device = arrays.find_device(address)
            assert device is not None, f"{where}{name}: a pointer to no array that is alive"
            _check_device(device, f"{where}{name}")


def _check_device(device: int, where: str) -> None:
    """Refuse memory of another device, whose addresses mean nothing on the current one."""
    if device != settings.current:
        raise CUDADriverError(f"{ILLEGAL_ADDRESS}: {where}: device {device}, not {settings.current}")


def _compile(text: str, path: Path) -> None:
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=FOLDER) as folder:
        source, made = Path(folder) / "kernels.cpp", Path(folder) / "kernels.so"
        source.write_text(text, "utf-8")
        subprocess.run(["g++", *FLAGS, "-I", str(HERE), "-o", str(made), str(source)], check=True)
        made.replace(path)  # at once: other processes may make the same file


class RawModule:
    """The kernels of a source, compiled for the CPU when the first of them is asked for."""

    def __init__(self, code: str, options: tuple[str, ...] = (), **_: Any) -> None:
        self.code = code
        self.library: Any = None
        assert "-std=c++17" in options

    def _load(self) -> Any:
        if self.library is None:
            names = [name for _, name in KERNELS.findall(self.code)]
            exports = "".join(f"EXPORT_KERNEL({name})\n" for name in names)
            text = f'#include "shim.h"\n{self.code}\n{exports}'
            whole = f"{FLAGS}{(HERE / 'shim.h').read_text('utf-8')}{text}"
            path = FOLDER / f"{sha256(whole.encode()).hexdigest()[:16]}.so"
            if not path.exists():
                _compile(text, path)
            self.library = ctypes.CDLL(str(path))
        return self.library

    def get_function(self, name: str) -> Kernel:
        settings.raise_error("load")
        bounds = {kernel: bound for bound, kernel in KERNELS.findall(self.code)}
        bound = re.search(rf"\b{bounds[name]} = (\d+)", self.code) if bounds[name] else None
        whole_warps = WARP_OPERATIONS.search(self.code) is not None
        return Kernel(self._load(), name, int(bound[1]) if bound else 1024, whole_warps)


class Kernel:
    """A kernel that is called as CuPy's are: (grid, block, arguments)."""

    def __init__(self, library: Any, name: str, max_threads: int, whole_warps: bool) -> None:
        self.name = name
        self.library = library
        self.max_threads = max_threads
        self.whole_warps = whole_warps
        self.kernel = SimpleNamespace(ptr=id(self))
        address = ctypes.c_void_p.in_dll(library, f"signature_{name}").value
        assert address is not None
        signature = ctypes.CFUNCTYPE(ctypes.c_char_p)(address)()
        assert signature is not None
        self.types = signature.decode().split()
        simple = {
            "i4": ctypes.c_int32,
            "i8": ctypes.c_int64,
            "u4": ctypes.c_uint32,
            "u8": ctypes.c_uint64,
        }
        # A struct comes by a pointer, which the shim reads at the launch.
        types = [ctypes.c_void_p if t[0] in "*{" else simple[t] for t in self.types]
        address = ctypes.c_void_p.in_dll(library, f"host_{name}").value
        assert address is not None
        unsigned = ctypes.c_uint
        self.launch = ctypes.CFUNCTYPE(ctypes.c_int, unsigned, unsigned, unsigned, *types)(address)

    shared_size_bytes = 0  # not counted
    max_dynamic_shared_size_bytes = 48 << 10

    def __call__(
        self,
        grid: tuple[int, ...],
        block: tuple[int, ...],
        arguments: tuple[Any, ...],
        *,
        shared_mem: int = 0,
    ) -> None:
        assert shared_mem <= min(self.max_dynamic_shared_size_bytes, settings.max_shared), shared_mem
        assert (
            len(grid) == len(block) == 1 and 0 < grid[0] < 1 << 31 and 0 < block[0] <= self.max_threads
        )
        assert len(arguments) == len(self.types), (self.name, len(arguments), self.types)
        values = []
        for place, (argument, declared) in enumerate(zip(arguments, self.types, strict=True)):
            where = f"{self.name}: argument {place}: expected {declared}, found "
            if declared.startswith("*"):
                assert isinstance(argument, ndarray), where + str(type(argument))
                assert argument.flags.c_contiguous, where + "an array with gaps"
                found = argument.dtype.kind + str(argument.dtype.itemsize)
                if declared.startswith("*{"):  # structs as rows of their fields
                    found = "{" + argument.shape[-1] * f"{found}," + "}"
                assert found == declared[1:] or declared[1:] in ("u16", "i16"), where + found
                _check_device(argument.device.id, where)
                values.append(argument.data.ptr)
            elif declared.startswith("{"):
                _check_struct(argument, declared, where)
                values.append(argument.ctypes.data)
            else:
                assert isinstance(argument, np.generic), where + str(type(argument))
                found = argument.dtype.kind + str(argument.dtype.itemsize)
                assert found == declared, where + found
                values.append(argument.item())
        settings.launch(self.name, grid[0], block[0])
        settings.busy.add(settings.current)
        threads = min(block[0], settings.max_threads)
        if self.whole_warps:
            assert block[0] % WARP == 0, f"{self.name}: {block[0]} threads have a part of a warp"
            threads = max(WARP, threads // WARP * WARP)
        with RUNNING:
            parted = self.launch(grid[0], threads, settings.seed, *values)
        for argument in arguments:
            if isinstance(argument, ndarray):
                arrays.check_guards(argument, self.name)
        if parted:
            raise AssertionError(f"{self.name}: a thread ended while others waited at a barrier")


# One package stands for both: importing the stand-in for CuPy also installs that for numba.cuda.
numba.cuda = sys.modules["numba.cuda"] = numba_cuda_host
