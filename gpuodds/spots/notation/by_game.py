"""The notation of each game: hold'em and short deck write ranges in one way, Omaha in another."""

from __future__ import annotations

from functools import lru_cache

from gpuodds.games.game import OMAHA_FAMILY, Game
from gpuodds.spots.notation.notation import Notation


@lru_cache
def notation_of(game: Game) -> Notation:
    """Return the notation of a game."""
    if game.family == OMAHA_FAMILY:
        from gpuodds.spots.notation.omaha.notation import OmahaNotation

        return OmahaNotation(game)
    from gpuodds.spots.notation.holdem.notation import HoldemNotation

    return HoldemNotation(game)
