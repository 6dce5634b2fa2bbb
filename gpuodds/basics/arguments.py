"""Read the arguments of public functions: accept what has one meaning, else raise a one-line error."""

from __future__ import annotations

from collections.abc import Collection
from math import isfinite
from numbers import Number
from operator import index
from typing import Any

from gpuodds.errors import InputError, excerpt


def shown(value: object) -> str:
    """Return a value for an error message: the start of a text or number, else of its ``repr``."""
    try:
        return excerpt(str(value) if isinstance(value, str | Number) else repr(value))
    except ValueError:  # Python writes no integer of more than 4,300 digits
        return "of thousands of digits"


def as_whole(name: str, value: Any) -> int:
    """Return a whole number, given as an integer of Python or NumPy or as a float such as 2.0.

    Args:
        name: The argument's name, for the error.
        value: The argument's value.

    Raises:
        InputError: The value is not a whole number; True and False are not.

    >>> as_whole("opponents", 2.0)
    2
    """
    if not _is_truth(value):
        try:
            return index(value)
        except TypeError:
            number = _as_float(value)
            if number is not None and number.is_integer():
                return int(number)
    raise InputError(f"{name} {shown(value)}: expected a whole number")


def read_digits(text: str, most: int) -> int | None:
    """Return the whole number that a text writes in ASCII digits, at most ``most`` of them.

    Of texts of thousands of digits ``int`` makes an error of its own: every number that a user types is
    read here.

    Args:
        text: The text, without a sign or blanks.
        most: The number of digits, leading zeros included.

    Returns:
        The number; None if the text is anything else.

    >>> read_digits("042", 3), read_digits("-1", 3), read_digits("1234", 3)
    (42, None, None)
    """
    if text.isascii() and text.isdecimal() and len(text) <= most:
        return int(text)
    return None


def as_number(name: str, value: Any) -> float:
    """Return a finite number given as any real number of Python or NumPy.

    Args:
        name: The argument's name, for the error.
        value: The argument's value.

    Raises:
        InputError: The value is not a finite number; True, False, nan and inf are not.

    >>> as_number("time_limit", 2)
    2.0
    """
    number = None if _is_truth(value) else _as_float(value)
    if number is None or not isfinite(number):
        raise InputError(f"{name} {shown(value)}: expected a number")
    return number


def as_seed(value: Any) -> int | None:
    """Return a seed, or None.

    Args:
        value: The seed, or None for no seed.

    Raises:
        InputError: The value is not a whole number from 0 to 2^63 - 1.
    """
    if value is None:
        return None
    seed = as_whole("seed", value)
    if seed < 0:
        raise InputError(f"seed {seed}: expected 0 or more")
    if seed >= 1 << 63:
        raise InputError(f"seed {shown(seed)}: expected less than 2^63")
    return seed


def listed(name: str, value: Any, expected: str) -> list[Any]:
    """Return the items of a list, an array or another iterable that is not text.

    Args:
        name: The argument's name, for the error.
        value: The argument's value.
        expected: What the error says was expected.

    Raises:
        InputError: The value is a text or not iterable.
    """
    try:
        if not isinstance(value, (str, bytes, bytearray)):
            return list(value)
    except TypeError:  # also for an array without dimensions, which has __iter__ but cannot iterate
        pass
    raise InputError(f"{name} {shown(value)}: expected {expected}")


def as_flag(name: str, value: Any) -> bool:
    """Return a flag, given as True or False of Python or NumPy, or as 1 or 0.

    Args:
        name: The argument's name, for the error.
        value: The argument's value.

    Raises:
        InputError: The value is not a flag.
    """
    if _is_truth(value) or (isinstance(value, int) and value in (0, 1)):
        return bool(value)
    raise InputError(f"{name} {shown(value)}: expected True or False")


def one_of(name: str, value: Any, choices: Collection[str]) -> str:
    """Return a word after checking that it is one of the choices.

    Args:
        name: The argument's name, for the error.
        value: The argument's value.
        choices: The allowed words.

    Raises:
        InputError: The value is not one of the choices.
    """
    if not isinstance(value, str) or value not in choices:
        raise InputError(f"{name} {shown(value)}: expected one of {', '.join(choices)}")
    return value


def _is_truth(value: object) -> bool:
    return isinstance(value, bool) or type(value).__name__ in ("bool_", "bool")  # NumPy's, unimported


def _as_float(value: Any) -> float | None:
    """Return a real number as a float; None for other values, texts included."""
    if isinstance(value, (str, bytes, bytearray)) or getattr(value, "ndim", None):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None
