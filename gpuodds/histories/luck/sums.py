"""Exact sums of many amounts, in whole numbers over one denominator."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from gpuodds.histories.luck.entry import Amount

DENOMINATOR = lcm(*range(1, 53)) * lcm(*range(1, 24)) * 4
"""A multiple of the denominators of all-ins of known hands: numbers of boards times ways to split."""


class ExactSum:
    """A sum of amounts.

    It is exact where each amount's denominator divides :data:`DENOMINATOR`: always with whole pots and
    known hands. Amounts from ranges, or with rake in several pots, are rounded to one part in it.

    Example:
        >>> both = ExactSum()
        >>> both.add(Fraction(1, 3)), both.add(2)
        (None, None)
        >>> both.value
        Fraction(7, 3)
    """

    __slots__ = ("_fractions", "_whole")

    def __init__(self) -> None:
        self._whole = 0
        self._fractions = 0

    def add(self, amount: Amount) -> None:
        """Add an amount."""
        if isinstance(amount, int):
            self._whole += amount
            return
        times, rest = divmod(DENOMINATOR, amount.denominator)
        self._fractions += round(amount * DENOMINATOR) if rest else amount.numerator * times

    def join(self, other: ExactSum) -> None:
        """Add all that was added to another sum."""
        self._whole += other._whole
        self._fractions += other._fractions

    @property
    def value(self) -> Fraction:
        """The sum."""
        return self._whole + Fraction(self._fractions, DENOMINATOR)
