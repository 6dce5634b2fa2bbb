"""Hand ranks of short deck: those of hold'em, numbered anew.

Hand ranks are 1 (J-9-8-7-6 of mixed suits) to 1404 (a royal flush). Every hand of the 36 cards has a
rank in hold'em, and within a category the order is the same. What differs is the order of categories,
and A-6-7-8-9: it is the lowest straight, and stands where hold'em has 5-6-7-8-9.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate, pairwise

import numpy as np
import numpy.typing as npt

from gpuodds.games.shared import hand_names, hand_ranks
from gpuodds.games.shared.hand_ranks import FIVE_CARDS, SIX_CARDS, HandRankTables
from gpuodds.games.short_deck.rules import LOWEST_RANK

Ints = npt.NDArray[np.int64]
UInt16s = npt.NDArray[np.uint16]

NINE, ACE = 7, 12
WHEEL = 1 << ACE | 0b11110000  # A-6-7-8-9
NOT_HIGH_CARD = (ACE, 7, 6, 5, 4)  # but the lowest straight
SIX_CARD_STATES = 18395
STRAIGHTS = ("straight", "straight flush")


def categories(trips_beat_straights: bool) -> tuple[str, ...]:
    """Return the categories, weakest first.

    >>> categories(False)[3:7]
    ('three of a kind', 'straight', 'full house', 'flush')
    """
    middle = ("three of a kind", "straight")
    order = middle[::-1] if trips_beat_straights else middle
    return ("high card", "pair", "two pair", *order, "full house", "flush", *hand_names.CATEGORIES[7:])


@lru_cache
def in_holdem(trips_beat_straights: bool) -> tuple[tuple[int, ...], ...]:
    """Return, for each category, hold'em's ranks of its hands, weakest first."""
    return tuple(tuple(_in_holdem(name)) for name in categories(trips_beat_straights))


def _in_holdem(name: str) -> list[int]:
    number = hand_names.CATEGORIES.index(name)
    lowest = NINE if name in STRAIGHTS else LOWEST_RANK
    hands = zip(hand_names.CATEGORY_RANKS[number], hand_names.list_faces(number), strict=True)
    return [rank for rank, faces in hands if min(faces) >= lowest and faces != NOT_HIGH_CARD]


@lru_cache
def category_ranks(trips_beat_straights: bool) -> tuple[range, ...]:
    """Return the hand ranks of each category, weakest first.

    >>> [len(ranks) for ranks in category_ranks(False)]
    [120, 504, 252, 252, 6, 72, 120, 72, 6]
    """
    ends = accumulate(map(len, in_holdem(trips_beat_straights)), initial=1)
    return tuple(range(begin, end) for begin, end in pairwise(ends))


@lru_cache
def hand_rank_tables(trips_beat_straights: bool) -> HandRankTables:
    """Return the tables (0.8 MB), made on the first call in some ms.

    States with a rank that is not in the deck have the hand rank 0.
    """
    holdem = hand_ranks.hand_rank_tables()
    names, ranks = categories(trips_beat_straights), category_ranks(trips_beat_straights)
    straights, straight_flushes = (ranks[names.index(name)] for name in STRAIGHTS)
    number = np.zeros(hand_ranks.HIGHEST_RANK + 1, np.uint16)
    for of_holdem, own in zip(in_holdem(trips_beat_straights), ranks, strict=True):
        number[list(of_holdem)] = own
    wheels = [_rank_in_holdem(name, NOT_HIGH_CARD) for name in ("high card", "flush")]
    number[wheels] = straights.start, straight_flushes.start
    rank_5 = _rank_five(holdem, number)
    rank_6, rank_7 = _rank_more(holdem.step, rank_5)
    flushes = ranks[names.index("flush")]
    ends = np.array([own.stop for own in ranks], np.int64)
    return HandRankTables(
        holdem.step,
        rank_5,
        rank_6,
        rank_7,
        _rank_flushes(holdem.flush, number),
        hand_ranks.ALL_RANKS >> LOWEST_RANK << LOWEST_RANK,
        WHEEL,
        flushes.start,
        flushes.stop,
        ends,
    )


def _rank_in_holdem(name: str, faces: tuple[int, ...]) -> int:
    number = hand_names.CATEGORIES.index(name)
    return hand_names.CATEGORY_RANKS[number][hand_names.list_faces(number).index(faces)]


def _rank_five(holdem: HandRankTables, number: UInt16s) -> UInt16s:
    """Return the ranks of the states of five cards."""
    states = np.zeros(1, np.int64)
    for _ in range(5):
        after = np.unique(holdem.step[states, LOWEST_RANK:])
        states = after[after > 0].astype(np.int64)
    ranks = np.zeros_like(holdem.rank_5)
    ranks[states - FIVE_CARDS] = number[holdem.rank_5[states - FIVE_CARDS]]
    return ranks


def _rank_more(step: UInt16s, rank_5: UInt16s) -> tuple[UInt16s, UInt16s]:
    """Return the ranks of the states of six cards, and of these with a seventh: the best of five."""
    five = np.flatnonzero(rank_5) + FIVE_CARDS
    after = step[five].astype(np.int64) - SIX_CARDS  # below 0 for a fifth card of a rank
    after[:, :LOWEST_RANK] = -1
    rank_6, rank_7 = np.zeros(SIX_CARD_STATES, np.uint16), np.zeros((SIX_CARD_STATES, 13), np.uint16)
    first, card = np.nonzero(after >= 0)
    six = after[first, card]
    np.maximum.at(rank_6, six, rank_5[five[first] - FIVE_CARDS])
    # Take a card from six and add one: the best of the seven is among these, or the six.
    order = np.argsort(six, kind="stable")
    states, begins = np.unique(six[order], return_index=True)
    moved = after[first[order]]
    best = np.maximum.reduceat(np.where(moved >= 0, rank_6[moved], 0), begins)
    able = np.minimum.reduceat(moved >= 0, begins)
    rank_7[states] = np.where(able, np.maximum(best, rank_6[states][:, None]), 0)
    return rank_6, rank_7


def _rank_flushes(holdem: UInt16s, number: UInt16s) -> UInt16s:
    """Return the best flush of each set of ranks; 0 for a set with a rank that is not in the deck."""
    flush = np.zeros_like(holdem)
    for ranks in range(0, len(flush), 1 << LOWEST_RANK):
        if ranks.bit_count() == 5:
            flush[ranks] = number[holdem[ranks]]
        elif ranks.bit_count() > 5:
            flush[ranks] = max(flush[ranks & ~(1 << rank)] for rank in range(13) if ranks >> rank & 1)
    return flush
