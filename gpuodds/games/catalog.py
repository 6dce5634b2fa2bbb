"""The games, by name."""

from __future__ import annotations

from typing import Any

from gpuodds.basics.arguments import shown
from gpuodds.errors import InputError
from gpuodds.games.game import HOLDEM_FAMILY, Game
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.omaha.game import OMAHA, OMAHA5, OMAHA5_HI_LO, OMAHA6, OMAHA_HI_LO
from gpuodds.games.short_deck.game import SHORT_DECK, SHORT_DECK_TRIPS

GAMES: tuple[Game, ...] = (
    HOLDEM,
    SHORT_DECK,
    SHORT_DECK_TRIPS,
    OMAHA,
    OMAHA_HI_LO,
    OMAHA5,
    OMAHA5_HI_LO,
    OMAHA6,
)
"""All games, the default first."""

_BY_NAME = {name: game for game in GAMES for name in (game.name, *game.aliases)}


def describe_games() -> dict[str, Any]:
    """Return the object that ``gpuodds games --json`` prints."""
    keys = ("name", "title", "rules", "deck_size", "hole_cards", "max_players", "has_low")
    rows = [
        {key: getattr(game, key) for key in keys} | {"other_names": list(game.aliases)}
        for game in GAMES
    ]
    return {"schema": "gpuodds.games/1", "games": rows}


def find_game(name: str | Game) -> Game:
    """Return the game of a name.

    Args:
        name: A name that ``gpuodds games`` lists, in any case; or a game, which is returned.

    Returns:
        The game; there is one object for each.

    Raises:
        InputError: No game has the name.

    Example:
        >>> find_game("omaha8")
        <game omaha-hi-lo>
    """
    if isinstance(name, Game):
        return name
    named = _BY_NAME.get(name.strip().lower()) if isinstance(name, str) else None
    if named is None:
        names = ", ".join(game.name for game in GAMES)
        raise InputError(f"game {shown(name)}: expected one of {names}")
    return named


def two_card_game(name: str | Game) -> Game:
    """Return the game of a name, one with two hole cards.

    Raises:
        InputError: No game has the name, or it has more hole cards.

    >>> two_card_game("short-deck")
    <game short-deck>
    """
    game = find_game(name)
    if game.family != HOLDEM_FAMILY:
        raise InputError(f"game {game.name}: expected a game with two hole cards")
    return game
