"""Every combo against every other, over all runouts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from gpuodds.backends.costs import CALL, SUIT_RENAMINGS
from gpuodds.backends.counts import Progress
from gpuodds.backends.operation import Operation
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.game import as_holdem
from gpuodds.games.shared.rules import BOARD_CARDS

if TYPE_CHECKING:
    from gpuodds.games.game import Game

Ints = npt.NDArray[np.int64]


COMPARED_COMBOS = 2e-4  # seconds to compare every combo with every other on a board


@dataclass(frozen=True, eq=False)
class HeadsUpMatrix(Operation[tuple[Ints, Ints]]):
    """Return the numbers of full boards on which each combo beats, and ties, each other one.

    Its counts: wins and ties, both of shape (1326, 1326).

    Attributes:
        game: The game.
        board: Card numbers.
        dead: Card numbers.
    """

    name: ClassVar[str] = "heads_up_matrix"
    game: Game
    board: Sequence[int]
    dead: Sequence[int]

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        known = len(self.board) + len(self.dead)
        boards = comb(DECK_SIZE - known, BOARD_CARDS - len(self.board))
        alike = 1 if known else SUIT_RENAMINGS
        return CALL + boards / alike * COMPARED_COMBOS / threads

    def on_cpu(self, progress: Progress | None = None) -> tuple[Ints, Ints]:
        """Count on the CPU."""
        from gpuodds.backends.cpu.arrays.combos import heads_up_matrix

        return heads_up_matrix(as_holdem(self.game), self.board, self.dead, progress)

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> tuple[Ints, Ints]:
        """Count on GPUs."""
        from gpuodds.backends.cuda.arrays.combos import heads_up_matrix

        return heads_up_matrix(as_holdem(self.game), self.board, self.dead, progress, devices)
