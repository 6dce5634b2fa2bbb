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

from gpuodds.backends.cpu.compile.jit import (
    compiled,
    inlined_without_refcounts,
    lowest_bit,
    popcount,
    zeros,
)
from gpuodds.backends.cpu.shared.board_classes import BoardScan, state_of_board
from gpuodds.backends.cpu.shared.board_ranks import compare_row
from gpuodds.backends.cpu.shared.runouts import (
    CHOOSE,
    count_by_rank,
    count_deals,
    deals_in_suit,
    group_ranks,
    part_by_suit,
    state_after,
)
from gpuodds.games.shared.hand_ranks import SIX_CARDS, HandRankTables, UInt16s

Ints = npt.NDArray[np.int64]
Int16s = npt.NDArray[np.int16]

SETS = 1 << 13  # of ranks

# Rows of the scratch of a threshold, (5, 13), flushes left aside. By the rank of a card: the ranks with
# which it beats the threshold and those with which it ties, two masks; how many cards these are; and in
# the last row, for all hands, twice the number that beat and tie, and the threshold.
BEATING, TYING, BEATS, TIES, ALL = 0, 1, 2, 3, 4


class Flushes(NamedTuple):
    """Which cards of a suit beat a threshold by a flush, by the board's ranks in the suit.

    Attributes:
        threshold: The threshold that each entry is of, (8192,) a suit.
        alone: The ranks that beat it with any partner, a mask, (8192,) a suit.
        pairs: By rank the higher ones with which it does, masks, (8192, 13) a suit.
        together: How many such pairs there are, (8192,) a suit.
    """

    threshold: Int16s
    alone: Int16s
    pairs: Int16s
    together: Int16s


@inlined_without_refcounts
def _compare(
    threshold: int, state: np.int64, cards: Ints, step: UInt16s, rank_7: UInt16s, plain: Ints
) -> None:
    """Fill the scratch of a threshold on a board."""
    plain[ALL, 0] = plain[ALL, 1] = 0
    plain[ALL, 2] = threshold
    ones, twos, fours = 0, 0, 0  # the cards by rank in binary digits, masks
    for rank in range(13):
        ones |= (cards[rank] & 1) << rank
        twos |= (cards[rank] >> 1 & 1) << rank
        fours |= (cards[rank] >> 2) << rank
    left = ones | twos | fours
    for first in range(13):
        plain[BEATING, first] = plain[TYING, first] = plain[BEATS, first] = plain[TIES, first] = 0
        if left >> first & 1:
            six = np.int64(step[state, first]) - SIX_CARDS
            beating, tying = compare_row(rank_7, six, threshold)
            beating &= left
            tying &= left
            beats = (
                popcount(beating & ones) + 2 * popcount(beating & twos) + 4 * popcount(beating & fours)
            )
            beats -= beating >> first & 1
            plain[BEATING, first], plain[BEATS, first] = beating, beats
            plain[ALL, 0] += cards[first] * beats
            if tying:
                ties = popcount(tying & ones) + 2 * popcount(tying & twos) + 4 * popcount(tying & fours)
                ties -= tying >> first & 1
                plain[TYING, first], plain[TIES, first] = tying, ties
                plain[ALL, 1] += cards[first] * ties


@inlined_without_refcounts
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


@inlined_without_refcounts
def _find_flushes(
    suited: int, in_suit: int, threshold: int, flush: UInt16s,
    alone: Int16s, pairs: Int16s, pair_counts: Int16s,
) -> None:  # fmt: skip
    """Fill the entry of a board's ranks in a suit; ``suited`` are the undealt ones."""
    by_itself = 0
    left = suited
    while left:
        rank = lowest_bit(left)
        left &= left - 1
        pairs[in_suit, rank] = 0
        by_itself |= np.int64(np.int64(flush[in_suit | 1 << rank]) > threshold) << rank
    alone[in_suit] = by_itself
    number = 0
    left = suited & ~by_itself
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
    pair_counts[in_suit] = number


@inlined_without_refcounts
def _pairs_of(cards: int) -> int:
    return cards * (cards - 1) // 2


@inlined_without_refcounts
def _flush_partners(suited: int, pairs: Int16s, entry: int, plain: Ints) -> tuple[int, int]:
    """Count the pairs that beat by a flush together and beat, or tie, without it as well."""
    beats, ties = 0, 0
    left = suited
    while left:
        rank = lowest_bit(left)
        left &= left - 1
        beats += popcount(pairs[entry, rank] & plain[BEATING, rank])
        ties += popcount(pairs[entry, rank] & plain[TYING, rank])
    return beats, ties


