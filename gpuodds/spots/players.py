"""Players as callers give them: hands, ranges, lists of them, texts of whole hands."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeGuard, Union

from gpuodds.arguments import listed
from gpuodds.cards import read_hand, split_hands
from gpuodds.errors import InputError
from gpuodds.spots.spot import Cards, read_two_cards

if TYPE_CHECKING:
    from gpuodds.spots.ranges import Range

Player = Union[Cards, Mapping[str, float], "Range"]
"""A player: a hand as text or two cards, a range as text, weights or :class:`gpuodds.Range`."""


def read_players(hands: Player | Sequence[Player]) -> list[tuple[int, int] | Range]:
    """Return each player's hand or range.

    Raises:
        InputError: A hand has not two cards, or a range cannot be read.
    """
    players: list[tuple[int, int] | Range] = []
    for hand in list_players(hands):
        read = read_hand(hand) if isinstance(hand, str) else hand
        if isinstance(read, (str, Mapping)):
            from gpuodds.spots.ranges import Range

            players.append(Range(read))
        else:
            players.append(read if _is_range(read) else read_two_cards(read))
    if not players:
        raise InputError("no hand given: expected at least one, such as AsKs")
    return players


def list_players(hands: Any) -> list[Any]:
    """List the players of an argument: one of them, several, or a text of whole hands."""
    if isinstance(hands, str):
        return split_hands(hands) or [hands]
    if _is_range(hands) or isinstance(hands, Mapping):
        return [hands]
    players = listed("hands", hands, "a hand, a range, or a list of them")
    # Numbers are cards: they are the one hand of a single player.
    return [players] if players and all(_is_number(player) for player in players) else players


def _is_number(value: Any) -> bool:
    return hasattr(value, "__index__") and not getattr(value, "ndim", 0)


def _is_range(player: object) -> TypeGuard[Range]:
    # Hands alone are answered without NumPy, which ranges need.
    ranges = sys.modules.get("gpuodds.spots.ranges")
    return ranges is not None and isinstance(player, ranges.Range)
