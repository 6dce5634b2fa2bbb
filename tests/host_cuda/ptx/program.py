"""A kernel as a program: its storage, and instructions whose branches are numbers of instructions."""

from __future__ import annotations

from .instructions import Instruction, Kind, read_instruction
from .reader import Function, Module
from .storage import Storage


class Program:
    """A kernel's instructions and storage.

    Args:
        module: The module that the kernel is of.
        function: The kernel.
        globals_at: The addresses of the module's variables in global memory.
    """

    def __init__(self, module: Module, function: Function, globals_at: dict[str, int]) -> None:
        self.storage = Storage(module, function, globals_at)
        self.instructions: list[Instruction] = []
        places: dict[str, int] = {}  # of labels
        for statement in function.statements:
            if statement.label:
                places[statement.label] = len(self.instructions)
            else:
                self.instructions.append(read_instruction(statement, self.storage))
        self.instructions.append(Instruction("", 0, kind=Kind.END))
        for instruction in self.instructions:
            instruction.targets = [places[label] for label in instruction.labels]
