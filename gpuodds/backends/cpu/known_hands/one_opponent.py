"""Count the hands that beat and tie one known hand, over all boards: one random opponent.

Take a board's ranks first, flushes left aside: the hands that beat and tie follow from the ranks of
their two cards. A suit with three cards or more on the board changes that only for hands with cards of
it: some beat with any partner, and some pairs beat together. Take off how these fare without flushes
and add them to the hands that beat. Which they are depends on the board's ranks in the suit alone, as
long as the known hand has a flush, so they are kept by these.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, inlined, lowest_bit, popcount, zeros
from gpuodds.backends.cpu.shared.board_classes import CHOOSE, BoardScan
from gpuodds.games.shared.hand_ranks import SIX_CARDS, HandRankTables, UInt16s

Ints = npt.NDArray[np.int64]
Int16s = npt.NDArray[np.int16]

SETS = 1 << 13  # of ranks

# Rows of the scratch of a threshold, (5, 13), flushes left aside. By the rank of a card: the ranks with
# which it beats the threshold and those with which it ties, two masks; how many cards these are; and in
# the last row, for all hands, twice the number that beat and tie, and the threshold.
BEATING, TYING, BEATS, TIES, ALL = 0, 1, 2, 3, 4


class _Flushes(NamedTuple):
    """Which cards of a suit beat a threshold by a flush, by the board's ranks in the suit.

    ``threshold`` (8192,) is that of the entry; ``alone`` (8192,) the ranks that beat it with any
    partner, a mask; ``pairs`` (8192, 13) by rank the higher ones with which it does;
    ``together`` (8192,) how many such pairs there are.
    """

    threshold: Int16s
    alone: Int16s
    pairs: Int16s
    together: Int16s


@inlined
def _compare(
    threshold: int, state: np.int64, cards: Ints, step: UInt16s, rank_7: UInt16s, plain: Ints
) -> None:
    """Fill the scratch of a threshold on a board."""
    plain[ALL, 0] = plain[ALL, 1] = 0
    plain[ALL, 2] = threshold
    limit = np.int32(threshold)
    for first in range(13):
        six = np.int64(step[state, first]) - SIX_CARDS
        beating, tying, beats, ties = np.int32(0), np.int32(0), np.int32(0), np.int32(0)
        if cards[first]:
            for second in range(13):
                value = np.int32(rank_7[six, second])
                above, equal = np.int32(value > limit), np.int32(value == limit)
                beating |= above << np.int32(second)
                tying |= equal << np.int32(second)
                beats += above * np.int32(cards[second])
                ties += equal * np.int32(cards[second])
        plain[BEATING, first], plain[TYING, first] = beating, tying
        plain[BEATS, first] = beats - (beating >> first & 1)
        plain[TIES, first] = ties - (tying >> first & 1)
        plain[ALL, 0] += cards[first] * plain[BEATS, first]
        plain[ALL, 1] += cards[first] * plain[TIES, first]


@inlined
def _take_off(ranks: int, plain: Ints, touching: bool) -> tuple[int, int]:
    """Count the hands that beat and tie without flushes: pairs of suited cards, one of each rank.

    With ``touching`` also those of one of these cards and any other.
    """
    inside_beats, inside_ties, beats, ties = 0, 0, 0, 0
    left = ranks
    while left:
        rank = lowest_bit(left)
        others = ranks & ~(1 << rank)
        left &= left - 1
        inside_beats += popcount(plain[BEATING, rank] & others)
        inside_ties += popcount(plain[TYING, rank] & others)
        beats += plain[BEATS, rank]
        ties += plain[TIES, rank]
    if touching:
        return beats - (inside_beats >> 1), ties - (inside_ties >> 1)
    return inside_beats >> 1, inside_ties >> 1


@inlined
def _find_flushes(
    suited: int, in_suit: int, threshold: int, flush: UInt16s,
    alone: Int16s, pairs: Int16s, count: Int16s,
) -> None:  # fmt: skip
    """Fill the entry of a board's ranks in a suit; ``suited`` are the undealt ones."""
    found = 0
    left = suited
    while left:
        rank = lowest_bit(left)
        left &= left - 1
        pairs[in_suit, rank] = 0
        found |= np.int64(np.int64(flush[in_suit | 1 << rank]) > threshold) << rank
    alone[in_suit] = found
    number = 0
    left = suited & ~found
    while left:
        rank = lowest_bit(left)
        left &= left - 1
        partners = left
        while partners:
            other = lowest_bit(partners)
            partners &= partners - 1
            if np.int64(flush[in_suit | 1 << rank | 1 << other]) > threshold:
                pairs[in_suit, rank] |= 1 << other
                number += 1
    count[in_suit] = number


