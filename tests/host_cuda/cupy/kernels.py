"""Kernels of the stand-in: compiled by NVRTC to PTX, as on a device, and interpreted on the CPU."""

from __future__ import annotations

import re
from threading import Lock
from types import SimpleNamespace
from typing import Any

import numpy as np
from ptx.compiler import compile_ptx
from ptx.machine import Finding, KernelFault, Loaded
from ptx.machine import Kernel as Interpreted
from ptx.reader import Parameter, read_module

from . import arrays
from .arrays import ndarray
from .cuda import CUDADriverError, settings

RUNNING = Lock()  # one kernel at a time
AT_ONCE = 4  # blocks that run side by side, where an order is drawn
SHOWN = 6  # findings of a launch
MAX_STATIC_SHARED = 48 << 10
ILLEGAL_ADDRESS = "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered"
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
ALIAS = re.compile(r"\busing (\w+) = ([\w ]+);")
HEAD = re.compile(r"__global__\s+void\s+(?:__launch_bounds__\((\w+)[^)]*\)\s+)?(\w+)\(([^)]*)\)")
CODES = {"bool": "b1", "char": "i1", "signed char": "i1", "unsigned char": "u1", "double": "f8"}
CODES |= {"short": "i2", "unsigned short": "u2", "int": "i4", "unsigned": "u4", "unsigned int": "u4"}
CODES |= {"long long": "i8", "unsigned long long": "u8", "unsigned __int128": "u16"}
LOADED: dict[tuple[str, tuple[str, ...], str], Loaded] = {}


class RawModule:
    """The kernels of a source, compiled when the first of them is asked for."""

    def __init__(self, code: str, options: tuple[str, ...] = (), **_: Any) -> None:
        self.code = code
        self.options = tuple(options)
        assert "-std=c++17" in options

    def get_function(self, name: str) -> Kernel:
        settings.raise_error("load")
        key = self.code, self.options, settings.architecture
        with RUNNING:
            if key not in LOADED:
                LOADED[key] = Loaded(read_module(compile_ptx(*key)))
            return Kernel(LOADED[key], name, self.code)


def read_types(code: str, name: str) -> tuple[list[str], int]:
    """Return the types of a kernel's arguments, and the most threads that its block may have.

    A type is ``"i4"``, ``"*u2"`` for an array of it, or the name of a struct. Templates declare none.
    """
    text = COMMENT.sub("", code)
    aliases = dict(ALIAS.findall(text))
    bound, _, declared = next(head for head in HEAD.findall(text) if head[1] == name)
    types = []
    for parameter in declared.split(","):
        words = parameter.replace("__restrict__", "").replace("const ", "").split()
        whole = " ".join(words[:-1])
        kind = whole.removesuffix("*").strip()
        while kind in aliases:
            kind = aliases[kind]
        types.append("*" * whole.endswith("*") + CODES.get(kind, kind))
    number = re.search(rf"\b{bound} = (\d+)", text) if bound else None
    return types, int(number[1]) if number else 1024


