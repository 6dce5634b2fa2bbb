"""What the notations share: numbers as text, and the errors and notes that name a place in a text."""

from __future__ import annotations

from decimal import Decimal

from gpuodds.errors import InputError, excerpt

BLANK = r"\s\xa0"
DECIMAL = (
    r"(?:\d+(?:\.\d*)?|\.\d+)"  # matches any digits in one way only, so that matching takes linear time
)
DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-")
"""Hyphens, dashes and minus signs of print, as a table of :meth:`str.translate`."""


def fault(text: str, at: int, expected: str, found: str | None = "") -> InputError:
    """Return the error for a place in a text.

    Args:
        text: The whole text.
        at: The index of the place.
        expected: What was expected there.
        found: What is there; None for the end of the text, "" to leave it out.
    """
    where = f"{excerpt(text)}: column {at + 1}: {expected}"
    if found == "":
        return InputError(where)
    shown = "the end" if found is None else f"'{excerpt(found, 12)}'"
    return InputError(f"{where}, found {shown}")


def is_small_percentage(digits: str) -> bool:
    """Return whether a weight in percent is above 0 and at most 1, so that a share can be meant.

    >>> [is_small_percentage(digits) for digits in ("0", "0.5", "1", "50")]
    [False, True, True, False]
    """
    return 0 < Decimal(digits) <= 1


def percent_note(item: str, digits: str, explicit: str, share: str, more: int) -> str:
    """Return the note on weights in percent that can be meant as shares.

    Args:
        item: The first item with such a weight, such as ``AA@0.5``.
        digits: Its weight in percent.
        explicit: The item with a percent sign, which needs no note.
        share: The item with the weight as a share.
        more: The number of further items with such weights.
    """
    alike = f", like {more} more of 1 % or less" if more else ""
    readings = f"write {explicit}, or {share} for the share {digits}"
    return f"{item} is a weight of {digits} %{alike}: {readings}"
