"""The CPU backend: operations on every core."""

from __future__ import annotations

from gpuodds.backends.counts import Progress
from gpuodds.backends.cpu.compile.threads import threads_wanted
from gpuodds.backends.operation import Counted, Counts, Operation


class CpuBackend:
    """Counts on every core of the CPU."""

    name = "cpu"

    def __init__(self) -> None:
        """Refuse a wrong ``GPUODDS_THREADS`` at once, even if the work at hand needs no threads."""
        threads_wanted()

    def count(self, operation: Operation[Counts], progress: Progress | None = None) -> Counted[Counts]:
        """Count: see :class:`gpuodds.backends.operation.Backend`."""
        return Counted(operation.on_cpu(progress), self.name)
