"""The rules and the mathematics of each game, independent of any device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuodds.basics.lazy import from_homes

if TYPE_CHECKING:
    from gpuodds.games.catalog import GAMES, find_game
    from gpuodds.games.game import Game
    from gpuodds.games.holdem.starting_hands import starting_hands
    from gpuodds.games.shared.combos import combo_cards, combo_index

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
            "combo_cards": "shared.combos",
            "combo_index": "shared.combos",
            "find_game": "catalog",
            "starting_hands": "holdem.starting_hands",
        },
    )
