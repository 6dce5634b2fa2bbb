"""Known hands of Omaha against each other, and against a random hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from gpuodds.backends.costs import CALL
from gpuodds.backends.counts import Progress
from gpuodds.backends.operation import Operation
from gpuodds.games.shared.boards import board_ranks_index, canonical_boards

if TYPE_CHECKING:
    from gpuodds.games.game import Game

Ints = npt.NDArray[np.int64]
Int32s = npt.NDArray[np.int32]
UInt8s = npt.NDArray[np.uint8]


# Known hands: a class of boards for each player; boards for each class, about, by board cards.
CLASS_OF_PLAYER = 6e-9
CLASSES = (80_000, 60_000, 20_000, 1_200, 40, 1)
# One random hand, by board cards, for four hole cards; the factor for five and six, and with lows.
ONE_HAND = (1.2, 0.8, 0.2, 5e-3, 1e-3, 5e-4)
MORE_CARDS, WITH_LOWS = {4: 1.0, 5: 6.0, 6: 25.0}, 1.5
BOARD_OF_RANDOM = 1e-4  # one of many boards, after every class of full boards was counted once


def known_hands_seconds(board_cards: int, players: int) -> float:
    """Estimate the seconds that a thread takes for known hands."""
    return CALL + CLASSES[board_cards] * players * CLASS_OF_PLAYER


def one_random_hand_seconds(game: Game, board_cards: int, threads: int) -> float:
    """Estimate the seconds for one hand against one random hand."""
    lows = WITH_LOWS if game.has_low else 1.0
    return CALL + ONE_HAND[board_cards] * MORE_CARDS[game.hole_cards] * lows / threads


def random_on_boards_seconds(game: Game, board_cards: int, boards: int, threads: int) -> float:
    """Estimate the seconds for one hand against one random hand on boards of the next street."""
    return one_random_hand_seconds(game, board_cards, threads) + boards * BOARD_OF_RANDOM


@dataclass(frozen=True, eq=False)
class OmahaKnownHands(Operation[dict[tuple[int, int], int]]):
    """Count the full boards that known hands of Omaha win.

    Its counts: the number of full boards by the players with the best high hand and those with the best
    low, two masks; the second is 0 without a low.

    Attributes:
        game: The game.
        hands: Shape (players, 4 to 6), ascending in each row; 2 to 11 players.
        board: Card numbers.
        dead: Card numbers.
    """

    name: ClassVar[str] = "omaha_known_hands"
    game: Game
    hands: UInt8s
    board: Sequence[int]
    dead: Sequence[int]

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        return known_hands_seconds(len(self.board), len(self.hands))

    def on_cpu(self, progress: Progress | None = None) -> dict[tuple[int, int], int]:
        """Count on the CPU."""
        from gpuodds.backends.cpu.omaha.known_hands.known_hands import count_known_hands

        return count_known_hands(self.hands, self.board, self.dead, self.game.has_low)

    def on_cuda(
        self, devices: Sequence[int], progress: Progress | None = None
    ) -> dict[tuple[int, int], int]:
        """Count on GPUs."""
        from gpuodds.backends.cuda.omaha.known_hands import count_known_hands

        return count_known_hands(
            self.hands, self.board, self.dead, self.game.has_low, progress, devices
        )


@dataclass(frozen=True, eq=False)
class OmahaHandRows(Operation[Int32s]):
    """Count the full boards that known hands of Omaha win, for many rows of hands.

    Its counts: shape (n, 2^players, or 1 without lows, 2^players), int32: at [i, low, high] the boards
    by the players with the best low and those with the best high, two masks; 0 without a low.

    Attributes:
        game: The game.
        hands: Shape (n, players, 4 to 6); 2 to 6 players, or 2 to 3 with lows.
        boards: Shape (n, 0..5).
        dead: Cards out of play, shape (n, any width).
    """

    name: ClassVar[str] = "omaha_hand_rows"
    game: Game
    hands: UInt8s
    boards: UInt8s
    dead: UInt8s

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        each = known_hands_seconds(self.boards.shape[1], self.hands.shape[1]) - CALL
        return CALL + len(self.hands) * each / threads

    def on_cpu(self, progress: Progress | None = None) -> Int32s:
        """Count on the CPU."""
        from gpuodds.backends.cpu.omaha.known_hands.rows import count_rows

        return count_rows(self.hands, self.boards, self.dead, self.game.has_low, progress)

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> Int32s:
        """Count on GPUs."""
        from gpuodds.backends.cuda.omaha.known_hands import count_rows

        return count_rows(self.hands, self.boards, self.dead, self.game.has_low, progress, devices)


@dataclass(frozen=True, eq=False)
class OmahaOneRandomHand(Operation[Ints]):
    """Count how a hand of Omaha fares against one random hand.

    Its counts: shape (9, 3, 4): full boards times the other's hands by the category of the hand's high,
    by who has the best high (hand, both, the other) and the best low (neither, hand, both, the other);
    without lows all in column 0.

    Attributes:
        game: The game.
        hand: Card numbers, 4 to 6.
        board: Card numbers.
        dead: Card numbers.
    """

    name: ClassVar[str] = "omaha_one_random_hand"
    game: Game
    hand: Sequence[int]
    board: Sequence[int]
    dead: Sequence[int]

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        return one_random_hand_seconds(self.game, len(self.board), threads)

    def on_cpu(self, progress: Progress | None = None) -> Ints:
        """Count on the CPU."""
        from gpuodds.backends.cpu.omaha.known_hands.against_random import count_against_random

        return count_against_random(self.hand, self.board, self.dead, self.game.has_low, progress)

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> Ints:
        """Count on GPUs."""
        from gpuodds.backends.cuda.omaha.against_random import count_against_random

        return count_against_random(
            self.hand, self.board, self.dead, self.game.has_low, progress, devices
        )


@dataclass(frozen=True, eq=False)
class OmahaOneRandomHandOnBoards(Operation[Ints]):
    """Count how a hand of Omaha fares against one random hand on boards that have one in common.

    Its counts: shape (n, 3, 4): for each board the counts of :class:`OmahaOneRandomHand`.

    Attributes:
        game: The game.
        hand: Card numbers, 4 to 6.
        board: Card numbers that lie on all boards.
        dead: Card numbers.
        boards: Boards of 3 to 5 cards, ``board`` first, without dead cards and cards of the hand;
            shape (n, cards).
    """

    name: ClassVar[str] = "omaha_one_random_hand_on_boards"
    game: Game
    hand: Sequence[int]
    board: Sequence[int]
    dead: Sequence[int]
    boards: UInt8s

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        return random_on_boards_seconds(self.game, len(self.board), len(self.boards), threads)

    def on_cpu(self, progress: Progress | None = None) -> Ints:
        """Count on the CPU."""
        from gpuodds.backends.cpu.omaha.known_hands.random_on_boards import count_on_boards

        return count_on_boards(
            self.hand, self.board, self.dead, self.boards, self.game.has_low, progress
        )

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> Ints:
        """Count on GPUs."""
        from gpuodds.backends.cuda.omaha.against_random import count_on_boards

        low = self.game.has_low
        return count_on_boards(self.hand, self.board, self.dead, self.boards, low, progress, devices)


@dataclass(frozen=True, eq=False)
class OmahaPreflopRandom(Operation[Ints]):
    """Count how hands of Omaha fare against one random hand before the flop, all at once.

    Its counts: shape (n, 3, 4): for each hand the counts of :class:`OmahaOneRandomHand`, all categories
    together.

    Attributes:
        game: The game.
        hands: Shape (n, 4 to 6).
        ranks: Which ranks the boards have, rows of
            :func:`gpuodds.games.shared.boards.board_ranks`: the counts of parts of all add up.
    """

    name: ClassVar[str] = "omaha_preflop_random"
    game: Game
    hands: UInt8s
    ranks: range

    def on_cpu(self, progress: Progress | None = None) -> Ints:
        """Count on the CPU."""
        from gpuodds.backends.cpu.omaha.preflop.preflop_random import count_boards, read_hands

        return read_hands(
            self.hands, count_boards(self.hands.shape[1], self.game.has_low, self.ranks, progress)
        )

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> Ints:
        """Count on GPUs."""
        from gpuodds.backends.cuda.omaha.showdowns import count_preflop

        boards, times = canonical_boards()
        chosen = np.isin(board_ranks_index(boards), self.ranks)
        return count_preflop(
            self.hands, self.game.has_low, boards[chosen], times[chosen], progress, devices
        )
