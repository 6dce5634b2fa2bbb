"""Boards of five cards: every one, and the 134,459 that differ in more than the names of the suits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np
import numpy.typing as npt

from gpuodds.cards import DECK_SIZE, format_card
from gpuodds.errors import InputError

UInt8s = npt.NDArray[np.uint8]
UInt16s = npt.NDArray[np.uint16]

BOARD = 5
# How many cards of each suit a board can have, most first; suits without a card are left out.
SUIT_SIZES = ((5,), (4, 1), (3, 2), (3, 1, 1), (2, 2, 1), (2, 1, 1, 1))


@lru_cache
def canonical_boards() -> tuple[UInt8s, UInt16s]:
    """List one board of each class that relabelling the suits makes, and the size of each class.

    Returns the boards, shape (134459, 5), each row ascending card numbers, rows in lexicographic order,
    and the sizes, shape (134459,), which sum to 2,598,960. Of the boards of a class the one listed has
    its cards' ranks by suit, read as masks (bit 0 the deuce, bit 12 the ace), descend from clubs to
    spades. The arrays are shared: do not write to them.
    """
    suits = np.sort(np.concatenate([_suit_sets(sizes) for sizes in SUIT_SIZES]), axis=1)[:, ::-1]
    # A class has a board for each way to give the four rank sets to the suits: 4! divided by the
    # factorials of how often equal sets occur.
    sizes = np.full(len(suits), 24)
    run = np.ones(len(suits), np.int64)
    for suit in range(1, 4):
        run = np.where(suits[:, suit] == suits[:, suit - 1], run + 1, 1)
        sizes //= run
    held = suits[:, None, :] >> np.arange(13)[:, None] & 1
    boards = np.nonzero(held.reshape(-1, DECK_SIZE))[1].reshape(-1, BOARD).astype(np.uint8)
    order = np.lexsort(boards.T[::-1])
    return boards[order], sizes[order].astype(np.uint16)


def _suit_sets(sizes: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """List the multisets of four rank sets, as masks, of the given sizes and empty."""
    rows = np.zeros((1, 0), np.int64)
    for size in sorted(set(sizes)):
        masks = [sum(1 << rank for rank in ranks) for ranks in combinations(range(13), size)]
        equal = np.array(list(combinations_with_replacement(masks, sizes.count(size))), np.int64)
        rows = np.hstack([np.repeat(rows, len(equal), axis=0), np.tile(equal, (len(rows), 1))])
    return np.pad(rows, ((0, 0), (0, 4 - rows.shape[1])))


def full_boards(board: Sequence[int], dead: Sequence[int]) -> UInt8s:
    """List every way to fill a board from the cards that are neither on it nor dead.

    ``board`` and ``dead`` are card numbers, as :func:`check_cards` wants them. The result has shape
    (n, 5), uint8: the given board, then the cards to come in ascending order.

    >>> full_boards([0, 21, 30], []).shape
    (1176, 5)
    """
    deck = np.array([card for card in range(DECK_SIZE) if card not in {*board, *dead}], np.uint8)
    to_come = _subsets(len(deck), BOARD - len(board))
    boards = np.empty((len(to_come), BOARD), np.uint8)
    boards[:, : len(board)] = np.array(board, np.uint8)
    boards[:, len(board) :] = deck[to_come]
    return boards


@lru_cache(maxsize=8)
def _subsets(count: int, size: int) -> UInt8s:
    # In colexicographic order: the subsets below an element come first, and are so many.
    if size == 0:
        return np.zeros((1, 0), np.uint8)
    smaller = _subsets(count, size - 1)
    subsets = np.empty((comb(count, size), size), np.uint8)
    for last in range(size - 1, count):
        rows = slice(comb(last, size), comb(last + 1, size))
        subsets[rows, :-1] = smaller[: comb(last, size - 1)]
        subsets[rows, -1] = last
    return subsets


def check_cards(board: Sequence[int], dead: Sequence[int]) -> None:
    """Refuse more than five board cards, a number that is no card, and a card given twice.

    Raises:
        InputError: One of these was found.
    """
    if len(board) > BOARD:
        raise InputError(f"board: expected at most 5 cards, found {len(board)}")
    cards = [*board, *dead]
    for i, card in enumerate(cards):
        if not 0 <= card < DECK_SIZE:
            raise InputError(f"card number {card}: expected 0 to 51")
        if card in cards[:i]:
            raise InputError(f"{format_card(card)}: the same card is twice in the board and dead cards")
