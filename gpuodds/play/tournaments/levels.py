"""Levels of a freeze-out: blinds and antes that rise."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gpuodds.errors import InputError, excerpt

MAX_CHIPS = 10**9


@dataclass(frozen=True)
class Level:
    """The blinds and the ante of a level.

    Attributes:
        small_blind: Chips, above 0.
        big_blind: Chips, at least the small blind.
        ante: The chips that every player pays, 0 or more.

    Raises:
        InputError: A number is out of bounds.
    """

    small_blind: int
    big_blind: int
    ante: int = 0

    def __post_init__(self) -> None:
        """Check the chips."""
        if not 0 < self.small_blind <= self.big_blind <= MAX_CHIPS or not 0 <= self.ante <= MAX_CHIPS:
            raise InputError(
                f"level {self}: expected 0 < small blind <= big blind, and an ante of 0 or more"
            )

    def __str__(self) -> str:
        """Return the level as :func:`read_levels` reads it."""
        ante = f"/{self.ante}" if self.ante else ""
        return f"{self.small_blind}/{self.big_blind}{ante}"


def read_levels(text: str) -> tuple[Level, ...]:
    """Return the levels of a text.

    Args:
        text: Small blind, big blind and an optional ante, with commas between levels.

    Returns:
        The levels, in the order written.

    Raises:
        InputError: A level cannot be read; the message has its number.

    Example:
        >>> read_levels("50/100,75/150,100/200/10")[2]
        Level(small_blind=100, big_blind=200, ante=10)
    """
    levels = []
    for number, part in enumerate(text.split(","), 1):
        if not re.fullmatch(r" *[0-9]{1,10}/[0-9]{1,10}(/[0-9]{1,10})? *", part, re.ASCII):
            raise InputError(
                f"levels: level {number}, {excerpt(part)}: expected blinds such as 50/100, or "
                "50/100/10 with an ante"
            )
        levels.append(Level(*map(int, part.split("/"))))
    return tuple(levels)


def doubling_levels(small_blind: int, big_blind: int, chips: int) -> tuple[Level, ...]:
    """Return levels that double, until a big blind is all ``chips`` of the game.

    >>> [str(level) for level in doubling_levels(50, 100, 1000)]
    ['50/100', '100/200', '200/400', '400/800', '800/1600']
    """
    levels = [Level(small_blind, big_blind)]
    while levels[-1].big_blind < chips:
        levels.append(Level(2 * levels[-1].small_blind, 2 * levels[-1].big_blind))
    return tuple(levels)
