"""The CUDA backend: operations on one GPU or several.

Work is cut into pieces that fit a device's free memory; on out-of-memory the piece is halved. Several
devices take pieces in turn, each with a thread and an intern table of its own: a graph is solved once
on each device that meets it.
"""

from __future__ import annotations

import logging

from gpuodds.backends.compiling import ON_THE_CPU
from gpuodds.backends.counts import Progress
from gpuodds.backends.cuda.shared.device import choose_devices
from gpuodds.backends.operation import Counted, Counts, Operation


class CudaBackend:
    """Counts on GPUs, and hands to the CPU what these cannot count.

    Arrays may be NumPy's or CuPy's. CuPy arrays give CuPy arrays, computed on their device and the
    current stream.
    """

    name = "cuda"

    def __init__(self, name: str = "cuda") -> None:
        """Take all devices (``"cuda"``) or some (``"cuda:0,2"``)."""
        self.devices = choose_devices(name)
        self._is_asked_for = name != "auto"

    def count(self, operation: Operation[Counts], progress: Progress | None = None) -> Counted[Counts]:
        """Count: see :class:`gpuodds.backends.operation.Backend`.

        Where GPUs were asked for and the CPU counts, a line says why.
        """
        why = operation.why_not_cuda()
        if not why:
            return Counted(operation.on_cuda(self.devices, progress), self.name)
        if self._is_asked_for:
            logging.getLogger("gpuodds").info(ON_THE_CPU, why)
        return Counted(operation.on_cpu(progress), "cpu")
