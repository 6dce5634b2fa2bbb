"""Amounts in hand histories: whole numbers of parts of a chip, read from and shown as text."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

PARTS = 100_000_000
"""Parts of a chip, or of a dollar: every amount of a hand is a whole number of them."""

_PLACES = 8  # decimals that the parts can tell
_AMOUNT = re.compile(r"\d[\d.,\s\u00a0\u202f']*")
_GROUPS = re.compile(r"[,.\s\u00a0\u202f']")


@lru_cache(maxsize=65536)
def read_chips(text: str) -> int:
    """Return an amount as sites print it, in parts of a chip.

    A comma or a point before one, two or four and more digits at the end is the decimal mark; before
    three it groups thousands, unless the number begins with 0.

    Args:
        text: Digits with any currency sign before or after them.

    Returns:
        The amount in parts; see :data:`PARTS`.

    Raises:
        ValueError: There are no digits in the text.

    Example:
        >>> [read_chips(text) // PARTS for text in ("$1,234", "1.234 €", "12 345,00")]
        [1234, 1234, 12345]
        >>> read_chips("0,02$"), read_chips("$0.125")
        (2000000, 12500000)
    """
    found = _AMOUNT.search(text)
    if found is None:
        raise ValueError(text)
    digits = found.group().strip(" .,\u00a0\u202f'")
    at = max(digits.rfind("."), digits.rfind(","))
    whole, decimals = (digits, "") if at < 0 else (digits[:at], digits[at + 1 :])
    if (
        len(decimals) == 3
        and whole.lstrip("0")
        and digits.count(digits[at]) == len(_GROUPS.findall(digits))
    ):
        whole, decimals = digits, ""
    return int(_GROUPS.sub("", whole) or "0") * PARTS + _read_decimals(decimals)


@lru_cache(maxsize=65536)
def read_number(text: str) -> int:
    """Return a number as TOML writes it, in parts of a chip: rounded where it has more than 8 decimals.

    Example:
        >>> read_number("1.5"), read_number("1e-2"), read_number("0.30000000000000004")
        (150000000, 1000000, 30000000)
    """
    whole, point, decimals = text.replace("_", "").partition(".")
    if point and len(decimals) <= _PLACES and decimals.isdigit() and whole.isdigit():
        return int(whole) * PARTS + _read_decimals(decimals)
    return round(Fraction(text.replace("_", "")) * PARTS)


def _read_decimals(digits: str) -> int:
    return int(digits.ljust(_PLACES, "0")[:_PLACES]) if digits else 0


def chips_text(amount: int | Fraction) -> str:
    """Return an amount in parts as text, exactly: a decimal number, or a fraction where it has no end.

    Example:
        >>> chips_text(150000000), chips_text(-2000000), chips_text(Fraction(PARTS, 3))
        ('1.5', '-0.02', '1/3')
    """
    chips = Fraction(amount) / PARTS
    twos, fives, rest = 0, 0, chips.denominator
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        return f"{chips.numerator}/{chips.denominator}"
    places = max(twos, fives)
    if not places:
        return str(chips.numerator)
    digits = str(abs(chips.numerator) * 10**places // chips.denominator).rjust(places + 1, "0")
    sign = "-" if chips < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}"
