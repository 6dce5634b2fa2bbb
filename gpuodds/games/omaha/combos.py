"""Number the combos of four, five and six cards, and rename their suits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.cards import DECK_SIZE
from gpuodds.games.shared.combos import SUIT_NAMES

Ints = npt.NDArray[np.int64]

LISTED = 6  # cards of combos that are too many to be listed for their cards
MANY = 16  # one in as many combos of a game is enough to list all


def combo_index(cards: Sequence[int]) -> int:
    """Return the number of a combo from its card numbers, in any order.

    >>> combo_index([0, 1, 2, 3]), combo_index([51, 50, 49, 48])
    (0, 270724)
    """
    return sum(comb(card, place) for place, card in enumerate(sorted(cards), 1))


@lru_cache
def combo_cards(size: int) -> npt.NDArray[np.uint8]:
    """Return the cards of every combo of ``size`` cards, shape (combos, size), uint8, ascending."""
    rows = np.arange(DECK_SIZE, dtype=np.uint8)[:, None]
    for place in range(1, size):
        # Colexicographic order: the last card grows slowest, so combos of the first c cards come first.
        counts = [comb(card, place) for card in range(DECK_SIZE)]
        first = np.concatenate([rows[:count] for count in counts])
        last = np.repeat(np.arange(DECK_SIZE, dtype=np.uint8), counts)
        rows = np.column_stack([first, last])
    rows.flags.writeable = False
    return rows


def cards_of_combos(numbers: npt.NDArray[Any], size: int) -> npt.NDArray[np.uint8]:
    """Return the cards of some combos, shape (n, size), uint8, ascending, from their numbers.

    >>> cards_of_combos(np.array([0, 270724]), 4).tolist()
    [[0, 1, 2, 3], [48, 49, 50, 51]]
    """
    if size < LISTED and MANY * len(numbers) > comb(DECK_SIZE, size):
        listed: npt.NDArray[np.uint8] = combo_cards(size)[numbers]
        return listed
    left = np.array(numbers, np.int64)
    cards = np.empty((len(left), size), np.uint8)
    for place in range(size, 0, -1):
        binomials = _binomials(place)
        card = np.searchsorted(binomials, left, side="right") - 1
        cards[:, place - 1] = card
        left -= binomials[card]
    return cards


@lru_cache(maxsize=2)
def combo_masks(size: int) -> Ints:
    """Return the cards of every combo as a set, shape (combos,), int64: bit c is the card c."""
    masks = np.zeros(comb(DECK_SIZE, size), np.int64)
    for column in combo_cards(size).T:
        masks |= np.int64(1) << column.astype(np.int64)
    return masks


def combo_numbers(cards: npt.NDArray[Any]) -> Ints:
    """Return the numbers of combos, shape (n,), from their cards, shape (n, size), in any order."""
    in_order = np.sort(cards, axis=1)
    numbers = np.zeros(len(in_order), np.int64)
    for place in range(in_order.shape[1]):
        numbers += _binomials(place + 1)[in_order[:, place]]
    return numbers


@lru_cache
def _binomials(size: int) -> Ints:
    return np.array([comb(card, size) for card in range(DECK_SIZE)], np.int64)


def renamed_cards(cards: npt.NDArray[np.uint8], renaming: int) -> npt.NDArray[np.uint8]:
    """Return cards under a renaming of the suits, in the same shape."""
    every = np.arange(DECK_SIZE)
    renamed: npt.NDArray[np.uint8] = 4 * (every >> 2) + SUIT_NAMES[renaming, every & 3]
    return renamed.astype(np.uint8)[cards]
