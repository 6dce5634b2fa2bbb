"""Ranges of Omaha on full boards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from gpuodds.backends.costs import CALL
from gpuodds.backends.counts import OmahaCounts, Progress
from gpuodds.backends.operation import Operation

if TYPE_CHECKING:
    from gpuodds.games.game import Game

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]


# A board, and each hand on a board, by hole cards; the factors of lows; what made hands add.
BOARD = 3e-5
HAND = {4: 4e-8, 5: 5e-8, 6: 2e-7}
WITH_LOWS = {4: 2.5, 5: 6.0, 6: 6.0}
MADE_HANDS_OF_BOARD, MADE_HAND = 1e-5, 1e-8
# All hands together: a board; the share of each hand, and where a player has few hands.
BOARD_OF_TOTALS = 1e-5
HAND_OF_TOTALS, HAND_AGAINST_FEW, FEW_HANDS = 0.5, 0.15, 20
# Three ranges: each hand on a board; for each hand of the narrowest there, by hole cards, the sums,
# each hand of the next range, and each of the widest; the factors of lows.
RANKED_OF_THREE = 1.5e-8
SUMS_OF_THREE = {4: 5e-6, 5: 6e-5, 6: 5e-4}
HAND_LOOKED_UP = {4: 2e-8, 5: 3e-8, 6: 6e-8}
HAND_ADDED = {4: 8e-9, 5: 1.2e-8, 6: 2.5e-8}
SUMS_WITH_LOWS, HANDS_WITH_LOWS = 8.0, 2.0


def board_seconds(game: Game, hands: int, *, made_hands: bool) -> float:
    """Estimate the seconds that a thread takes for two ranges of so many hands on a full board."""
    seconds = BOARD + hands * _hand_seconds(game)
    return seconds + (MADE_HANDS_OF_BOARD + hands * MADE_HAND) * made_hands


def board_totals_seconds(game: Game, sizes: Sequence[int]) -> float:
    """Estimate the seconds that a thread takes for the totals of two ranges on a full board."""
    share = HAND_AGAINST_FEW if min(sizes) <= FEW_HANDS else HAND_OF_TOTALS
    return BOARD_OF_TOTALS + sum(sizes) * share * _hand_seconds(game)


def three_players_seconds(game: Game, sizes: Sequence[int]) -> float:
    """Estimate the seconds that a thread takes for three ranges on a full board."""
    size, (few, more, most) = game.hole_cards, sorted(sizes)
    sums = SUMS_OF_THREE[size]
    hands = more * HAND_LOOKED_UP[size] + most * HAND_ADDED[size]
    if game.has_low:
        sums, hands = sums * SUMS_WITH_LOWS, hands * HANDS_WITH_LOWS
    return BOARD + sum(sizes) * RANKED_OF_THREE + few * (sums + hands)


def _hand_seconds(game: Game) -> float:
    size = game.hole_cards
    return HAND[size] * (WITH_LOWS[size] if game.has_low else 1.0)


@dataclass(frozen=True, eq=False)
class OmahaShowdowns(Operation[OmahaCounts]):
    """Count the deals of two ranges of Omaha hands against each other.

    Attributes:
        game: The game.
        hands: For both players the cards of their hands, shape (n, 4 to 6), ascending.
        weights: For both players the weights of their hands, shape (n,), above 0.
        boards: Full boards, shape (n, 5).
        times: The factor of each board, shape (n,).
        made_hands: Whether to count by the category of the high hand, too.
    """

    name: ClassVar[str] = "omaha_showdowns"
    game: Game
    hands: Sequence[UInt8s]
    weights: Sequence[Floats]
    boards: UInt8s
    times: Ints
    made_hands: bool

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        board = board_seconds(self.game, sum(map(len, self.hands)), made_hands=self.made_hands)
        return CALL + len(self.boards) * board / threads

    def on_cpu(self, progress: Progress | None = None) -> OmahaCounts:
        """Count on the CPU."""
        from gpuodds.backends.cpu.omaha.ranges.showdowns import count_showdowns

        return count_showdowns(
            self.hands,
            self.weights,
            self.boards,
            self.times,
            self.game.has_low,
            progress,
            self.made_hands,
        )

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> OmahaCounts:
        """Count on GPUs."""
        from gpuodds.backends.cuda.omaha.showdowns import count_showdowns

        return count_showdowns(
            self.hands,
            self.weights,
            self.boards,
            self.times,
            self.game.has_low,
            self.made_hands,
            progress,
            devices,
        )


@dataclass(frozen=True, eq=False)
class OmahaBoardTotals(Operation[list[npt.NDArray[Any]]]):
    """Count the deals of two ranges of Omaha hands on each board, all hands together.

    Its counts: for both players, shape (n, columns), int64 if all weights are 1, else float64: the
    weighted deals of both players' hands on each board, in the columns of :class:`OmahaShowdowns`.

    Attributes:
        game: The game.
        hands: As for :class:`OmahaShowdowns`.
        weights: As for :class:`OmahaShowdowns`.
        boards: Full boards, shape (n, 5).
    """

    name: ClassVar[str] = "omaha_board_totals"
    game: Game
    hands: Sequence[UInt8s]
    weights: Sequence[Floats]
    boards: UInt8s

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        board = board_totals_seconds(self.game, [*map(len, self.hands)])
        return CALL + len(self.boards) * board / threads

    def on_cpu(self, progress: Progress | None = None) -> list[npt.NDArray[Any]]:
        """Count on the CPU."""
        from gpuodds.backends.cpu.omaha.ranges.two_player_boards import count_boards

        return [*count_boards(self.hands, self.weights, self.boards, self.game.has_low, progress)]

    def on_cuda(
        self, devices: Sequence[int], progress: Progress | None = None
    ) -> list[npt.NDArray[Any]]:
        """Count on GPUs."""
        from gpuodds.backends.cuda.omaha.showdowns import count_totals

        return count_totals(self.hands, self.weights, self.boards, self.game.has_low, progress, devices)


@dataclass(frozen=True, eq=False)
class OmahaThreePlayers(Operation[dict[tuple[int, int], Any]]):
    """Count the deals of three ranges of Omaha hands by the best hands.

    Its counts: the weighted deals by the players with the best high hand and those with the best low,
    two masks, integers if all weights are 1, else floats; the second mask is 0 without a low.

    Attributes:
        game: The game.
        hands: For each player the cards of their hands, shape (n, 4 to 6), ascending.
        weights: For each player the weights of their hands, shape (n,), above 0.
        boards: Full boards, shape (n, 5).
        times: The factor of each board, shape (n,).
    """

    name: ClassVar[str] = "omaha_three_players"
    game: Game
    hands: Sequence[UInt8s]
    weights: Sequence[Floats]
    boards: UInt8s
    times: Ints

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        board, many = three_players_seconds(self.game, [*map(len, self.hands)]), len(self.boards)
        return CALL + many * board / max(1, min(threads, many))

    def on_cpu(self, progress: Progress | None = None) -> dict[tuple[int, int], Any]:
        """Count on the CPU."""
        from gpuodds.backends.cpu.omaha.ranges.three_players import count_three_players

        return count_three_players(
            self.hands, self.weights, self.boards, self.times, self.game.has_low, progress
        )

    def on_cuda(
        self, devices: Sequence[int], progress: Progress | None = None
    ) -> dict[tuple[int, int], Any]:
        """Count on GPUs."""
        from gpuodds.backends.cuda.omaha.three_players import count_three_players

        return count_three_players(
            self.hands,
            self.weights,
            self.boards,
            self.times,
            self.game.has_low,
            progress,
            devices,
        )
