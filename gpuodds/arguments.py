"""Arguments as callers write them: what has one meaning is taken, the rest is one line of error."""

from __future__ import annotations

from collections.abc import Collection
from math import isfinite
from operator import index
from typing import Any

from gpuodds.errors import InputError, excerpt


def shown(value: object) -> str:
    """Return a value as an error message can show it: a text as it is, else its ``repr``, cut."""
    return excerpt(value if isinstance(value, str) else repr(value))


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
