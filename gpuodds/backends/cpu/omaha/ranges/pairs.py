"""Rank every pair of hole cards on a full board: Omaha plays two of them with three board cards.

A hand's rank is the best of its pairs'. Without a flush a pair's rank depends on its two ranks: 91
pairs of ranks, with the board's ten triples. Only pairs of the suit that has three or more board cards
can make a flush.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, compiled_without_refcounts, popcount
from gpuodds.games.shared.hand_ranks import FIVE_CARDS, HandRankTables, UInt16s

UInt8s = npt.NDArray[np.uint8]

LOW_ORDER_MASK = 0xFF  # the ranks of a low: the ace is bit 0, the deuce bit 1, the eight bit 7


@compiled_without_refcounts
def _rank_without_flush(board: UInt8s, step: UInt16s, rank_5: UInt16s, plain: UInt16s) -> None:
    """Fill ``plain`` (13, 13), both halves: the best rank by the ranks of two hole cards."""
    # Loops to sizes of arrays are not unrolled: so the function compiles in a fifth of the time.
    cards, ranks = board.size, plain.shape[0]
    for first in range(ranks):
        for second in range(ranks):
            plain[first, second] = 0
    for i in range(cards - 2):
        after_one = np.int64(step[0, np.int64(board[i]) >> 2])
        for j in range(i + 1, cards - 1):
            after_two = np.int64(step[after_one, np.int64(board[j]) >> 2])
            for k in range(j + 1, cards):
                after_three = np.int64(step[after_two, np.int64(board[k]) >> 2])
                for first in range(ranks):
                    after_four = np.int64(step[after_three, first])
                    for second in range(first + 1):
                        # Five cards of one rank have no state: no such pair is left in the deck.
                        five = max(int(np.int64(step[after_four, second])) - FIVE_CARDS, 0)
                        plain[first, second] = max(plain[first, second], rank_5[five])
    for first in range(ranks):
        for second in range(first):
            plain[second, first] = plain[first, second]


@compiled_without_refcounts
def _spread(board: UInt8s, plain: UInt16s | UInt8s, out: UInt16s | UInt8s) -> None:
    """Fill ``out`` (1326,) from the values by two ranks, ``plain``; 0 for pairs with a board card."""
    index = 0
    cards = 4 * plain.shape[0]
    for b in range(cards):
        for a in range(b):
            out[index] = plain[b >> 2, a >> 2]
            index += 1
    for i in range(board.size):
        card = np.int64(board[i])
        for a in range(card):
            out[card * (card - 1) // 2 + a] = 0
        for b in range(card + 1, cards):
            out[b * (b - 1) // 2 + card] = 0


@compiled_without_refcounts
def _add_flushes(board: UInt8s, flush: UInt16s, out: UInt16s) -> None:
    """Raise the ranks of the pairs that make a flush."""
    for suit in range(4):
        on_board = 0
        for i in range(5):
            card = int(np.int64(board[i]))
            on_board |= (card & 3 == suit) << (card >> 2)
        if popcount(on_board) < 3:
            continue
        for high in range(1, 13):
            for low in range(high):
                if (on_board >> high | on_board >> low) & 1:
                    continue
                own_ranks = 1 << high | 1 << low
                best = np.uint16(0)
                # Every subset of three: the pair plays with exactly three.
                subset = on_board
                while subset:
                    if popcount(subset) == 3:
                        best = max(best, flush[subset | own_ranks])
                    subset = (subset - 1) & on_board
                b, a = 4 * high + suit, 4 * low + suit
                index = b * (b - 1) // 2 + a
                out[index] = max(out[index], best)


@compiled
def rank_pairs(board: UInt8s, tables: HandRankTables, plain: UInt16s, out: UInt16s) -> None:
    """Fill ``out`` (1326,) uint16: each pair's best high rank with three of the board's cards.

    ``board`` (5,) uint8 are its cards, ``plain`` (13, 13) uint16 is scratch. A pair of cards a < b has
    the number b(b - 1)/2 + a; it ranks 0 if one of them is on the board, else 1 to 7462.
    """
    _rank_without_flush(board, tables.step, tables.rank_5, plain)
    _spread(board, plain, out)
    _add_flushes(board, tables.flush, out)


@compiled
def rank_low_pairs(board: UInt8s, low_ranks: UInt8s, plain: UInt8s, out: UInt8s) -> bool:
    """Fill ``out`` (1326,) uint8: each pair's best low rank with three of the board's cards, 0 if none.

    ``low_ranks`` is :func:`gpuodds.games.omaha.low_ranks.low_ranks_of_sets`, ``plain`` (13, 13) uint8
    is scratch; pairs as in :func:`rank_pairs`. Returns whether the board has three low ranks; otherwise
    no pair has a low.
    """
    on_board = 0
    for i in range(5):
        # The ranks count from the deuce, 0, to the ace, 12.
        on_board |= 1 << ((int(np.int64(board[i])) >> 2) + 1) % 13
    on_board &= LOW_ORDER_MASK
    possible = bool(popcount(on_board) >= 3)
    for high in range(13):
        for low in range(high + 1):
            best = np.uint8(0)
            five_ranks = 1 << (high + 1) % 13 | 1 << (low + 1) % 13
            if possible and low < high and five_ranks <= LOW_ORDER_MASK:
                # The three lowest ranks that the pair does not have.
                left = on_board & ~five_ranks
                for _ in range(3):
                    five_ranks |= left & -left
                    left &= left - 1
                best = low_ranks[five_ranks]
            plain[high, low] = best
            plain[low, high] = best
    _spread(board, plain, out)
    return possible
