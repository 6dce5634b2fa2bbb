"""A bot that is all in at every turn."""

from __future__ import annotations

from random import Random

from gpuodds.play.game import Ended, Move, Observation


class AllIn:
    """Bets all it has, whatever its cards; calls where it cannot raise."""

    def __init__(self, draw: Random) -> None:
        """Nothing is left to chance, so ``draw`` is not used."""

    def act(self, seen: Observation) -> Move:
        """Go all in."""
        return seen.raise_to(seen.max_raise)

    def end(self, hand: Ended) -> None:
        """Learn nothing."""
