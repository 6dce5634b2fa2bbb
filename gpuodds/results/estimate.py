"""What samples add up to: equities, and how far off they may be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Estimate:
    """What was sampled.

    ``counts`` (players, all players) int64: samples in which a player with a range is among exactly
    m + 1 winners, at m. ``tried`` counts the tuples of combos drawn, those thrown away included.
    """

    counts: Ints
    samples: int
    tried: int

    @property
    def equity(self) -> Floats:
        """The mean share of the pot of each player."""
        shares = 1 / np.arange(1, self.counts.shape[1] + 1)
        return self.counts @ shares / self.samples

    @property
    def standard_error(self) -> Floats:
        """The standard error of each equity: sqrt(variance of the share / samples).

        It is not below 2 / samples: what comes once in that many deals may not have come yet, and a few
        deals that all end alike are not certain.
        """
        shares = 1 / np.arange(1, self.counts.shape[1] + 1)
        variance = self.counts @ shares**2 / self.samples - self.equity**2
        error = np.sqrt(np.maximum(variance, 0.0) / max(1, self.samples - 1))
        return np.maximum(error, min(0.5, 2 / self.samples))
