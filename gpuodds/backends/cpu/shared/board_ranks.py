"""Rank combos on one full board: a look-up by the two ranks, and another where a flush is possible."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import inlined, popcount
from gpuodds.games.shared.hand_ranks import SIX_CARDS, HandRankTables, UInt16s

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

SUIT_BITS = 16  # of a suit's rank mask; four of them fit an int64


class FullBoard(NamedTuple):
    """Five board cards, as ranking combos needs them.

    Attributes:
        dealt: The set of cards, a mask.
        state: The automaton's state after their ranks.
        flush_suit: The suit with three cards or more, else -1.
        flush_ranks: The board's ranks of that suit, a mask.
    """

    dealt: int
    state: np.int64
    flush_suit: int
    flush_ranks: int


@inlined
def read_board(board: UInt8s, tables: HandRankTables) -> FullBoard:
    """Read five board cards."""
    dealt = 0
    suited = 0
    state = np.int64(0)
    for i in range(5):
        card = int(np.int64(board[i]))
        dealt |= 1 << card
        suited |= 1 << (SUIT_BITS * (card & 3) + (card >> 2))
        state = np.int64(tables.step[state, card >> 2])
    flush_suit = -1
    flush_ranks = 0
    for suit in range(4):
        ranks = suited >> SUIT_BITS * suit & 0x1FFF
        if popcount(ranks) >= 3:
            flush_suit = suit
            flush_ranks = ranks
    return FullBoard(dealt, state, flush_suit, flush_ranks)


@inlined
def rank_without_flush(
    state: np.int64, step: UInt16s, rank_7: UInt16s, plain: npt.NDArray[np.integer]
) -> None:
    """Fill ``plain`` (13, 13): the hand rank by the ranks of two hole cards, flushes left aside."""
    for first in range(13):
        six = np.int64(step[state, first]) - SIX_CARDS
        for second in range(13):
            plain[first, second] = rank_7[six, second] if six >= 0 else 0


@inlined
def ranks_in_suit(a: int, b: int, suit: int, ranks: int) -> int:
    """Add the ranks of the cards a and b that are of a suit to a mask of ranks."""
    return int(ranks | np.int64(a & 3 == suit) << (a >> 2) | np.int64(b & 3 == suit) << (b >> 2))
