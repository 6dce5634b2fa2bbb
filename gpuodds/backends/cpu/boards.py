"""List the boards of a spot by class: boards on which every holding ranks alike are visited once.

A hand rank depends on the ranks of the cards, and on suits only through a flush, and a board has room
for at most one flush suit. So the boards fall into two kinds of class:

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

from gpuodds.backends.cpu.jit import compiled, inlined, lowest_bit, popcount
from gpuodds.games.holdem.hand_ranks import SIX_CARDS, HandRankTables, UInt16s
from gpuodds.games.holdem.rules import BOARD_CARDS

Ints = npt.NDArray[np.int64]
NO_SUIT = -1

CHOOSE = np.array(
    [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]], np.int64
)


class BoardScan(NamedTuple):
    """A spot as the loops below want it: rank masks (bit 0 the deuce, bit 12 the ace) by suit.

    ``undealt`` and ``board`` have shape (4,); ``hands`` (players, 4); ``hole_ranks`` (players, 2).
    ``completions`` (n, cards to come) are the rank multisets that may fill the board. ``suits`` are
    one suit of each kind that the known cards tell apart, ``copies`` how many suits are like it.
    """

    undealt: Ints
    board: Ints
    hands: Ints
    hole_ranks: Ints
    completions: Ints
    suits: Ints
    copies: Ints


# Board classes are the columns of an int64 array of shape (6, classes), in the order of the completions
# that they belong to. Its rows:
COMPLETION = 0  # row of BoardScan.completions
SUIT = 1  # the flush suit, or NO_SUIT
FLUSH_RANKS = 2  # the board's ranks in that suit, a mask
BOARDS = 3  # how many boards are in the class
THRESHOLD = 4  # the best known hand's rank
WINNERS = 5  # the known players who hold it, a mask


@lru_cache
def rank_multisets(size: int) -> Ints:
    """All multisets of ``size`` ranks, an array of shape (n, size), each row ascending."""
    rows = list(combinations_with_replacement(range(13), size))
    return np.array(rows, np.int64).reshape(len(rows), size)


@inlined
def plain_ranks(
    board: Ints,
    completions: Ints,
    index: int,
    step: UInt16s,
    rank_7: UInt16s,
    holding_ranks: npt.NDArray[np.int32],
) -> None:
    """Fill (13, 13) hand ranks of every pair of hole-card ranks on a board, flushes left aside."""
    state = 0
    for suit in range(4):
        ranks = board[suit]
        while ranks:
            state = step[state, lowest_bit(ranks)]
            ranks &= ranks - 1
    for i in range(completions.shape[1]):
        state = step[state, completions[index, i]]
    for first in range(13):
        six = np.int64(step[state, first]) - SIX_CARDS
        for second in range(13):
            holding_ranks[first, second] = rank_7[six, second] if six >= 0 else 0


@compiled
def _list_classes(
    scan: BoardScan,
    begin: int,
    end: int,
    tables: HandRankTables,
    choose: Ints,
    out: Ints,
) -> int:
    players = scan.hands.shape[0]
    to_come = scan.completions.shape[1]
    count = np.zeros(13, np.int64)
    undealt = np.zeros(13, np.int64)
    holding_ranks = np.zeros((13, 13), np.int32)
    plain = np.zeros(players, np.int64)
    for rank in range(13):
        for suit in range(4):
            undealt[rank] += scan.undealt[suit] >> rank & 1
    found = 0
    for index in range(begin, end):
        count[:] = 0
        support = 0
        for i in range(to_come):
            count[scan.completions[index, i]] += 1
            support |= 1 << scan.completions[index, i]
        boards = 1
        for rank in range(13):
            boards *= choose[undealt[rank], count[rank]] if count[rank] <= 4 else 0
        if boards == 0:
            continue
        plain_ranks(scan.board, scan.completions, index, tables.step, tables.rank_7, holding_ranks)
        for player in range(players):
            plain[player] = holding_ranks[scan.hole_ranks[player, 0], scan.hole_ranks[player, 1]]
        without_flush = boards
        for kind in range(scan.suits.size + 1):
            # The last round is the class without a flush suit, once the others are known.
            last = kind == scan.suits.size
            suit = np.int64(NO_SUIT) if last else scan.suits[kind]
            given = 0 if last else scan.board[suit]
            open_ranks = 0 if last else support & scan.undealt[suit]
            subset = open_ranks
            while True:
                in_suit = given | subset
                boards = without_flush
                if not last:
                    boards = 0
                    if popcount(in_suit) >= 3:
                        boards = scan.copies[kind]
                        for rank in range(13):
                            if count[rank]:
                                others = undealt[rank] - (scan.undealt[suit] >> rank & 1)
                                boards *= choose[others, count[rank] - (subset >> rank & 1)]
                        without_flush -= boards
                if boards > 0:
                    threshold = 0
                    winners = 0
                    for player in range(players):
                        value = plain[player]
                        if not last:
                            value = max(
                                value, np.int64(tables.flush[in_suit | scan.hands[player, suit]])
                            )
                        if value > threshold:
                            threshold = value
                            winners = 0
                        if value == threshold:
                            winners |= 1 << player
                    out[COMPLETION, found] = index
                    out[SUIT, found] = suit
                    out[FLUSH_RANKS, found] = in_suit
                    out[BOARDS, found] = boards
                    out[THRESHOLD, found] = threshold
                    out[WINNERS, found] = winners
                    found += 1
                if subset == 0:
                    break
                subset = (subset - 1) & open_ranks
    return found


@compiled
def _count_winners(
    scan: BoardScan,
    begin: int,
    end: int,
    tables: HandRankTables,
    choose: Ints,
    masks: Ints,
    boards: Ints,
) -> int:
    # As above, but a flush class is visited only if it gives a known hand a flush.
    players = scan.hands.shape[0]
    to_come = scan.completions.shape[1]
    kinds = scan.suits.size
    step, rank_7, flush = tables.step, tables.rank_7, tables.flush
    held, hole_ranks, completions = scan.hands, scan.hole_ranks, scan.completions
    ranks = np.zeros(5, np.int64)  # those that come, each once
    counts = np.zeros(5, np.int64)
    with_suit = np.zeros(5, np.int64)  # ways to deal a rank's cards, one of them of the suit
    without = np.zeros(5, np.int64)
    undealt = np.zeros(13, np.int64)
    plain = np.zeros(players, np.int64)
    enough = np.zeros(kinds, np.int64)  # cards of a suit on the board that give someone a flush
    given = np.int64(0)
    for suit in range(4):
        for rank in range(13):
            undealt[rank] += scan.undealt[suit] >> rank & 1
            if scan.board[suit] >> rank & 1:
                given = np.int64(step[given, rank])
    for kind in range(kinds):
        enough[kind] = 5
        for player in range(players):
            enough[kind] = min(enough[kind], 5 - popcount(held[player, scan.suits[kind]]))
    found = 0
    for index in range(begin, end):
        state = given
        different = 0
        for i in range(to_come):
            rank = completions[index, i]
            state = np.int64(step[state, rank])
            if i > 0 and rank == completions[index, i - 1]:
                counts[different - 1] += 1
            else:
                ranks[different] = rank
                counts[different] = 1
                different += 1
        left = 1
        for i in range(different):
            left *= choose[undealt[ranks[i]], counts[i]] if counts[i] <= 4 else 0
        if left == 0:
            continue
        for player in range(players):
            six = np.int64(step[state, hole_ranks[player, 0]]) - SIX_CARDS
            plain[player] = rank_7[six, hole_ranks[player, 1]]
        for kind in range(kinds + 1):
            last = kind == kinds  # all boards that are left
            suit = np.int64(NO_SUIT) if last else scan.suits[kind]
            on_board = 0 if last else scan.board[suit]
            open_ranks = 0
            if not last:
                if popcount(on_board) + different < enough[kind]:
                    continue
                for i in range(different):
                    of_suit = scan.undealt[suit] >> ranks[i] & 1
                    open_ranks |= of_suit << i
                    without[i] = choose[undealt[ranks[i]] - of_suit, counts[i]]
                    with_suit[i] = choose[undealt[ranks[i]] - of_suit, counts[i] - 1]
            subset = open_ranks
            while True:
                number = left
                in_suit = on_board
                if not last:
                    number = 0
                    if popcount(on_board) + popcount(subset) >= enough[kind]:
                        number = scan.copies[kind]
                        for i in range(different):
                            of_suit = subset >> i & 1
                            number *= with_suit[i] if of_suit else without[i]
                            in_suit |= of_suit << ranks[i]
                        left -= number
                if number > 0:
                    best = 0
                    mask = 0
                    for player in range(players):
                        value = plain[player]
                        if not last:
                            value = max(value, np.int64(flush[in_suit | held[player, suit]]))
                        if value > best:
                            best = value
                            mask = 0
                        if value == best:
                            mask |= 1 << player
                    entry = 0
                    while entry < found and masks[entry] != mask:
                        entry += 1
                    if entry == found:
                        masks[found] = mask
                        boards[found] = 0
                        found += 1
                    boards[entry] += number
                if subset == 0:
                    break
                subset = (subset - 1) & open_ranks
    return found


def count_winners(scan: BoardScan, begin: int, end: int, tables: HandRankTables) -> dict[int, int]:
    """Count the boards that the completions ``begin`` to ``end`` make, by the known players who win.

    A key is a set of players, a mask.
    """
    most = min(1 << len(scan.hands), (end - begin) * (1 + (scan.suits.size << BOARD_CARDS)))
    masks, boards = np.empty((2, most), np.int64)
    found = _count_winners(scan, begin, end, tables, CHOOSE, masks, boards)
    return dict(zip(masks[:found].tolist(), boards[:found].tolist(), strict=True))


def board_classes(scan: BoardScan, begin: int, end: int, tables: HandRankTables) -> Ints:
    """List the classes of the boards that the completions ``begin`` to ``end`` make."""
    subsets = 1 << scan.completions.shape[1]
    out = np.empty((6, (end - begin) * (1 + subsets * scan.suits.size)), np.int64)
    found = _list_classes(scan, begin, end, tables, CHOOSE, out)
    return out[:, :found]
