"""An answer: counts for every named player, and the method and backend that found them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import gcd
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any, TypeAlias

from gpuodds.basics.frozen import frozen
from gpuodds.cards import format_cards
from gpuodds.results.player_equity import (
    Count,
    HandEquity,
    MadeHand,
    PlayerEquity,
    counted_players,
    json_count,
)
from gpuodds.spots.spot import Spot

if TYPE_CHECKING:
    from gpuodds.results.blockers import HandBlockers
    from gpuodds.results.call_value import CallValue
    from gpuodds.results.equity_graph import EquityGraph
    from gpuodds.results.explanation import Explanation
    from gpuodds.spots.ranges.range import Range

SCHEMA = "gpuodds.equity/1"

WinnerCounts: TypeAlias = Mapping[tuple[int, int], Count]
"""Outcomes by the winners of the high half, and of the low half where the game has one, two numbers.
The lowest bits are the named players, a bit each, and the bits above count random opponents."""


@dataclass(frozen=True)
class EquityResult:
    """The answer to a spot.

    Attributes:
        spot: The spot that was answered.
        players: The counts of each named player: outcomes, or samples if the answer was sampled.
        method: ``"table"``, ``"exact"``, ``"symmetry"`` or ``"monte-carlo"``.
        backend: The name of the backend that counted or sampled.
        winners: Without random opponents, outcomes by the set of winners, players lettered in order
            (``"AB"``: the first two split); else, if sampled, and if they are not known, None. With any
            cards in some of more than ten seats they are not listed.
        seconds: The time that the answer took.
        exact: False if the answer was sampled.
        by_hand: The hands of each player's range, best first; None unless requested.
        notes: What the answer costs, and what other programs read differently.
        made_hands: The categories of each player's final hands; None unless requested. Of a seat with
            any cards they may not be known: then there are none.
        explanation: The methods that could have answered, and what was assumed; None unless requested.
        low_winners: In hi-lo games, beside ``winners``, outcomes by the set of players who win the low
            half, ``""`` for outcomes without a low; ``winners`` are those of the high half.
        call: What a call is worth to the first player; None unless its price was given.
        by_winners: Outcomes by all winners, random opponents too, for gpuodds' own use.

    Example:
        >>> import gpuodds
        >>> result = gpuodds.equity(["AsKs", "QhQd"])
        >>> result.outcomes, result.winners, result.exact
        (1712304, {'A': 787966, 'B': 917606, 'AB': 6732}, True)
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
    explanation: Explanation | None = None
    low_winners: Mapping[str, Count] | None = None
    call: CallValue | None = None
    by_winners: Mapping[tuple[int, int], Count] | None = field(default=None, repr=False, compare=False)

    @property
    def equity(self) -> float:
        """The first player's equity."""
        return self.players[0].equity

    @property
    def outcomes(self) -> Count:
        """Boards times deals, the order of random opponents ignored; if sampled, the samples.

        None if they are not known: the answer follows from symmetry.
        """
        return self.players[0].outcomes

    @property
    def random_equity(self) -> float | None:
        """The equity of each random opponent, an equal part of what the named players leave."""
        if self.spot.opponents == 0:
            return None
        if not all(player._is_whole for player in self.players):
            return (1 - sum(player.equity for player in self.players)) / self.spot.opponents
        left, whole = 1, 1
        for player in self.players:
            pot, parts = player._share
            left, whole = left * parts - pot * whole, whole * parts
            common = gcd(left, whole)
            left, whole = left // common, whole // common
        return left / (whole * self.spot.opponents)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as the JSON object ``gpuodds.equity/1``; integer counts are strings."""
        answer: dict[str, Any] = {
            "schema": SCHEMA,
            "game": self.spot.game.name,
            "hands": [player.hand for player in self.players],
            "opponents": self.spot.opponents,
            "board": format_cards(self.spot.board),
            "dead": format_cards(self.spot.dead),
            **({"folded": list(self.spot.folded_names)} if self.spot.folded else {}),
            "method": self.method,
            "exact": self.exact,
            "backend": self.backend,
            "outcomes": json_count(self.outcomes),
            "players": [player.to_dict() for player in self.players],
            "random_equity": self.random_equity,
            "seconds": self.seconds,
        }
        if self.winners is not None:
            answer["winners"] = {who: json_count(count) for who, count in self.winners.items()}
        elif self.exact and not self.spot.opponents:
            answer["winners"] = None
        if self.low_winners is not None:
            lows = {who: json_count(count) for who, count in self.low_winners.items()}
            answer["low_winners"] = lows
        if self.by_hand is not None:
            for player, hands in zip(answer["players"], self.by_hand, strict=True):
                player["by_hand"] = [hand.to_dict() for hand in hands]
        if self.made_hands is not None:
            for player, made in zip(answer["players"], self.made_hands, strict=True):
                by_category = {name: dict(vars(hand)) for name, hand in made.items()}
                player["made_hands"] = by_category or None
        if self.call is not None:
            answer["call"] = self.call.to_dict()
        if self.notes:
            answer["notes"] = list(self.notes)
        if self.explanation is not None:
            answer |= self.explanation.to_dict()
        return answer

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{name}</th>" for name in ("hand", "equity", "win", "tie", "lose"))
        rows = "".join(
            f"<tr><td>{player.hand}</td>"
            + "".join(
                f"<td>{100 * share:.4f} %</td>" if share == share else "<td></td>"
                for share in (player.equity, player.win, player.tie, player.lose)
            )
            + "</tr>"
            for player in self.players
        )
        how = f"{self.method}, {self.backend}"
        if self.outcomes is not None:
            how = f"{self.outcomes:,} outcome{'s' * (self.outcomes != 1)}, {how}"
        table = f"<table><caption>{how}</caption><tr>{head}</tr>{rows}</table>"
        shown = len(self.by_hand or ()) if self.spot.game.grid_ranks else 0
        grids = [self._grid_html(place) for place in range(shown)]
        return table + "".join(grids)

    def by_starting_hand(self, place: int) -> tuple[HandEquity, ...]:
        """Return the weighted means of each starting hand in a player's range, best first.

        Args:
            place: The player's place among the named players, from 0. The answer needs ``by_hand``.

        Returns:
            Starting hands (``"AKs"``), in Omaha ranks and suits (``"AAKK ds"``), with the sum of the
            weights of their combos.
        """
        from gpuodds.results.starting_hands import by_starting_hand

        return by_starting_hand(self.spot.game, (self.by_hand or ())[place])

    def hands_above(self, equity: float, place: int = 0) -> Range:
        """Return the part of a player's range that has at least an equity, such as the pot odds.

        Args:
            equity: 0 to 1.
            place: The player's place among the named players, from 0. The answer needs ``by_hand``.

        Returns:
            The range, each combo with its weight. Combos that known cards block are in it if all others
            of their starting hand are: ``AKs`` on a flop with an ace, not three combos.

        Example:
            >>> import gpuodds
            >>> result = gpuodds.equity(["22+", "AK,QQ"], board="2s7d9h", by_hand=True)
            >>> result.hands_above(0.8).to_string()
            'KK+,99,77,22'
        """
        from gpuodds.results.starting_hands import hands_above

        return hands_above(self.spot, place, (self.by_hand or ())[place], equity)

    def equity_grid(self, place: int) -> dict[str, float]:
        """Return the weighted mean equity of each starting hand in a player's range.

        Args:
            place: The player's place among the named players, from 0. The answer needs ``by_hand``.

        Returns:
            Equities, 0 to 1, by starting hand (``"AKs"``).
        """
        from gpuodds.cards import parse_cards
        from gpuodds.games.holdem.starting_hands import mean_by_starting_hand

        hands = (self.by_hand or ())[place]
        return mean_by_starting_hand(
            (parse_cards(hand.hand), hand.equity, hand.weight) for hand in hands
        )

    def equity_graph(self, place: int) -> EquityGraph:
        """Return the hands of a player's range sorted by equity, best first.

        Args:
            place: The player's place among the named players, from 0. The answer needs ``by_hand``.
        """
        from gpuodds.results.equity_graph import EquityGraph

        return EquityGraph.of([(hand.equity, hand.weight) for hand in (self.by_hand or ())[place]])

    def blockers(self, place: int = 0) -> tuple[HandBlockers, ...]:
        """Return what each hand of a player takes out of the opponent's range, the highest cards first.

        Args:
            place: The player's place, 0 or 1. The answer needs ``by_hand``.

        Raises:
            InputError: There are other than two players, random opponents, or players who have folded.

        Example:
            >>> import gpuodds
            >>> result = gpuodds.equity(["AKs", "QQ+,AK"], board="2s7d9hTcJc", by_hand=True)
            >>> result.blockers()[0].blocked, result.blockers()[0].made
            (13, {'overpair': 6, 'ace high': 7})
        """
        from gpuodds.results.blockers import find_blockers

        return find_blockers(self, place)

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


def counted_result(
    spot: Spot,
    players: tuple[PlayerEquity, ...],
    backend: str,
    winners: Mapping[str, Count] | None,
    seconds: float,
) -> EquityResult:
    """Return an exact answer that was counted, in less time than ``__init__`` takes."""
    return frozen(
        EquityResult,
        spot=spot,
        players=players,
        method="exact",
        backend=backend,
        winners=winners,
        seconds=seconds,
    )


def split_outcomes(spot: Spot, unbeaten: Mapping[int, Sequence[int]]) -> tuple[PlayerEquity, ...]:
    """Return counts by player from counts by the set of known winners.

    Args:
        spot: A spot of known hands.
        unbeaten: At [mask][t], the outcomes in which the known players in ``mask`` hold the best hand
            together with exactly t random opponents.
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


