"""Players of whom only the equity is known, because others leave them an equal share of the pot."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import Any

from gpuodds.results.player_equity import Count, PlayerEquity


@dataclass(frozen=True)
class EquityShare(PlayerEquity):
    """One named player of whom only the equity is known: counts are None, and shares of them NaN.

    Attributes:
        share: The equity, a fraction; a float if ranges have weights.

    Example:
        >>> import gpuodds
        >>> first, second, _ = gpuodds.equity(["AsKs", "random", "random"]).players
        >>> second.equity_exact + second.equity_exact + first.equity_exact, second.win_outcomes
        (Fraction(1, 1), None)
    """

    share: Any = nan

    @staticmethod
    def of(hand: str, share: Any, outcomes: Count | None, *, has_low: bool) -> EquityShare:
        """Return a player's share of the pot.

        Args:
            hand: The player's cards, or the text of the range.
            share: The equity, a fraction; a float if ranges have weights.
            outcomes: All outcomes; None if they are not known.
            has_low: Whether the game has a low half.
        """
        kind = _HiLoShare if has_low else EquityShare
        return kind(hand, outcomes, None, (), None, share)

    @property
    def _share(self) -> tuple[Any, Any]:
        if isinstance(self.share, float):
            return self.share, 1
        return self.share.numerator, self.share.denominator

    @property
    def _is_counted(self) -> bool:
        return not isinstance(self.share, float)

    @property
    def win(self) -> float:
        """NaN: it is not known."""
        return nan

    @property
    def tie(self) -> float:
        """NaN: it is not known."""
        return nan

    @property
    def lose(self) -> float:
        """NaN: it is not known."""
        return nan

    def to_dict(self) -> dict[str, Any]:
        """Return the player's part of the JSON object."""
        return super().to_dict() | {"tie_outcomes": None}


class _HiLoShare(EquityShare):
    """The same in a hi-lo game."""

    high_outcomes = low_outcomes = None
    scoop = nan

    def to_dict(self) -> dict[str, Any]:
        """Return the player's part of the JSON object."""
        return super().to_dict() | {"high_outcomes": None, "low_outcomes": None, "scoop": None}
