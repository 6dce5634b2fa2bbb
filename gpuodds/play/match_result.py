"""The result of a match: rates, intervals, and the object that the command prints."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from statistics import NormalDist, fmean, stdev
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.errors import InputError
from gpuodds.play.failure import Failure
from gpuodds.play.intervals import aligned
from gpuodds.play.push_fold.yardstick import Yardstick
from gpuodds.play.turns import Rules

SCHEMA = "gpuodds.match/1"


@dataclass(frozen=True)
class MatchResult:
    """The chips that each player won, deal by deal.

    Intervals treat deals as independent, which is not quite true for players who learn.

    Attributes:
        players: The names, in the order that was given.
        rules: Blinds and stacks.
        seed: All cards and draws follow from it.
        rotations: How often each deal was played, each time from other seats.
        won: For each deal the chips of each player, summed over the rotations.
        actions: For each player how often it folded, called and raised.
        failure: How a server, or a bot of your own, ended the match early, if one did.
        yardstick: For each player how he played short stacks, if that was measured.
        luck: The luck of the cards, if it was counted: by deal, player and kind
            (hole cards, flop, turn, river), in chips.
    """

    players: tuple[str, ...]
    rules: Rules
    seed: int
    rotations: int
    won: tuple[tuple[int, ...], ...] = field(repr=False)
    actions: tuple[dict[str, int], ...] = field(repr=False)
    failure: Failure | None = None
    yardstick: tuple[Yardstick, ...] | None = None
    luck: npt.NDArray[np.float64] | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        """Return a table: the chips of each player, and the rate with its 95 % interval."""
        rows = [("player", "chips", "mbb a hand", "95 % interval")]
        for place, name in enumerate(self.players):
            if not self.deals:
                break
            low, high = self.interval(place)
            interval = f"{low:+,.1f} to {high:+,.1f}"
            rows.append((name, f"{self.chips(place):+,}", f"{self.rate(place):+,.1f}", interval))
        hands = f"{self.deals * self.rotations:,} hands of {self.deals:,} deals, seed {self.seed}"
        ended = [f"ended early: {self.failure}"] if self.failure is not None else []
        return "\n".join([*aligned(rows), hands, *ended])

    @property
    def deals(self) -> int:
        """The number of deals."""
        return len(self.won)

    def chips(self, player: int) -> int:
        """Return the chips that a player won in all hands; negative if lost.

        Args:
            player: The player's place, from 0.
        """
        return sum(won[player] for won in self.won)

    def rate(self, player: int) -> float:
        """Return the chips that a player won, in thousandths of a big blind a hand.

        Args:
            player: The player's place, from 0.
        """
        return self._thousandths(fmean(won[player] for won in self.won))

    def standard_error(self, player: int) -> float:
        """Return the standard error of a player's rate; infinite for a single deal.

        Args:
            player: The player's place, from 0.
        """
        if self.deals < 2:
            return float("inf")
        return self._thousandths(stdev(won[player] for won in self.won) / sqrt(self.deals))

    def interval(self, player: int) -> tuple[float, float]:
        """Return the 95 % interval of a player's rate.

        Args:
            player: The player's place, from 0.
        """
        reach = NormalDist().inv_cdf(0.975) * self.standard_error(player)
        return self.rate(player) - reach, self.rate(player) + reach

    def adjusted(self, player: int) -> npt.NDArray[np.float64]:
        """Return what a player won in each deal without the luck of the cards: chips, shape (deals,).

        The mean is as unbiased as that of the results.

        Args:
            player: The player's place, from 0.

        Raises:
            InputError: The luck was not counted.
        """
        if self.luck is None:
            raise InputError("the luck was not counted: expected luck_adjusted=True")
        from gpuodds.play.control import without_luck

        won = np.array([won[player] for won in self.won], dtype=np.float64)
        return without_luck(won, self.luck[:, player])

    def adjusted_rate(self, player: int) -> float:
        """Return the rate without luck, in thousandths of a big blind a hand.

        Args:
            player: The player's place, from 0.
        """
        return self._thousandths(float(self.adjusted(player).mean()))

    def adjusted_interval(self, player: int) -> tuple[float, float]:
        """Return the 95 % interval of the rate without luck.

        Args:
            player: The player's place, from 0.
        """
        chips = self.adjusted(player)
        error = float(chips.std(ddof=1)) / sqrt(self.deals) if self.deals > 1 else float("inf")
        rate, reach = self.adjusted_rate(player), NormalDist().inv_cdf(0.975) * self._thousandths(error)
        return rate - reach, rate + reach

    def share_of_hands(self, player: int) -> float:
        """Return how many hands the rate without luck needs, of those of the raw one, for one interval.

        Args:
            player: The player's place, from 0.
        """
        low, high = self.adjusted_interval(player)
        raw = self.interval(player)
        return ((high - low) / (raw[1] - raw[0])) ** 2 if raw[1] > raw[0] and self.deals > 1 else 1.0

    def _adjusted(self, player: int) -> dict[str, Any]:
        if self.luck is None:
            return {}
        return {
            "luck_adjusted": {
                "mbb_per_hand": self.adjusted_rate(player),
                "interval": list(self.adjusted_interval(player)),
                "share_of_hands": self.share_of_hands(player),
            }
        }

    def _thousandths(self, chips: float) -> float:
        return 1000 * chips / self.rules.big_blind / self.rotations

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``gpuodds play match --json`` prints."""
        return {
            "schema": SCHEMA,
            "deals": self.deals,
            "hands": self.deals * self.rotations,
            "duplicate": self.rotations > 1,
            "seed": self.seed,
            "blinds": [self.rules.small_blind, self.rules.big_blind],
            "stack": self.rules.stack,
            "players": [
                {
                    "name": name,
                    "chips": self.chips(place),
                    "mbb_per_hand": self.rate(place),
                    "standard_error": self.standard_error(place),
                    "interval": list(self.interval(place)),
                    "actions": self.actions[place],
                    **self._adjusted(place),
                    **({"yardstick": self.yardstick[place].to_dict()} if self.yardstick else {}),
                }
                for place, name in enumerate(self.players)
            ],
        }
