"""Hand strength on a street: how a combo fares on full boards against one random opponent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy.typing as npt

    Counts = npt.NDArray[Any]

OPPONENTS = 990  # the opponent's possible combos on a full board: C(45, 2)
HALF_POTS = 2 * OPPONENTS
BINS = 50


class StreetCounts(NamedTuple):
    """Counts for each of n boards and 1,326 combos, summed over all runouts.

    Combos that share a card with the board have zeros. ``squares`` and ``histogram`` are empty unless
    requested.

    Attributes:
        wins: Shape (n, 1326), int32: pairs of a runout and an opponent's combo that the combo beats.
        ties: Shape (n, 1326), int32: such pairs that it ties.
        squares: Shape (n, 1326), int64: the sum over runouts of (2 wins + ties)^2.
        histogram: Shape (n, 1326, 50), int32: runouts by hand strength, (2 wins + ties) / 1980, in 50
            bins of equal width; the last bin includes 1.
    """

    wins: Counts
    ties: Counts
    squares: Counts
    histogram: Counts
