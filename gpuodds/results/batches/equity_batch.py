"""The answers to a batch of spots, in arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gpuodds.basics.lazy import cached_property
from gpuodds.spots.arrays import own_device

EQUITY_PIECE = 1 << 21  # equities that are computed at a time: 16 MB for each array needed


@dataclass(frozen=True)
class EquityBatch:
    """The answers to n spots of one hand and one board each, against 1 to k random opponents.

    Attributes:
        unbeaten: Shape (n, k, k + 1, 2), uint64, NumPy or CuPy: entry [i, j - 1, t] counts the outcomes
            against j opponents in which no opponent beats hand i and exactly t tie it. The last axis
            holds the lower and the upper half of a 128-bit count.
        outcomes: At [j - 1], all outcomes against j opponents: boards times deals.
        backend: The name of the backend that counted.
        exact: True: batches are always counted.

    Example:
        >>> import gpuodds
        >>> batch = gpuodds.equity_batch([[51, 47]], [[1, 22, 30]], opponents=2, backend="cpu")
        >>> batch.unbeaten.shape, batch.counts(0, 1), batch.outcomes[0]
        ((1, 2, 3, 2), [532543, 10942], 1070190)
    """

    unbeaten: Any
    outcomes: Sequence[int]
    backend: str
    exact: bool = True

    @cached_property
    def equity(self) -> Any:
        """Equities, shape (n, k), float64, 0 to 1; column j - 1 is against j opponents.

        They are sums of rounded exact counts, with a relative error of about 1e-15.
        """
        rows, most = self.unbeaten.shape[:2]
        step = max(1, EQUITY_PIECE // most)
        with own_device(self.unbeaten):
            equity = self.unbeaten[:, :, 0, 0].astype("float64")  # each entry is written below
            for begin in range(0, rows, step):
                some = slice(begin, begin + step)
                for ties in range(most + 1):
                    halves = self.unbeaten[some, :, ties]
                    counts = halves[..., 0].astype("float64") + halves[..., 1] * 2.0**64
                    if ties == 0:
                        equity[some] = counts
                    else:
                        equity[some] += counts / (ties + 1)
            for column, outcomes in enumerate(self.outcomes):
                equity[:, column] /= float(outcomes)
        return equity

    def counts(self, row: int, opponents: int) -> list[int]:
        """Return the outcomes that a hand wins, and splits with 1 to ``opponents`` others.

        Args:
            row: The place of the spot in the batch.
            opponents: The number of random opponents, 1 to k.

        Returns:
            Exact counts by the number of others who split, 0 to ``opponents``.
        """
        halves = self.unbeaten[row, opponents - 1, : opponents + 1].tolist()
        return [low + (high << 64) for low, high in halves]
