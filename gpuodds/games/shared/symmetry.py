"""Group boards that a renaming of the suits turns into each other, if it keeps the ranges."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.cards import DECK_SIZE
from gpuodds.games.shared.boards import UInt8s, canonical_boards, full_boards
from gpuodds.games.shared.combos import SUIT_NAMES, suit_relabellings
from gpuodds.games.shared.rules import BOARD_CARDS

Ints = npt.NDArray[np.int64]


def suit_group(weights: Any, board: Sequence[int], dead: Sequence[int]) -> list[int]:
    """Return the renamings of the suits that keep all ranges, the board and the dead cards.

    Args:
        weights: The players' ranges, shape (players, 1326).
        board: Card numbers.
        dead: Card numbers.

    Returns:
        Rows of :func:`~gpuodds.games.shared.combos.suit_relabellings`, ascending; always with row 0,
        the identity.
    """
    orders = suit_relabellings()
    return [
        number
        for number in renamings_of_cards(board, dead)
        if not number or np.array_equal(weights[:, orders[number]], weights)
    ]


def renamings_of_cards(*sets: Sequence[int]) -> list[int]:
    """Return the renamings of the suits that keep sets of cards, such as board and dead cards.

    Returns:
        Rows of :data:`gpuodds.games.shared.combos.SUIT_NAMES`, ascending; always with 0, the identity.
    """
    return _renamings_of_cards(frozenset(map(frozenset, sets)))


@lru_cache(1024)
def _renamings_of_cards(sets: frozenset[frozenset[int]]) -> list[int]:
    kept = np.ones(len(SUIT_NAMES), bool)
    for known in sets:
        cards = np.array(sorted(known), np.int64)
        renamed = np.sort(cards >> 2 << 2 | SUIT_NAMES[:, cards & 3])
        kept &= (renamed == cards).all(axis=1)
    return [int(number) for number in np.flatnonzero(kept)]


def weighted_boards(
    board: Sequence[int], dead: Sequence[int], group: Sequence[int], size: int = BOARD_CARDS
) -> tuple[UInt8s, Ints]:
    """Return one board of each class under a group of suit renamings, and the class sizes.

    Args:
        board: Card numbers, with which every board begins.
        dead: Card numbers.
        group: The group of :func:`suit_group`.
        size: The number of cards of the boards.

    Returns:
        Boards, shape (n, size), uint8, and sizes, shape (n,), int64.
    """
    if not board and len(group) == 24:
        canonical, weights = canonical_boards(size)
        if dead:  # all suits of a rank, else a renaming would not keep them
            live = ~np.isin(canonical, np.array(dead, np.uint8)).any(axis=1)
            canonical, weights = canonical[live], weights[live]
        return canonical, weights.astype(np.int64)
    boards = full_boards(board, dead, size)
    if len(group) == 1:
        return boards, np.ones(len(boards), np.int64)
    least = np.full(len(boards), np.iinfo(np.int64).max)
    cards = np.arange(DECK_SIZE)
    for number in group:
        bits = np.int64(1) << (4 * (cards >> 2) + SUIT_NAMES[number, cards & 3])
        np.minimum(least, bits[boards].sum(axis=1), out=least)
    _, first, sizes = np.unique(least, return_index=True, return_counts=True)
    return boards[first], sizes.astype(np.int64)


def average(counts: Any, group: Sequence[int]) -> Any:
    """Return the average of counts by combo over a group of suit renamings.

    The sum below is a multiple of the group's size, as in
    :func:`~gpuodds.games.shared.combos.average_over_suits`.

    Args:
        counts: Shape (..., 1326, masks): sums over one board per class, weighted by class size.
        group: The group of :func:`suit_group`.
    """
    orders = suit_relabellings()[list(group)]
    total = sum(counts[..., order, :] for order in orders)
    return total // len(group) if counts.dtype.kind == "i" else total / len(group)
