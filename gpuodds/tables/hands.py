"""Hands as they are asked for in tables."""

from __future__ import annotations

from typing import Any

from gpuodds.errors import InputError, excerpt


def read_hand(hand: Any) -> tuple[int, ...]:
    """Read one hand, its cards as text or numbers, or the name of a starting hand.

    Raises:
        InputError: It is neither.
    """
    from gpuodds.holdem.starting_hands import holding, starting_hands
    from gpuodds.spot import read_cards

    if isinstance(hand, str) and len(hand) <= 3 and hand in starting_hands():
        return holding(hand)
    cards = tuple(read_cards(hand))
    if len(set(cards)) != 2 or len(cards) != 2:
        raise InputError(f"hand {excerpt(str(hand))}: expected two different cards")
    return cards
