"""Hand strength on a street: how a combo fares against one random opponent once the board is full."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy.typing as npt

    Counts = npt.NDArray[Any]

OPPONENTS = 990  # combos that a full board and one's own leave: C(45, 2)
HALF_POTS = 2 * OPPONENTS
BINS = 50


class StreetCounts(NamedTuple):
    """Counts for each of n boards and 1,326 combos, over all ways to fill the board up.

    ``wins`` and ``ties`` (n, 1326) int32 count full boards and opponents. ``squares`` (n, 1326) int64
    sums (2 wins + ties)^2 over the full boards, and ``histogram`` (n, 1326, 50) int32 counts full
    boards by hand strength, (2 wins + ties) / 1980, in 50 bins of equal width, a strength of 1 in the
    last. These two are empty unless they were asked for. Combos that share a card with the board
    have zeros.
    """

    wins: Counts
    ties: Counts
    squares: Counts
    histogram: Counts
