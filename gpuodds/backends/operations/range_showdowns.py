"""Ranges compared on full boards, with players who have folded or without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from gpuodds.backends.costs import CALL, COUNTED_BOARD, COUNTED_COMBO, SORTED_COMBO
from gpuodds.backends.counts import Progress, ShowdownCounts
from gpuodds.backends.operation import Operation
from gpuodds.games.holdem.game import as_holdem
from gpuodds.games.shared.combos import COMBOS

if TYPE_CHECKING:
    from gpuodds.games.game import Game

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]


# With two players, for each board, what made hands add: a factor. With more, for each board, by whether
# all weights are 0 or 1: to update a combo for a hero; to take a hero's combo out of the sums, if
# opponents beyond two are listed; to sum the two widest opponents.
MADE_HANDS_FACTOR = 1.3
HERO_COMBO, TAKEN_OUT, CLOSED_SUMS = (1.5e-8, 1e-8), (2e-7, 4e-7), (2.2e-7, 2e-8)
# With folded players: for each board and hero; to move a combo from sum to sum; to sum two players, and
# two who have both folded. If all weights are 0 or 1, the CPU needs a fifth to two fifths of that.
FOLDED_BOARD, MOVED_COMBO, FOLDED_SUMS, BOTH_FOLDED_SUMS = 5e-6, 4e-8, 2.5e-7, 6e-8


def board_seconds(
    sizes: Sequence[int], heroes: Sequence[int], active: int, *, is_whole: bool, made_hands: bool
) -> float:
    """Estimate the seconds that a thread takes to compare ranges on a full board.

    Args:
        sizes: The combos of each player.
        heroes: The combos of those who are counted.
        active: How many combos some player has.
        is_whole: Whether all weights are 0 or 1.
        made_hands: Whether made hands are counted.
    """
    if len(sizes) == 2:
        work = SORTED_COMBO * active + COUNTED_COMBO * sum(sizes)
        return COUNTED_BOARD + work * (MADE_HANDS_FACTOR if made_hands else 1.0)
    work = (SORTED_COMBO + HERO_COMBO[is_whole] * len(heroes)) * active
    work += sum(_hero_seconds(sizes, size, is_whole, made_hands) for size in heroes)
    return COUNTED_BOARD + work


def folded_board_seconds(
    sizes: Sequence[int], folded: Sequence[int], heroes: Sequence[int], active: int, *, made_hands: bool
) -> float:
    """Estimate as :func:`board_seconds` does, with the combos of players who have folded."""
    work = FOLDED_BOARD * len(heroes) + SORTED_COMBO * active
    for size in heroes:
        work += MOVED_COMBO * active
        against = _without(sizes, size)
        # As the backend has it, the last two are summed. Of a player who can win the listing visits
        # the combos that do not beat the hero's.
        every = sorted([(n / 4, n / 2, n) for n in against] + [(n, n, n) for n in folded])
        visits = prod(half for _, half, _ in every[:-2])
        visits += prod(n for _, _, n in every[:-2]) * made_hands
        both_folded = every[-2][0] == every[-2][2]
        work += size * (BOTH_FOLDED_SUMS if both_folded else FOLDED_SUMS) * visits
    return COUNTED_BOARD + work


def _hero_seconds(sizes: Sequence[int], size: int, is_whole: bool, made_hands: bool) -> float:
    # The listing visits only combos that do not beat the hero's: of n lists 1 / (n + 1) of the tuples
    # on average. Made hands visit all tuples once more.
    lists = sorted(_without(sizes, size))[:-2]
    visits = (1 / (len(lists) + 1) + made_hands) * prod(lists)
    return size * (TAKEN_OUT[is_whole] * bool(lists) + CLOSED_SUMS[is_whole] * visits)


def _without(sizes: Sequence[int], size: int) -> list[int]:
    left = list(sizes)
    left.remove(size)
    return left


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
            1326): the counts are those of deals to all other players and these.
    """

    name: ClassVar[str] = "range_showdowns"
    game: Game
    weights: Floats
    boards: UInt8s
    times: Ints
    heroes: Sequence[int]
    made_hands: bool
    folded: Floats = field(default_factory=lambda: np.zeros((0, COMBOS)))

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        sizes, folded = (
            np.count_nonzero(rows, axis=1).tolist() for rows in (self.weights, self.folded)
        )
        active = int(np.count_nonzero(self.weights.any(axis=0)))
        heroes, made = [sizes[hero] for hero in self.heroes], self.made_hands
        if folded:
            board = folded_board_seconds(sizes, folded, heroes, active, made_hands=made)
        else:
            is_whole = bool(((self.weights == 0.0) | (self.weights == 1.0)).all())
            board = board_seconds(sizes, heroes, active, is_whole=is_whole, made_hands=made)
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
        )
