"""Hand ranks of Omaha, high and low."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.operation import Operation

if TYPE_CHECKING:
    pass

UInt8s = npt.NDArray[np.uint8]
UInt16s = npt.NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class OmahaHandRanks(Operation[UInt16s]):
    """Return the hand ranks (n,) of hands of Omaha (n, 4..6) on boards (n, 3..5)."""

    name: ClassVar[str] = "omaha_hand_ranks"
    hands: UInt8s
    boards: UInt8s

    def on_cpu(self, progress: Progress | None = None) -> UInt16s:
        """Count on the CPU."""
        from gpuodds.backends.cpu.omaha.shared.ranks import rank_omaha_hands

        return rank_omaha_hands(self.hands, self.boards)

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> UInt16s:
        """Count on GPUs."""
        from gpuodds.backends.cuda.omaha.ranks import rank_omaha_hands
        from gpuodds.backends.cuda.shared.rows import from_rows

        ranks: UInt16s = from_rows(
            rank_omaha_hands, (self.hands, self.boards), np.uint16, (), 16, devices
        )
        return ranks


@dataclass(frozen=True, eq=False)
class OmahaLowRanks(Operation[UInt8s]):
    """Return the low ranks (n,) of hands of Omaha (n, 4..6) on boards (n, 3..5), 0 for none."""

    name: ClassVar[str] = "omaha_low_ranks"
    hands: UInt8s
    boards: UInt8s

    def on_cpu(self, progress: Progress | None = None) -> UInt8s:
        """Count on the CPU."""
        from gpuodds.backends.cpu.omaha.shared.ranks import low_ranks

        return low_ranks(self.hands, self.boards)

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> UInt8s:
        """Count on GPUs."""
        from gpuodds.backends.cuda.omaha.ranks import low_ranks
        from gpuodds.backends.cuda.shared.rows import from_rows

        ranks: UInt8s = from_rows(low_ranks, (self.hands, self.boards), np.uint8, (), 16, devices)
        return ranks
