"""How often opponents fold, by the size of the bet: a curve of the price that they get.

The *price* of a call of c chips into a pot of P chips, the bet that is called among them, is
c / (P + c): the equity with which the call breaks even. A bet of half the pot has the price 1/4, one of
the pot 1/3, one of twice the pot 2/5. The chance of a fold is a logistic function of it,

    1 / (1 + exp(-(A + B price)))

whose A and B are given, or fitted to what opponents did. The higher B is, the more folds a larger bet
gets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, isfinite, sqrt
from typing import Any

from gpuodds.basics.arguments import as_number, listed, shown
from gpuodds.errors import InputError

MOST = 1000.0  # of A and B, in size
LEAST_DECISIONS = 100
Z = 1.959964  # of a 95 % interval
LOOSENESS = 1e6  # of the slope: a prior standard deviation of 1,000, for prices that are all alike


@dataclass(frozen=True)
class FoldCurve:
    """The chance that an opponent folds to a bet, by the price of the call.

    Attributes:
        level: A: the logarithm of the odds of a fold at the price 0.
        slope: B: what they rise by up to the price 1.

    Example:
        >>> curve = FoldCurve(-2.0, 6.0)
        >>> [round(curve.chance(price), 3) for price in (0.25, 1 / 3, 0.4)]
        [0.378, 0.5, 0.599]
    """

    level: float
    slope: float

    @staticmethod
    def read(curve: Any) -> FoldCurve:
        """Return a curve from A and B.

        Args:
            curve: Two numbers, or a curve.

        Raises:
            InputError: They are not two numbers from -1000 to 1000.
        """
        if isinstance(curve, FoldCurve):
            return curve
        parts = listed("fold_curve", curve, "two numbers, A and B")
        if len(parts) != 2:
            raise InputError(f"fold_curve {shown(curve)}: expected two numbers, A and B")
        numbers = [as_number("fold_curve", part) for part in parts]
        for number in numbers:
            if not isfinite(number) or abs(number) > MOST:
                raise InputError(f"fold_curve {shown(curve)}: expected numbers from -1000 to 1000")
        return FoldCurve(*numbers)

    def chance(self, price: Any) -> Any:
        """Return the chance of a fold, 0 to 1.

        Args:
            price: The price of the call, 0 to 1, or an array of prices.
        """
        import numpy as np

        chances = np.exp(-np.logaddexp(0.0, -(self.level + self.slope * price)))
        return chances if chances.ndim else float(chances)


@dataclass(frozen=True)
class FoldFit:
    """A curve that was fitted to decisions.

    Attributes:
        curve: The curve.
        decisions: The number of decisions.
        folds: How many of them were folds.
        errors: The standard errors of A and B, and their covariance.
    """

    curve: FoldCurve
    decisions: int
    folds: int
    errors: tuple[float, float, float]

    @staticmethod
    def of(prices: Sequence[float], folded: Sequence[bool]) -> FoldFit:
        """Return the most likely curve of decisions, by logistic regression.

        Args:
            prices: The price of each call, 0 to 1.
            folded: Whether each was folded.

        Raises:
            InputError: There are fewer than 100 decisions, or all are folds, or none is.

        Example:
            >>> folded = [True, False, False] * 20 + [True, False] * 30
            >>> fit = FoldFit.of([0.2] * 60 + [0.4] * 60, folded)
            >>> round(fit.curve.chance(0.2), 4), round(fit.curve.chance(0.4), 4)
            (0.3333, 0.5)
            >>> [round(end, 3) for end in fit.interval(0.4)]
            [0.376, 0.624]
        """
        from gpuodds.basics.logistic import covariance, fit_logistic

        decisions, folds = len(prices), sum(map(bool, folded))
        if decisions < LEAST_DECISIONS:
            raise InputError(f"{decisions:,} decisions: expected {LEAST_DECISIONS} or more")
        if folds in (0, decisions):
            raise InputError(f"{folds:,} folds of {decisions:,} decisions: expected some of both")
        rows = [(float(price), bool(fold), 1.0) for price, fold in zip(prices, folded, strict=True)]
        curve = fit_logistic(rows, LOOSENESS)
        of_level, both, of_slope = covariance(rows, curve, LOOSENESS)
        errors = sqrt(of_level), sqrt(of_slope), both
        return FoldFit(FoldCurve(*curve), decisions, folds, errors)

    @property
    def level_interval(self) -> tuple[float, float]:
        """The 95 % interval of A."""
        return self.curve.level - Z * self.errors[0], self.curve.level + Z * self.errors[0]

    @property
    def slope_interval(self) -> tuple[float, float]:
        """The 95 % interval of B."""
        return self.curve.slope - Z * self.errors[1], self.curve.slope + Z * self.errors[1]

    def interval(self, price: float) -> tuple[float, float]:
        """Return the 95 % interval of the chance of a fold.

        Args:
            price: The price of the call, 0 to 1.
        """
        of_level, of_slope, both = self.errors
        error = sqrt(max(of_level**2 + 2 * price * both + (price * of_slope) ** 2, 0.0))
        low, high = (
            FoldCurve(self.curve.level + sign * Z * error, self.curve.slope).chance(price)
            for sign in (-1, 1)
        )
        return low, high


@dataclass(frozen=True)
class Replies:
    """How opponents answer a bet of any size by a curve. Amounts are shares of the bankroll.

    Attributes:
        curve: The curve.
        groups: Opponents who are alike: how many, and what each can add; None for at least as much as
            the bettor. One with 0 is all in, and does not fold.
        pot: What lies in the pots before the bet, a call of the bettor's among it.
        most: The largest bet that an opponent can match.
    """

    curve: FoldCurve
    groups: tuple[tuple[int, float | None], ...]
    pot: float
    most: float

    def fold_chances(self, bet: Any) -> list[Any]:
        """Return the chance that an opponent of each group folds.

        Args:
            bet: The bet, or an array of bets.
        """
        import numpy as np

        matched = np.minimum(bet, self.most)
        chances = []
        for _, stack in self.groups:
            call = matched if stack is None else np.minimum(matched, stack)
            whole = self.pot + matched + call
            price = np.divide(call, whole, out=np.zeros_like(whole, float), where=whole > 0)
            chance = np.asarray(self.curve.chance(price))
            chances.append(np.zeros_like(chance) if stack == 0 else chance)
        return chances

    def chance(self, callers: Sequence[int], folds: Sequence[Any]) -> Any:
        """Return the chance that given numbers of each group go on.

        Args:
            callers: How many of each group.
            folds: The chances of :meth:`fold_chances`.
        """
        chance: Any = 1.0
        for (seats, _), going, fold in zip(self.groups, callers, folds, strict=True):
            chance = chance * comb(seats, going) * (1 - fold) ** going * fold ** (seats - going)
        return chance
