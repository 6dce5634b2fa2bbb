"""The result of freeze-outs: shares, places, prizes, with intervals; the object that is printed."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from statistics import NormalDist, fmean
from typing import Any

import numpy as np

from gpuodds.errors import InputError
from gpuodds.play.control import without_luck_of_games
from gpuodds.play.failure import Failure
from gpuodds.play.intervals import aligned, interval
from gpuodds.play.luck import Floats
from gpuodds.play.tournaments.levels import Level

SCHEMA = "gpuodds.freeze-out/1"


@dataclass(frozen=True)
class FreezeOutResult:
    """How freeze-outs ended, game by game: means over the seatings of each.

    Attributes:
        players: The bots.
        seed: All cards and draws follow from it.
        rotations: The number of seatings of each game.
        stacks: The chips of each bot at the start.
        levels: The blinds and antes.
        level_hands: The number of hands of a level.
        max_hands: The number of hands after which a game ends.
        won: For each game the share of its seatings that each bot won.
        places: For each game the mean place of each bot.
        hands: For each game the mean number of hands.
        unfinished: The number of seatings, over all games, that ``max_hands`` ended.
        failure: How a server, or a bot of your own, ended the games early, if one did.
        payouts: The prizes from the first place on, if there are any.
        prizes: For each game the mean prize of each bot; its share won without prizes.
        luck: The luck of the cards, if it was counted: by game, bot and kind
            (hole cards, flop, turn, river), as a share of all chips or in prizes.
    """

    players: tuple[str, ...]
    seed: int
    rotations: int
    stacks: tuple[int, ...]
    levels: tuple[Level, ...] = field(repr=False)
    level_hands: int
    max_hands: int
    won: tuple[tuple[float, ...], ...] = field(repr=False)
    places: tuple[tuple[float, ...], ...] = field(repr=False)
    hands: tuple[float, ...] = field(repr=False)
    unfinished: int
    failure: Failure | None = None
    payouts: tuple[Fraction, ...] = ()
    prizes: tuple[tuple[float, ...], ...] = field(default=(), repr=False)
    luck: Floats | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        """Return a table: the share of games that each bot won, with its 95 % interval."""
        rows = [("player", "games won", "95 % interval", "mean place")]
        for place, name in enumerate(self.players):
            low, high = self.interval(place)
            interval = f"{100 * low:.1f} to {100 * high:.1f} %"
            won = f"{100 * self.share(place):.1f} %"
            rows.append((name, won, interval, f"{self.mean_place(place):.2f}"))
        seatings = f"{self.games:,} games from {self.rotations} seatings each, seed {self.seed}"
        ended = [f"ended early: {self.failure}"] if self.failure is not None else []
        return "\n".join([*aligned(rows), seatings, *ended])

    @property
    def games(self) -> int:
        """The number of games, each from every seating."""
        return len(self.won)

    def share(self, player: int) -> float:
        """Return the share of games that a bot won, 0 to 1.

        Args:
            player: The bot's place, from 0.
        """
        return fmean(won[player] for won in self.won)

    def interval(self, player: int) -> tuple[float, float]:
        """Return the 95 % interval of the share of games that a bot wins.

        It is Wilson's on the effective number of games, from the variance between games.

        Args:
            player: The bot's place, from 0.
        """
        return interval([won[player] for won in self.won])

    def mean_place(self, player: int) -> float:
        """Return the mean place of a bot; 1 is the best.

        Args:
            player: The bot's place, from 0.
        """
        return fmean(places[player] for places in self.places)

    def prize(self, player: int) -> float:
        """Return the mean prize of a bot; without prizes the share of games that it won.

        Args:
            player: The bot's place, from 0.
        """
        return fmean(prizes[player] for prizes in self.prizes)

    def prize_interval(self, player: int) -> tuple[float, float]:
        """Return the 95 % interval of a bot's mean prize, by the normal distribution.

        Args:
            player: The bot's place, from 0.
        """
        return _normal_interval(np.array([prizes[player] for prizes in self.prizes]))

    def adjusted(self, player: int) -> Floats:
        """Return a bot's prize in each game without the luck of the cards, shape (games,).

        The mean is as unbiased as that of the prizes.

        Args:
            player: The bot's place, from 0.

        Raises:
            InputError: The luck was not counted.
        """
        if self.luck is None:
            raise InputError("the luck was not counted: expected luck_adjusted=True")
        return without_luck_of_games(
            np.array([won[player] for won in self.prizes]), self.luck[:, player]
        )

    def adjusted_interval(self, player: int) -> tuple[float, float]:
        """Return the 95 % interval of a bot's mean prize without luck.

        Args:
            player: The bot's place, from 0.
        """
        return _normal_interval(self.adjusted(player))

    def share_of_games(self, player: int) -> float:
        """Return how many games the mean without luck needs, of those of the raw one, for one interval.

        Args:
            player: The bot's place, from 0.
        """
        low, high = self.prize_interval(player)
        some = self.adjusted_interval(player)
        return ((some[1] - some[0]) / (high - low)) ** 2 if self.games > 1 and high > low else 1.0

    def _adjusted(self, player: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if self.payouts:
            found |= {"prize": self.prize(player), "prize_interval": list(self.prize_interval(player))}
        if self.luck is not None:
            found["luck_adjusted"] = {
                "mean": float(self.adjusted(player).mean()),
                "interval": list(self.adjusted_interval(player)),
                "share_of_games": self.share_of_games(player),
            }
        return found

    @property
    def mean_hands(self) -> float:
        """The mean number of hands of a game."""
        return fmean(self.hands)

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``gpuodds play tournament --freeze-out --json`` prints."""
        return {
            "schema": SCHEMA,
            "games": self.games,
            "seatings": self.rotations,
            "duplicate": self.rotations > 1,
            "seed": self.seed,
            "levels": [str(level) for level in self.levels],
            "level_hands": self.level_hands,
            "max_hands": self.max_hands,
            "unfinished": self.unfinished,
            "mean_hands": self.mean_hands,
            "players": [
                {
                    "name": name,
                    "stack": self.stacks[place],
                    "won": self.share(place),
                    "interval": list(self.interval(place)),
                    "mean_place": self.mean_place(place),
                    **self._adjusted(place),
                }
                for place, name in enumerate(self.players)
            ],
        }


def _normal_interval(values: Floats) -> tuple[float, float]:
    if len(values) < 2:
        return float("-inf"), float("inf")
    mean = float(values.mean())
    reach = NormalDist().inv_cdf(0.975) * float(values.std(ddof=1)) / sqrt(len(values))
    return mean - reach, mean + reach
