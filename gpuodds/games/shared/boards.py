"""Boards: all of them, and the canonical ones, of which 134,459 have five cards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product
from math import comb

import numpy as np
import numpy.typing as npt

from gpuodds.cards import DECK_SIZE
from gpuodds.games.shared.rules import BOARD_CARDS

UInt8s = npt.NDArray[np.uint8]
UInt16s = npt.NDArray[np.uint16]
Ints = npt.NDArray[np.int64]


@lru_cache
def canonical_boards(size: int = BOARD_CARDS) -> tuple[UInt8s, UInt16s]:
    """Return the canonical board of each class of boards up to renaming the suits, and the class sizes.

    A board has a mask of ranks for each suit (bit 0 the deuce, bit 12 the ace). The canonical board of
    a class is the one whose masks descend from clubs to spades.

    Args:
        size: The number of cards, 0 to 5.

    Returns:
        Boards, shape (n, size), uint8 card numbers, ascending in each row, and sizes, shape (n,),
        uint16, which sum to C(52, size). n is 134,459 for five cards, 16,432 for four, 1,755 for three.
        Rows are in ascending order of their masks. The arrays are cached: do not write to them.
    """
    suits, sizes = _suit_masks(size)
    is_held = suits[:, None, :] >> np.arange(13)[:, None] & 1
    boards = np.nonzero(is_held.reshape(-1, DECK_SIZE))[1].reshape(len(suits), size).astype(np.uint8)
    return boards, sizes.astype(np.uint16)


@lru_cache
def canonical_index(size: int) -> tuple[Ints, Ints]:
    """Return where each board's rows begin in :mod:`gpuodds.games.holdem.canonical`.

    Args:
        size: The number of board cards, 0 to 5.

    Returns:
        Keys, shape (n,), int64, ascending: the four masks of each canonical board as one number. And
        offsets, shape (n + 1,), int64: the row of each board's first hand, and the number of all rows.

    >>> [len(canonical_index(size)[0]) for size in range(6)]
    [1, 13, 169, 1755, 16432, 134459]
    >>> [int(canonical_index(size)[1][-1]) for size in (0, 3, 4, 5)]
    [169, 1286792, 13960050, 123156254]
    """
    suits, _ = _suit_masks(size)
    free = 13 - _count_bits(suits)
    count = np.zeros(len(suits), np.int64)
    passed = np.zeros(len(suits), np.int64)
    for suit in range(4):
        new = suits[:, suit] != suits[:, suit - 1] if suit else np.ones(len(suits), bool)
        n = free[:, suit]
        count += np.where(new, n * (n - 1) // 2 + passed * n, 0)
        passed += np.where(new, n, 0)
        if suit:
            # The second of two suits with equal masks: hands with one card of each suit.
            older = suits[:, suit] == suits[:, suit - 2] if suit > 1 else False
            count += np.where(~new & ~np.asarray(older), n * (n + 1) // 2, 0)
    return _keys(suits), np.concatenate([[0], np.cumsum(count)])


def _keys(suits: Ints) -> Ints:
    keys: Ints = (suits << np.array([39, 26, 13, 0])).sum(axis=1)
    return keys


def _count_bits(masks: Ints) -> Ints:
    bits: Ints = (masks[..., None] >> np.arange(13) & 1).sum(axis=-1)
    return bits


@lru_cache
def _suit_masks(size: int) -> tuple[Ints, Ints]:
    # The masks (n, 4) of the canonical boards, and the sizes of their classes (n,).
    partitions = [sizes for sizes in product(range(size + 1), repeat=4) if sum(sizes) == size]
    kinds = sorted({tuple(sorted(sizes)) for sizes in partitions})
    suits = np.sort(np.concatenate([_suit_sets(sizes) for sizes in kinds]), axis=1)[:, ::-1]
    # A class has one board per distinct assignment of the four rank sets to the suits: 4! divided by
    # the factorial of the multiplicity of each set.
    sizes = np.full(len(suits), 24)
    run = np.ones(len(suits), np.int64)
    for suit in range(1, 4):
        run = np.where(suits[:, suit] == suits[:, suit - 1], run + 1, 1)
        sizes //= run
    order = np.argsort(_keys(suits))
    return suits[order], sizes[order]


def _suit_sets(sizes: tuple[int, ...]) -> Ints:
    # All multisets of four rank sets of the given sizes, as masks.
    rows = np.zeros((1, 0), np.int64)
    for size in sorted(set(sizes)):
        masks = [sum(1 << rank for rank in ranks) for ranks in combinations(range(13), size)]
        equal = np.array(list(combinations_with_replacement(masks, sizes.count(size))), np.int64)
        rows = np.hstack([np.repeat(rows, len(equal), axis=0), np.tile(equal, (len(rows), 1))])
    return rows


@lru_cache
def board_ranks() -> UInt8s:
    """Return the ranks that boards of five cards may have.

    Returns:
        Shape (6175, 5), uint8, ascending in each row and from row to row. The array is cached: do not
        write to it.
    """
    rows = combinations_with_replacement(range(13), BOARD_CARDS)
    return np.array([row for row in rows if row[0] != row[-1]], np.uint8)


def board_ranks_index(boards: UInt8s) -> Ints:
    """Return the row of :func:`board_ranks` of each of some boards (n, 5), shape (n,).

    >>> board_ranks_index(np.array([[0, 1, 2, 3, 4], [51, 50, 49, 48, 47]], np.uint8)).tolist()
    [0, 6174]
    """
    places = 13 ** np.arange(BOARD_CARDS)[::-1]
    index: Ints = np.searchsorted(board_ranks() @ places, np.sort(boards >> 2, axis=1) @ places)
    return index


def full_boards(board: Sequence[int], dead: Sequence[int], size: int = BOARD_CARDS) -> UInt8s:
    """Return every runout of a board.

    Args:
        board: Card numbers, 0 to 5.
        dead: Card numbers, none of them on the board.
        size: The number of cards of the boards, if the runouts end earlier than on the river.

    Returns:
        Shape (n, size), uint8: the given board, then the cards to come in ascending order.

    >>> full_boards([0, 21, 30], []).shape
    (1176, 5)
    """
    deck = np.array([card for card in range(DECK_SIZE) if card not in {*board, *dead}], np.uint8)
    to_come = subsets(len(deck), size - len(board))
    boards = np.empty((len(to_come), size), np.uint8)
    boards[:, : len(board)] = np.array(board, np.uint8)
    boards[:, len(board) :] = deck[to_come]
    return boards


@lru_cache(maxsize=8)
def subsets(count: int, size: int) -> UInt8s:
    """Return all subsets of size ``size`` of the numbers below ``count``, in colexicographic order.

    Returns:
        Shape (n, size), uint8, ascending in each row. The array is cached: do not write to it.
    """
    if size == 0:
        return np.zeros((1, 0), np.uint8)
    smaller = subsets(count, size - 1)
    listed = np.empty((comb(count, size), size), np.uint8)
    for last in range(size - 1, count):
        rows = slice(comb(last, size), comb(last + 1, size))
        listed[rows, :-1] = smaller[: comb(last, size - 1)]
        listed[rows, -1] = last
    return listed
