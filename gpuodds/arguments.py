"""Arguments as callers write them: what has one meaning is taken, the rest is one line of error."""

from __future__ import annotations

from collections.abc import Collection
from math import isfinite
from numbers import Number
from operator import index
from typing import Any

from gpuodds.errors import InputError, excerpt


def shown(value: object) -> str:
    """Return a value as an error message can show it: texts and numbers as they are, else ``repr``."""
    try:
        return excerpt(str(value) if isinstance(value, str | Number) else repr(value))
    except ValueError:  # Python writes no integer of more than 4,300 digits
        return "of thousands of digits"


def as_whole(name: str, value: Any) -> int:
    """Return a whole number given as an integer of Python or NumPy, or as a float such as 2.0.

    Args:
        name: The argument, for the error.
        value: What was given.

    Raises:
        InputError: It is anything else, True and False included.

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


def as_number(name: str, value: Any) -> float:
    """Return a finite number given as any real number of Python or NumPy.

    Args:
        name: The argument, for the error.
        value: What was given.

    Raises:
        InputError: It is anything else, True and False, nan and inf included.

    >>> as_number("time_limit", 2)
    2.0
    """
    number = None if _is_truth(value) else _as_float(value)
    if number is None or not isfinite(number):
        raise InputError(f"{name} {shown(value)}: expected a number")
    return number


def as_seed(value: Any) -> int | None:
    """Return a seed, if there is one.

    Args:
        value: What was given; None is no seed.

    Raises:
        InputError: It is no whole number of 0 to 2^63 - 1.
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
    """Return the items of a list, an array or what else can be gone through; a text is no list.

    Args:
        name: The argument, for the error.
        value: What was given.
        expected: What the error names.

    Raises:
        InputError: It is one thing, not several.
    """
    try:
        if not isinstance(value, (str, bytes, bytearray)):
            return list(value)
    except TypeError:  # also an array of no dimension, which calls itself iterable
        pass
    raise InputError(f"{name} {shown(value)}: expected {expected}")


def as_flag(name: str, value: Any) -> bool:
    """Return a flag: True or False, NumPy's too, or 1 or 0.

    Args:
        name: The argument, for the error.
        value: What was given.

    Raises:
        InputError: It is anything else.
    """
    if _is_truth(value) or (isinstance(value, int) and value in (0, 1)):
        return bool(value)
    raise InputError(f"{name} {shown(value)}: expected True or False")


def one_of(name: str, value: Any, choices: Collection[str]) -> str:
    """Return a word that is one of some.

    Args:
        name: The argument, for the error.
        value: What was given.
        choices: The words.

    Raises:
        InputError: It is none of them.
    """
    if not isinstance(value, str) or value not in choices:
        raise InputError(f"{name} {shown(value)}: expected one of {', '.join(choices)}")
    return value


def _is_truth(value: object) -> bool:
    return isinstance(value, bool) or type(value).__name__ in ("bool_", "bool")  # NumPy's, unimported


def _as_float(value: Any) -> float | None:
    """Return a number as a float, None if it is no real number; texts are none."""
    if isinstance(value, (str, bytes, bytearray)) or getattr(value, "ndim", None):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None
