"""A bot that always calls."""

from __future__ import annotations

from random import Random

from gpuodds.play.game import Ended, Move, Observation


class Caller:
    """Checks and calls, whatever its cards."""

    def __init__(self, draw: Random) -> None:
        """Ignore ``draw``: the bot does not draw."""

    def act(self, seen: Observation) -> Move:
        """Call."""
        return Move("call")

    def end(self, hand: Ended) -> None:
        """Learn nothing."""
