"""A starting hand against every two others before the flop, of which one may have folded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import FoldedCounts, Progress, ThreeWayCounts
from gpuodds.backends.full_deck import check_full_deck
from gpuodds.backends.operation import Operation

if TYPE_CHECKING:
    from gpuodds.games.game import Game

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ThreeWay(Operation[ThreeWayCounts]):
    """Count the wins and ties of a starting hand against every two others before the flop.

    Attributes:
        game: The game.
        hero: The hand's place in :func:`gpuodds.games.holdem.starting_hands.starting_hands`, 0 to
            168.
    """

    name: ClassVar[str] = "three_way_counts"
    game: Game
    hero: int

    def on_cpu(self, progress: Progress | None = None) -> ThreeWayCounts:
        """Count on the CPU."""
        check_full_deck(self.game, "three-way counts")
        from gpuodds.backends.cpu.tables.three_way import count_three_way

        return ThreeWayCounts(*_in_order(count_three_way(_class_of(self.hero))))

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> ThreeWayCounts:
        """Count on GPUs."""
        check_full_deck(self.game, "three-way counts")
        from gpuodds.backends.cuda.tables.three_way import count_three_way

        return ThreeWayCounts(*_in_order(count_three_way(_class_of(self.hero), devices)))


@dataclass(frozen=True, eq=False)
class HeadsUpFolded(Operation[FoldedCounts]):
    """Count the wins and ties of a starting hand against one other when a third hand has folded.

    Attributes:
        game: The game.
        hand: Its place in :func:`gpuodds.games.holdem.starting_hands.starting_hands`, 0 to 168. It
            meets the hands from there on: those before it meet it when they are asked for.
    """

    name: ClassVar[str] = "heads_up_folded"
    game: Game
    hand: int

    def on_cpu(self, progress: Progress | None = None) -> FoldedCounts:
        """Count on the CPU."""
        check_full_deck(self.game, "counts with a folded hand")
        from gpuodds.backends.cpu.tables.three_way import count_folded

        return FoldedCounts(*_in_order(count_folded(_class_of(self.hand), self._opponents)))

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> FoldedCounts:
        """Count on GPUs."""
        check_full_deck(self.game, "counts with a folded hand")
        from gpuodds.backends.cuda.tables.three_way import count_folded

        return FoldedCounts(*_in_order(count_folded(_class_of(self.hand), self._opponents, devices)))

    @property
    def _opponents(self) -> Ints:
        from gpuodds.backends.cpu.tables.three_way import starting_hand_classes

        return starting_hand_classes()[self.hand :]


def _class_of(hand: int) -> int:
    """Return the number of a starting hand among the classes of the backends."""
    from gpuodds.backends.cpu.tables.three_way import starting_hand_classes

    return int(starting_hand_classes()[hand])


def _in_order(counts: Ints) -> Ints:
    """Return counts by class in the order of starting hands."""
    from gpuodds.backends.cpu.tables.three_way import starting_hand_classes

    places = starting_hand_classes()
    return counts[:, places[:, None], places]
