"""Clusters of opponents' hands: how a hand fares against each of them is a finer measure than equity.

Opponent cluster hand strength (OCHS): Johanson, Burch, Valenzano, Bowling, "Evaluating state-space
abstractions in extensive-form games" (2013).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Int32s = npt.NDArray[np.int32]

CLUSTERS = 8


class ClusterCounts(NamedTuple):
    """Counts for each of n boards and 1,326 combos against 8 clusters, summed over all runouts.

    Combos that share a card with the board have zeros.

    Attributes:
        half_pots: 2 wins + ties, shape (n, 1326, 8), int32: pairs of a runout and an opponent's combo.
        deals: How many such pairs there are, of the same shape.
    """

    half_pots: Int32s
    deals: Int32s
