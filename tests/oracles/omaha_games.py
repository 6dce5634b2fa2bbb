"""Games of Omaha by their hole cards and whether they have a low."""

from __future__ import annotations

from gpuodds.games.omaha.game import OMAHA, OMAHA5, OMAHA5_HI_LO, OMAHA6, OMAHA_HI_LO, Omaha

# Six cards with a low are no game of gpuodds, but its backends count them.
SIX_HI_LO = Omaha("omaha6-hi-lo", "", 6, True, ())  # type: ignore[arg-type]
GAMES = OMAHA, OMAHA5, OMAHA6, OMAHA_HI_LO, OMAHA5_HI_LO, SIX_HI_LO


def omaha_game(hole_cards: int, low: bool) -> Omaha:
    """Return the game."""
    return next(game for game in GAMES if (game.hole_cards, game.has_low) == (hole_cards, low))
