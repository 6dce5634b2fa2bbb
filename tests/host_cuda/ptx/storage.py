"""Where a kernel's numbers are: registers, constants and variables.

A register of n bytes takes 32 n bytes, a number for each lane; a predicate four, a bit for each lane. A
constant is a register as well, with the same number in every lane.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Any

import numpy as np

from .reader import Function, Module, PtxError, Variable

WARP = 32
NONE = 0xFFFFFFFF
ALIGN = 64  # bytes that registers begin at a multiple of
RUBBISH = 0xA5  # what a register holds before it is written


class Space(IntEnum):
    """Where an access goes; constants are in global memory."""

    GLOBAL = 0
    SHARED = 1
    LOCAL = 2
    PARAMETER = 3
    GENERIC = 4


SPACES = {"global": Space.GLOBAL, "const": Space.GLOBAL, "shared": Space.SHARED, "local": Space.LOCAL}
SPACES |= {"param": Space.PARAMETER}
SPECIALS = ["%tid.x", "%ntid.x", "%ctaid.x", "%nctaid.x", "%laneid", "%warpid", "%lanemask_lt"]
SPECIALS += ["%lanemask_le", "%lanemask_gt", "%lanemask_ge", "%lanemask_eq"]
# Grids and blocks have one dimension here.
FIXED = dict.fromkeys(("%tid.y", "%tid.z", "%ctaid.y", "%ctaid.z"), 0)
FIXED |= dict.fromkeys(("%ntid.y", "%ntid.z", "%nctaid.y", "%nctaid.z"), 1)


class Storage:
    """The registers, constants and variables of a kernel.

    Attributes:
        function: The kernel.
        shared: Bytes of static shared memory.
        local: Bytes of local memory, for each lane.
        symbols: The space and the address of parameters and variables, by name.
        registers: Offset and bytes of registers, by name.

    Args:
        module: The module that the kernel is of.
        function: The kernel.
        globals_at: The addresses of the module's variables in global memory.
    """

    def __init__(self, module: Module, function: Function, globals_at: dict[str, int]) -> None:
        self.function = function
        self.registers: dict[str, tuple[int, int]] = {}
        self.symbols = {p.name: (Space.PARAMETER, p.offset) for p in function.parameters}
        self.symbols |= {name: (Space.GLOBAL, address) for name, address in globals_at.items()}
        self.shared = self._place(function.variables, Space.SHARED)
        self.local = self._place(function.variables, Space.LOCAL)
        dynamic = [v for v in module.variables if v.space == "shared"]
        if any(v.size for v in dynamic):
            raise PtxError(f"{function.name}: shared variables of the module")
        for variable in dynamic:
            self.shared = -(-self.shared // max(16, variable.align)) * max(16, variable.align)
            self.symbols[variable.name] = Space.SHARED, self.shared
        self._constants: dict[tuple[int, int], int] = {}  # by value and bytes: the offset
        self._end = 0
        for name in SPECIALS:
            self.registers[name] = self._allocate(4), 4

    def _place(self, variables: list[Variable], space: Space) -> int:
        """Give the variables of a space their addresses; return the bytes of all."""
        end = 0
        for variable in variables:
            if SPACES[variable.space] == space:
                end = -(-end // variable.align) * variable.align
                self.symbols[variable.name] = space, end
                end += variable.size
        return -(-end // 16) * 16

    def image(self) -> tuple[Any, Any]:
        """Return a warp's registers with their constants, and the lanes of each that are set."""
        size = -(-self._end // ALIGN) * ALIGN
        image = np.full(size, RUBBISH, np.uint8)
        initialized = np.zeros(size // 4, np.uint32)
        for (value, bytes_), offset in self._constants.items():
            raw = value.to_bytes(bytes_ or 4, "little") * (WARP if bytes_ else 1)
            image[offset : offset + len(raw)] = np.frombuffer(raw, np.uint8)
            initialized[offset // 4] = NONE
        for name in SPECIALS:
            initialized[self.registers[name][0] // 4] = NONE
        return image, initialized

    def register(self, name: str) -> tuple[int, int]:
        """Return the offset of a register, and its bytes."""
        if name in FIXED:
            return self.constant(FIXED[name], 4), 4
        if name not in self.registers:
            known = self.function.registers
            size = known.get(name, known.get(re.sub(r"\d+$", "<", name)))
            if size is None:
                raise PtxError(f"{self.function.name}: no register {name}")
            self.registers[name] = self._allocate(size), size
        return self.registers[name]

    def constant(self, value: int, size: int) -> int:
        """Return the offset of a constant of some bytes, 0 for a predicate."""
        value %= 1 << 8 * (size or 4)
        if (value, size) not in self._constants:
            self._constants[value, size] = self._allocate(size)
        return self._constants[value, size]

    def _allocate(self, size: int) -> int:
        if size:
            self._end = -(-self._end // ALIGN) * ALIGN
        offset = self._end
        self._end += WARP * size or 4
        return offset
