"""A bot that plays short stacks by the equilibrium of all-in or fold."""

from __future__ import annotations

from random import Random

from gpuodds.play.bots.tight import Tight, TightSettings
from gpuodds.play.equities import ENGINE, Equities
from gpuodds.play.game import Ended
from gpuodds.play.push_fold.spots import find_short_spot
from gpuodds.play.turns import Move, Observation


class PushFold:
    """Goes all-in or folds by the equilibrium with 15 big blinds and less, else plays as ``tight``.

    It is the equilibrium for chips, first in and facing all-ins; a limp or a smaller raise before it
    counts as a fold. Of two players at the table, and of three where the tables of three hands are
    built; with more it plays as ``tight``.

    Args:
        draw: The source of its draws, for hands that are mixed.
        settings: The constants of the deep game, a :class:`gpuodds.play.bots.TightSettings`.
        equities: A :class:`gpuodds.play.ServerEquities`. Default: the engine of this process.
    """

    def __init__(
        self, draw: Random, settings: TightSettings | None = None, *, equities: Equities = ENGINE
    ) -> None:
        """Take the source of draws and what the deep game needs."""
        self._draw = draw
        self._deep = Tight(draw, settings, equities=equities)

    def act(self, seen: Observation) -> Move:
        """Return all-in or a fold with a short stack, else the move of ``tight``.

        Args:
            seen: What the player knows.
        """
        spot = find_short_spot(seen)
        if spot is None:
            return self._deep.act(seen)
        chance = spot.solve().chart(spot.place)[spot.hand]
        if self._draw.random() < chance:
            return seen.raise_to(seen.max_raise)
        return Move("fold")

    def end(self, hand: Ended) -> None:
        """Learn nothing.

        Args:
            hand: What the player knows of it.
        """