@compiled
def _count(
    scan: BoardScan, begin: int, end: int, tables: HandRankTables, binomials: Ints,
    flushes: _Flushes, sums: Ints,
) -> None:  # fmt: skip
    """Add boards, and over these the hands that beat and tie, for the completions begin to end."""
    step, rank_7, flush = tables.step, tables.rank_7, tables.flush
    lowest_flush, flushes_end = tables.lowest_flush, tables.flushes_end
    completions, suits, copies = scan.completions, scan.suits, scan.copies
    free, lying, held = scan.undealt, scan.board, scan.hands
    one, two = scan.hole_ranks[0, 0], scan.hole_ranks[0, 1]
    thresholds, alone, pairs, counts = flushes
    plain, other = zeros((5, 13), np.int64), zeros((5, 13), np.int64)
    undealt, cards = zeros(13, np.int64), zeros(13, np.int64)
    ranks, number = zeros(5, np.int64), zeros(5, np.int64)
    with_suit, without = zeros(5, np.int64), zeros(5, np.int64)
    given = np.int64(0)
    for rank in range(13):
        for suit in range(4):
            undealt[rank] += free[suit] >> rank & 1
            if lying[suit] >> rank & 1:
                given = np.int64(step[given, rank])
    for index in range(begin, end):
        state = given
        different = 0
        for rank in range(13):
            cards[rank] = undealt[rank]
        for i in range(completions.shape[1]):
            rank = int(completions[index, i])
            state = np.int64(step[state, rank])
            cards[rank] -= 1
            if i > 0 and rank == ranks[different - 1]:
                number[different - 1] += 1
            else:
                ranks[different], number[different] = rank, 1
                different += 1
        left = 1
        for i in range(different):
            left *= int(binomials[undealt[ranks[i]], number[i]]) if number[i] <= 4 else 0
        if left == 0:
            continue
        deck = 0
        for rank in range(13):
            deck += cards[rank]
        without_flush = int(rank_7[np.int64(step[state, one]) - SIX_CARDS, two])
        _compare(without_flush, state, cards, step, rank_7, plain)
        other[ALL, 2] = -1
        for kind in range(suits.size):
            suit = int(suits[kind])
            open_ranks = 0
            for i in range(different):
                of_suit = free[suit] >> ranks[i] & 1
                open_ranks |= int(of_suit << i)
                without[i] = binomials[undealt[ranks[i]] - of_suit, number[i]]
                with_suit[i] = binomials[undealt[ranks[i]] - of_suit, number[i] - 1]
            needed = 3 - popcount(lying[suit])
            subset = open_ranks
            while True:
                boards = 0
                if popcount(subset) >= needed:
                    boards = int(copies[kind])
                    in_suit = int(lying[suit])
                    for i in range(different):
                        inside = subset >> i & 1
                        boards *= int(with_suit[i] if inside else without[i])
                        in_suit |= int(inside << ranks[i])
                if boards > 0:
                    left -= boards
                    suited = int(free[suit] & ~in_suit)
                    on_board = popcount(in_suit)
                    threshold = max(without_flush, int(flush[in_suit | held[0, suit]]))
                    if threshold < lowest_flush:
                        rows = plain
                        any_partner = suited if on_board > 3 else 0
                        together = popcount(suited & ~any_partner)
                        together = together * (together - 1) // 2
                        beats, ties = _take_off(suited, plain, on_board > 3)
                    else:
                        of_all = lowest_flush if threshold < flushes_end else threshold
                        rows = plain
                        if of_all != without_flush:
                            rows = other
                            if other[ALL, 2] != of_all:
                                _compare(of_all, state, cards, step, rank_7, other)
                        entry = in_suit + SETS * kind
                        if thresholds[entry] != threshold:
                            thresholds[entry] = threshold
                            first = SETS * kind
                            _find_flushes(
                                suited, in_suit, threshold, flush, alone[first : first + SETS],
                                pairs[first : first + SETS], counts[first : first + SETS],
                            )  # fmt: skip
                        any_partner = int(alone[entry])
                        together = int(counts[entry])
                        beats, ties = 0, 0
                        if any_partner:
                            beats, ties = _take_off(any_partner, rows, True)
                        rest = suited if together else 0
                        while rest:
                            rank = lowest_bit(rest)
                            rest &= rest - 1
                            beats += popcount(pairs[entry, rank] & rows[BEATING, rank])
                            ties += popcount(pairs[entry, rank] & rows[TYING, rank])
                    single = popcount(any_partner)
                    flushing = single * (deck - 1) - single * (single - 1) // 2 + together
                    all_beat = (rows[ALL, 0] >> 1) + flushing - beats
                    all_tie = (rows[ALL, 1] >> 1) - ties
                    if on_board == 5 and np.int64(flush[in_suit]) == threshold:
                        all_tie = deck * (deck - 1) // 2 - all_beat
                    sums[0] += boards
                    sums[1] += boards * all_beat
                    sums[2] += boards * all_tie
                if subset == 0:
                    break
                subset = (subset - 1) & open_ranks
        sums[0] += left
        sums[1] += left * (plain[ALL, 0] >> 1)
        sums[2] += left * (plain[ALL, 1] >> 1)


def count_one_opponent(scan: BoardScan, begin: int, end: int, tables: HandRankTables) -> list[int]:
    """Count boards, and the hands that beat and tie a known hand, summed over these boards.

    Args:
        scan: A spot of one known hand.
        begin: The first of its completions.
        end: The one after the last.
        tables: Of hand ranks.

    Returns:
        Three numbers: below C(50, 5) boards times 990 hands.
    """
    sums = np.zeros(3, np.int64)
    entries = SETS * len(scan.suits)
    flushes = _Flushes(
        *(np.zeros(shape, np.int16) for shape in (entries, entries, (entries, 13), entries))
    )
    _count(scan, begin, end, tables, CHOOSE, flushes, sums)
    return [int(number) for number in sums]