def split_boards(names: Sequence[str], boards: Mapping[int, int]) -> tuple[PlayerEquity, ...]:
    """Return counts by player from the boards by the set of winners, a mask of the players."""
    every, numbers = sum(boards.values()), range(len(names))
    won, split = [0] * len(names), [[0] * (len(names) - 1) for _ in names]
    for mask, count in boards.items():
        others = mask.bit_count() - 1
        if not others:
            won[mask.bit_length() - 1] = count
            continue
        for number in numbers:
            if mask >> number & 1:
                split[number][others - 1] += count
    return counted_players(names, every, won, split)


def count_winners(
    spot: Spot, unbeaten: Mapping[int, Sequence[Count]], outcomes: Count
) -> WinnerCounts | None:
    """Return outcomes by all winners; None without random opponents.

    Several random opponents who win without a named player are not told apart: those outcomes are left
    out.

    Args:
        spot: The spot.
        unbeaten: At [mask][t], the outcomes in which the named players in ``mask`` hold the best hand
            together with exactly t random opponents.
        outcomes: All outcomes.
    """
    if not spot.opponents:
        return None
    named = len(spot.hands)
    outcomes_of = {
        (mask | random << named, 0): count
        for mask, counts in unbeaten.items()
        for random, count in enumerate(counts)
    }
    if spot.opponents == 1:
        outcomes_of[1 << named, 0] = outcomes - sum(outcomes_of.values())
    return outcomes_of


def name_winners(counts: Mapping[int, Any], players: int) -> dict[str, Any]:
    """Return outcomes by sets of winners in letters, A for the first player, from those by mask."""
    named = (1 << players) - 1
    return {_letters(mask & named): counts[mask] for mask in sorted(counts)}


@lru_cache(1 << 10)
def _letters(mask: int) -> str:
    return "".join(letter for i, letter in enumerate(ascii_uppercase) if mask >> i & 1)
