"""What a call is worth in chips: the equity that breaks even, and the expected value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from gpuodds.results.player_equity import PlayerEquity
from gpuodds.spots.price import Price


@dataclass(frozen=True)
class CallValue:
    """What a player wins by a call, on average, if no one bets any more: after it all cards are dealt.

    The expected value is equity x (pot + call) - call, in chips; a fold is worth 0.

    Attributes:
        pot: All chips in the pot before the call, with the bet that is called.
        to_call: The chips that the call takes.
        equity: The player's equity, 0 to 1.
        equity_exact: The same as a fraction; None if it is not exact, or ranges have weights.
        equity_error: The standard error of the equity; None if it is exact.

    Example:
        >>> import gpuodds
        >>> call = gpuodds.equity(["AKs", "QQ+,AK"], pot=1100, to_call=1000).call
        >>> call.pot_odds, call.pays
        (Fraction(10, 21), False)
    """

    pot: Fraction
    to_call: Fraction
    equity: float
    equity_exact: Fraction | None
    equity_error: float | None

    @classmethod
    def of(cls, price: Price, player: PlayerEquity) -> CallValue:
        """Return what a call is worth to a player.

        Args:
            price: What it costs.
            player: The player's equity.
        """
        return cls(*price, player.equity, player.equity_exact, player.standard_error)

    @classmethod
    def of_dict(cls, price: Price, player: Mapping[str, Any]) -> CallValue:
        """Return what a call is worth to a player of the JSON object of an answer.

        Args:
            price: What it costs.
            player: The player's part of the object.
        """
        exact = player["equity_exact"]
        equity = None if exact is None else Fraction(exact)
        return cls(*price, player["equity"], equity, player["standard_error"])

    @property
    def pot_odds(self) -> Fraction:
        """The equity that breaks even, the call's part of the pot after it."""
        return Price(self.pot, self.to_call).pot_odds

    @property
    def expected_value_exact(self) -> Fraction | None:
        """The mean gain in chips as a fraction; None where the equity is not exact."""
        if self.equity_exact is None:
            return None
        return self.equity_exact * (self.pot + self.to_call) - self.to_call

    @property
    def expected_value(self) -> float:
        """The mean gain in chips."""
        exact = self.expected_value_exact
        if exact is not None:
            return float(exact)
        return self.equity * float(self.pot + self.to_call) - float(self.to_call)

    @property
    def pays(self) -> bool:
        """Whether a call gains more than a fold; of a sampled equity, by its estimate."""
        return self.expected_value > 0

    @property
    def standard_error(self) -> float | None:
        """The standard error of the expected value, in chips; None if it is exact."""
        return None if self.equity_error is None else self.equity_error * float(self.pot + self.to_call)

    def to_dict(self) -> dict[str, Any]:
        """Return the part ``"call"`` of the JSON object: floats, and exact fractions as texts."""
        exact = self.expected_value_exact
        return {
            "pot": float(self.pot),
            "to_call": float(self.to_call),
            "pot_odds": float(self.pot_odds),
            "pot_odds_exact": _fraction_text(self.pot_odds),
            "expected_value": self.expected_value,
            "expected_value_exact": None if exact is None else _fraction_text(exact),
            "standard_error": self.standard_error,
        }


def _fraction_text(number: Fraction) -> str:
    return f"{number.numerator}/{number.denominator}"
