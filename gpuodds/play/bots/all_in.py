"""A bot that goes all in at every turn."""

from __future__ import annotations

from random import Random

from gpuodds.play.game import Ended
from gpuodds.play.turns import Move, Observation


class AllIn:
    """Bets all its chips, whatever its cards; calls if it cannot raise.

    Args:
        draw: Unused: the bot does not draw.
    """

    def __init__(self, draw: Random) -> None:
        """Ignore ``draw``: the bot does not draw."""

    def act(self, seen: Observation) -> Move:
        """Return a raise by all chips.

        Args:
            seen: What the player knows.
        """
        return seen.raise_to(seen.max_raise)

    def end(self, hand: Ended) -> None:
        """Learn nothing.

        Args:
            hand: What the player knows of it.
        """
