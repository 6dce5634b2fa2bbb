"""List the boards of a spot by class: boards on which every combo ranks alike are visited once.

A hand rank depends on the ranks of the cards, and on suits only through a flush, and a board has at
most one flush suit. So the boards fall into two kinds of class:

* no suit has three cards on the board: the class is the multiset of board ranks;
* one suit has: the class adds which ranks of the board are in that suit.

The number of boards in a flush class is a product of binomials over ranks; what is left of a rank
multiset when its flush classes are taken off is the class without one. Suits that the known cards do
not tell apart are visited once and counted as often as there are such suits.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import (
    compiled,
    inlined,
    inlined_without_refcounts,
    lowest_bit,
    popcount,
    zeros,
)
from gpuodds.backends.cpu.shared.board_ranks import rank_without_flush
from gpuodds.backends.cpu.shared.runouts import (
    CHOOSE,
    count_by_rank,
    count_deals,
    deals_in_suit,
    group_ranks,
    part_by_suit,
    state_after,
)
from gpuodds.games.shared.hand_ranks import ALL_RANKS, SIX_CARDS, HandRankTables, UInt16s

Ints = npt.NDArray[np.int64]
NO_SUIT = -1


class BoardScan(NamedTuple):
    """A spot as masks of ranks (bit 0 the deuce, bit 12 the ace) by suit, for the loops below.

    Attributes:
        undealt: The undealt ranks by suit, (4,).
        board: The board's ranks by suit, (4,).
        hands: The known hands' ranks by suit, (players, 4).
        hole_ranks: The ranks of their two cards, (players, 2).
        runout_ranks: The multisets of ranks that may fill the board, ascending, (n, cards to come).
        suits: One suit of each kind that the known cards tell apart.
        copies: How many suits are like each of them.
    """

    undealt: Ints
    board: Ints
    hands: Ints
    hole_ranks: Ints
    runout_ranks: Ints
    suits: Ints
    copies: Ints


# Board classes are the columns of an int64 array of shape (6, classes), in the order of the runouts
# that they belong to. Its rows:
RUNOUT = 0  # row of BoardScan.runout_ranks
SUIT = 1  # the flush suit, or NO_SUIT
FLUSH_RANKS = 2  # the board's ranks in that suit, a mask
BOARDS = 3  # how many boards are in the class
THRESHOLD = 4  # the best known hand's rank
WINNERS = 5  # the known players who hold it, a mask


@lru_cache
def rank_multisets(size: int, ranks: int = ALL_RANKS) -> Ints:
    """Return all multisets of ``size`` ranks, an array of shape (n, size), each row ascending.

    ``ranks`` are those of the deck, a mask.
    """
    rows = list(combinations_with_replacement([r for r in range(13) if ranks >> r & 1], size))
    return np.array(rows, np.int64).reshape(len(rows), size)


@inlined_without_refcounts
def state_of_board(board: Ints, step: UInt16s) -> np.int64:
    """Return the automaton's state after the board's ranks; ``board`` are its rank masks by suit."""
    state = np.int64(0)
    for suit in range(4):
        ranks = board[suit]
        while ranks:
            state = np.int64(step[state, lowest_bit(ranks)])
            ranks &= ranks - 1
    return state


@inlined
def plain_ranks(
    board: Ints,
    runout_ranks: Ints,
    index: int,
    step: UInt16s,
    rank_7: UInt16s,
    combo_ranks: npt.NDArray[np.int32],
) -> None:
    """Fill (13, 13) hand ranks of every pair of hole-card ranks on a board, flushes left aside."""
    state = state_after(state_of_board(board, step), runout_ranks, index, step)
    rank_without_flush(state, step, rank_7, combo_ranks)


@inlined_without_refcounts
def _plain_values(
    state: np.int64, hole_ranks: Ints, step: UInt16s, rank_7: UInt16s, values: Ints
) -> None:
    """Fill the ranks of the known hands on a board, flushes left aside; ``state`` is the board's."""
    for player in range(values.size):
        six = np.int64(step[state, hole_ranks[player, 0]]) - SIX_CARDS
        values[player] = rank_7[six, hole_ranks[player, 1]]


