"""Rank pairs of hole cards with the best three cards of a board, by rank and not by card.

A pair has three ranks on a board: flushes left aside, its flush, and its low. The first and the last
depend on ranks alone. A hand of Omaha ranks as the best of its pairs.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, inlined, popcount
from gpuodds.games.omaha.low_ranks import low_ranks_of_sets
from gpuodds.games.shared.hand_ranks import FIVE_CARDS, HandRankTables

Ints = npt.NDArray[np.int64]
Int16s = npt.NDArray[np.int16]

LOW_LEVELS = 57  # no low, and 56 lows


class PairRanks(NamedTuple):
    """Ranks of pairs on boards of the same ranks, all of shape (13, 13), int16, by the pair's ranks.

    ``plain`` are hand ranks without flushes, ``suited`` the ranks of flushes of two suited cards; its
    entries for a rank twice mean nothing. ``low`` are 0 for no low, else 1 (8-7-6-5-4) to 56
    (5-4-3-2-A).
    """

    plain: Int16s
    suited: Int16s
    low: Int16s


def new_pair_ranks() -> PairRanks:
    """Return the arrays that the functions below fill."""
    return PairRanks(*(np.zeros((13, 13), np.int16) for _ in range(3)))


@lru_cache
def low_ranks() -> Int16s:
    """Return the rank of the low of each set of eight ranks, (256,): bit 0 the ace, bit 7 the eight.

    0 for any number of ranks but five.
    """
    return low_ranks_of_sets().astype(np.int16)


@compiled
def rank_plain_pairs(board: Ints, tables: HandRankTables, out: Int16s) -> None:
    """Fill the hand ranks of pairs on a board of five ranks, ascending, flushes left aside."""
    step, rank_5 = tables.step, tables.rank_5
    out[:] = 0
    for i in range(3):
        for j in range(i + 1, 4):
            for k in range(j + 1, 5):
                # Of equal ranks the first ones play: no triple twice.
                if (
                    (i > 0 and board[i] == board[i - 1])
                    or (j > i + 1 and board[j] == board[j - 1])
                    or (k > j + 1 and board[k] == board[k - 1])
                ):
                    continue
                three = step[step[step[0, board[i]], board[j]], board[k]]
                for one in range(13):
                    four = step[three, one]
                    for two in range(one, 13):
                        five = np.int64(step[four, two])
                        if four and five:
                            out[one, two] = max(out[one, two], np.int16(rank_5[five - FIVE_CARDS]))
    for one in range(13):
        for two in range(one):
            out[one, two] = out[two, one]


@compiled
def rank_suited_pairs(inside: int, tables: HandRankTables, out: Int16s) -> None:
    """Fill the ranks of flushes of pairs; ``inside`` are the board's ranks of the suit, 3 to 5."""
    flush = tables.flush
    out[:] = 0
    three = inside
    while three:
        if popcount(three) == 3:
            for one in range(13):
                for two in range(one):
                    rank = np.int16(flush[three | 1 << one | 1 << two])
                    out[one, two] = max(out[one, two], rank)
        three = (three - 1) & inside
    for one in range(13):
        for two in range(one):
            out[two, one] = out[one, two]


@inlined
def low_bits(ranks: int) -> int:
    """Return a set of ranks (bit 0 the deuce) as eight bits, from the ace to the eight."""
    return ranks << 1 & 0xFE | ranks >> 12


@compiled
def rank_low_pairs(board: int, low_of: Int16s, out: Int16s) -> bool:
    """Fill the lows of pairs; ``board`` is the board's set of ranks. Return whether any is possible."""
    low = low_bits(board)
    out[:] = 0
    if popcount(low) < 3:
        return False
    for one in range(13):
        for two in range(one):
            ranks = low_bits(1 << one | 1 << two)
            left = low & ~ranks
            if popcount(ranks) == 2 and popcount(left) >= 3:
                for _ in range(3):  # the lowest play
                    ranks |= left & -left
                    left &= left - 1
                out[one, two] = out[two, one] = low_of[ranks]
    return True
