"""What it costs to read range text, estimated from the text alone."""

from __future__ import annotations

from gpuodds.games.game import OMAHA_FAMILY, Game

# Of hold'em, mostly the parser's.
_TEXT = 1e-3
_CHARACTER = 40e-6


def reading_seconds(text: str, game: Game) -> float:
    """Return about how many seconds one core takes to read a range, without reading its hands.

    In Omaha items that a text repeats count once. In hold'em and short deck, whose hands are few,
    each character counts.

    Args:
        text: The range, which need not be valid.
        game: The game.

    Returns:
        Seconds, above 0, on a machine like that of the pages' figures. What a process computes once
        for a game is not in them: less than a second, in Omaha with six cards some seconds.

    Example:
        >>> from gpuodds.games import find_game
        >>> reading_seconds("AA", find_game("holdem")) < reading_seconds("AA", find_game("omaha5"))
        True
    """
    if game.family == OMAHA_FAMILY:
        from gpuodds.spots.notation.omaha.reading_costs import omaha_reading_seconds

        return omaha_reading_seconds(text, game.hole_cards)
    return _TEXT + _CHARACTER * len(text)
