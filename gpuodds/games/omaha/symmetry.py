"""The renamings of the suits that leave a range of Omaha as it is."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.games.omaha.combos import cards_of_combos, combo_numbers, renamed_cards
from gpuodds.games.omaha.starting_hands import class_of_combos, starting_hands
from gpuodds.games.shared.combos import SUIT_NAMES

_SAMPLE = 1000  # combos that are compared before all others


def range_group(size: int, weights: npt.NDArray[np.float64]) -> frozenset[int]:
    """Return the renamings of the suits that leave a range as it is.

    Args:
        size: The number of cards of a hand.
        weights: Shape (combos,).

    Returns:
        Rows of :data:`gpuodds.games.shared.combos.SUIT_NAMES`; 0, the identity, is always there.
    """
    combos = np.flatnonzero(weights)
    if len(combos) in (0, len(weights)) and (weights == weights[0]).all():
        return frozenset(range(len(SUIT_NAMES)))
    if len(combos) > len(weights) // len(SUIT_NAMES):
        classes = class_of_combos(size)
        of_class = np.zeros(len(starting_hands(size).cards))
        of_class[classes] = weights
        if np.array_equal(of_class[classes], weights):
            return frozenset(range(len(SUIT_NAMES)))
    some = np.random.default_rng(0).choice(combos, min(_SAMPLE, len(combos)), replace=False)
    group = frozenset({0})
    for number in range(1, len(SUIT_NAMES)):
        if number in group or not _keeps(size, weights, some, number):
            continue
        if _keeps(size, weights, combos, number):
            group = _generated({*group, number})
    return group


def _generated(renamings: set[int]) -> frozenset[int]:
    """Return the renamings that are some renamings one after another."""
    number_of = {names: number for number, names in enumerate(map(tuple, SUIT_NAMES.tolist()))}
    while True:
        after = {
            number_of[tuple(SUIT_NAMES[second][SUIT_NAMES[first]].tolist())]
            for first in renamings
            for second in renamings
        }
        if after <= renamings:
            return frozenset(renamings)
        renamings |= after


def _keeps(
    size: int, weights: npt.NDArray[np.float64], combos: npt.NDArray[np.intp], renaming: int
) -> bool:
    """Return whether some combos keep their weights under a renaming.

    If all combos with a weight do, the others do as well: a renaming maps them onto each other.
    """
    renamed = renamed_cards(cards_of_combos(combos, size), renaming)
    return np.array_equal(weights[combo_numbers(renamed)], weights[combos])
