"""Rank hands of five to seven cards on the CPU, and every hand of seven cards in order.

The enumeration walks the automaton of :mod:`gpuodds.games.shared.hand_ranks` down six nested loops. The
seventh card then needs one look-up a rank: its suit matters only when four or more of the six cards
share one.
"""

from __future__ import annotations

from math import comb

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, empty, inlined, lowest_bit, popcount
from gpuodds.games.shared.hand_ranks import (
    FIVE_CARDS,
    SIX_CARDS,
    HandRankTables,
    UInt16s,
    hand_rank_tables,
)

HIGHEST_RANK = 7462
SUIT_BITS = 16  # one suit's rank mask; four of them fit an int64, spades use its bits 48 to 60
LONGEST_RUN = comb(49, 4)  # seven-card hands that begin with 2c 2d 2h

# The cards of each suit are counted in four bits each, from four up, so that a suit with four
# cards or more has its top bit set.
NO_SUITED_CARDS = 0x4444
FOUR_SUITED_CARDS = 0x8888


@compiled
def rank_cards(cards: npt.NDArray[np.uint8], tables: HandRankTables) -> UInt16s:
    """Return the hand rank of each row of cards.

    ``cards`` has shape (n, 5), (n, 6) or (n, 7), card numbers 0 to 51, each row's cards different;
    nothing is checked. The result has shape (n,).
    """
    hands, size = cards.shape
    ranks = empty(hands, np.uint16)
    suited = empty(4, np.int64)
    for hand in range(hands):
        suited[:] = 0
        state = np.uint16(0)
        for i in range(min(size, 6)):
            card = cards[hand, i]
            state = tables.step[state, card >> 2]
            suited[card & 3] |= 1 << (card >> 2)
        if size == 5:
            best = tables.rank_5[state - FIVE_CARDS]
        elif size == 6:
            best = tables.rank_6[state - SIX_CARDS]
        else:
            card = cards[hand, 6]
            best = tables.rank_7[state - SIX_CARDS, card >> 2]
            suited[card & 3] |= 1 << (card >> 2)
        for suit in range(4):
            best = max(best, tables.flush[suited[suit]])
        ranks[hand] = best
    return ranks


@compiled
def find_repeated_card(cards: npt.NDArray[np.uint8]) -> int:
    """Return the first row that holds a card twice, or -1.

    ``cards`` has shape (n, k), card numbers 0 to 51.
    """
    hands, size = cards.shape
    for hand in range(hands):
        seen = 0
        for i in range(size):
            seen |= 1 << cards[hand, i]
        if popcount(seen) != size:
            return hand
    return -1


@inlined
def _add_suited(suited: int, card: int) -> int:
    """Add a card to the four rank masks that ``suited`` packs."""
    return suited | 1 << (SUIT_BITS * (card & 3) + (card >> 2))


@inlined
def _add_count(counts: int, card: int) -> int:
    """Add a card to the four counts that ``counts`` packs."""
    return counts + (1 << 4 * (card & 3))


@inlined
def _rank_last_cards(
    six: int, suited: int, counts: int, sixth: int, tables: HandRankTables, out: UInt16s, end: int
) -> int:
    """Write the ranks of six given cards and each card after the sixth; return the new end."""
    many = counts & FOUR_SUITED_CARDS
    if many:
        suit = lowest_bit(many) >> 2
        mask = suited >> SUIT_BITS * suit & 0x1FFF
        for card in range(sixth + 1, 52):
            ranks = mask | (np.int64(card & 3 == suit) << (card >> 2))
            out[end] = max(tables.rank_7[six, card >> 2], tables.flush[ranks])
            end += 1
        return end
    rank = tables.rank_7[six, sixth >> 2]
    for _ in range(3 - (sixth & 3)):
        out[end] = rank
        end += 1
    for last in range((sixth >> 2) + 1, 13):
        rank = tables.rank_7[six, last]
        out[end] = rank
        out[end + 1] = rank
        out[end + 2] = rank
        out[end + 3] = rank
        end += 4
    return end


@compiled
def _rank_after_three(
    first: int, second: int, third: int, tables: HandRankTables, out: UInt16s, end: int
) -> int:
    """Write the ranks of the hands that begin with three given cards; return the new end."""
    suited = _add_suited(_add_suited(_add_suited(0, first), second), third)
    counts = _add_count(_add_count(_add_count(NO_SUITED_CARDS, first), second), third)
    state = tables.step[tables.step[tables.step[0, first >> 2], second >> 2], third >> 2]
    for fourth in range(third + 1, 49):
        suited_4 = _add_suited(suited, fourth)
        counts_4 = _add_count(counts, fourth)
        state_4 = tables.step[state, fourth >> 2]
        for fifth in range(fourth + 1, 50):
            suited_5 = _add_suited(suited_4, fifth)
            counts_5 = _add_count(counts_4, fifth)
            state_5 = tables.step[state_4, fifth >> 2]
            for sixth in range(fifth + 1, 51):
                suited_6 = _add_suited(suited_5, sixth)
                counts_6 = _add_count(counts_5, sixth)
                six = tables.step[state_5, sixth >> 2] - SIX_CARDS
                end = _rank_last_cards(six, suited_6, counts_6, sixth, tables, out, end)
    return end


@compiled
def _rank_after_two(first: int, second: int, tables: HandRankTables, out: UInt16s) -> int:
    end = 0
    for third in range(second + 1, 48):
        end = _rank_after_three(first, second, third, tables, out, end)
    return end


@compiled
def _count_hands_by_rank(tables: HandRankTables, run: UInt16s, counts: npt.NDArray[np.int64]) -> None:
    for first in range(46):
        for second in range(first + 1, 47):
            for third in range(second + 1, 48):
                end = _rank_after_three(first, second, third, tables, run, 0)
                # Neighbours are mostly equal: counting in turn in four columns keeps one count
                # from waiting for the one before.
                whole = end & ~3
                for i in range(0, whole, 4):
                    counts[0, run[i]] += 1
                    counts[1, run[i + 1]] += 1
                    counts[2, run[i + 2]] += 1
                    counts[3, run[i + 3]] += 1
                for i in range(whole, end):
                    counts[0, run[i]] += 1


def rank_all_seven(first: int, second: int) -> UInt16s:
    """Return the ranks of the seven-card hands whose two lowest cards are given.

    The hands are in lexicographic order of their ascending card numbers, 0 to 51; there are
    C(51 - second, 5) of them.

    >>> rank_all_seven(45, 46)
    array([7452], dtype=uint16)
    """
    ranks = np.empty(comb(51 - second, 5), np.uint16)
    _rank_after_two(first, second, hand_rank_tables(), ranks)
    return ranks


def count_all_seven() -> npt.NDArray[np.int64]:
    """Count how many of the 133,784,560 seven-card hands have each rank.

    The result has shape (7463,); entry r is the number of hands of rank r, entry 0 is 0.
    """
    counts = np.zeros((4, HIGHEST_RANK + 1), np.int64)
    _count_hands_by_rank(hand_rank_tables(), np.empty(LONGEST_RUN, np.uint16), counts)
    totals: npt.NDArray[np.int64] = counts.sum(axis=0)
    return totals
