"""A bot that calls whatever comes."""

from __future__ import annotations

from random import Random

from gpuodds.play.game import Ended, Move, Observation


class Caller:
    """Checks and calls, always."""

    def __init__(self, draw: Random) -> None:
        """Nothing is left to chance, so ``draw`` is not used."""

    def act(self, seen: Observation) -> Move:
        """Call."""
        return Move("call")

    def end(self, hand: Ended) -> None:
        """Learn nothing."""
