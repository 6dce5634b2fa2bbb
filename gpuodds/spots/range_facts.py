"""What questions ask of a range again and again, found once."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from gpuodds.games.holdem.combos import suit_relabellings

Floats = npt.NDArray[np.float64]


class RangeFacts:
    """What follows from the weights of a range, which do not change.

    Args:
        weights: Shape (1326,), float64, 0 to 1, read-only.
    """

    def __init__(self, weights: Floats) -> None:
        """Hold the weights."""
        self.weights = weights

    @cached_property
    def is_integer(self) -> bool:
        """Whether all weights are 0 or 1."""
        return bool(((self.weights == 0.0) | (self.weights == 1.0)).all())

    @cached_property
    def total(self) -> float:
        """The sum of the weights."""
        return float(self.weights.sum())

    @cached_property
    def suit_group(self) -> frozenset[int]:
        """The rows of ``suit_relabellings`` that leave the range as it is."""
        renamed = self.weights[suit_relabellings()]
        return frozenset(np.flatnonzero((renamed == self.weights).all(axis=1)).tolist())
