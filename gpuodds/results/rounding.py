"""Rounding errors in sums of weights: what is left where weights that are not 0 or 1 cancel."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def without_rounding(counts: npt.ArrayLike, least: Any) -> npt.NDArray[np.float64]:
    """Return counts with 0 for those that only rounding keeps from 0.

    Counting by inclusion and exclusion subtracts weights: where no deal is left, 1e-16 may be. A count
    of deals is at least the product of the players' least weights.

    Args:
        counts: Sums of products of weights, any shape.
        least: The least that a count above 0 can be, a number or an array that fits ``counts``.

    Returns:
        Counts of the same shape, float64.

    Example:
        >>> without_rounding([2.5, -1e-16, 0.1], 0.1).tolist()
        [2.5, 0.0, 0.1]
    """
    values = np.asarray(counts, np.float64)
    return np.where(np.abs(values) < np.asarray(least) / 2, 0.0, values)
