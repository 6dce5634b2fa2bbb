"""The CUDA backend: operations on one GPU or several.

Work is cut into pieces that fit a device's free memory; on out-of-memory the piece is halved. Several
devices take pieces in turn, each with a thread and an intern table of its own: a graph is solved once
on each device that meets it.
"""

from __future__ import annotations

from gpuodds.backends.counts import Progress
from gpuodds.backends.cuda.shared.device import choose_devices
from gpuodds.backends.operation import Counted, Counts, Operation


class CudaBackend:
    """Counts on GPUs.

    Arrays may be NumPy's or CuPy's. CuPy arrays give CuPy arrays, computed on their device and the
    current stream.
    """

    name = "cuda"

    def __init__(self, name: str = "cuda") -> None:
        """Take all devices (``"cuda"``) or some (``"cuda:0,2"``)."""
        self.devices = choose_devices(name)

    def count(self, operation: Operation[Counts], progress: Progress | None = None) -> Counted[Counts]:
        """Count: see :class:`gpuodds.backends.operation.Backend`."""
        return Counted(operation.on_cuda(self.devices, progress), self.name)
