"""Every combo against clusters of opponents' hands on boards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.operation import Operation
from gpuodds.games.holdem.game import as_holdem

if TYPE_CHECKING:
    from gpuodds.games.game import Game
    from gpuodds.games.holdem.clusters import ClusterCounts

UInt8s = npt.NDArray[np.uint8]

FULL_BOARD = 3e-5  # seconds that a thread takes
FULL_BOARDS = {3: 1176, 4: 48, 5: 1}  # of a board, by its cards


@dataclass(frozen=True, eq=False)
class AgainstClusters(Operation["ClusterCounts"]):
    """Count the pots that every combo wins against each cluster of hands, over all runouts.

    Attributes:
        game: Hold'em.
        boards: Shape (n, 3..5).
        clusters: The cluster of each combo, 0 to 7, shape (1326,).
    """

    name: ClassVar[str] = "against_clusters"
    game: Game
    boards: UInt8s
    clusters: UInt8s

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        each = FULL_BOARDS[self.boards.shape[1]] * FULL_BOARD
        return len(self.boards) * each / min(threads, max(1, len(self.boards)))

    def on_cpu(self, progress: Progress | None = None) -> ClusterCounts:
        """Count on the CPU."""
        from gpuodds.backends.cpu.tables.clusters import against_clusters

        return against_clusters(self.boards, self.clusters, as_holdem(self.game))

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> ClusterCounts:
        """Count on GPUs."""
        from gpuodds.backends.cuda.tables.clusters import against_clusters

        return against_clusters(self.boards, self.clusters, devices, as_holdem(self.game))
