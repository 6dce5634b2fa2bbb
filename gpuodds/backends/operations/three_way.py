"""A starting hand against every two others before the flop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress, ThreeWayCounts
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

        return self._sorted(count_three_way(self._place))

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> ThreeWayCounts:
        """Count on GPUs."""
        check_full_deck(self.game, "three-way counts")
        from gpuodds.backends.cuda.tables.three_way import count_three_way

        return self._sorted(count_three_way(self._place, devices))

    @property
    def _place(self) -> int:
        """The hero's number among the classes of the backends."""
        from gpuodds.backends.cpu.tables.three_way import starting_hand_classes

        return int(starting_hand_classes()[self.hero])

    def _sorted(self, counts: Ints) -> ThreeWayCounts:
        """Return counts by class in the order of starting hands."""
        from gpuodds.backends.cpu.tables.three_way import starting_hand_classes

        places = starting_hand_classes()
        return ThreeWayCounts(*(table[np.ix_(places, places)] for table in counts))
