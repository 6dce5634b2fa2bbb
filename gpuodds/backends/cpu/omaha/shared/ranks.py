"""Rank many hands of Omaha, each on a board of its own, high and low.

Flushes aside, a high rank is the best rank over the pairs of the hole cards, which a table has by the
ranks of the pair and of the board.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, lowest_bit, popcount
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.backends.cpu.omaha.shared.flushes import best_flush
from gpuodds.games.omaha.low_ranks import LOW_BITS, best_lows
from gpuodds.games.omaha.plain_ranks import THREE_CARDS, plain_ranks
from gpuodds.games.shared.hand_ranks import HandRankTables, UInt16s, hand_rank_tables

UInt8s = npt.NDArray[np.uint8]

MIN_HANDS_PER_THREAD = 50_000  # a millisecond

# The cards of each suit are counted in four bits each, from five up, so that a suit with three cards or
# more has its top bit set.
NO_SUITED_CARDS = 0x5555
THREE_SUITED_CARDS = 0x8888


def rank_omaha_hands(hands: UInt8s, boards: UInt8s) -> UInt16s:
    """Return the high rank of each hand on its board, 1 to 7462.

    Nothing is checked.

    Args:
        hands: Card numbers, shape (n, 4), (n, 5) or (n, 6).
        boards: Card numbers, shape (n, 3), (n, 4) or (n, 5).

    Returns:
        Hand ranks, shape (n,).
    """
    hands, boards = _one_layout(hands), _one_layout(boards)
    tables, plain = hand_rank_tables(), plain_ranks()
    out = np.empty(len(hands), np.uint16)

    def rank(begin: int, end: int) -> None:
        _rank(hands[begin:end], boards[begin:end], tables, plain, out[begin:end])

    _share(rank, len(hands))
    return out


def low_ranks(hands: UInt8s, boards: UInt8s) -> UInt8s:
    """Return the low rank of each hand on its board: 0 for no low, else 1 to 56.

    The arguments are those of :func:`rank_omaha_hands`; the result has shape (n,).
    """
    hands, boards = _one_layout(hands), _one_layout(boards)
    bits, lows = np.array(LOW_BITS, np.uint8), best_lows()
    out = np.empty(len(hands), np.uint8)

    def rank(begin: int, end: int) -> None:
        _rank_lows(hands[begin:end], boards[begin:end], bits, lows, out[begin:end])

    _share(rank, len(hands))
    return out


def _one_layout(cards: UInt8s) -> UInt8s:
    """Return the array for which the functions below are compiled: rows in turn, and writable."""
    return np.require(cards, np.uint8, ("C", "W"))


def _share(rank: Callable[[int, int], None], count: int) -> None:
    with thread_pool(min(thread_count(), 1 + count // MIN_HANDS_PER_THREAD)) as run:
        run(rank, count)


@compiled
def _rank(hands: UInt8s, boards: UInt8s, tables: HandRankTables, plain: UInt16s, out: UInt16s) -> None:
    step, flush = tables.step, tables.flush
    size, hole_cards = boards.shape[1], hands.shape[1]
    for n in range(hands.shape[0]):
        state = np.int64(0)
        suits = NO_SUITED_CARDS
        for i in range(size):
            card = np.int64(boards[n, i])
            state = np.int64(step[state, card >> 2])
            suits += int(1 << 4 * (card & 3))
        best = 0
        for i in range(1, hole_cards):
            one = int(np.int64(hands[n, i] >> 2))
            for j in range(i):
                two = int(np.int64(hands[n, j] >> 2))
                # Of both ways to number two ranks the higher number has the higher one first.
                pair = max(one * (one + 1) // 2 + two, two * (two + 1) // 2 + one)
                best = max(best, int(np.int64(plain[state - THREE_CARDS, pair])))
        many = suits & THREE_SUITED_CARDS
        if many:
            suit = lowest_bit(many) >> 2
            hole = 0
            for i in range(hole_cards):
                card = np.int64(hands[n, i])
                hole |= int(np.int64(card & 3 == suit) << (card >> 2))
            if popcount(hole) >= 2:
                lying = 0
                for i in range(size):
                    card = np.int64(boards[n, i])
                    lying |= int(np.int64(card & 3 == suit) << (card >> 2))
                best = max(best, best_flush(hole, lying, flush))
        out[n] = best


@compiled
def _rank_lows(hands: UInt8s, boards: UInt8s, bits: UInt8s, lows: UInt8s, out: UInt8s) -> None:
    for n in range(hands.shape[0]):
        board, hand = np.int64(0), np.int64(0)
        for i in range(boards.shape[1]):
            board |= bits[boards[n, i] >> 2]
        for i in range(hands.shape[1]):
            hand |= bits[hands[n, i] >> 2]
        out[n] = lows[board, hand]
