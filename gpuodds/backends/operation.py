"""What an operation is: inputs, how the CPU counts them and how GPUs do.

Operations are the dataclasses of :mod:`gpuodds.backends.operations`. Each gives the same integers on
every backend, which tells who counted. Inputs are not checked: callers do.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Generic, NamedTuple, Protocol, TypeVar

from gpuodds.backends.counts import Progress

Counts = TypeVar("Counts")


class Operation(ABC, Generic[Counts]):
    """Something to count, with its inputs."""

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

    @abstractmethod
    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> Counts:
        """Count on GPUs.

        Args:
            devices: The numbers of the devices.
            progress: Called with the fraction done, 0 to 1.
        """


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
        """Count.

        Args:
            operation: The operation.
            progress: Called with the fraction done, 0 to 1.
        """
        ...
