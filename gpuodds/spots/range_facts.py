"""What questions ask of a range again and again, found once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.games.game import Game
from gpuodds.lazy import cached_property
from gpuodds.spots.notations import notation_of

Floats = npt.NDArray[np.float64]


class RangeFacts:
    """What follows from the weights of a range, which do not change.

    Args:
        weights: Shape (combos,), float64, 0 to 1, read-only.
        game: The game.
    """

    weights: Floats
    """As given."""
    game: Game
    """As given."""

    def __init__(self, weights: Floats, game: Game) -> None:
        """Hold the weights."""
        self.weights, self.game = weights, game

    @cached_property
    def is_integer(self) -> bool:
        """Whether all weights are 0 or 1."""
        return bool(((self.weights == 0.0) | (self.weights == 1.0)).all())

    @cached_property
    def total(self) -> float:
        """The sum of the weights."""
        return float(self.weights.sum())

    @cached_property
    def size(self) -> int:
        """The number of combos with a weight above 0."""
        return int(np.count_nonzero(self.weights))

    @cached_property
    def only_weight(self) -> float | None:
        """The weight that all combos with a weight above 0 have; None if there are several."""
        held = self.weights[self.weights > 0]
        return float(held[0]) if len(held) and bool((held == held[0]).all()) else None

    @cached_property
    def suit_group(self) -> frozenset[int]:
        """The numbers of the renamings of the suits that leave the range as it is."""
        return notation_of(self.game).suit_group(self.weights)
