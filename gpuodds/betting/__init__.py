"""How much to bet: Kelly betting on exact probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuodds.basics.lazy import from_homes

if TYPE_CHECKING:
    from gpuodds.betting.advice import kelly_bet
    from gpuodds.betting.folding import FoldCurve, FoldFit, Replies
    from gpuodds.betting.kelly import Outcome, Wager
    from gpuodds.betting.odds import Odds
    from gpuodds.betting.pots import SidePot, Stakes
    from gpuodds.betting.result import Advice, Option
    from gpuodds.betting.simulation import Run, simulate

__all__ = [
    "Advice",
    "FoldCurve",
    "FoldFit",
    "Odds",
    "Option",
    "Outcome",
    "Replies",
    "Run",
    "SidePot",
    "Stakes",
    "Wager",
    "kelly_bet",
    "simulate",
]

if not TYPE_CHECKING:  # which would take any name
    # On first use, so that the command's help imports no NumPy.
    __getattr__ = from_homes(
        __name__,
        {
            "Advice": "result",
            "FoldCurve": "folding",
            "FoldFit": "folding",
            "Odds": "odds",
            "Option": "result",
            "Outcome": "kelly",
            "Replies": "folding",
            "Run": "simulation",
            "SidePot": "pots",
            "Stakes": "pots",
            "Wager": "kelly",
            "kelly_bet": "advice",
            "simulate": "simulation",
        },
    )
