"""Measure bots by the equilibrium of all-in or fold: how often they leave it, and what that costs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from gpuodds.play.game import Ended, Player, allowed
from gpuodds.play.push_fold.spots import SOLVED, ShortSpot, find_short_spot, is_all_in
from gpuodds.play.turns import Move, Observation

MIXED = 1e-6  # big blinds: less makes no difference


@dataclass(frozen=True)
class Yardstick:
    """How a bot played where stacks were short and all moves before were folds or all-ins.

    Attributes:
        decisions: The number of such turns.
        left: How often the bot did what the equilibrium never does: a fold for an all-in, an all-in for
            a fold, or a limp or smaller raise.
        other: How many of these were limps and smaller raises, whose cost is not known.
        cost: What the others cost, in big blinds in all: the difference of all-in and fold against
            players who keep to the equilibrium.
    """

    decisions: int = 0
    left: int = 0
    other: int = 0
    cost: float = 0.0

    @classmethod
    def total(cls, parts: Iterable[Yardstick]) -> Yardstick:
        """Add up parts of a match.

        Args:
            parts: The parts.

        Returns:
            Their sums.
        """
        whole = cls()
        for part in parts:
            whole = cls(
                whole.decisions + part.decisions,
                whole.left + part.left,
                whole.other + part.other,
                whole.cost + part.cost,
            )
        return whole

    @property
    def cost_each(self) -> float:
        """What a leaving costs on average, in big blinds, limps and smaller raises aside."""
        known = self.left - self.other
        return self.cost / known if known else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON object."""
        return {
            "decisions": self.decisions,
            "left": self.left,
            "other": self.other,
            "cost_bb": self.cost,
            "cost_bb_each": self.cost_each,
        }


class Measured:
    """A player who is measured by the equilibrium."""

    def __init__(self, inner: Player) -> None:
        """Measure a player."""
        self._inner = inner
        self.parts: list[Yardstick] = []

    def act(self, seen: Observation) -> Move:
        """Return the player's move.

        Args:
            seen: What the player knows.
        """
        move = self._inner.act(seen)
        spot = find_short_spot(seen)
        if spot is not None and spot.is_pure:
            self.parts.append(_judge(spot, seen, allowed(move, seen)))
        return move

    def end(self, hand: Ended) -> None:
        """Tell the player.

        Args:
            hand: What the player knows of it.
        """
        self._inner.end(hand)

    def take(self) -> Yardstick:
        """Return what was measured since the last call."""
        total = Yardstick.total(self.parts)
        self.parts.clear()
        return total


def _judge(spot: ShortSpot, seen: Observation, move: Move) -> Yardstick:
    more = _difference(spot) / spot.blinds[1]
    all_in = is_all_in(seen, move)
    if not all_in and move.kind != "fold":
        return Yardstick(1, 1, 1)
    if abs(more) < MIXED or all_in == (more > 0):
        return Yardstick(1)
    return Yardstick(1, 1, 0, abs(more))


@lru_cache(maxsize=SOLVED)
def _difference(spot: ShortSpot) -> float:
    return spot.solve().explain(spot.place, spot.hand).difference
