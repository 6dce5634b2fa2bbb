"""A bot that moves at random."""

from __future__ import annotations

from random import Random

from gpuodds.play.game import Ended
from gpuodds.play.turns import Move, Observation

SIZES = (0.5, 1.0, 2.0)  # of raises, in pots


class RandomBot:
    """Draws among a fold to a bet, a call, and raises by half, one and two pots, all equally likely.

    Args:
        draw: The source of its draws.
    """

    def __init__(self, draw: Random) -> None:
        """Draw by ``draw``."""
        self._draw = draw

    def act(self, seen: Observation) -> Move:
        """Return a move that is drawn.

        Args:
            seen: What the player knows.
        """
        moves = [Move("call"), *(seen.raise_by_pot(size) for size in SIZES if seen.max_raise)]
        if seen.to_call:
            moves.append(Move("fold"))
        return self._draw.choice(moves)

    def end(self, hand: Ended) -> None:
        """Learn nothing.

        Args:
            hand: What the player knows of it.
        """
