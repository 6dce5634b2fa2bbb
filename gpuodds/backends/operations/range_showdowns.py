"""Ranges compared on full boards, with players who have folded or without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from gpuodds.backends.costs import CALL
from gpuodds.backends.counts import Progress, ShowdownCounts
from gpuodds.backends.operation import Operation
from gpuodds.backends.showdown_costs import board_seconds, sizes_of
from gpuodds.games.holdem.game import as_holdem
from gpuodds.games.shared.combos import COMBOS

if TYPE_CHECKING:
    from gpuodds.games.game import Game

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class RangeShowdowns(Operation[ShowdownCounts]):
    """Count the deals that each combo of some players wins or splits against the others' ranges.

    Attributes:
        game: The game.
        weights: The players' ranges, shape (players, 1326).
        boards: Full boards, shape (n, 5); or shape (1, 0), a board on which all hands tie.
        times: The factor of each board, shape (n,).
        heroes: The players whose deals to count.
        made_hands: Whether to count by category, too.
        folded: The ranges of further players, who hold cards and win nothing, shape (folded players,
            1326): the counts are those of deals to all other players and these. With them the players
            are two to six.
        by_combo: Whether each combo's counts are wanted for every set of winners. Otherwise a set is
            counted for the first of the heroes in it alone: it has no deals for the others.
    """

    name: ClassVar[str] = "range_showdowns"
    game: Game
    weights: Floats
    boards: UInt8s
    times: Ints
    heroes: Sequence[int]
    made_hands: bool
    folded: Floats = field(default_factory=lambda: np.zeros((0, COMBOS)))
    by_combo: bool = True

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        board = board_seconds(
            sizes_of(self.weights, self.folded, self.heroes, self.made_hands, self.by_combo)
        )
        return CALL + len(self.boards) * board / threads

    def on_cpu(self, progress: Progress | None = None) -> ShowdownCounts:
        """Count on the CPU."""
        from gpuodds.backends.cpu.ranges.showdowns import count_showdowns

        counts, made = count_showdowns(
            self.weights,
            self.folded,
            self.boards,
            self.times,
            self.heroes,
            as_holdem(self.game).hand_rank_tables,
            progress,
            self.made_hands,
            self.by_combo,
        )
        return ShowdownCounts(counts, made if self.made_hands else None)

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> ShowdownCounts:
        """Count on GPUs."""
        from gpuodds.backends.cuda.ranges.showdowns import range_showdowns

        return range_showdowns(
            self.weights,
            self.folded,
            self.boards,
            self.times,
            self.heroes,
            self.made_hands,
            progress,
            devices,
            as_holdem(self.game),
            self.by_combo,
        )
