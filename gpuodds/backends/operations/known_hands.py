"""Known hands against random ones, and against each other."""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from gpuodds.backends.costs import CALL, PAIR_OF_HANDS
from gpuodds.backends.counts import Progress
from gpuodds.backends.operation import Operation
from gpuodds.games.holdem.game import as_holdem
from gpuodds.spots.arrays import on_numpy

if TYPE_CHECKING:
    from gpuodds.games.game import Game
    from gpuodds.games.holdem.multiway import MatchingCounts
    from gpuodds.spots.spot import Spot

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
UInt64s = npt.NDArray[np.uint64]


# One spot of known hands: base; increment per random opponent; factor of both by board cards. Without
# random opponents one thread counts, this long.
BASE, OPPONENT, ALONE = 0.02, 0.01, 5e-4
BY_BOARD = (1.0, 0.45, 0.2, 0.02, 5e-3, 2e-3)
# One of many spots of known hands, which share threat graphs: rows by board cards, columns for at most
# 2, at most 9, and more random opponents.
ONE_OF_MANY = (
    (0.03, 0.05, 0.2),
    (0.005, 0.04, 0.1),
    (8e-4, 8e-3, 0.03),
    (2e-4, 1.5e-3, 5e-3),
    (8e-5, 7e-4, 3e-3),
    (5e-5, 1.5e-4, 5e-4),
)
# One of many hands against one random opponent, by board cards.
ONE_HAND = (5e-3, 1.5e-3, 4e-4, 5e-5, 1e-5, 5e-6)
MORE_HANDS = 2.5  # the time of three to six known hands, to that of two


def known_hands_seconds(board_cards: int, opponents: int, threads: int) -> float:
    """Estimate the seconds to count one spot of known hands."""
    if opponents == 0:
        return CALL + ALONE * BY_BOARD[board_cards]
    return CALL + (BASE + OPPONENT * opponents) * BY_BOARD[board_cards] / threads


def one_of_many_seconds(board_cards: int, opponents: int) -> float:
    """Estimate the seconds that one thread takes for one of many spots of known hands."""
    if not opponents:
        return ALONE * BY_BOARD[board_cards]
    return ONE_OF_MANY[board_cards][bisect_left((2, 9), opponents)]


@dataclass(frozen=True, eq=False)
class ThreatMatchings(Operation["Sequence[Mapping[int, MatchingCounts]]"]):
    """Count, for each spot, the matchings of its threat graphs, summed over boards.

    See :mod:`gpuodds.games.holdem.multiway`.

    Its counts: for each spot the counts by the set of known players who share the best known hand, a
    mask.

    Attributes:
        spots: Spots of known hands, all with the same numbers of hands and board cards.
        most: The largest number of edges of a matching.
    """

    name: ClassVar[str] = "matching_counts"
    spots: Sequence[Spot]
    most: int

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        board, many = len(self.spots[0].board), len(self.spots)
        if many == 1:
            return known_hands_seconds(board, self.most, threads)
        return CALL + many * one_of_many_seconds(board, self.most) / threads

    def on_cpu(self, progress: Progress | None = None) -> Sequence[Mapping[int, MatchingCounts]]:
        """Count on the CPU."""
        if "numba" not in sys.modules and len(self.spots) == 1:
            from gpuodds.backends.cpu.known_hands import uncompiled

            if uncompiled.is_quicker(self.spots[0], self.most):
                return [uncompiled.matching_counts(self.spots[0], self.most)]
        from gpuodds.backends.cpu.known_hands.matching_counts import matching_counts

        return matching_counts(self.spots, self.most, progress)

    def on_cuda(
        self, devices: Sequence[int], progress: Progress | None = None
    ) -> Sequence[Mapping[int, MatchingCounts]]:
        """Count on GPUs."""
        from gpuodds.backends.cuda.known_hands.matching_counts import matching_counts

        return matching_counts(self.spots, self.most, progress, devices)


