"""Counts of players in games whose pot has a high and a low half."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import factorial, gcd, lcm, nan
from typing import TYPE_CHECKING, Any, Self, cast

from gpuodds.basics.lazy import cached_property
from gpuodds.results.player_equity import Count, PlayerEquity, add_counts, json_count
from gpuodds.results.result import EquityResult, name_winners
from gpuodds.spots.spot import Spot

if TYPE_CHECKING:
    from gpuodds.results.estimate import HiLoEstimate

HiLoCounts = Mapping[tuple[int, int], Any]
"""Outcomes by the players who have the best high hand and those who have the best low, two masks; the
second is 0 where no player has a low."""


@dataclass(frozen=True)
class HiLoEquity(PlayerEquity):
    """One named player's counts in a hi-lo game.

    ``win_outcomes`` are those in which the player takes the whole pot (scoops), ``tie_outcomes`` at
    [t - 1] those in which exactly t others have a share of it, too.

    Attributes:
        high_outcomes: At [m], outcomes in which the player has the best high hand with m others.
        low_outcomes: At [m], outcomes in which the player has the best low hand with m others.
        pot: The sum of the player's shares of the pot over all outcomes, in units of 1 / ``parts``.
        parts: The number of parts of the pot.

    Example:
        >>> import gpuodds
        >>> players = ["AcAd2c5h", "AhAs2s5c"]
        >>> result = gpuodds.equity(players, board="3s4d8h", game="omaha-hi-lo")
        >>> player = result.players[0]
        >>> player.high_outcomes, player.low_outcomes, player.equity_exact
        ((0, 775), (0, 820), Fraction(319, 656))
    """

    high_outcomes: tuple[Count, ...] = ()
    low_outcomes: tuple[Count, ...] = ()
    pot: Count = 0
    parts: int = 1

    @cached_property
    def _share(self) -> tuple[Any, Any]:
        if not self.outcomes:
            return nan, 1
        pot, whole = self.pot, self.outcomes * self.parts
        if isinstance(pot, float) or isinstance(whole, float):
            return float(pot), float(whole)
        common = gcd(pot, whole)
        return pot // common, whole // common

    @property
    def scoop(self) -> float:
        """The share of outcomes in which the player takes the whole pot, 0 to 1."""
        return self.win

    def times(self, factor: Count) -> Self:
        """Return the counts multiplied by a factor.

        Args:
            factor: A number above 0; a whole one keeps integers.
        """
        return replace(
            super().times(factor),
            high_outcomes=tuple(count * factor for count in self.high_outcomes),
            low_outcomes=tuple(count * factor for count in self.low_outcomes),
            pot=self.pot * factor,
        )

    def plus(self, other: PlayerEquity) -> Self:
        """Return the sum of the counts of the same player in two spots of the same players.

        Args:
            other: The player's counts in the other spot.
        """
        more = cast("HiLoEquity", other)
        return replace(
            super().plus(other),
            high_outcomes=add_counts(self.high_outcomes, more.high_outcomes),
            low_outcomes=add_counts(self.low_outcomes, more.low_outcomes),
            pot=self.pot + more.pot,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the player's part of the JSON object."""
        return super().to_dict() | {
            "high_outcomes": [json_count(count) for count in self.high_outcomes],
            "low_outcomes": [json_count(count) for count in self.low_outcomes],
            "scoop": self.scoop if self.outcomes else None,
        }


def no_outcomes(spot: Spot) -> tuple[PlayerEquity, ...]:
    """Return the counts of each named player where nothing can be dealt: all 0."""
    players = spot.players
    none, ties = (0,) * players, (0,) * (players - 1)
    if not spot.game.has_low:
        return tuple(PlayerEquity(name, 0, 0, ties) for name in spot.names)
    parts = pot_parts(players)
    return tuple(HiLoEquity(name, 0, 0, ties, None, none, none, 0, parts) for name in spot.names)


def pot_parts(players: int) -> int:
    """Return the number of equal parts of the pot that every share is a multiple of.

    >>> pot_parts(2), pot_parts(3)
    (4, 12)
    """
    return 2 * lcm(*range(1, players + 1))


