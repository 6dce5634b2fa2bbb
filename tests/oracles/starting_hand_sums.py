"""Counts of combo against combo, summed by starting hand."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.games.holdem.starting_hands import starting_hand, starting_hands
from gpuodds.games.shared.combos import combo_cards

Ints = npt.NDArray[np.int64]


def by_starting_hand(counts: Ints) -> Ints:
    """Sum counts of combo against combo, shape (1326, 1326), by starting hand: shape (169, 169).

    Row and column i are the combos of ``starting_hands()[i]``; pairs that share a card count 0, so an
    entry is the sum over all disjoint combos of the two starting hands.
    """
    names = starting_hands()
    labels = [names.index(starting_hand((low, high))) for low, high in combo_cards().tolist()]
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(np.array(labels)[order], np.arange(len(names)))
    sums: Ints = np.add.reduceat(
        np.add.reduceat(counts[np.ix_(order, order)], starts, axis=0), starts, axis=1
    )
    return sums
