"""Find hand ranks by tables.

Hand ranks are 1 (7-5-4-3-2 of mixed suits) to 7462 (a royal flush). Better hands have higher ranks,
equal hands the same rank. :mod:`gpuodds.games.shared.build_hand_ranks` builds the tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.games.shared.hand_names import CATEGORIES, CATEGORY_RANKS

Ints = npt.NDArray[np.int64]
UInt16s = npt.NDArray[np.uint16]

FIVE_CARDS = 2380  # the first state with five cards: 1 + 13 + 91 + 455 + 1820 come before
SIX_CARDS = 8555  # the first state with six cards
HIGHEST_RANK = 7462  # a royal flush
ARRAYS = ("step", "rank_5", "rank_6", "rank_7", "flush")  # that ship in a file
ALL_RANKS = (1 << 13) - 1
WHEEL = 0b1000000001111  # A-2-3-4-5


class HandRankTables(NamedTuple):
    """The automaton over rank multisets, the flush table, and the numbers of a game that loops need.

    Games with the hole cards and boards of hold'em have tables of this form, each with its own hand
    ranks: see :attr:`gpuodds.games.holdem.game.Holdem.hand_rank_tables`. Loops take all that tells
    these games apart from here.

    Attributes:
        step: At [state, rank], the state after one more card, from state 0 (no card) to six cards.
        rank_5: At [state - FIVE_CARDS], the hand rank of five cards, flushes ignored.
        rank_6: At [state - SIX_CARDS], the hand rank of six cards, flushes ignored.
        rank_7: At [state - SIX_CARDS, rank], the hand rank of six cards and one more, flushes ignored.
        flush: At [mask], the rank of the best flush in a set of ranks of one suit (bit 0 the deuce, bit
            12 the ace); 0 for fewer than five ranks.
        ranks: The ranks of the deck, a mask.
        wheel: The ranks of the straight in which the ace is low, a mask.
        lowest_flush: The rank of the lowest flush.
        flushes_end: The lowest rank above all flushes that are not straight flushes.
        category_ends: Shape (9,): for each category, the weakest first, the lowest rank above it.
    """

    step: UInt16s
    rank_5: UInt16s
    rank_6: UInt16s
    rank_7: UInt16s
    flush: UInt16s
    ranks: int
    wheel: int
    lowest_flush: int
    flushes_end: int
    category_ends: Ints


@lru_cache
def hand_rank_tables() -> HandRankTables:
    """Return the tables of hold'em (0.8 MB), loaded on the first call."""
    path = Path(__file__).parent / "data" / "hand_ranks.npz"
    with np.load(path, allow_pickle=False) as data:
        step, rank_5, rank_6, rank_7, flush = (data[name] for name in ARRAYS)
    flushes = CATEGORY_RANKS[CATEGORIES.index("flush")]
    ends = np.array([ranks.stop for ranks in CATEGORY_RANKS], np.int64)
    return HandRankTables(
        step, rank_5, rank_6, rank_7, flush, ALL_RANKS, WHEEL, flushes.start, flushes.stop, ends
    )


def rank_cards(hand: Sequence[int], tables: HandRankTables | None = None) -> int:
    """Return the hand rank of five to seven card numbers, without checking them.

    Args:
        hand: Card numbers.
        tables: The game's tables, by default those of hold'em.

    >>> rank_cards([51, 47, 43, 39, 35, 0, 1])
    7462
    """
    tables = tables or hand_rank_tables()
    state = 0
    suited = [0, 0, 0, 0]
    for card in hand:
        suited[card & 3] |= 1 << (card >> 2)
    for card in hand[:6]:
        state = int(tables.step[state, card >> 2])
    if len(hand) == 5:
        rank = tables.rank_5[state - FIVE_CARDS]
    elif len(hand) == 6:
        rank = tables.rank_6[state - SIX_CARDS]
    else:
        rank = tables.rank_7[state - SIX_CARDS, hand[6] >> 2]
    return max(int(rank), *(int(tables.flush[ranks]) for ranks in suited))
