"""Two ranges on many boards, or before the flop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb, prod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from gpuodds.backends.costs import (
    ADDED_PAIR,
    CALL,
    CALL_ALONE,
    COMPARED_KINDS,
    COUNTED_BOARD,
    COUNTED_COMBO,
    KINDS,
    SORTED_COMBO,
)
from gpuodds.backends.counts import Progress, ShowdownCounts, TwoRangeCounts
from gpuodds.backends.operation import Operation
from gpuodds.backends.operations.range_showdowns import RangeShowdowns
from gpuodds.backends.two_ranges import count_all_boards, count_by_showdowns
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.game import as_holdem
from gpuodds.games.shared.rules import BOARD_CARDS, COMBOS

if TYPE_CHECKING:
    from gpuodds.games.game import Game

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]


# One of many boards: to begin it; a combo on it.
BOARD, BY_COMBO = 3e-5, 8e-8
# Two ranges before the flop: base; a type of hands; a type of the first range; a pair of types. With
# made hands each range comes first once. Types by combos: at least, more per combo, at most.
PREFLOP_TYPES, PREFLOP_MADE_TYPES = (3e-3, 8e-5, 8e-4, 9e-6), (3e-3, 8e-5, 2e-3, 1.5e-5)
TYPES_OF_COMBOS = (3, 1 / 3, KINDS)


def on_board_seconds(sizes: Sequence[int], runouts: int, *, is_whole: bool) -> float:
    """Estimate the seconds that a thread takes for two ranges on a board of three cards or more.

    Args:
        sizes: The combos of both players.
        runouts: The number of full boards.
        is_whole: Whether all weights are 0 or 1, so that pairs of combos may be compared instead of the
            ranges on each runout.
    """
    sweep = sweep_seconds(sizes, runouts)
    if runouts == 1 or not is_whole:
        return sweep
    kinds = prod(min(size, KINDS) for size in sizes)
    return min(sweep, ADDED_PAIR * prod(sizes) + COMPARED_KINDS * kinds)


def sweep_seconds(sizes: Sequence[int], runouts: float) -> float:
    """Estimate the seconds that a thread takes to compare two ranges on each full board."""
    active = min(sum(sizes), COMBOS)
    return runouts * (COUNTED_BOARD + SORTED_COMBO * active + COUNTED_COMBO * sum(sizes))


def preflop_seconds(sizes: Sequence[int], made_hands: int) -> float:
    """Estimate the seconds that a thread takes for two ranges before the flop.

    Args:
        sizes: The combos of both players.
        made_hands: Of how many players to count made hands.
    """
    least, each, most = TYPES_OF_COMBOS
    first, second = (min(least + each * size, most) for size in sizes)
    base, a_type, row, pair = PREFLOP_MADE_TYPES if made_hands else PREFLOP_TYPES
    once = base + a_type * (first + second) + pair * first * second
    if not made_hands:
        return (once + row * min(first, second)) / (2 if first == second else 1)
    if made_hands == 1 or first == second:
        return once + row * first
    return 2 * once + row * (first + second)


@dataclass(frozen=True, eq=False)
class TwoRangeBoards(Operation[TwoRangeCounts]):
    """Count one range against another on each of many boards, over all runouts.

    Attributes:
        game: The game.
        weights: The two ranges, shape (2, 1326). On each board, combos that have one of its cards
            or a dead card do not count; a board may leave a range without combos.
        boards: Shape (n, 3), (n, 4) or (n, 5), no card twice in a row, none of them dead.
        dead: Card numbers.
        by_combo: Whether to count by combo, too: 64 KB for each board.
    """

    name: ClassVar[str] = "two_range_boards"
    game: Game
    weights: Floats
    boards: UInt8s
    dead: Sequence[int]
    by_combo: bool

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        sizes = np.count_nonzero(self.weights, axis=1).tolist()
        is_whole = bool(((self.weights == 0.0) | (self.weights == 1.0)).all())
        known = self.boards.shape[1] + len(self.dead) + len(self.game.missing)
        runouts = comb(DECK_SIZE - known, BOARD_CARDS - self.boards.shape[1])
        each = on_board_seconds(sizes, runouts, is_whole=is_whole)
        if self.by_combo:
            each += BY_COMBO * sum(sizes)
        many = len(self.boards)
        return CALL_ALONE + each if many == 1 else CALL + many * (BOARD + each) / threads

    def on_cpu(self, progress: Progress | None = None) -> TwoRangeCounts:
        """Count on the CPU."""
        from gpuodds.backends.cpu.ranges.all_runouts.many_boards import two_range_boards

        return two_range_boards(
            self.weights, self.boards, self.dead, self.by_combo, as_holdem(self.game), progress
        )

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> TwoRangeCounts:
        """Count on GPUs."""

        def showdowns(weights: Floats, full: UInt8s, times: Ints) -> npt.NDArray[Any]:
            operation = RangeShowdowns(self.game, weights, full, times, (0, 1), False)
            return operation.on_cuda(devices, None).by_winners

        out = (*self.dead, *self.game.missing)
        return count_by_showdowns(showdowns, self.weights, self.boards, out, self.by_combo, progress)


@dataclass(frozen=True, eq=False)
class TwoRangesPreflop(Operation[ShowdownCounts]):
    """Count the deals that each combo of two players wins or splits before the flop.

    The counts are those of all boards; there is no average over renamings of the suits to take.

    Attributes:
        game: The game.
        weights: The two ranges, shape (2, 1326).
        made_hands: The players whose deals to count by category, too.
    """

    name: ClassVar[str] = "two_ranges_preflop"
    game: Game
    weights: Floats
    made_hands: Sequence[int]

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        sizes = np.count_nonzero(self.weights, axis=1).tolist()
        return CALL + preflop_seconds(sizes, len(self.made_hands)) / threads

    def on_cpu(self, progress: Progress | None = None) -> ShowdownCounts:
        """Count on the CPU."""
        if self.game.missing:
            return self._by_boards(lambda showdowns: showdowns.on_cpu(progress))
        from gpuodds.backends.cpu.ranges.preflop.two_ranges import count_preflop

        return count_preflop(self.weights, self.made_hands, progress)

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> ShowdownCounts:
        """Count on GPUs."""
        return self._by_boards(lambda showdowns: showdowns.on_cuda(devices, progress))

    def _by_boards(self, count: Callable[[RangeShowdowns], ShowdownCounts]) -> ShowdownCounts:
        """Count board by board."""

        def showdowns(boards: UInt8s, times: Ints, made: bool) -> ShowdownCounts:
            return count(RangeShowdowns(self.game, self.weights, boards, times, (0, 1), made))

        return count_all_boards(showdowns, self.weights, self.made_hands, self.game.missing)
