"""Matchings with one and two edges by a closed formula: no graph has to be solved for them.

They follow from the number of edges and the degrees of the cards.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, inlined, lowest_bit, popcount, zeros
from gpuodds.backends.cpu.known_hands.threat_graphs.normal_form import card_degree, size_of
from gpuodds.backends.cpu.known_hands.threat_graphs.threats import (
    PLAIN,
    ROW,
    Sizes,
    compare_ranks,
    load_class,
    new_class_scratch,
    threshold_without_flush,
)
from gpuodds.backends.cpu.shared.board_classes import (
    BOARDS,
    FLUSH_RANKS,
    NO_SUIT,
    RUNOUT,
    SUIT,
    THRESHOLD,
    WINNERS,
    BoardScan,
)
from gpuodds.backends.cpu.shared.intern_table import InternTable, intern
from gpuodds.backends.graph_words import TYPES
from gpuodds.games.shared.hand_ranks import HandRankTables, UInt16s

Ints = npt.NDArray[np.int64]


# Rows of the scratch of a runout, (7, 13), flushes left aside. By the rank of a card: how many
# there are, the partners with which it beats the threshold and ties, and these as sets of ranks. Then
# the sums over all cards; and by the rank of a suited card, its partners in flushes that beat the
# threshold.
CARDS, LOSSES, TIES, LOSS_ROW, TIE_ROW, SUMS, FLUSHES = 0, 1, 2, 3, 4, 5, 6


@inlined
def _count_plain_degrees(plain_rows: Ints, ones: int, twos: int, fours: int, plain: Ints) -> None:
    """Fill the scratch for a runout: degrees of cards and their sums, flushes left aside."""
    sizes = (ones, twos, fours)
    for column in range(5):
        plain[SUMS, column] = 0
    for rank in range(13):
        row = plain_rows[rank]
        loss, tie = row & PLAIN, row >> TYPES & PLAIN
        cards = size_of(rank, sizes)
        lose = card_degree(loss, sizes) - (loss >> rank & 1)
        draw = card_degree(tie, sizes) - (tie >> rank & 1)
        plain[CARDS, rank], plain[LOSSES, rank], plain[TIES, rank] = cards, lose, draw
        plain[LOSS_ROW, rank], plain[TIE_ROW, rank] = loss, tie
        plain[SUMS, 0] += cards * lose
        plain[SUMS, 1] += cards * draw
        plain[SUMS, 2] += cards * (lose * (lose - 1) // 2)
        plain[SUMS, 3] += cards * lose * draw
        plain[SUMS, 4] += cards * (draw * (draw - 1) // 2)


@inlined
def _find_flushes(
    suited: int, in_suit: int, threshold: int, flush: UInt16s, lowest_flush: int, plain: Ints
) -> None:
    """Fill the row FLUSHES: by the rank of a suited card, those with which it beats the threshold.

    The board has three cards of the suit. The combo that has the threshold has two more, so that no
    other combo ties.
    """
    for rank in range(13):
        plain[FLUSHES, rank] = suited & ~(1 << rank)
    left = suited if threshold >= lowest_flush else 0
    while left:
        rank = lowest_bit(left)
        left &= left - 1
        partners = left
        while partners:
            other = lowest_bit(partners)
            partners &= partners - 1
            beats = np.int64(flush[in_suit | 1 << rank | 1 << other]) > threshold
            plain[FLUSHES, rank] &= ~(np.int64(not beats) << other)
            plain[FLUSHES, other] &= ~(np.int64(not beats) << rank)


@inlined
def _let_two_suited_win(suited: int, plain: Ints, degrees: Ints) -> None:
    """Count the degrees of a runout's cards where the row FLUSHES beats the threshold, too."""
    for column in range(5):
        degrees[column] = plain[SUMS, column]
    left = suited
    while left:
        rank = lowest_bit(left)
        left &= left - 1
        flushes = plain[FLUSHES, rank]
        lose, draw = plain[LOSSES, rank], plain[TIES, rank]
        more = lose + popcount(flushes & ~plain[LOSS_ROW, rank])
        less = draw - popcount(flushes & plain[TIE_ROW, rank])
        degrees[0] += more - lose
        degrees[1] += less - draw
        degrees[2] += more * (more - 1) // 2 - lose * (lose - 1) // 2
        degrees[3] += more * less - lose * draw
        degrees[4] += less * (less - 1) // 2 - draw * (draw - 1) // 2


