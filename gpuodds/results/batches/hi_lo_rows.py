"""Exact counts of rows of known hands in hi-lo games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.results.batches.equities import FIGURES
from gpuodds.results.hi_lo import hi_lo_result, pot_parts, share_of_pot
from gpuodds.results.result import EquityResult
from gpuodds.spots.spot import Spot


@dataclass(frozen=True)
class HiLoRows:
    """Counts of rows with as many hands each: :class:`gpuodds.results.batches.equities.Answers`.

    Attributes:
        places: Shape (n,), the rows' places in the batch.
        spot: Returns the spot of one of the rows.
        counts: Shape (n, 2^players, 2^players), int32: outcomes by the players who have the best low,
            and by those who have the best high, two masks; 0 for no low.
        method: ``"exact"``.
        backend: The name of the backend that counted.
    """

    places: npt.NDArray[np.int64]
    spot: Callable[[int], Spot]
    counts: npt.NDArray[np.int32]
    method: str
    backend: str

    @property
    def players(self) -> int:
        """The number of named players."""
        return int(self.counts.shape[1]).bit_length() - 1

    def figures(self) -> npt.NDArray[np.float64]:
        """Return each player's equity, win and tie, each exact share rounded once."""
        rows, sets, _ = self.counts.shape
        parts, whole = pot_parts(self.players), self.counts.sum(axis=(1, 2))
        figures = np.empty((rows, self.players, len(FIGURES)))
        flat = self.counts.reshape(rows, sets * sets)
        for player in range(self.players):
            shares, scoops, splits = np.zeros((3, sets, sets), np.int64)
            for low in range(sets):
                for high in range(1, sets):
                    best = high.bit_count() if high >> player & 1 else 0
                    best_low = low.bit_count() if low >> player & 1 else 0
                    shares[low, high] = share_of_pot(parts, best, best_low, bool(low))
                    scoops[low, high] = high | low == 1 << player
                    splits[low, high] = (best > 0 or best_low > 0) and not scoops[low, high]
            figures[:, player, 0] = flat @ shares.ravel() / (whole * parts)
            figures[:, player, 1] = flat @ scoops.ravel() / whole
            figures[:, player, 2] = flat @ splits.ravel() / whole
        return figures

    def kinds(self) -> tuple[Any, Any, Any, Any]:
        """Return outcomes, method, exactness and backend of each row."""
        rows = len(self.places)
        outcomes = self.counts.sum(axis=(1, 2)).tolist()
        return outcomes, [self.method] * rows, [True] * rows, [self.backend] * rows

    def result(self, row: int) -> EquityResult:
        """Return the whole answer to one of the rows."""
        counts = self.counts[row]
        by_masks = {(high, low): int(counts[low, high]) for low, high in np.argwhere(counts).tolist()}
        return hi_lo_result(self.spot(row), by_masks, self.method, self.backend)
