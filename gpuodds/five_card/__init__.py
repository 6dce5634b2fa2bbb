"""Five-card poker: odds on any deck, the best draw, and opponents who count cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuodds.lazy import from_homes

if TYPE_CHECKING:
    from gpuodds.five_card.decks import FiveCardOdds, count_hands, count_high_cards, five_odds
    from gpuodds.five_card.draw import Draw, DrawResult, best_draw
    from gpuodds.five_card.match import MatchResult, play_match

__all__ = [
    "Draw",
    "DrawResult",
    "FiveCardOdds",
    "MatchResult",
    "best_draw",
    "count_hands",
    "count_high_cards",
    "five_odds",
    "play_match",
]

# On first use, so that the command's help imports no NumPy.
__getattr__ = from_homes(
    __name__,
    {
        "FiveCardOdds": "decks",
        "count_hands": "decks",
        "count_high_cards": "decks",
        "five_odds": "decks",
        "Draw": "draw",
        "DrawResult": "draw",
        "best_draw": "draw",
        "MatchResult": "match",
        "play_match": "match",
    },
)
