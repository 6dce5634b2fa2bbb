"""How much to bet: Kelly betting on exact probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuodds.lazy import from_homes

if TYPE_CHECKING:
    from gpuodds.betting.advice import kelly_bet
    from gpuodds.betting.result import Advice, Option
    from gpuodds.betting.simulation import Run, simulate

__all__ = ["Advice", "Option", "Run", "kelly_bet", "simulate"]

# On first use, so that the command's help imports no NumPy.
__getattr__ = from_homes(
    __name__,
    {
        "Advice": "result",
        "Option": "result",
        "kelly_bet": "advice",
        "Run": "simulation",
        "simulate": "simulation",
    },
)
