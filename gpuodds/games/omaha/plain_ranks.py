"""The hand rank of any two ranks of hole cards on any board, flushes left aside, as a table.

The ranks of a hand's pairs decide it, unless it has a flush: two hole cards play, and which three of
the board with them depends on their ranks alone.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from gpuodds.cards import RANKS
from gpuodds.games.shared.hand_ranks import FIVE_CARDS, SIX_CARDS, UInt16s, hand_rank_tables

THREE_CARDS = 105  # the automaton's first state with three cards: 1 + 13 + 91 come before
FOUR_CARDS = 560  # 455 more
RANK_PAIRS = 91
"""The multisets of two ranks: a and b, a <= b, have the number b(b + 1)/2 + a."""


def pair_number(low: int, high: int) -> int:
    """Return the number of two ranks, the lower first."""
    return high * (high + 1) // 2 + low


@lru_cache
def plain_ranks() -> UInt16s:
    """Return the hand ranks by the state of a board of 3 to 5 cards and by the number of two ranks.

    The states are those of :class:`gpuodds.games.shared.hand_ranks.HandRankTables`.

    Returns:
        Shape (8450, 91), 1.5 MB, built in 5 ms: at [state - THREE_CARDS, number], 0 where the board has
        too many cards of these ranks.
    """
    step, rank_5 = hand_rank_tables().step.astype(np.int64), hand_rank_tables().rank_5
    ranks = np.zeros((SIX_CARDS - THREE_CARDS, RANK_PAIRS), np.uint16)
    high, low = np.tril_indices(len(RANKS))
    five = step[step[THREE_CARDS:FOUR_CARDS]][:, high, low]
    ranks[: FOUR_CARDS - THREE_CARDS] = np.where(five, rank_5[np.maximum(five - FIVE_CARDS, 0)], 0)
    # A board of one card more has the best of the boards that it contains.
    for begin, end in ((THREE_CARDS, FOUR_CARDS), (FOUR_CARDS, FIVE_CARDS)):
        for rank in range(len(RANKS)):
            larger = step[begin:end, rank]
            smaller = np.flatnonzero(larger) + begin - THREE_CARDS  # no fifth card of a rank
            larger = larger[larger > 0] - THREE_CARDS
            ranks[larger] = np.maximum(ranks[larger], ranks[smaller])
    return ranks
