"""The starting hand of each combo, by number."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from gpuodds.games.holdem.starting_hands import starting_hand, starting_hands
from gpuodds.games.shared.combos import combo_cards


@lru_cache(maxsize=1)
def combo_hands() -> npt.NDArray[np.int64]:
    """Return the starting hand of each combo, (1326,), read-only.

    Numbers are places in :func:`~gpuodds.games.holdem.starting_hands.starting_hands`, 0 to 168.
    """
    numbers = {name: place for place, name in enumerate(starting_hands())}
    hands = np.array([numbers[starting_hand((low, high))] for low, high in combo_cards().tolist()])
    hands.flags.writeable = False
    return hands


def weights_by_hand(weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64] | None:
    """Return the weight of each starting hand, (169,), from those of the combos, (1326,).

    Returns:
        None if the combos of a starting hand have different weights.
    """
    hands = combo_hands()
    by_hand: npt.NDArray[np.float64] = weights[np.unique(hands, return_index=True)[1]]
    return by_hand if np.array_equal(by_hand[hands], weights) else None
