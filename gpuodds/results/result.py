"""An answer: integer counts for every known player, and how they were got."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd, lcm
from typing import TYPE_CHECKING, Any, TypeAlias

from gpuodds.cards import format_cards
from gpuodds.spots.spot import Spot

if TYPE_CHECKING:
    from fractions import Fraction

SCHEMA = "gpuodds.equity/1"

Count: TypeAlias = Any
"""A number of outcomes: an int, or a float where ranges have weights."""


def as_number(count: Count) -> Any:
    """Return a count for JSON: integers, which can pass 2^53, as decimal strings."""
    return str(count) if isinstance(count, int) else count


@dataclass(frozen=True)
class PlayerEquity:
    """One player's share of the outcomes: integer counts, or float64 where ranges have weights.

    ``win_outcomes`` counts outcomes this player wins alone, ``tie_outcomes[t - 1]`` those split with
    exactly t others, known or random. ``standard_error`` is that of the equity, None if it is exact.
    """

    hand: str
    outcomes: Count
    win_outcomes: Count
    tie_outcomes: tuple[Count, ...]
    standard_error: float | None = None

    @cached_property
    def _share(self) -> tuple[Any, Any]:
        if isinstance(self.outcomes, float):
            split = sum(count / (others + 1) for others, count in enumerate(self.tie_outcomes, 1))
            return self.win_outcomes + split, self.outcomes
        parts = lcm(*range(1, len(self.tie_outcomes) + 2))
        pot = self.win_outcomes * parts
        for others, count in enumerate(self.tie_outcomes, 1):
            pot += count * (parts // (others + 1))
        whole = self.outcomes * parts
        common = gcd(int(pot), int(whole))
        return pot // common, whole // common

    @property
    def equity_exact(self) -> Fraction | None:
        """Expected share of the pot, as a reduced fraction; None if weighted or sampled."""
        from fractions import Fraction

        return Fraction(*self._share) if self._is_counted else None

    @property
    def _is_counted(self) -> bool:
        return self.standard_error is None and not isinstance(self.outcomes, float)

    @property
    def equity(self) -> float:
        """Expected share of the pot, 0 to 1: the exact fraction rounded once."""
        pot, whole = self._share
        return float(pot / whole)

    @property
    def win(self) -> float:
        """Share of outcomes won alone."""
        return float(self.win_outcomes / self.outcomes)

    @property
    def tie(self) -> float:
        """Share of outcomes split with at least one other player."""
        return float(sum(self.tie_outcomes) / self.outcomes)

    @property
    def lose(self) -> float:
        """Share of outcomes in which somebody else is better."""
        return float((self.outcomes - self.win_outcomes - sum(self.tie_outcomes)) / self.outcomes)

    def to_dict(self) -> dict[str, Any]:
        """Return the player's part of the JSON object."""
        pot, whole = self._share
        return {
            "hand": self.hand,
            "equity": self.equity,
            "equity_exact": f"{pot}/{whole}" if self._is_counted else None,
            "win": self.win,
            "tie": self.tie,
            "lose": self.lose,
            "win_outcomes": as_number(self.win_outcomes),
            "tie_outcomes": [as_number(count) for count in self.tie_outcomes],
            "standard_error": self.standard_error,
        }


@dataclass(frozen=True)
class HandEquity:
    """One hand of a player's range: its weight there, and its shares of the deals with it."""

    hand: str
    weight: float
    equity: float
    win: float
    tie: float

    def to_dict(self) -> dict[str, Any]:
        """Return the hand's part of the JSON object."""
        return dict(vars(self))


@dataclass(frozen=True)
class MadeHand:
    """The share of a category in a player's final hands: in all, in those that win, that split."""

    all: float
    win: float
    tie: float


