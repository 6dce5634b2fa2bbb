"""What is asked: cards, players and spots, read from text or arrays and checked once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuodds.basics.lazy import from_homes

if TYPE_CHECKING:
    from gpuodds.spots.double_board import DoubleBoardSpot
    from gpuodds.spots.hands import Cards
    from gpuodds.spots.notation.notation import ClassRow
    from gpuodds.spots.players import Player
    from gpuodds.spots.spot import Spot

__all__ = [
    "Cards",
    "ClassRow",
    "DoubleBoardSpot",
    "Player",
    "Spot",
]

if not TYPE_CHECKING:  # which would take any name
    __getattr__ = from_homes(
        __name__,
        {
            "Cards": "hands",
            "ClassRow": "notation.notation",
            "DoubleBoardSpot": "double_board",
            "Player": "players",
            "Spot": "spot",
        },
    )
