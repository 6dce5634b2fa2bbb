"""The threat graph of a board class: who could beat or tie the best known hand.

Vertices are the undealt cards, an edge joins two cards that together, as an opponent's hand, beat the
best known hand (a *loss*) or equal it (a *tie*). Cards that behave alike are one *type*: 13 types by
rank, and where a flush is possible 13 more for the cards of that suit (type 13 + rank). A type's row
is one int64: the types it loses to in bits 0 to 25, those it ties with in bits 26 to 51. Sizes, 0 to
4 cards a type, are held as three masks, one for each binary digit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import (
    compiled,
    compiled_without_refcounts,
    inlined,
    lowest_bit,
    popcount,
    zeros,
)
from gpuodds.backends.cpu.shared.board_classes import (
    FLUSH_RANKS,
    NO_SUIT,
    RUNOUT,
    SUIT,
    THRESHOLD,
    plain_ranks,
)
from gpuodds.backends.graph_words import TYPES
from gpuodds.games.shared.hand_ranks import UInt16s

Ints = npt.NDArray[np.int64]
Int32s = npt.NDArray[np.int32]
Sizes = tuple[int, int, int]

ROW = (1 << TYPES) - 1
PLAIN = (1 << 13) - 1  # the types that are not of the flush suit
SUITED = PLAIN << 13


class ClassScratch(NamedTuple):
    """Scratch of :func:`load_class`: what neighbours in the list of classes share, and the rows.

    Attributes:
        combo_ranks: The ranks of combos that make no flush, (13, 13).
        plain_rows: What they make of the threshold, (13,).
        shared: The runout, the threshold and the three masks of sizes of the 13 ranks that these belong
            to, (5,); at first all -1.
        rows: The result, (26,).
    """

    combo_ranks: Int32s
    plain_rows: Ints
    shared: Ints
    rows: Ints


@compiled
def new_class_scratch() -> ClassScratch:
    """Make the scratch."""
    shared = zeros(5, np.int64)
    shared[:] = -1
    return ClassScratch(zeros((13, 13), np.int32), zeros(13, np.int64), shared, zeros(TYPES, np.int64))


@inlined
def load_class(
    c: int, classes: Ints, undealt: Ints, board: Ints, runout_ranks: Ints,
    step: UInt16s, rank_7: UInt16s, flush: UInt16s, lowest_flush: int, flushes_end: int,
    combo_ranks: Int32s, plain_rows: Ints, shared: Ints, rows: Ints,
) -> Sizes:  # fmt: skip
    """Fill ``rows`` for board class ``c``; return the sizes of the types.

    Rows of types without cards hold nothing of use. The arguments are fields of :class:`BoardScan`,
    :class:`HandRankTables` and :class:`ClassScratch`, one by one: unpacking the tuples for each class
    costs a tenth of the time.
    """
    index = int(classes[RUNOUT, c])
    suit = classes[SUIT, c]
    threshold = int(classes[THRESHOLD, c])
    plain_threshold = threshold_without_flush(threshold, lowest_flush, flushes_end)
    compare_ranks(
        index, plain_threshold, undealt, board, runout_ranks, step, rank_7, combo_ranks, plain_rows,
        shared,
    )  # fmt: skip
    ones, twos, fours = shared[2], shared[3], shared[4]
    if suit == NO_SUIT:
        for rank in range(13):
            rows[rank] = plain_rows[rank]
            rows[13 + rank] = 0
    else:
        in_suit = classes[FLUSH_RANKS, c]
        suited = undealt[suit] & ~in_suit
        # One card less of each suited rank among the others, digit by digit.
        borrow = suited & ~ones
        ones ^= suited
        fours ^= borrow & ~twos
        twos ^= borrow
        ones |= suited << 13
        if threshold < lowest_flush:
            _let_flushes_win(plain_rows, popcount(in_suit), rows)
        else:
            _compare_flushes(plain_rows, suited, in_suit, threshold, flush, rows)
    present = ones | twos | fours
    single = ones & ~(twos | fours)
    for i in range(TYPES):
        row = present & ~(single & 1 << i)
        rows[i] &= row | row << TYPES
    return ones, twos, fours


@inlined
def threshold_without_flush(threshold: int, lowest_flush: int, flushes_end: int) -> int:
    """Return a threshold, or the lowest flush for any: combos without a flush fare alike against it."""
    return lowest_flush if lowest_flush < threshold < flushes_end else threshold


@inlined
def compare_ranks(
    index: int, threshold: int, undealt: Ints, board: Ints, runout_ranks: Ints, step: UInt16s,
    rank_7: UInt16s, combo_ranks: Int32s, plain_rows: Ints, shared: Ints,
) -> None:  # fmt: skip
    """Fill the scratch that board classes of a runout and a threshold share, if it is not theirs.

    ``threshold`` is the result of :func:`threshold_without_flush`.
    """
    if shared[0] != index or shared[1] != threshold:
        _compare_anew(
            index, threshold, undealt, board, runout_ranks, step, rank_7, combo_ranks, plain_rows,
            shared,
        )  # fmt: skip


@compiled_without_refcounts
def _compare_anew(
    index: int, threshold: int, undealt: Ints, board: Ints, runout_ranks: Ints, step: UInt16s,
    rank_7: UInt16s, combo_ranks: Int32s, plain_rows: Ints, shared: Ints,
) -> None:  # fmt: skip
    # Not inlined: it takes long, both to compile and to run, and its callers mostly need it not.
    if shared[0] != index:
        plain_ranks(board, runout_ranks, index, step, rank_7, combo_ranks)
        _count_cards_by_rank(undealt, runout_ranks, index, shared)
    _compare_combos(combo_ranks, threshold, plain_rows)
    shared[0] = index
    shared[1] = threshold


@inlined
def _count_cards_by_rank(undealt: Ints, runout_ranks: Ints, index: int, shared: Ints) -> None:
    ones, twos, fours = 0, 0, 0
    for rank in range(13):
        left = 0
        for suit in range(4):
            left += undealt[suit] >> rank & 1
        for i in range(runout_ranks.shape[1]):
            left -= runout_ranks[index, i] == rank
        ones |= (left & 1) << rank
        twos |= (left >> 1 & 1) << rank
        fours |= (left >> 2 & 1) << rank
    shared[2] = ones
    shared[3] = twos
    shared[4] = fours


@inlined
def _compare_combos(combo_ranks: Int32s, threshold: int, plain_rows: Ints) -> None:
    limit = np.int32(threshold)
    for first in range(13):
        loss = np.int32(0)
        tie = np.int32(0)
        for second in range(13):
            value = combo_ranks[first, second]
            loss |= np.int32(value > limit) << np.int32(second)
            tie |= np.int32(value == limit) << np.int32(second)
        plain_rows[first] = np.int64(loss | loss << 13) | np.int64(tie | tie << 13) << TYPES


@inlined
def _let_flushes_win(plain_rows: Ints, on_board: int, rows: Ints) -> None:
    # Any flush beats the threshold: two cards of the suit do, or one where the board has four.
    for rank in range(13):
        row = plain_rows[rank]
        if on_board == 3:
            rows[rank] = row
            rows[13 + rank] = row & ~(SUITED << TYPES) | SUITED
        else:
            rows[rank] = row & ~(SUITED << TYPES) | SUITED
            rows[13 + rank] = ROW


@inlined
def _compare_flushes(
    plain_rows: Ints,
    suited: int,
    in_suit: int,
    threshold: int,
    flush: UInt16s,
    rows: Ints,
) -> None:
    # A combo ranks as the better of its flush and its plain rank: a loss if either beats the
    # threshold, else a tie if either equals it. Ties are taken back from losses at the end.
    everywhere = ROW << TYPES if flush[in_suit] == threshold else 0
    for rank in range(13):
        rows[rank] = plain_rows[rank] | everywhere
        rows[13 + rank] = rows[rank]
    left = suited
    while left:
        rank = lowest_bit(left)
        left &= left - 1
        one_card = np.int64(flush[in_suit | 1 << rank])
        if one_card >= threshold:
            # One card of the suit is enough, whatever the other is.
            shift = 0 if one_card > threshold else TYPES
            for i in range(TYPES):
                rows[i] |= 1 << (13 + rank + shift)
            rows[13 + rank] |= ROW << shift
        partners = left
        while partners:
            other = lowest_bit(partners)
            partners &= partners - 1
            two_cards = np.int64(flush[in_suit | 1 << rank | 1 << other])
            if two_cards >= threshold:
                shift = 13 if two_cards > threshold else 13 + TYPES
                rows[13 + rank] |= 1 << (other + shift)
                rows[13 + other] |= 1 << (rank + shift)
    for i in range(TYPES):
        rows[i] &= ~((rows[i] & ROW) << TYPES)
