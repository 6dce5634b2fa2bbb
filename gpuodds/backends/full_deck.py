"""Refuse what is counted with the full deck alone."""

from __future__ import annotations

from gpuodds.cards import DECK_SIZE
from gpuodds.errors import InputError
from gpuodds.games.game import Game


def check_full_deck(game: Game, what: str) -> None:
    """Refuse an operation that counts with the full deck for a game that lacks cards.

    Args:
        game: The game of a backend.
        what: What the operation counts, in the plural.

    Raises:
        InputError: The game lacks cards.
    """
    if game.missing:
        raise InputError(f"{game.name}: {what}: expected a game of {DECK_SIZE} cards")
