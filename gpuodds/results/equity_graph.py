"""Equity graphs: the hands of a range sorted by equity, best first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gpuodds.errors import InputError

MAX_STEPS = 500
DECILES = tuple(part / 10 for part in range(1, 11))


@dataclass(frozen=True)
class EquityGraph:
    """The equities of a range's hands, best first, over the share of the range.

    Hands of equal equity are one step. A graph has at most 500 steps: beyond that, the steps whose
    middles are in the same 500th of the range are merged to one, which has their mean equity,
    weighted.

    Attributes:
        share: At each step, the share of the range's weight down to and including it, ascending to 1.0.
            Only hands that can be dealt are part of the range.
        equity: At each step, the equity of its hands, 0 to 1, descending.

    Example:
        >>> import gpuodds
        >>> result = gpuodds.equity(["AA,KK,QQ", "AsKs"], board="2s7d9s", by_hand=True, backend="cpu")
        >>> graph = result.equity_graph(0)
        >>> len(graph.share), round(graph.share[0], 4), round(graph.equity[0], 4), graph.share[-1]
        (4, 0.25, 0.6364, 1.0)
        >>> round(graph.equity_at(0.5), 4)
        0.5394
    """

    share: tuple[float, ...]
    equity: tuple[float, ...]

    @classmethod
    def of(cls, hands: Sequence[tuple[float, float]]) -> EquityGraph:
        """Return the graph of a player's hands.

        Args:
            hands: The equity and the weight of each hand of a range, in any order; one at least.
        """
        import numpy as np

        figures = np.array(hands)
        # Equal hands in the order of their weights: sums do not depend on the names of the suits.
        equity, weight = figures[np.lexsort((figures[:, 1], -figures[:, 0]))].T
        begins = np.flatnonzero(np.diff(equity, prepend=np.inf))
        equity, weight = equity[begins], np.add.reduceat(weight, begins)
        if len(equity) > MAX_STEPS:
            middle = weight.cumsum() - weight / 2
            part = np.minimum(middle * (MAX_STEPS / weight.sum()), MAX_STEPS - 1).astype(np.int64)
            begins = np.flatnonzero(np.diff(part, prepend=-1))
            pots, weight = np.add.reduceat(equity * weight, begins), np.add.reduceat(weight, begins)
            equity = pots / weight
        share = weight.cumsum()
        return cls(tuple((share / share[-1]).tolist()), tuple(equity.tolist()))

    def equity_at(self, share: float) -> float:
        """Return the equity at a share of the range: as good, or better, is this share of its hands.

        Args:
            share: The share, above 0, at most 1.

        Raises:
            InputError: The share is not above 0 and at most 1.
        """
        from bisect import bisect_left

        if not 0 < share <= 1:
            raise InputError(f"share {share}: expected above 0, at most 1")
        return self.equity[bisect_left(self.share, share * (1 - 1e-12))]

    def to_list(self) -> list[list[float]]:
        """Return the steps for JSON: a list of [share, equity] each."""
        return [[share, equity] for share, equity in zip(self.share, self.equity, strict=True)]


def add_graphs(answer: dict[str, Any], graphs: Sequence[EquityGraph]) -> None:
    """Add graphs to the players of a JSON object ``gpuodds.equity/1``."""
    for player, graph in zip(answer["players"], graphs, strict=True):
        player["equity_graph"] = graph.to_list()
