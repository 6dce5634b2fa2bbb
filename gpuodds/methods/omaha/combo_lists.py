"""What methods that list the combos of ranges of Omaha share: how many they take, and the boards."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gpuodds.spots.spot import Spot

MAX_COMBOS = 20_000_000  # in the lists of all players: the memory that they take


def why_too_many(spot: Spot) -> str:
    """Return why the players' combos are not listed; empty if they are."""
    return "too many combos to list" if sum(spot.sizes) > MAX_COMBOS else ""


def full_boards(spot: Spot) -> float:
    """Return about how many full boards differ by more than a renaming that keeps the spot."""
    boards = comb(spot.game.deck_size - len({*spot.board, *spot.dead}), spot.to_come)
    return max(1.0, boards / len(spot.suit_group))