@inlined_without_refcounts
def _add_flush_boards(
    boards: int, kind: int, suited: int, in_suit: int, own_flush: int, without_flush: int, deck: int,
    state: np.int64, cards: Ints, tables: HandRankTables, flushes: Flushes, plain: Ints, other: Ints,
    sums: Ints,
) -> None:  # fmt: skip
    """Add boards with three cards or more of a suit, and the hands that beat and tie on them.

    Args:
        boards: How many they are.
        kind: The place of the suit in the scan.
        suited: The undealt ranks of the suit, a mask.
        in_suit: The board's ranks of the suit, a mask.
        own_flush: The known hand's rank by a flush, or 0.
        without_flush: Its rank without one.
        deck: The number of cards left.
        state: The automaton's state after the board.
        cards: The cards left by rank, (13,).
        tables: Of hand ranks.
        flushes: Scratch, by the board's ranks in a suit.
        plain: Scratch of the known hand's rank without a flush.
        other: Scratch of another threshold, or of none yet: its threshold is -1.
        sums: Boards, hands that beat and hands that tie, (3,); added to.
    """
    thresholds, alone, pairs, pair_counts = flushes
    lowest_flush, flushes_end = tables.lowest_flush, tables.flushes_end
    on_board = popcount(in_suit)
    threshold = max(without_flush, own_flush)
    rows = plain
    if threshold < lowest_flush:
        any_partner = suited if on_board > 3 else 0
        together = _pairs_of(popcount(suited & ~any_partner))
        beats, ties = _take_off(suited, plain, on_board > 3)
    else:
        plain_threshold = lowest_flush if threshold < flushes_end else threshold
        if plain_threshold != without_flush:
            rows = other
            if other[ALL, 2] != plain_threshold:
                _compare(plain_threshold, state, cards, tables.step, tables.rank_7, other)
        first = SETS * kind
        entry = first + in_suit
        if thresholds[entry] != threshold:
            thresholds[entry] = threshold
            _find_flushes(
                suited, in_suit, threshold, tables.flush, alone[first : first + SETS],
                pairs[first : first + SETS], pair_counts[first : first + SETS],
            )  # fmt: skip
        any_partner, together = int(alone[entry]), int(pair_counts[entry])
        beats, ties = 0, 0
        if any_partner:
            beats, ties = _take_off(any_partner, rows, True)
        if together:
            pair_beats, pair_ties = _flush_partners(suited, pairs, entry, rows)
            beats += pair_beats
            ties += pair_ties
    # Hands with one of the cards that beat with any partner: those with two of them count once.
    single = popcount(any_partner)
    flushing = single * (deck - 1) - _pairs_of(single) + together
    all_beat = (rows[ALL, 0] >> 1) + flushing - beats
    all_tie = (rows[ALL, 1] >> 1) - ties
    if on_board == 5 and np.int64(tables.flush[in_suit]) == threshold:
        all_tie = _pairs_of(deck) - all_beat  # all play the board's flush
    sums[0] += boards
    sums[1] += boards * all_beat
    sums[2] += boards * all_tie


@compiled
def new_flushes(suits: int) -> Flushes:
    """Return room for the flushes of some suits, none known yet."""
    entries = SETS * suits
    return Flushes(
        zeros(entries, np.int16), zeros(entries, np.int16), zeros((entries, 13), np.int16),
        zeros(entries, np.int16),
    )  # fmt: skip


@compiled
def add_boards(
    scan: BoardScan, begin: int, end: int, tables: HandRankTables, binomials: Ints,
    flushes: Flushes, sums: Ints,
) -> None:  # fmt: skip
    """Add boards, and over these the hands that beat and tie, for the runouts begin to end."""
    step, rank_7 = tables.step, tables.rank_7
    runout_ranks, suits, copies = scan.runout_ranks, scan.suits, scan.copies
    undealt_masks, board_masks, hands = scan.undealt, scan.board, scan.hands
    high, low = scan.hole_ranks[0, 0], scan.hole_ranks[0, 1]
    plain, other = zeros((5, 13), np.int64), zeros((5, 13), np.int64)
    undealt, cards = zeros(13, np.int64), zeros(13, np.int64)
    ranks, counts = zeros(5, np.int64), zeros(5, np.int64)
    with_suit, without = zeros(5, np.int64), zeros(5, np.int64)
    count_by_rank(undealt_masks, undealt)
    board_state = state_of_board(board_masks, step)
    for index in range(begin, end):
        different = group_ranks(runout_ranks, index, ranks, counts)
        left = count_deals(undealt, ranks, counts, different, binomials)
        if left == 0:
            continue
        state = state_after(board_state, runout_ranks, index, step)
        deck = 0
        for rank in range(13):
            cards[rank] = undealt[rank]
            deck += undealt[rank]
        for i in range(different):
            cards[ranks[i]] -= counts[i]
            deck -= counts[i]
        without_flush = int(rank_7[np.int64(step[state, high]) - SIX_CARDS, low])
        _compare(without_flush, state, cards, step, rank_7, plain)
        other[ALL, 2] = -1
        for kind in range(suits.size):
            suit = int(suits[kind])
            known_in_suit = int(board_masks[suit])
            open_ranks = part_by_suit(
                undealt_masks[suit], undealt, ranks, counts, different, binomials, with_suit, without
            )
            needed = 3 - popcount(known_in_suit)
            subset = open_ranks
            while True:
                boards, in_suit = 0, known_in_suit
                if popcount(subset) >= needed:
                    boards, in_suit = deals_in_suit(
                        subset, int(copies[kind]), known_in_suit, ranks, different, with_suit, without
                    )
                if boards > 0:
                    left -= boards
                    _add_flush_boards(
                        boards, kind, int(undealt_masks[suit] & ~in_suit), in_suit,
                        int(tables.flush[in_suit | hands[0, suit]]), without_flush, deck, state, cards,
                        tables, flushes, plain, other, sums,
                    )  # fmt: skip
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
        begin: The first of its runouts.
        end: The one after the last.
        tables: Of hand ranks.

    Returns:
        Three numbers: below C(50, 5) boards times 990 hands.
    """
    sums = np.zeros(3, np.int64)
    add_boards(scan, begin, end, tables, CHOOSE, new_flushes(len(scan.suits)), sums)
    return [int(number) for number in sums]
