"""Equities estimated from samples, with their standard errors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Estimate:
    """Counts of samples.

    Attributes:
        counts: Shape (players, all players), int64: samples in which named player p is among exactly
            m + 1 winners, at [p, m].
        samples: The number of samples.
        tried: The number of tuples of combos drawn, including those that shared a card.
    """

    counts: Ints
    samples: int
    tried: int

    @property
    def equity(self) -> Floats:
        """Each player's mean share of the pot, shape (players,), 0 to 1."""
        shares = 1 / np.arange(1, self.counts.shape[1] + 1)
        return self.counts @ shares / self.samples

    @property
    def standard_error(self) -> Floats:
        """The standard error of each equity, shape (players,): sqrt(variance of the share / samples).

        It is at least 2 / samples, because an outcome that is rarer than the samples may be missing
        from them: a few deals that all end alike prove nothing.
        """
        shares = 1 / np.arange(1, self.counts.shape[1] + 1)
        variance = self.counts @ shares**2 / self.samples - self.equity**2
        error = np.sqrt(np.maximum(variance, 0.0) / max(1, self.samples - 1))
        return np.maximum(error, min(0.5, 2 / self.samples))
