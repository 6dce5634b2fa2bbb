"""The nearest of some centres, for each of many points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Nearest, Progress
from gpuodds.backends.operation import Operation

Int32s = npt.NDArray[np.int32]

COORDINATE = 1e-10  # seconds that a thread takes for one of a centre


@dataclass(frozen=True, eq=False)
class NearestCentres(Operation[Nearest]):
    """Find the nearest centre of each point.

    Attributes:
        points: Shape (n, dimensions), int32.
        centres: Shape (k, dimensions), int32, 1 to 65,536 of them.
        squared: Whether distances are sums of squares, else of differences without their signs. The
            largest possible one is below 2^31 - 1.
    """

    name: ClassVar[str] = "nearest_centres"
    points: Int32s
    centres: Int32s
    squared: bool

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        return self.points.size * len(self.centres) * COORDINATE / threads

    def on_cpu(self, progress: Progress | None = None) -> Nearest:
        """Compare on the CPU."""
        from gpuodds.backends.cpu.tables.nearest import nearest_centres

        return Nearest(*nearest_centres(self.points, self.centres, self.squared))

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> Nearest:
        """Compare on GPUs."""
        from gpuodds.backends.cuda.tables.nearest import nearest_centres

        return Nearest(*nearest_centres(self.points, self.centres, self.squared, devices))
