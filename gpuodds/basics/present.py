"""Values that may be missing by their type, and never are where they are used."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def present(value: T | None) -> T:
    """Return a value that the caller knows is not None.

    It stands where an ``assert`` would: ``python -O`` leaves those out.

    Raises:
        RuntimeError: It is None, by an error of the caller.

    >>> present("AsKs")
    'AsKs'
    """
    if value is None:
        raise RuntimeError("a value that must be there is missing")
    return value
