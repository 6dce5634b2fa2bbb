"""What an operation is: inputs, how the CPU counts them and how GPUs do, and why a GPU cannot.

Operations are the dataclasses of :mod:`gpuodds.backends.operations`. Each gives the same integers on
every backend, which tells who counted: a GPU hands what it cannot count to the CPU. Inputs are not
checked: callers do.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Generic, NamedTuple, Protocol, TypeVar

from gpuodds.backends.compiling import NO_GPU_VERSION
from gpuodds.backends.counts import Progress

Counts = TypeVar("Counts")


class Operation(ABC, Generic[Counts]):
    """Something to count, with its inputs; one that only the CPU counts."""

    name: ClassVar[str]
    """The name in messages."""

    @abstractmethod
    def on_cpu(self, progress: Progress | None = None) -> Counts:
        """Count on every core of the CPU.

        Args:
            progress: Called with the fraction done, 0 to 1.
        """

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes; 0 for what no GPU is worth starting for.

        Args:
            threads: The threads that count.
        """
        return 0.0

    def why_not_cuda(self) -> str:
        """Return why no GPU counts these inputs; empty if one does."""
        return NO_GPU_VERSION % self.name

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> Counts:
        """Count on GPUs; :meth:`why_not_cuda` is empty.

        Args:
            devices: The numbers of the devices.
            progress: Called with the fraction done, 0 to 1.
        """
        raise NotImplementedError(self.why_not_cuda())


class GpuOperation(Operation[Counts]):
    """An operation that GPUs count as well, unless :meth:`why_not_cuda` says otherwise."""

    def why_not_cuda(self) -> str:
        """Return why no GPU counts these inputs; empty if one does."""
        return ""

    @abstractmethod
    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> Counts:
        """Count on GPUs."""


class Counted(NamedTuple, Generic[Counts]):
    """Counts, and who counted them.

    Attributes:
        counts: What the operation returns.
        backend: The name of the backend that counted: ``cpu`` or ``cuda``.
    """

    counts: Counts
    backend: str


class Backend(Protocol):
    """The CPU, or GPUs."""

    @property
    def name(self) -> str:
        """``cpu`` or ``cuda``."""
        ...

    def count(self, operation: Operation[Counts], progress: Progress | None = None) -> Counted[Counts]:
        """Count; GPUs hand what they cannot count to the CPU.

        Args:
            operation: The operation.
            progress: Called with the fraction done, 0 to 1.
        """
        ...
