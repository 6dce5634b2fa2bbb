"""What one player, hand or made hand has of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import gcd, lcm, nan
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from gpuodds.basics.frozen import frozen
from gpuodds.basics.lazy import cached_property

if TYPE_CHECKING:
    from fractions import Fraction

Count: TypeAlias = Any
"""A number of outcomes: an int, or a float if ranges have weights."""


def json_count(count: Count) -> Any:
    """Return a count for JSON: integers as decimal strings, because they can exceed 2^53."""
    return str(count) if isinstance(count, int) else count


def json_share(share: float) -> float | None:
    """Return a share for JSON: None for one that is not known."""
    return None if share != share else share


def add_counts(first: Sequence[Count], second: Sequence[Count]) -> tuple[Count, ...]:
    """Return the sums of counts, place by place."""
    return tuple(count + other for count, other in zip(first, second, strict=True))


@dataclass(frozen=True)
class PlayerEquity:
    """One named player's counts: integers, or floats if ranges have weights.

    Without outcomes, as in a report that has no rows, all shares are NaN.

    Attributes:
        hand: The player's cards, or the text of the range.
        outcomes: All outcomes; for a sampled answer the number of samples.
        win_outcomes: Outcomes that this player wins alone.
        tie_outcomes: At [t - 1], outcomes split with exactly t others, named or random.
        standard_error: The standard error of the equity; None if the answer is exact.

    Example:
        >>> import gpuodds
        >>> player = gpuodds.equity(["AsKs", "QhQd"]).players[0]
        >>> player.hand, player.win_outcomes, player.tie_outcomes, player.equity_exact
        ('AsKs', 787966, (6732,), Fraction(197833, 428076))
    """

    hand: str
    outcomes: Count
    win_outcomes: Count
    tie_outcomes: tuple[Count, ...]
    standard_error: float | None = None

    @cached_property
    def _share(self) -> tuple[Any, Any]:
        if not self.outcomes:
            return nan, 1
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
        """The expected share of the pot, reduced; None if weighted, sampled or without outcomes."""
        from fractions import Fraction

        return Fraction(*self._share) if self._is_counted else None

    @property
    def _is_counted(self) -> bool:
        if self.standard_error is not None or isinstance(self.outcomes, float):
            return False
        return bool(self.outcomes)

    @property
    def _is_whole(self) -> bool:
        """Whether the share of the pot is a fraction of integers."""
        return all(isinstance(part, int) for part in self._share)

    def _part(self, outcomes: Count) -> float:
        return float(outcomes / self.outcomes) if self.outcomes else nan

    @property
    def equity(self) -> float:
        """The expected share of the pot, 0 to 1, the exact fraction rounded once."""
        pot, whole = self._share
        return float(pot / whole)

    @property
    def win(self) -> float:
        """The share of outcomes that the player wins alone, 0 to 1."""
        return self._part(self.win_outcomes)

    @property
    def tie(self) -> float:
        """The share of outcomes split with at least one other player, 0 to 1."""
        return self._part(sum(self.tie_outcomes))

    @property
    def lose(self) -> float:
        """The share of outcomes in which another player has a better hand, 0 to 1."""
        return self._part(self.outcomes - self.win_outcomes - sum(self.tie_outcomes))

    def times(self, factor: Count) -> Self:
        """Return the counts multiplied by a factor.

        Args:
            factor: A number above 0; a whole one keeps integers.
        """
        return replace(
            self,
            outcomes=self.outcomes * factor,
            win_outcomes=self.win_outcomes * factor,
            tie_outcomes=tuple(count * factor for count in self.tie_outcomes),
        )

    def plus(self, other: PlayerEquity) -> Self:
        """Return the sum of the counts of the same player in two spots.

        Args:
            other: The player's counts in the other spot.
        """
        return replace(
            self,
            outcomes=self.outcomes + other.outcomes,
            win_outcomes=self.win_outcomes + other.win_outcomes,
            tie_outcomes=add_counts(self.tie_outcomes, other.tie_outcomes),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the player's part of the JSON object; shares are None without outcomes."""
        pot, whole = self._share
        return {
            "hand": self.hand,
            "equity": json_share(self.equity),
            "equity_exact": f"{pot}/{whole}" if self._is_counted else None,
            "win": json_share(self.win),
            "tie": json_share(self.tie),
            "lose": json_share(self.lose),
            "win_outcomes": json_count(self.win_outcomes),
            "tie_outcomes": [json_count(count) for count in self.tie_outcomes],
            "standard_error": self.standard_error,
        }


def counted_players(
    hands: Sequence[str], outcomes: Count, won: Sequence[Count], split: Sequence[Sequence[Count]]
) -> tuple[PlayerEquity, ...]:
    """Return the players of an exact answer, in less time than ``__init__`` takes.

    Args:
        hands: The players' cards, or the texts of their ranges.
        outcomes: All outcomes.
        won: By player, outcomes won alone.
        split: By player, outcomes split with one other, two, ...
    """
    return tuple(
        [
            frozen(
                PlayerEquity,
                hand=hand,
                outcomes=outcomes,
                win_outcomes=alone,
                tie_outcomes=tuple(others),
            )
            for hand, alone, others in zip(hands, won, split, strict=True)
        ]
    )


@dataclass(frozen=True)
class HandEquity:
    """One hand of a player's range.

    Attributes:
        hand: The two cards.
        weight: The hand's weight in the range, 0 to 1.
        equity: The expected share of the pot in deals with this hand, 0 to 1.
        win: The share of these deals that the hand wins alone.
        tie: The share of these deals that it splits.
    """

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
    """How often a player's final hand is of one category.

    Attributes:
        all: The share of the category among all outcomes, 0 to 1.
        win: The share among outcomes that the player wins alone; in hi-lo games, the high half.
        tie: The share among outcomes that the player splits; in hi-lo games, the high half.
    """

    all: float
    win: float
    tie: float