@inlined
def _let_one_suited_win(suited: int, cards: int, plain: Ints, degrees: Ints) -> None:
    """Count the degrees of a runout's cards, of which those of ``suited`` beat with any partner."""
    number = popcount(suited)
    degrees[0] = number * (cards - 1)
    degrees[1] = 0
    degrees[2] = number * ((cards - 1) * (cards - 2) // 2)
    degrees[3] = degrees[4] = 0
    for rank in range(13):
        others = plain[CARDS, rank] - (suited >> rank & 1)
        lose = plain[LOSSES, rank] + popcount(suited & ~plain[LOSS_ROW, rank])
        draw = plain[TIES, rank] - popcount(suited & plain[TIE_ROW, rank])
        degrees[0] += others * lose
        degrees[1] += others * draw
        degrees[2] += others * (lose * (lose - 1) // 2)
        degrees[3] += others * lose * draw
        degrees[4] += others * (draw * (draw - 1) // 2)


@inlined
def _count_class_degrees(rows: Ints, sizes: Sizes, degrees: Ints) -> None:
    """Count the degrees of the cards of a board class, type by type."""
    for column in range(5):
        degrees[column] = 0
    left = sizes[0] | sizes[1] | sizes[2]
    while left:
        i = lowest_bit(left)
        left &= left - 1
        row = int(rows[i])
        if row == 0:
            continue
        cards = size_of(i, sizes)
        lose = card_degree(row & ROW, sizes) - (row >> i & 1)
        draw = 0
        if row >> TYPES:
            draw = card_degree(row >> TYPES, sizes) - (row >> i + TYPES & 1)
        degrees[0] += cards * lose
        degrees[1] += cards * draw
        degrees[2] += cards * (lose * (lose - 1) // 2)
        degrees[3] += cards * lose * draw
        degrees[4] += cards * (draw * (draw - 1) // 2)


@compiled
def count_pairs(
    scan: BoardScan,
    classes: Ints,
    tables: HandRankTables,
    winners: InternTable,
    sums: Ints,
) -> None:
    """Sum the matchings with up to two edges over board classes, by known winners.

    Row w of ``sums``, for entry w of ``winners``, gets boards times 1 (the empty matching), losses,
    ties, and pairs of disjoint edges with no, one and two ties among them: with d the degrees of the
    cards, C(L, 2) - sum C(d, 2) for the first and likewise for the others.

    Neighbours in the list share the runout. Only cards of a suit tell its classes apart, so these
    start from the sums of the runout; classes with four cards of a suit and a flush among the known
    hands, or five, are counted type by type.
    """
    undealt, board, runout_ranks = scan.undealt, scan.board, scan.runout_ranks
    step, rank_7, flush = tables.step, tables.rank_7, tables.flush
    lowest_flush, flushes_end = tables.lowest_flush, tables.flushes_end
    combo_ranks, plain_rows, shared, rows = new_class_scratch()
    key, degrees = zeros(1, np.int64), zeros(5, np.int64)
    plain = zeros((7, 13), np.int64)
    last_runout, last_threshold = -1, -1  # the runout and the threshold of the scratch
    for c in range(classes.shape[1]):
        suit, in_suit, threshold = classes[SUIT, c], classes[FLUSH_RANKS, c], classes[THRESHOLD, c]
        on_board = popcount(in_suit)
        if suit == NO_SUIT or on_board == 3 or (on_board == 4 and threshold < lowest_flush):
            plain_threshold = threshold_without_flush(threshold, lowest_flush, flushes_end)
            if classes[RUNOUT, c] != last_runout or plain_threshold != last_threshold:
                last_runout, last_threshold = classes[RUNOUT, c], plain_threshold
                compare_ranks(
                    last_runout, plain_threshold, undealt, board, runout_ranks, step, rank_7,
                    combo_ranks, plain_rows, shared,
                )  # fmt: skip
                _count_plain_degrees(plain_rows, shared[2], shared[3], shared[4], plain)
            suited = 0 if suit == NO_SUIT else undealt[suit] & ~in_suit
            if on_board == 4:
                cards = 0
                for rank in range(13):
                    cards += plain[CARDS, rank]
                _let_one_suited_win(suited, cards, plain, degrees)
            else:
                if suited:
                    _find_flushes(suited, in_suit, threshold, flush, lowest_flush, plain)
                _let_two_suited_win(suited, plain, degrees)
        else:
            sizes = load_class(
                c, classes, undealt, board, runout_ranks, step, rank_7, flush,
                lowest_flush, flushes_end, combo_ranks, plain_rows, shared, rows,
            )  # fmt: skip
            _count_class_degrees(rows, sizes, degrees)
        losses, ties = degrees[0] // 2, degrees[1] // 2
        key[0] = classes[WINNERS, c]
        known = winners.used[0]
        entry = intern(winners, key, 1)
        if entry == known:
            for column in range(sums.shape[1]):
                sums[entry, column] = 0
        boards = classes[BOARDS, c]
        sums[entry, 0] += boards
        sums[entry, 1] += boards * losses
        sums[entry, 2] += boards * ties
        sums[entry, 3] += boards * (losses * (losses - 1) // 2 - degrees[2])
        sums[entry, 4] += boards * (losses * ties - degrees[3])
        sums[entry, 5] += boards * (ties * (ties - 1) // 2 - degrees[4])
