"""The rank of every two ranks of hole cards on every five ranks of a board, flushes left aside."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from gpuodds.backends.cpu.boards import rank_multisets
from gpuodds.backends.cpu.jit import compiled
from gpuodds.backends.cpu.omaha.pair_ranks import Int16s, Ints, new_pair_ranks, rank_plain_pairs
from gpuodds.games.holdem.hand_ranks import (
    FIVE_CARDS,
    SIX_CARDS,
    HandRankTables,
    UInt16s,
    hand_rank_tables,
)
from gpuodds.games.holdem.rules import BOARD_CARDS

RANK_PAIRS = 91
"""The multisets of two ranks: a and b, a <= b, have the number b(b + 1)/2 + a."""


@lru_cache
def plain_ranks() -> UInt16s:
    """Return the table, shape (6175, 91): by the board's state - FIVE_CARDS and two ranks; 1.1 MB."""
    ranks = np.zeros((SIX_CARDS - FIVE_CARDS, RANK_PAIRS), np.uint16)
    boards = rank_multisets(BOARD_CARDS).astype(np.int64)
    _fill(boards, hand_rank_tables(), new_pair_ranks().plain, ranks)
    return ranks


@compiled
def _fill(boards: Ints, tables: HandRankTables, pairs: Int16s, ranks: UInt16s) -> None:
    for number in range(boards.shape[0]):
        state = np.int64(0)
        for i in range(boards.shape[1]):
            state = np.int64(tables.step[state, boards[number, i]])
        if state < FIVE_CARDS:  # five of one rank
            continue
        rank_plain_pairs(boards[number], tables, pairs)
        row = ranks[state - FIVE_CARDS]
        pair = 0
        for high in range(13):
            for low in range(high + 1):
                row[pair] = pairs[high, low]
                pair += 1
