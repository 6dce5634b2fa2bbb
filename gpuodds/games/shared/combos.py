"""Number the 1,326 combos of two cards, and combine tables of combo against combo.

The combo of the cards a and b, a < b, has the number b (b - 1) / 2 + a: colexicographic order, in
which the combos of the first n cards come first, whatever n is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.cards import DECK_SIZE
from gpuodds.games.shared.rules import COMBOS as COMBOS

Ints = npt.NDArray[np.int64]

SUIT_NAMES = np.array(list(permutations(range(4))))  # (24, 4): each renaming's name of each suit


def combo_index(first: int, second: int) -> int:
    """Return the number of the combo of two different cards.

    Args:
        first: A card number, 0 to 51.
        second: The number of another card, higher or lower.

    Returns:
        b (b - 1) / 2 + a for the cards a < b, 0 to 1325.

    Example:
        >>> combo_index(0, 1), combo_index(51, 50)
        (0, 1325)
    """
    low, high = min(first, second), max(first, second)
    return high * (high - 1) // 2 + low


@lru_cache
def combo_cards() -> npt.NDArray[np.uint8]:
    """Return the two cards of every combo.

    Returns:
        Card numbers, shape (1326, 2), uint8, the lower card first; row h is the combo of the number h.

    Example:
        >>> combo_cards()[[0, 1325]].tolist()
        [[0, 1], [50, 51]]
    """
    return np.array([(low, high) for high in range(DECK_SIZE) for low in range(high)], np.uint8)


@lru_cache
def combo_masks() -> Ints:
    """Return the two cards of every combo as a set, shape (1326,), int64: bit c is the card c."""
    masks: Ints = (np.int64(1) << combo_cards().astype(np.int64)).sum(axis=1)
    return masks


@lru_cache
def suit_relabellings() -> Ints:
    """Return the number of each combo under each of the 24 renamings of the suits, shape (24, 1326)."""
    cards = combo_cards()
    renamed = (cards >> 2) * 4 + SUIT_NAMES[:, cards & 3]
    low, high = renamed.min(axis=2), renamed.max(axis=2)
    orders: Ints = high * (high - 1) // 2 + low
    return orders


def average_over_suits(counts: Any, relabellings: Any) -> Any:
    """Return counts over all boards, from counts over one board per class weighted by class size.

    A class of boards has w members; n / w of the n relabellings turn the visited board into each of
    them. So the count over a class for combos h and v is w / n times the sum, over the relabellings s,
    of the count on the visited board for s(h) and s(v). The sum below is therefore n times an integer,
    and the division is exact.

    Args:
        counts: Shape (1326, 1326), int64, NumPy or CuPy.
        relabellings: The rows of :func:`suit_relabellings` in the group that makes the classes, as an
            array of the same kind.

    Returns:
        An array of the shape and kind of ``counts``.
    """
    total = counts.copy()  # the first relabelling leaves the suits as they are
    for order in relabellings[1:]:
        total += counts[order[:, None], order[None, :]]
    return total // len(relabellings)


def boards_dealt(board: Sequence[int], dead: Sequence[int]) -> Ints:
    """Return the number of full boards on which each pair of combos is dealt, shape (1326, 1326).

    The number is C(48 - n, k), with n board and dead cards and k cards to come; it is 0 if the combos
    share a card with each other, the board or the dead cards.
    """
    known = sum(1 << card for card in (*board, *dead))
    cards = combo_cards().astype(np.int64)
    masks = 1 << cards[:, 0] | 1 << cards[:, 1]
    free = masks & known == 0
    apart = (masks[:, None] & masks) == 0
    unseen = DECK_SIZE - len(board) - len(dead) - 4
    boards = comb(unseen, 5 - len(board)) if unseen >= 0 else 0
    return np.where(apart & free[:, None] & free, boards, 0)


def split_wins(wins: Ints, board: Sequence[int], dead: Sequence[int]) -> tuple[Ints, Ints]:
    """Return wins and ties of every combo against every other, both of shape (1326, 1326), int64.

    On each board h wins, v wins or they tie. So the ties are the boards dealt minus the wins of h over
    v and of v over h.

    Args:
        wins: At [h, v], the full boards on which h ranks above v; arbitrary if they share a card.
        board: Card numbers.
        dead: Card numbers.
    """
    dealt = boards_dealt(board, dead)
    won = np.where(dealt > 0, wins, 0)
    return won, dealt - won - won.T
