"""Hand ranks of rows of cards, and rows that repeat a card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from gpuodds.backends.costs import CALL
from gpuodds.backends.counts import Progress
from gpuodds.backends.operation import Operation
from gpuodds.games.holdem.game import as_holdem
from gpuodds.games.shared.rules import COMBOS
from gpuodds.spots.arrays import device_of, is_on_device

if TYPE_CHECKING:
    from gpuodds.games.game import Game

UInt8s = npt.NDArray[np.uint8]
UInt16s = npt.NDArray[np.uint16]


RANKED_COMBO = 2e-8  # seconds to rank a combo on a board


@dataclass(frozen=True, eq=False)
class FindRepeatedCard(Operation[int]):
    """Return the first row of ``cards`` that, joined with that of ``more``, repeats a card, or -1.

    Attributes:
        cards: Shape (n, any width).
        more: Shape (n, any width).
    """

    name: ClassVar[str] = "find_repeated_card"
    cards: UInt8s
    more: UInt8s

    def on_cpu(self, progress: Progress | None = None) -> int:
        """Count on the CPU."""
        from gpuodds.backends.cpu.arrays.ranks import find_repeated_card

        rows = np.concatenate([self.cards, self.more], axis=1) if self.more.shape[1] else self.cards
        return find_repeated_card(rows)

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> int:
        """Count on GPUs."""
        if not is_on_device(self.cards):
            return self.on_cpu(progress)
        from gpuodds.backends.cuda.shared.cards import find_repeated_card
        from gpuodds.backends.cuda.shared.pieces import working_on

        with working_on(device_of(self.cards)):
            return find_repeated_card(self.cards, self.more)


@dataclass(frozen=True, eq=False)
class RankCards(Operation[UInt16s]):
    """Return the hand ranks (n,) of cards.

    The CPU raises ValueError for a row that is no hand of the game; a GPU does not look.

    Attributes:
        game: The game.
        cards: Shape (n, 5), (n, 6) or (n, 7), any integers.
    """

    name: ClassVar[str] = "rank_cards"
    game: Game
    cards: npt.NDArray[np.integer]

    def on_cpu(self, progress: Progress | None = None) -> UInt16s:
        """Count on the CPU."""
        from gpuodds.backends.cpu.arrays.ranks import rank_cards

        return rank_cards(self.cards, as_holdem(self.game))

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> UInt16s:
        """Count on GPUs."""
        from gpuodds.backends.cuda.arrays.ranks import rank_cards
        from gpuodds.backends.cuda.shared.rows import from_rows

        game = as_holdem(self.game)
        ranks: UInt16s = from_rows(
            lambda rows: rank_cards(rows, game), (self.cards,), np.uint16, (), 16, devices
        )
        return ranks


@dataclass(frozen=True, eq=False)
class RankCombos(Operation[UInt16s]):
    """Return the hand ranks (n, 1326) of combos on boards, 0 if they share a card.

    Attributes:
        game: The game.
        boards: Shape (n, 5).
    """

    name: ClassVar[str] = "rank_combos"
    game: Game
    boards: UInt8s

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        return CALL + len(self.boards) * COMBOS * RANKED_COMBO / threads

    def on_cpu(self, progress: Progress | None = None) -> UInt16s:
        """Count on the CPU."""
        from gpuodds.backends.cpu.arrays.combos import rank_combos

        return rank_combos(self.boards, as_holdem(self.game))

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> UInt16s:
        """Count on GPUs."""
        from gpuodds.backends.cuda.arrays.ranks import rank_combos
        from gpuodds.backends.cuda.shared.rows import from_rows

        game, shape = as_holdem(self.game), (COMBOS,)
        ranks: UInt16s = from_rows(
            lambda rows: rank_combos(rows, game), (self.boards,), np.uint16, shape, 4 * COMBOS, devices
        )
        return ranks