@inlined_without_refcounts
def _best_hands(
    plain: Ints, hands: Ints, suit: int, in_suit: int, flush: UInt16s
) -> tuple[np.int64, int]:
    """Return the best rank of the known hands and the players who have it, a mask.

    ``plain`` are their ranks without flushes; ``in_suit`` the board's ranks in the flush suit.
    """
    best, winners = np.int64(0), 0
    for player in range(plain.size):
        value = plain[player]
        if suit != NO_SUIT:
            value = max(value, np.int64(flush[in_suit | hands[player, suit]]))
        if value > best:
            best, winners = value, 0
        if value == best:
            winners |= 1 << player
    return best, winners


@compiled
def list_classes(
    scan: BoardScan, begin: int, end: int, tables: HandRankTables, binomials: Ints, out: Ints
) -> int:
    """Write the classes of the runouts ``begin`` to ``end``; return how many there are."""
    runout_ranks, hole_ranks, hands = scan.runout_ranks, scan.hole_ranks, scan.hands
    suits, copies, undealt_masks, board_masks = scan.suits, scan.copies, scan.undealt, scan.board
    step, rank_7, flush = tables.step, tables.rank_7, tables.flush
    ranks, counts = zeros(5, np.int64), zeros(5, np.int64)
    with_suit, without = zeros(5, np.int64), zeros(5, np.int64)
    undealt, plain = zeros(13, np.int64), zeros(hands.shape[0], np.int64)
    count_by_rank(undealt_masks, undealt)
    board_state = state_of_board(board_masks, step)
    classes = 0
    for index in range(begin, end):
        different = group_ranks(runout_ranks, index, ranks, counts)
        without_flush = count_deals(undealt, ranks, counts, different, binomials)
        if without_flush == 0:
            continue
        _plain_values(
            state_after(board_state, runout_ranks, index, step), hole_ranks, step, rank_7, plain
        )
        for kind in range(suits.size + 1):
            # The last round is the class without a flush suit, once the others are known.
            last = kind == suits.size
            suit = NO_SUIT if last else int(suits[kind])
            known_in_suit = 0 if last else int(board_masks[suit])
            open_ranks = 0
            if not last:
                if popcount(known_in_suit) + different < 3:
                    continue
                open_ranks = part_by_suit(
                    undealt_masks[suit], undealt, ranks, counts, different, binomials, with_suit,
                    without,
                )  # fmt: skip
            subset = open_ranks
            while True:
                in_suit = known_in_suit
                boards = without_flush if last else 0
                if not last and popcount(known_in_suit) + popcount(subset) >= 3:
                    boards, in_suit = deals_in_suit(
                        subset, int(copies[kind]), known_in_suit, ranks, different, with_suit, without
                    )
                    without_flush -= boards
                if boards > 0:
                    threshold, winners = _best_hands(plain, hands, suit, in_suit, flush)
                    out[RUNOUT, classes] = index
                    out[SUIT, classes] = suit
                    out[FLUSH_RANKS, classes] = in_suit
                    out[BOARDS, classes] = boards
                    out[THRESHOLD, classes] = threshold
                    out[WINNERS, classes] = winners
                    classes += 1
                if subset == 0:
                    break
                subset = (subset - 1) & open_ranks
    return classes


def board_classes(scan: BoardScan, begin: int, end: int, tables: HandRankTables) -> Ints:
    """List the classes of the boards that the runouts ``begin`` to ``end`` make."""
    subsets = 1 << scan.runout_ranks.shape[1]
    out = np.empty((6, (end - begin) * (1 + subsets * scan.suits.size)), np.int64)
    num_classes = list_classes(scan, begin, end, tables, CHOOSE, out)
    return np.ascontiguousarray(out[:, :num_classes])  # one layout: what takes it is compiled once