@dataclass(frozen=True)
class EquityResult:
    """The answer to a :class:`~gpuodds.spots.spot.Spot`.

    ``method`` is ``"table"``, ``"exact"`` or ``"monte-carlo"``. Exact counts are integers, unless
    ranges have weights; sampled ones count samples, and players have standard errors. ``by_hand``,
    where it was asked for, has each player's hands, ``made_hands`` the categories of each player's
    final hands. ``notes`` say what another way would have cost.
    ``winners``, without random opponents, maps sets of winners (players lettered in order, ``"AB"``)
    to outcomes.
    """

    spot: Spot
    players: tuple[PlayerEquity, ...]
    method: str
    backend: str
    winners: Mapping[str, Count] | None
    seconds: float
    exact: bool = True
    by_hand: tuple[tuple[HandEquity, ...], ...] | None = None
    notes: tuple[str, ...] = ()
    made_hands: tuple[dict[str, MadeHand], ...] | None = None

    @property
    def equity(self) -> float:
        """The first player's equity."""
        return self.players[0].equity

    @property
    def outcomes(self) -> Count:
        """Boards times deals of all players, the order of random opponents ignored; or the samples."""
        return self.players[0].outcomes

    @property
    def random_equity(self) -> float | None:
        """Equity of each random opponent, who share equally what the known players leave."""
        if self.spot.opponents == 0:
            return None
        if isinstance(self.outcomes, float):
            return (1 - sum(player.equity for player in self.players)) / self.spot.opponents
        rest, whole = 1, 1
        for player in self.players:
            pot, parts = player._share
            rest, whole = rest * parts - pot * whole, whole * parts
            common = gcd(rest, whole)
            rest, whole = rest // common, whole // common
        return rest / (whole * self.spot.opponents)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as the JSON object ``gpuodds.equity/1``; large counts are strings."""
        answer: dict[str, Any] = {
            "schema": SCHEMA,
            "hands": [player.hand for player in self.players],
            "opponents": self.spot.opponents,
            "board": format_cards(self.spot.board),
            "dead": format_cards(self.spot.dead),
            "method": self.method,
            "exact": self.exact,
            "backend": self.backend,
            "outcomes": as_number(self.outcomes),
            "players": [player.to_dict() for player in self.players],
            "random_equity": self.random_equity,
            "seconds": self.seconds,
        }
        if self.winners is not None:
            answer["winners"] = {who: as_number(count) for who, count in self.winners.items()}
        if self.by_hand is not None:
            for player, hands in zip(answer["players"], self.by_hand, strict=True):
                player["by_hand"] = [hand.to_dict() for hand in hands]
        if self.made_hands is not None:
            for player, made in zip(answer["players"], self.made_hands, strict=True):
                player["made_hands"] = {name: dict(vars(hand)) for name, hand in made.items()}
        if self.notes:
            answer["notes"] = list(self.notes)
        return answer

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{name}</th>" for name in ("hand", "equity", "win", "tie", "lose"))
        rows = "".join(
            f"<tr><td>{player.hand}</td>"
            + "".join(
                f"<td>{100 * share:.4f} %</td>"
                for share in (player.equity, player.win, player.tie, player.lose)
            )
            + "</tr>"
            for player in self.players
        )
        how = f"{self.outcomes:,} outcomes, {self.method}, {self.backend}"
        table = f"<table><caption>{how}</caption><tr>{head}</tr>{rows}</table>"
        grids = [self._grid_html(place) for place in range(len(self.by_hand or ()))]
        return table + "".join(grids)

    def equity_grid(self, place: int) -> dict[str, float]:
        """Return the mean equity of each starting hand in a player's range, weights counted in.

        The result must have been asked for by hand.
        """
        from gpuodds.cards import parse_cards
        from gpuodds.games.holdem.starting_hands import mean_by_starting_hand

        hands = (self.by_hand or ())[place]
        return mean_by_starting_hand(
            (parse_cards(hand.hand), hand.equity, hand.weight) for hand in hands
        )

    def _grid_html(self, place: int) -> str:
        from gpuodds.games.holdem.grid_html import grid_html

        equities = self.equity_grid(place)

        def cell(name: str) -> tuple[str, str]:
            if name not in equities:
                return name, ""
            share = equities[name]
            red, green = round(255 * min(1, 2 - 2 * share)), round(255 * min(1, 2 * share))
            return f"{name} {100 * share:.1f}", f"background:rgb({red},{green},120)"

        return grid_html(f"{self.players[place].hand}: equity by starting hand, %", cell)


@dataclass(frozen=True)
class EquityBatch:
    """The answers to many spots of one hand and a board each, for every number of opponents.

    ``unbeaten`` is a uint64 array of shape (n, most, most + 1, 2), of NumPy or CuPy: entry
    [i, k - 1, t] is a 128-bit count as lower and upper half, the outcomes against k random opponents in
    which nobody beats hand i and exactly t opponents tie it. ``outcomes[k - 1]`` is the number of all
    outcomes, boards times deals of k opponents.
    """

    unbeaten: Any
    outcomes: Sequence[int]
    backend: str
    exact: bool = True

    @cached_property
    def equity(self) -> Any:
        """Equities, float64 of shape (n, most): column k - 1 is against k opponents.

        Sums of exact counts, rounded: right to about 1e-15 of their size.
        """
        halves = self.unbeaten.astype("float64")
        counts = halves[..., 0] + halves[..., 1] * 2.0**64
        equity = counts[:, :, 0].copy()
        for ties in range(1, counts.shape[2]):
            equity += counts[:, :, ties] / (ties + 1)
        for column, outcomes in enumerate(self.outcomes):
            equity[:, column] /= float(outcomes)
        return equity

    def counts(self, row: int, opponents: int) -> list[int]:
        """Return the outcomes that hand ``row`` wins, and splits with 1 to ``opponents`` others."""
        halves = self.unbeaten[row, opponents - 1, : opponents + 1].tolist()
        return [low + (high << 64) for low, high in halves]


def split_outcomes(spot: Spot, unbeaten: Mapping[int, Sequence[int]]) -> tuple[PlayerEquity, ...]:
    """Turn counts by known winners into counts by player.

    ``unbeaten[mask][t]`` is the number of outcomes in which the known players in ``mask`` hold the
    best hand together with t random opponents.
    """
    players, outcomes = [], spot.outcomes
    for number, name in enumerate(spot.names):
        shared = [0] * spot.players
        for mask, counts in unbeaten.items():
            if mask >> number & 1:
                for random_ties, count in enumerate(counts):
                    shared[mask.bit_count() - 1 + random_ties] += count
        players.append(PlayerEquity(name, outcomes, shared[0], tuple(shared[1:])))
    return tuple(players)


def name_winners(counts: Mapping[int, Any], players: int) -> dict[str, Any]:
    """Name sets of winners, masks, by letters: players A, B, ... in order, best-known sets first."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return {
        "".join(letters[i] for i in range(players) if mask >> i & 1): count
        for mask, count in sorted(counts.items())
    }
