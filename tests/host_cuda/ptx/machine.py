"""Runs a kernel's program in the interpreter: launches with what they found, counts of instructions."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntFlag
from functools import cache
from typing import Any

import numpy as np

from .compiler import interpreter
from .instructions import Instruction
from .program import Program
from .reader import Module, PtxError
from .storage import SPECIALS

MAX_WRITTEN, MAX_READ = 8, 12
# As struct Given in interpreter/machine.h.
GIVEN = np.dtype(
    [
        ("number", "i8"),
        ("operation", "i4"),
        *((name, "u4") for name in ("kind", "space", "option", "target", "narrow", "guard", "negated")),
        *((name, "u4") for name in ("num_written", "num_read")),
        ("written", "u4", MAX_WRITTEN),
        ("read", "u4", MAX_READ),
        *((name, "u4") for name in ("first_target", "num_targets")),
    ],
    align=True,
)
ARRAYS = np.dtype([("begin", "u8"), ("end", "u8"), ("initialized", "u8")])
TEXT_BYTES, FINDINGS_BYTES = 1000, 1 << 18


class Check(IntFlag):
    """What a launch is checked for beyond what always is."""

    NONE = 0
    INITIALIZED = 1
    RACES = 2
    READ_ONLY = 4
    TRANSACTIONS = 8


@dataclass(frozen=True)
class Finding:
    """What a launch did that no kernel should: where, with which other instruction, how often."""

    text: str
    at: Instruction
    other: Instruction | None
    times: int


@dataclass(frozen=True)
class Counts:
    """Of each instruction: warps and lanes that executed it, accesses and their transactions."""

    warps: Any
    lanes: Any
    accesses: Any
    transactions: Any


class KernelFault(AssertionError):
    """A launch that a device would have stopped, or whose result would be undefined."""


@cache
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(str(interpreter()))
    library.ptx_machine.restype = ctypes.c_void_p
    return library


def _pointer(array: Any) -> Any:
    return array.ctypes.data_as(ctypes.c_void_p)


u32, u64 = ctypes.c_uint32, ctypes.c_uint64


class Kernel:
    """A kernel of a module, ready to be launched.

    Args:
        module: What its source became.
        name: The kernel.
        globals_at: The addresses of the module's variables.
    """

    def __init__(self, module: Module, name: str, globals_at: dict[str, int]) -> None:
        self.name = name
        self.program = Program(module, module.functions[name], globals_at)
        storage, instructions = self.program.storage, self.program.instructions
        given = np.zeros(len(instructions), GIVEN)
        targets: list[int] = []
        for row, i in zip(given, instructions, strict=True):
            row["operation"] = self._operation(i)
            row["number"] = np.uint64(i.number % (1 << 64)).view(np.int64)
            for field in ("kind", "space", "option", "narrow", "guard", "negated"):
                row[field] = getattr(i, field)
            row["num_written"], row["num_read"] = len(i.written), len(i.read)
            row["written"][: len(i.written)] = i.written
            row["read"][: len(i.read)] = i.read
            row["target"] = i.targets[0] if i.targets else 0
            row["first_target"], row["num_targets"] = len(targets), len(i.targets)
            targets += i.targets
        image, initialized = storage.image()
        special = np.array([storage.registers[n][0] for n in SPECIALS], np.uint32)
        self._machine = ctypes.c_void_p(
            _library().ptx_machine(
                *(_pointer(given), u32(len(given)), _pointer(np.array([*targets, 0], np.uint32))),
                *(_pointer(image), _pointer(initialized), u32(len(image)), _pointer(special)),
                *(u32(storage.shared), u32(storage.local)),
            )
        )

    def _operation(self, i: Instruction) -> int:
        if not i.operation:
            return -1
        place = int(_library().ptx_operation(i.operation.encode()))
        if place < 0:
            raise PtxError(f"{self.name}: no operation {i.operation!r} for {i.text!r}")
        return place

    def launch(
        self,
        grid: int,
        threads: int,
        parameters: bytes,
        arrays: list[tuple[int, int, int]],
        *,
        dynamic_shared: int = 0,
        seed: int = 0,
        at_once: int = 1,
        checks: Check = Check.NONE,
    ) -> list[Finding]:
        """Run a grid and return what was found.

        Args:
            grid: Blocks.
            threads: Of a block.
            parameters: All parameters, as the kernel has them.
            arrays: Where each array that is alive begins and ends, and the address of its bytes that
                say which are initialized, or 0.
            dynamic_shared: Bytes of dynamic shared memory.
            seed: Of the order of blocks, warps and lanes; 0 for one after another.
            at_once: Blocks that run side by side.
            checks: What is looked for beside what always is.

        Raises:
            KernelFault: An access outside of arrays or misaligned, lanes that wait for ever, and so on.
        """
        rows = np.array(sorted(arrays), ARRAYS)
        text, where = ctypes.create_string_buffer(TEXT_BYTES), np.zeros(2, np.uint32)
        given = np.frombuffer(parameters or b"\0", np.uint8)
        at = _library().ptx_launch(
            *(self._machine, u32(grid), u32(threads), u32(dynamic_shared)),
            *(_pointer(given), u32(len(parameters)), _pointer(rows), u32(len(rows))),
            *(u64(seed), u32(at_once), u32(checks), text, u32(TEXT_BYTES), _pointer(where)),
        )
        if at >= 0:
            place = self.program.instructions[at]
            raise KernelFault(
                f"{self.name}: {text.value.decode()}; block {where[0]}, warp {where[1]}, "
                f"line {place.line}: {place.text}"
            )
        return self._findings()

    def _findings(self) -> list[Finding]:
        buffer = ctypes.create_string_buffer(FINDINGS_BYTES)
        _library().ptx_findings(self._machine, buffer, u32(FINDINGS_BYTES))
        found = []
        for line in buffer.value.decode().splitlines():
            at, other, times, text = line.split(" ", 3)
            instructions = self.program.instructions
            race = instructions[int(other)] if text.startswith("race") else None
            found.append(Finding(text, instructions[int(at)], race, int(times)))
        return found

    def counts(self) -> Counts:
        """Return what has been executed since :meth:`clear`."""
        counts = np.zeros((len(self.program.instructions), 4), np.uint64)
        _library().ptx_counts(self._machine, _pointer(counts))
        return Counts(*counts.T)

    def clear(self) -> None:
        """Forget what has been counted."""
        _library().ptx_clear(self._machine)

    def without(self, at: int) -> Callable[[], None]:
        """Leave an instruction out, such as a barrier; return what puts it back."""
        _library().ptx_leave_out(self._machine, u32(at), 1)
        return lambda: _library().ptx_leave_out(self._machine, u32(at), 0)


class Loaded:
    """A module with its variables in memory."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.kernels: dict[str, Kernel] = {}
        self._memory: list[Any] = []
        self.arrays: list[tuple[int, int, int]] = []
        self.globals_at: dict[str, int] = {}
        for variable in module.variables:
            if variable.space == "shared":
                continue
            memory = np.zeros(variable.size + 64, np.uint8)
            begin = -memory.ctypes.data % 64
            memory[begin : begin + len(variable.values)] = np.frombuffer(variable.values, np.uint8)
            self._memory.append(memory)
            address = memory.ctypes.data + begin
            self.globals_at[variable.name] = address
            self.arrays.append((address, address + variable.size, 0))

    def kernel(self, name: str) -> Kernel:
        """Return a kernel by name."""
        if name not in self.kernels:
            self.kernels[name] = Kernel(self.module, name, self.globals_at)
        return self.kernels[name]
