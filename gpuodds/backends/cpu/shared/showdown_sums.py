"""What a count of showdowns adds up: integers where all weights are 0 or 1, else rounded floats."""

from __future__ import annotations

from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import inlined

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# A count is stopped between two pieces of work: each takes some hundredths of a second.
MAX_PIECES = 1024


class ShowdownSums(NamedTuple):
    """The sums of a count, added to board by board; an array that is not wanted has no entries.

    Attributes:
        exact: The sums if all weights are 0 or 1, (heroes, combos, masks).
        sums: The sums of other weights, (heroes, combos, masks).
        errors: What rounding loses of ``sums``, of the same shape.
        made: The sums by the category of the hero's hand, weighted by the hero's own weights too, all
            deals in the last column, (heroes, 9, masks + 1).
        category_ends: Those of the game's hand-rank tables, (9,).
    """

    exact: Ints
    sums: Floats
    errors: Floats
    made: Floats
    category_ends: Ints


def new_sums(
    heroes: int, combos: int, masks: int, integers: bool, made: bool, category_ends: Ints
) -> ShowdownSums:
    """Make sums of zero."""
    shape, nothing = (heroes, combos, masks), (0, 0, masks)
    return ShowdownSums(
        np.zeros(shape if integers else nothing, np.int64),
        np.zeros(nothing if integers else shape, np.float64),
        np.zeros(nothing if integers else shape, np.float64),
        np.zeros((heroes, len(category_ends), masks + 1) if made else (0, 0, 0), np.float64),
        category_ends,
    )


def count_pieces(boards: int, combos: int, least: int) -> int:
    """Return how many pieces of work a count is.

    Args:
        boards: The boards, at least one of them in a piece.
        combos: The combos of all players.
        least: The boards x combos of a piece.
    """
    return min(1 + boards * combos // least, max(1, boards), MAX_PIECES)


class Totals:
    """The sums of all pieces, added in the order of the pieces, so that they are rounded alike."""

    def __init__(self, integers: bool) -> None:
        self.counted: Any = 0
        self.made: Any = 0
        self._integers, self._next, self._lock = integers, 0, Lock()
        self._ahead: dict[int, ShowdownSums] = {}

    def add(self, piece: int, sums: ShowdownSums) -> None:
        """Take the sums of a piece; those of one that is ahead of others wait for them."""
        with self._lock:
            self._ahead[piece] = sums
            while (part := self._ahead.pop(self._next, None)) is not None:
                self.counted = self.counted + (
                    part.exact if self._integers else part.sums + part.errors
                )
                self.made = self.made + part.made
                self._next += 1


@inlined
def hand_category(rank: int, category_ends: Any) -> int:
    """Return the category of a hand rank, 0 (high card) to 8 (straight flush)."""
    category = 0
    while rank >= category_ends[category]:
        category += 1
    return category


@inlined
def add_term(sums: Floats, errors: Floats, hero: int, combo: int, mask: int, term: float) -> None:
    """Add a term to a sum, and what rounding loses of it to its error: Neumaier's summation."""
    before = sums[hero, combo, mask]
    total = before + term
    if abs(before) >= abs(term):
        errors[hero, combo, mask] += (before - total) + term
    else:
        errors[hero, combo, mask] += (term - total) + before
    sums[hero, combo, mask] = total
