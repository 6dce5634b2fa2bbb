"""Matches: every deal played with the seats rotated, so that luck of the cards evens out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from statistics import NormalDist, fmean, stdev
from typing import Any

from gpuodds.errors import InputError, excerpt
from gpuodds.play.bots.adaptive import Adaptive
from gpuodds.play.bots.anything import Anything
from gpuodds.play.bots.caller import Caller
from gpuodds.play.bots.kelly import Kelly
from gpuodds.play.bots.pokerbot import Pokerbot
from gpuodds.play.bots.tight import Tight
from gpuodds.play.game import Deal, Player, Rules, play_hand
from gpuodds.protocol import Progress

SCHEMA = "gpuodds.match/1"
MOST_HANDS = 10**7

BOTS: dict[str, Callable[[Random], Player]] = {
    "pokerbot": Pokerbot,
    "adaptive": Adaptive,
    "kelly": Kelly,
    "caller": Caller,
    "random": Anything,
    "tight": Tight,
}


@dataclass(frozen=True)
class MatchResult:
    """What each player won, in chips, deal by deal: over all seats if the deals were duplicated.

    The interval takes deals as independent, which players who learn are not quite.
    """

    players: tuple[str, ...]
    rules: Rules
    seed: int
    rotations: int
    won: tuple[tuple[int, ...], ...] = field(repr=False)
    actions: tuple[dict[str, int], ...] = field(repr=False)

    @property
    def deals(self) -> int:
        """How many deals were played."""
        return len(self.won)

    def rate(self, player: int) -> float:
        """Return what a player won, in thousandths of a big blind a hand."""
        return self._thousandths(fmean(won[player] for won in self.won))

    def standard_error(self, player: int) -> float:
        """Return the standard error of that."""
        if self.deals < 2:
            return float("inf")
        return self._thousandths(stdev(won[player] for won in self.won) / sqrt(self.deals))

    def interval(self, player: int) -> tuple[float, float]:
        """Return the 95 % interval of that."""
        reach = NormalDist().inv_cdf(0.975) * self.standard_error(player)
        return self.rate(player) - reach, self.rate(player) + reach

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
                    "mbb_per_hand": self.rate(place),
                    "standard_error": self.standard_error(place),
                    "interval": list(self.interval(place)),
                    "actions": self.actions[place],
                }
                for place, name in enumerate(self.players)
            ],
        }


def play_match(
    names: Sequence[str],
    *,
    hands: int,
    seed: int = 0,
    duplicate: bool = True,
    rules: Rules | None = None,
    progress: Progress | None = None,
    keep: Callable[[Any], None] | None = None,
) -> MatchResult:
    """Let bots play ``hands`` deals; if they are to ``duplicate``, each with the seats rotated.

    Every rotation is a table of its own, with bots of its own, who learn from what happens there.
    Stacks are whole again at every hand. ``keep`` is given each hand's history. All follows from
    ``seed``.

    Raises:
        InputError: A name is none, there are too few or too many, or ``hands`` is out of bounds.
    """
    for name in names:
        if name not in BOTS:
            raise InputError(f"bot {excerpt(name)}: expected one of {', '.join(BOTS)}")
    seats = len(names)
    rules = rules or Rules(seats)
    if rules.seats != seats:
        raise InputError(f"{seats} bots: expected {rules.seats}, one for each seat")
    if not 1 <= hands <= MOST_HANDS:
        raise InputError(f"hands {hands}: expected 1 to {MOST_HANDS:,}")
    rotations = seats if duplicate else 1
    tables = [
        [BOTS[name](Random(f"{seed} {turn} {place}")) for place, name in enumerate(names)]
        for turn in range(rotations)
    ]
    draw = Random(seed)
    actions: list[Counter[str]] = [Counter() for _ in names]
    won = []
    for number in range(hands):
        deal = Deal.drawn(seats, draw)
        total = [0] * seats
        for turn, bots in enumerate(tables):
            # The bot at place p sits at seat (p + turn + number) mod seats: the button moves on.
            shift = (turn + number) % seats
            seated = [bots[(seat - shift) % seats] for seat in range(seats)]
            result = play_hand(seated, rules, deal)
            for seat, chips in enumerate(result.won):
                total[(seat - shift) % seats] += chips
            for move in result.moves:
                actions[(move.seat - shift) % seats][move.kind] += 1
            if keep is not None:
                keep(result.history)
        won.append(tuple(total))
        if progress is not None:
            progress((number + 1) / hands)
    return MatchResult(
        tuple(names), rules, seed, rotations, tuple(won), tuple(dict(count) for count in actions)
    )
