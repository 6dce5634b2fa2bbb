"""What it costs to read range text, estimated from the text alone."""

from __future__ import annotations

import re

from gpuodds.games.game import OMAHA_FAMILY, Game

_PER_CHARACTER = 10e-6  # seconds
_PER_COMBO = 50e-9  # of the game, for each distinct item


def reading_seconds(text: str, game: Game) -> float:
    """Return about how many seconds one core takes to read a range, without reading its hands.

    Args:
        text: The range, which need not be valid.
        game: The game.

    Returns:
        Seconds, above 0. What a process computes once for a game is not in them.

    Example:
        >>> from gpuodds.games import find_game
        >>> reading_seconds("AA", find_game("holdem")) < reading_seconds("AA", find_game("omaha5"))
        True
    """
    seconds = _PER_CHARACTER * len(text)
    if game.family == OMAHA_FAMILY:
        items = set(re.findall(r"[^,;:!()\s]+", text))
        seconds += _PER_COMBO * game.combos * max(1, len(items))
    return seconds
