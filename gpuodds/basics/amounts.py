"""Numbers of chips, chances and shares as users give them, read as exact fractions."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any, TypeAlias

from gpuodds.basics.arguments import as_whole, shown
from gpuodds.errors import InputError

MIN_CHIPS, MAX_CHIPS = Fraction(1, 10**9), 10**15
MAX_WHOLE = 10**9
MAX_LENGTH = 30  # characters of a number
DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?", re.ASCII | re.IGNORECASE)

Number: TypeAlias = float | Fraction
Chips: TypeAlias = Number | str


def read_amount(name: str, value: Number | str) -> Fraction:
    """Return a number of chips.

    Args:
        name: What it is, for the message.
        value: An integer, a float, a fraction, or a decimal text; 0, or 1e-9 to 1e15 chips.

    Returns:
        The number as a fraction: a float as the decimal that Python shows, 0.1 as 1/10.

    Raises:
        InputError: It is not a number, or out of bounds.

    Example:
        >>> read_amount("pot", "2.50")
        Fraction(5, 2)
        >>> read_amount("pot", 1e400)
        Traceback (most recent call last):
        gpuodds.errors.InputError: pot inf: expected a number of chips
    """
    amount = read_fraction(name, value, "a number of chips")
    if amount < 0:
        raise InputError(f"{name} {shown(value)}: expected at least 0")
    if amount > MAX_CHIPS:
        raise InputError(f"{name} {shown(value)}: expected {MAX_CHIPS:,} chips at most")
    if 0 < amount < MIN_CHIPS:
        raise InputError(f"{name} {shown(value)}: expected 0, or a billionth of a chip at least")
    return amount


def read_chance(name: str, value: Number | str) -> Fraction:
    """Return a number from 0 to 1.

    Raises:
        InputError: It is not one.
    """
    expected = "a chance, 0 to 1"
    chance = read_fraction(name, value, expected)
    if not 0 <= chance <= 1:
        raise InputError(f"{name} {shown(value)}: expected {expected}")
    return chance


def read_whole(name: str, value: Any, least: int = 0, most: int = MAX_WHOLE) -> int:
    """Return a whole number, such as 2 or 2.0, from ``least`` to ``most``.

    Raises:
        InputError: It is not one.
    """
    number = as_whole(name, value)
    if number < least:
        raise InputError(f"{name} {shown(value)}: expected at least {least}")
    if number > most:
        raise InputError(f"{name} {shown(value)}: expected at most {most:,}")
    return number


def read_fraction(name: str, value: Any, expected: str) -> Fraction:
    """Return a number as a fraction; ``expected`` ends the message.

    Raises:
        InputError: It is not a number, True or False, not finite, or a text of more than 30 characters.
    """
    if isinstance(value, Rational) and not isinstance(value, bool):
        return Fraction(int(value) if isinstance(value, Integral) else value)
    if isinstance(value, Real | str | Decimal) and not isinstance(value, bool):
        # A float as it is written. Fraction would take days over 1e999999999.
        text = str(value).strip()
        if len(text) <= MAX_LENGTH and DECIMAL.fullmatch(text):
            return Fraction(text)
    raise InputError(f"{name} {shown(value)}: expected {expected}")
