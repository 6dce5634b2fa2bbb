"""The rules and the mathematics of each game, independent of any device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuodds.lazy import from_homes

if TYPE_CHECKING:
    from gpuodds.games.catalog import GAMES, find_game
    from gpuodds.games.game import Game
    from gpuodds.games.holdem.combos import combo_cards, combo_index
    from gpuodds.games.holdem.starting_hands import starting_hands

__all__ = [
    "GAMES",
    "Game",
    "combo_cards",
    "combo_index",
    "find_game",
    "starting_hands",
]

if not TYPE_CHECKING:  # which would take any name
    __getattr__ = from_homes(
        __name__,
        {
            "GAMES": "catalog",
            "Game": "game",
            "combo_cards": "holdem.combos",
            "combo_index": "holdem.combos",
            "find_game": "catalog",
            "starting_hands": "holdem.starting_hands",
        },
    )