class Kernel:
    """A kernel that is called as CuPy's are: (grid, block, arguments)."""

    def __init__(self, loaded: Loaded, name: str, code: str) -> None:
        self.name = name
        self.loaded = loaded
        self.lines = code.split("\n")
        self.interpreted: Interpreted = loaded.kernel(name)
        self.types, self.max_threads = read_types(code, name)
        self.kernel = SimpleNamespace(ptr=id(self))
        self.shared_size_bytes = self.interpreted.program.storage.shared
        assert self.shared_size_bytes <= MAX_STATIC_SHARED, name
        self.max_dynamic_shared_size_bytes = MAX_STATIC_SHARED - self.shared_size_bytes

    def __call__(
        self,
        grid: tuple[int, ...],
        block: tuple[int, ...],
        arguments: tuple[Any, ...],
        *,
        shared_mem: int = 0,
    ) -> None:
        most = settings.max_shared - self.shared_size_bytes
        assert shared_mem <= min(self.max_dynamic_shared_size_bytes, most), (self.name, shared_mem)
        assert len(grid) == len(block) == 1 and 0 < grid[0] < 1 << 31, (self.name, grid)
        assert 0 < block[0] <= self.max_threads, (self.name, block)
        parameters = self._pack(arguments)
        settings.launch(self.name, grid[0], block[0])
        settings.busy.add(settings.current)
        with RUNNING:
            found = self.interpreted.launch(
                grid[0],
                block[0],
                parameters,
                self.loaded.arrays + arrays.alive_here(),
                dynamic_shared=shared_mem,
                seed=settings.seed or settings.schedule,
                at_once=AT_ONCE if settings.schedule else 1,
                checks=settings.checks,
            )
        if found:
            more = f"; and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
            raise KernelFault("; ".join(self._describe(f) for f in found[:SHOWN]) + more)

    def _pack(self, arguments: tuple[Any, ...]) -> bytes:
        """Return the arguments as a kernel has them; refuse what a device would misread."""
        function = self.interpreted.program.storage.function
        assert len(arguments) == len(self.types), (self.name, len(arguments), self.types)
        packed = bytearray(function.parameter_bytes)
        for argument, declared, place in zip(arguments, self.types, function.parameters, strict=True):
            where = f"{self.name}: {place.name}: expected {declared}, found "
            packed[place.offset : place.offset + place.size] = _bytes_of(
                argument, declared, place, where
            )
        return bytes(packed)

    def _describe(self, finding: Finding) -> str:
        def place(line: int, text: str) -> str:
            return f"{self.lines[line - 1].strip() if line else ''} ({text})"

        at, other = finding.at, finding.other
        text = f"{self.name}: {finding.text}, {finding.times} times: {place(at.line, at.text)}"
        return f"{text} and {place(other.line, other.text)}" if other else text


def _bytes_of(argument: Any, declared: str, place: Parameter, where: str) -> bytes:
    if declared.startswith("*"):
        assert isinstance(argument, ndarray), where + str(type(argument))
        assert argument.flags.c_contiguous, where + "an array with gaps"
        found = argument.dtype.kind + str(argument.dtype.itemsize)
        simple = declared[1:] in CODES.values() and declared != "*u16"  # else rows of a struct's fields
        assert not simple or found == declared[1:], where + found
        _check_device(argument.device.id, where)
        return int(argument.data.ptr).to_bytes(8, "little")
    if declared in CODES.values():
        assert isinstance(argument, np.generic), where + str(type(argument))
        found = argument.dtype.kind + str(argument.dtype.itemsize)
        assert found == declared, where + found
    else:
        # CuPy passes an array of size 1 by value; it refuses NumPy's scalars of structured types.
        assert type(argument) is np.ndarray and argument.size == 1, where + str(type(argument))
        assert argument.nbytes == place.size, where + str(argument.dtype)
        _check_struct(argument, declared, where)
    return argument.tobytes()


def _check_struct(record: Any, declared: str, where: str) -> None:
    """Refuse a struct of another layout than gpuodds has for it, or with a pointer to no array."""
    from gpuodds.backends.cuda.shared.layout import STRUCTS

    struct = next(struct for struct in STRUCTS if struct.name == declared)
    assert record.dtype == struct.dtype, where + str(record.dtype)
    for name, code in struct.fields.items():
        address = int(record[name][0])
        if code[0] == "*" and address != 0:  # that of no numbers
            device = arrays.find_device(address)
            assert device is not None, f"{where}{name}: a pointer to no array that is alive"
            _check_device(device, f"{where}{name}")


def _check_device(device: int, where: str) -> None:
    """Refuse memory of another device, whose addresses mean nothing on the current one."""
    if device != settings.current:
        raise CUDADriverError(f"{ILLEGAL_ADDRESS}: {where}: device {device}, not {settings.current}")
