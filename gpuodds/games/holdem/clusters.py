"""Clusters of opponents' hands: how a hand fares against each of them is a finer measure than equity.

Opponent cluster hand strength (OCHS): Johanson, Burch, Valenzano, Bowling, "Evaluating state-space
abstractions in extensive-form games" (2013).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    UInt8s = npt.NDArray[np.uint8]
    Int32s = npt.NDArray[np.int32]

CLUSTERS = 8
CLUSTER_OF_HANDS = (
    "7666666666666"
    "6565655555557"
    "6666666555555"
    "5555353537646"
    "4444443434333"
    "3333744444443"
    "3333333131744"
    "4242222121211"
    "1722222221111"
    "1117222221111"
    "0106222110000"
    "0620000000600"
    "0000500005005"
)
"""The cluster of each starting hand in the order of
:func:`gpuodds.games.holdem.starting_hands.starting_hands`, the weakest cluster 0.

A hand's strength on a full board, its share against a random hand, has a distribution over all
boards, here in 50 bins. The clusters are those of weighted k-means, a hand for each of its combos,
with the earth mover's distance of these histograms, the sum of the differences of cumulative shares:
the best of 400 seeds, and the same is found by two of them.
"""


@lru_cache
def opponent_clusters() -> UInt8s:
    """Return the cluster of each combo, shape (1326,), uint8."""
    import numpy as np

    from gpuodds.games.holdem.starting_hands import starting_hand, starting_hands
    from gpuodds.games.shared.combos import combo_cards

    of_hands = dict(zip(starting_hands(), map(int, CLUSTER_OF_HANDS), strict=True))
    return np.array([of_hands[starting_hand(cards)] for cards in combo_cards().tolist()], np.uint8)


class ClusterCounts(NamedTuple):
    """Counts for each of n boards and 1,326 combos against 8 clusters, summed over all runouts.

    Combos that share a card with the board have zeros.

    Attributes:
        half_pots: 2 wins + ties, shape (n, 1326, 8), int32: pairs of a runout and an opponent's combo.
        deals: How many such pairs there are, of the same shape.
    """

    half_pots: Int32s
    deals: Int32s
