"""A bot that always calls."""

from __future__ import annotations

from random import Random

from gpuodds.play.game import Ended
from gpuodds.play.turns import Move, Observation


class Caller:
    """Checks and calls, whatever its cards.

    Args:
        draw: Unused: the bot does not draw.
    """

    def __init__(self, draw: Random) -> None:
        """Ignore ``draw``: the bot does not draw."""

    def act(self, seen: Observation) -> Move:
        """Return a call.

        Args:
            seen: What the player knows.
        """
        return Move("call")

    def end(self, hand: Ended) -> None:
        """Learn nothing.

        Args:
            hand: What the player knows of it.
        """