@dataclass(frozen=True, eq=False)
class HandsAlone(Operation["Mapping[int, int]"]):
    """Count the boards of one spot by the hands that win.

    Its counts: boards by winners, a mask of the players; winners of no board are left out.

    Attributes:
        spot: A spot of known hands without random opponents.
    """

    name: ClassVar[str] = "hands_alone"
    spot: Spot

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        return known_hands_seconds(len(self.spot.board), 0, threads)

    def on_cpu(self, progress: Progress | None = None) -> Mapping[int, int]:
        """Count on the CPU."""
        if "numba" not in sys.modules:
            return _without_edges(ThreatMatchings([self.spot], 0).on_cpu(progress))
        from gpuodds.backends.cpu.known_hands.hands_together import count_spot

        spot = self.spot
        return count_spot(spot.known_hands, spot.board, spot.dead, as_holdem(spot.game))

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> Mapping[int, int]:
        """Count on GPUs."""
        return _without_edges(ThreatMatchings([self.spot], 0).on_cuda(devices, progress))


def _without_edges(counts: Sequence[Mapping[int, MatchingCounts]]) -> dict[int, int]:
    """Return the boards by winners of one spot, from matchings that have no edges."""
    return {mask: sum(sums.values()) for mask, sums in counts[0].items()}


@dataclass(frozen=True, eq=False)
class HandsVersusHands(Operation[Ints]):
    """Count, for many rows of known hands, the full boards by the hands that win.

    Its counts: shape (n, 2^players - 1): at [i, mask - 1] the boards that just the players in the mask
    win, together; of two hands those of the first, of the second, and ties. int64 of two hands, int32
    of more, which have at most C(46, 5) = 1,370,754 boards.

    Attributes:
        game: The game.
        hands: Shape (n, 2 to 6, 2): row, hand, card.
        boards: Shape (n, 0..5).
        dead: Cards out of play, shape (n, any width).
    """

    name: ClassVar[str] = "hands_versus_hands"
    game: Game
    hands: UInt8s
    boards: UInt8s
    dead: UInt8s

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        each = PAIR_OF_HANDS[self.boards.shape[1]] * (MORE_HANDS if self.hands.shape[1] > 2 else 1)
        return CALL + len(self.hands) * each / threads

    def on_cpu(self, progress: Progress | None = None) -> Ints:
        """Count on the CPU."""
        from gpuodds.backends.cpu.known_hands.hands_together import count_hands
        from gpuodds.backends.cpu.known_hands.two_hands import count_two_hands

        def count(hands: UInt8s, boards: UInt8s, dead: UInt8s) -> npt.NDArray[Any]:
            if hands.shape[1] == 2:
                return count_two_hands(hands, boards, dead, as_holdem(self.game))
            return count_hands(hands, boards, dead, as_holdem(self.game), progress)

        counts: Ints = on_numpy(count, self.hands, self.boards, self.dead)
        return counts

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> Ints:
        """Count on GPUs."""
        from gpuodds.backends.cuda.known_hands.hands import count_hands

        game = as_holdem(self.game)
        return count_hands(self.hands, self.boards, self.dead, game, progress, devices)


@dataclass(frozen=True, eq=False)
class UnbeatenDeals(Operation[UInt64s]):
    """Count the deals of k = 1 to ``most`` opponents in which none beats a hand, by number of ties.

    Its counts: shape (n, most, most + 1, 2): entry [i, k - 1, t] is a 128-bit count, lower and upper
    half.

    Attributes:
        game: The game.
        hands: Shape (n, 2).
        boards: Shape (n, 0..5).
        most: The largest number of opponents, 1 to 22.
    """

    name: ClassVar[str] = "unbeaten_deals"
    game: Game
    hands: UInt8s
    boards: UInt8s
    most: int

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        size = self.boards.shape[1]
        each = ONE_HAND[size] if self.most == 1 else one_of_many_seconds(size, self.most)
        return CALL + len(self.hands) * each / threads

    def on_cpu(self, progress: Progress | None = None) -> UInt64s:
        """Count on the CPU."""
        from gpuodds.backends.cpu.known_hands.unbeaten_deals import unbeaten_deals

        return unbeaten_deals(self.hands, self.boards, self.most, as_holdem(self.game), progress)

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> UInt64s:
        """Count on GPUs."""
        from gpuodds.backends.cuda.known_hands.unbeaten_deals import unbeaten_deals

        return unbeaten_deals(
            self.hands, self.boards, self.most, as_holdem(self.game), progress, devices
        )
