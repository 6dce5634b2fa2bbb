"""Five-card poker: odds on any deck, the best draw, and opponents who count cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuodds.basics.lazy import from_homes

if TYPE_CHECKING:
    from gpuodds.five_card.bayes_regression import FoldModel, RegressionSettings
    from gpuodds.five_card.decks import FiveCardOdds, count_hands, count_high_cards, five_odds
    from gpuodds.five_card.draw import Draw, DrawResult, best_draw
    from gpuodds.five_card.match import MatchResult, play_match

__all__ = [
    "Draw",
    "DrawResult",
    "FiveCardOdds",
    "FoldModel",
    "MatchResult",
    "RegressionSettings",
    "best_draw",
    "count_hands",
    "count_high_cards",
    "five_odds",
    "play_match",
]

if not TYPE_CHECKING:  # which would take any name
    # On first use, so that the command's help imports no NumPy.
    __getattr__ = from_homes(
        __name__,
        {
            "Draw": "draw",
            "DrawResult": "draw",
            "FiveCardOdds": "decks",
            "FoldModel": "bayes_regression",
            "MatchResult": "match",
            "RegressionSettings": "bayes_regression",
            "best_draw": "draw",
            "count_hands": "decks",
            "count_high_cards": "decks",
            "five_odds": "decks",
            "play_match": "match",
        },
    )
