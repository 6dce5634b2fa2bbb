"""Every combo against one random opponent on boards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.full_deck import check_full_deck
from gpuodds.backends.operation import Operation
from gpuodds.games.holdem.game import as_holdem

if TYPE_CHECKING:
    from gpuodds.games.game import Game
    from gpuodds.games.holdem.streets import StreetCounts

UInt8s = npt.NDArray[np.uint8]


# Seconds that a thread takes for a flop, and for a turn or river.
FLOP_CARDS, FLOP, LATER_BOARD = 3, 0.03, 2e-3


@dataclass(frozen=True, eq=False)
class AgainstRandom(Operation["StreetCounts"]):
    """Count the wins and ties of every combo against one random opponent, over all runouts.

    Attributes:
        game: The game.
        boards: Shape (n, 3..5).
        detail: Whether to fill ``squares`` and ``histogram``, too.
    """

    name: ClassVar[str] = "against_random"
    game: Game
    boards: UInt8s
    detail: bool

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        each = FLOP if self.boards.shape[1] == FLOP_CARDS else LATER_BOARD
        return len(self.boards) * each / min(threads, max(1, len(self.boards)))

    def on_cpu(self, progress: Progress | None = None) -> StreetCounts:
        """Count on the CPU."""
        from gpuodds.backends.cpu.tables.streets import against_random

        if self.detail:
            check_full_deck(self.game, "histograms of equity")
        return against_random(self.boards, self.detail, as_holdem(self.game))

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> StreetCounts:
        """Count on GPUs."""
        from gpuodds.backends.cuda.tables.streets import against_random

        if self.detail:
            check_full_deck(self.game, "histograms of equity")
        return against_random(self.boards, self.detail, devices, as_holdem(self.game))
