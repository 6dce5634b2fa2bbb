"""The equity formula of all tables: a hand that splits with t others wins 1 / (t + 1) of the pot."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def pots_won(counts: Sequence[int]) -> Fraction:
    """Return how many pots a hand wins, from deals by ties.

    Args:
        counts: At t, the deals in which the hand splits with exactly t others.

    Example:
        >>> pots_won([10, 3, 1])
        Fraction(71, 6)
    """
    return sum((Fraction(count, ties + 1) for ties, count in enumerate(counts)), Fraction(0))


def equity_of(counts: Sequence[int], outcomes: int) -> float:
    """Return the equity, 0 to 1, from deals by ties: see :func:`pots_won`."""
    return float(pots_won(counts) / outcomes)


def equity_column(counts: Sequence[npt.NDArray[Any]], outcomes: Any) -> npt.NDArray[np.float64]:
    """Return the equities of many rows: :func:`equity_of` on arrays, in float64.

    Args:
        counts: At t, an array (n,): for each row, the deals in which the hand splits with t others.
        outcomes: The number of deals, for all rows or for each.
    """
    import numpy as np

    pots = np.zeros(len(counts[0]))
    for ties, column in enumerate(counts):
        pots += column / (ties + 1)
    equities: npt.NDArray[np.float64] = pots / np.asarray(outcomes, np.float64)
    return equities
