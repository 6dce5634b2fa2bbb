"""Five-card poker: odds on any deck, the best draw, and opponents who count cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
_HOMES = {
    "FiveCardOdds": "decks",
    "count_hands": "decks",
    "count_high_cards": "decks",
    "five_odds": "decks",
    "Draw": "draw",
    "DrawResult": "draw",
    "best_draw": "draw",
    "MatchResult": "match",
    "play_match": "match",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'gpuodds.five_card' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"gpuodds.five_card.{_HOMES[name]}"), name)
