"""Hand ranks 1 to 7462 and the tables that find them.

Rank 1 is 7-5-4-3-2 of mixed suits, 7462 a royal flush; equal hands have equal ranks, better hands
higher ones. The tables are made by :mod:`gpuodds.games.holdem.build_hand_ranks`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

UInt16s = npt.NDArray[np.uint16]

FIVE_CARDS = 2380  # the first state with five cards: 1 + 13 + 91 + 455 + 1820 come before
SIX_CARDS = 8555  # the first state with six cards
LOWEST_FLUSH = 5864  # 7-5-4-3-2 of one suit
HIGHEST_RANK = 7462  # a royal flush


class HandRankTables(NamedTuple):
    """The automaton over rank multisets, and the flush table.

    ``step[state, rank]`` is the state after one more card, from state 0 (no card) to six cards.
    ``rank_5[state - FIVE_CARDS]`` and ``rank_6[state - SIX_CARDS]`` are hand ranks of five and
    six cards, ``rank_7[state - SIX_CARDS, rank]`` of six and one more, flushes left aside.
    ``flush[mask]`` is the rank of the best flush in a set of at least five ranks of one suit (bit 0
    the deuce, bit 12 the ace), 0 for smaller sets.
    """

    step: UInt16s
    rank_5: UInt16s
    rank_6: UInt16s
    rank_7: UInt16s
    flush: UInt16s


@lru_cache
def hand_rank_tables() -> HandRankTables:
    """Load the tables (0.8 MB in memory)."""
    path = Path(__file__).parent / "data" / "hand_ranks.npz"
    with np.load(path, allow_pickle=False) as data:
        return HandRankTables(*(data[name] for name in HandRankTables._fields))


def rank_cards(hand: Sequence[int]) -> int:
    """Return the hand rank of five to seven card numbers, which are not checked.

    >>> rank_cards([51, 47, 43, 39, 35, 0, 1])
    7462
    """
    tables = hand_rank_tables()
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
