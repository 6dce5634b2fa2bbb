"""Operations as classes: each has a name, and says why no GPU counts it or counts on GPUs."""

from __future__ import annotations

from importlib import import_module
from inspect import isabstract
from pkgutil import walk_packages
from typing import Any

import pytest

from gpuodds.backends import operations
from gpuodds.backends.compiling import NO_GPU_VERSION
from gpuodds.backends.operation import GpuOperation, Operation


def operation_classes() -> list[type[Operation[Any]]]:
    """Return the classes of all modules of operations."""
    found = walk_packages(operations.__path__, f"{operations.__name__}.")
    modules = [import_module(module.name) for module in found]
    return [
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__ == module.__name__
    ]


CLASSES = operation_classes()


def test_names_are_those_of_one_operation() -> None:
    assert len(CLASSES) == len({operation.name for operation in CLASSES}) > 30


@pytest.mark.parametrize("operation", CLASSES)
def test_who_counts_an_operation(operation: type[Operation[Any]]) -> None:
    assert issubclass(operation, Operation) and not isabstract(operation)
    if issubclass(operation, GpuOperation):
        return
    without_inputs = operation.__new__(operation)
    why = without_inputs.why_not_cuda()
    assert why == NO_GPU_VERSION % operation.name
    with pytest.raises(NotImplementedError, match=why):
        without_inputs.on_cuda([0])