def share_of_pot(parts: int, high: int, low: int, has_low: bool) -> int:
    """Return a player's share of the pot, in parts.

    Args:
        parts: The result of :func:`pot_parts`.
        high: The number of players with the best high hand; 0 if this one has not.
        low: The number of players with the best low hand; 0 if this one has not.
        has_low: Whether any player has a low.
    """
    of_high = parts // 2 if has_low else parts
    return (of_high // high if high else 0) + (parts // 2 // low if low else 0)


def count_players(spot: Spot, counts: HiLoCounts) -> tuple[HiLoEquity, ...]:
    """Return each named player's counts from counts by winners of both halves.

    Args:
        spot: The spot; random opponents are the players after the named ones.
        counts: Outcomes, in which the random opponents are told apart; they add up to all.
    """
    outcomes: Any = sum(counts.values())
    return tuple(
        _count_player(spot, place, outcomes, counts.items()) for place in range(len(spot.hands))
    )


def _count_player(
    spot: Spot, place: int, outcomes: Any, counts: Iterable[tuple[tuple[int, int], Any]]
) -> HiLoEquity:
    players = spot.players
    parts = pot_parts(players)
    high, low, shared = ([0 * outcomes] * players for _ in range(3))
    pot = 0 * outcomes
    for (high_mask, low_mask), count in counts:
        of_high = high_mask.bit_count() if high_mask >> place & 1 else 0
        of_low = low_mask.bit_count() if low_mask >> place & 1 else 0
        if of_high:
            high[of_high - 1] += count
        if of_low:
            low[of_low - 1] += count
        if of_high or of_low:
            shared[(high_mask | low_mask).bit_count() - 1] += count
        pot += count * share_of_pot(parts, of_high, of_low, bool(low_mask))
    orders = factorial(spot.opponents)
    outcomes, *ties = (_divided(count, orders) for count in (outcomes, *shared))
    return HiLoEquity(
        spot.names[place],
        outcomes,
        ties[0],
        tuple(ties[1:]),
        high_outcomes=tuple(_divided(count, orders) for count in high),
        low_outcomes=tuple(_divided(count, orders) for count in low),
        pot=_divided(pot, orders),
        parts=parts,
    )


def _divided(count: Any, orders: int) -> Any:
    """Return a player's outcomes without the order of random opponents, which is told apart in them."""
    return count // orders if isinstance(count, int) else count / orders


def sampled_players(spot: Spot, estimate: HiLoEstimate) -> tuple[HiLoEquity, ...]:
    """Return each named player's counts of samples."""
    parts, every = pot_parts(spot.players), spot.players
    rows = zip(
        spot.names,
        estimate.counts.tolist(),
        estimate.halves.tolist(),
        estimate.shared.tolist(),
        estimate.standard_error.tolist(),
        strict=True,
    )
    players = []
    for name, high, halves, shared, error in rows:
        # Column 0: no low; 1: another player's; m + 1: one of m players with the best low.
        low = [sum(row[number + 1] for row in halves) for number in range(1, every + 1)]
        pot = sum(
            count * share_of_pot(parts, best, max(column - 1, 0), column > 0)
            for best, row in enumerate(halves)
            for column, count in enumerate(row)
        )
        outcomes, ties = (tuple(high), tuple(low)), tuple(shared[1:])
        players.append(
            HiLoEquity(name, estimate.samples, shared[0], ties, error, *outcomes, pot, parts)
        )
    return tuple(players)


def hi_lo_result(spot: Spot, counts: HiLoCounts, method: str, backend: str) -> EquityResult:
    """Return the answer to a spot from counts by winners of both halves, with 0 seconds."""
    winners = low_winners = None
    if not spot.opponents:
        named = len(spot.hands)
        winners = name_winners(_by_half(counts, 0), named)
        low_winners = name_winners(_by_half(counts, 1), named)
    players = count_players(spot, counts)
    return EquityResult(
        spot,
        players,
        method,
        backend,
        winners,
        0.0,
        low_winners=low_winners,
        by_winners=counts if spot.opponents == 1 else None,
    )


def _by_half(counts: HiLoCounts, half: int) -> dict[int, Any]:
    by_half: dict[int, Any] = {}
    for masks, count in counts.items():
        by_half[masks[half]] = by_half.get(masks[half], 0) + count
    return by_half


def high_result(spot: Spot, counts: HiLoCounts, method: str, backend: str) -> EquityResult:
    """Return the answer to a spot of a high-only game from counts by winners, with 0 seconds."""
    outcomes: Any = sum(counts.values())
    by_mask, orders = _by_half(counts, 0), factorial(spot.opponents)
    players = []
    for place, name in enumerate(spot.names):
        shared: list[Any] = [0 * outcomes] * spot.players
        for mask, count in by_mask.items():
            if mask >> place & 1:
                shared[mask.bit_count() - 1] += count
        whole, *ties = (_divided(count, orders) for count in (outcomes, *shared))
        players.append(PlayerEquity(name, whole, ties[0], tuple(ties[1:])))
    winners = None if spot.opponents else name_winners(by_mask, len(spot.hands))
    by_winners = counts if spot.opponents == 1 else None
    return EquityResult(spot, tuple(players), method, backend, winners, 0.0, by_winners=by_winners)
