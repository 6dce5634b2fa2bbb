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

from gpuodds.backends.cpu.compile.jit import compiled, inlined, lowest_bit, popcount, zeros
from gpuodds.backends.cpu.shared.board_ranks import rank_without_flush
from gpuodds.games.shared.hand_ranks import ALL_RANKS, SIX_CARDS, HandRankTables, UInt16s
from gpuodds.games.shared.rules import BOARD_CARDS

Ints = npt.NDArray[np.int64]
NO_SUIT = -1

CHOOSE = np.array(
    [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]], np.int64
)


class BoardScan(NamedTuple):
    """A spot as rank masks (bit 0 the deuce, bit 12 the ace) by suit, for the loops below.

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
def rank_multisets(size: int, ranks: int = ALL_RANKS) -> Ints:
    """Return all multisets of ``size`` ranks, an array of shape (n, size), each row ascending.

    ``ranks`` are those of the deck, a mask.
    """
    rows = list(combinations_with_replacement([r for r in range(13) if ranks >> r & 1], size))
    return np.array(rows, np.int64).reshape(len(rows), size)


@inlined
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
    completions: Ints,
    index: int,
    step: UInt16s,
    rank_7: UInt16s,
    combo_ranks: npt.NDArray[np.int32],
) -> None:
    """Fill (13, 13) hand ranks of every pair of hole-card ranks on a board, flushes left aside."""
    state = state_of_board(board, step)
    for i in range(completions.shape[1]):
        state = np.int64(step[state, completions[index, i]])
    rank_without_flush(state, step, rank_7, combo_ranks)


@inlined
def _count_undealt(masks: Ints, undealt: Ints) -> None:
    """Count the undealt cards of each rank."""
    for rank in range(13):
        undealt[rank] = 0
        for suit in range(4):
            undealt[rank] += masks[suit] >> rank & 1


@inlined
def _contend(best: int, winners: int, value: int, player: int) -> tuple[int, int]:
    """Return the best rank and the players who have it, a mask, after one more player's rank."""
    if value > best:
        best = value
        winners = 0
    if value == best:
        winners |= 1 << player
    return best, winners


@compiled
def list_classes(
    scan: BoardScan, begin: int, end: int, tables: HandRankTables, binomials: Ints, out: Ints
) -> int:
    """Write the classes of the completions ``begin`` to ``end``; return how many there are."""
    completions, hole_ranks, hands, flush = scan.completions, scan.hole_ranks, scan.hands, tables.flush
    suits, copies, free, on_board = scan.suits, scan.copies, scan.undealt, scan.board
    step, rank_7 = tables.step, tables.rank_7
    ranks = zeros(5, np.int64)  # those that come, each once
    counts = zeros(5, np.int64)
    with_suit = zeros(5, np.int64)  # ways to deal a rank's cards, one of them of the suit
    without = zeros(5, np.int64)
    undealt, plain = zeros(13, np.int64), zeros(hands.shape[0], np.int64)
    _count_undealt(free, undealt)
    lying = state_of_board(on_board, step)
    found = 0
    for index in range(begin, end):
        state = lying
        different = 0
        for i in range(completions.shape[1]):
            rank = int(completions[index, i])
            state = np.int64(step[state, rank])
            if i > 0 and rank == completions[index, i - 1]:
                counts[different - 1] += 1
            else:
                ranks[different] = rank
                counts[different] = 1
                different += 1
        without_flush = 1
        for i in range(different):
            without_flush *= int(binomials[undealt[ranks[i]], counts[i]]) if counts[i] <= 4 else 0
        if without_flush == 0:
            continue
        for player in range(plain.size):
            six = np.int64(step[state, hole_ranks[player, 0]]) - SIX_CARDS
            plain[player] = rank_7[six, hole_ranks[player, 1]]
        for kind in range(suits.size + 1):
            # The last round is the class without a flush suit, once the others are known.
            last = kind == suits.size
            suit = NO_SUIT if last else int(suits[kind])
            given = 0 if last else int(on_board[suit])
            open_ranks = 0
            if not last:
                if popcount(given) + different < 3:
                    continue
                for i in range(different):
                    of_suit = free[suit] >> ranks[i] & 1
                    open_ranks |= int(of_suit << i)
                    without[i] = binomials[undealt[ranks[i]] - of_suit, counts[i]]
                    with_suit[i] = binomials[undealt[ranks[i]] - of_suit, counts[i] - 1]
            subset = open_ranks
            while True:
                in_suit = given
                boards = without_flush if last else 0
                if not last and popcount(given) + popcount(subset) >= 3:
                    boards = int(copies[kind])
                    for i in range(different):
                        inside = subset >> i & 1
                        boards *= int(with_suit[i] if inside else without[i])
                        in_suit |= int(inside << ranks[i])
                    without_flush -= boards
                if boards > 0:
                    threshold, winners = 0, 0
                    for player in range(plain.size):
                        value = plain[player]
                        if not last:
                            value = max(value, np.int64(flush[in_suit | hands[player, suit]]))
                        threshold, winners = _contend(threshold, winners, value, player)
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


@inlined
def _cards_for_flush(held: Ints, suit: int) -> int:
    """Return how many cards of a suit on the board give a known hand a flush, 5 or fewer."""
    enough = 5
    for player in range(held.shape[0]):
        enough = min(enough, 5 - popcount(held[player, suit]))
    return enough


@compiled
def _count_winners(
    scan: BoardScan, begin: int, end: int, tables: HandRankTables, binomials: Ints, masks: Ints,
    boards: Ints,
) -> int:  # fmt: skip
    """Count boards by winners; return how many masks there are.

    As :func:`list_classes`, but a flush class is visited only if it gives a known hand a flush. The
    loops stand in one function: a completion takes some 200 nanoseconds, and each array that a call
    passes ten.
    """
    kinds, players = scan.suits.size, scan.hands.shape[0]
    step, rank_7, flush = tables.step, tables.rank_7, tables.flush
    held, hole_ranks, completions = scan.hands, scan.hole_ranks, scan.completions
    suits, copies, free, lying = scan.suits, scan.copies, scan.undealt, scan.board
    ranks = zeros(5, np.int64)  # those that come, each once
    counts = zeros(5, np.int64)
    with_suit = zeros(5, np.int64)  # ways to deal a rank's cards, one of them of the suit
    without = zeros(5, np.int64)
    undealt, plain = zeros(13, np.int64), zeros(players, np.int64)
    enough = zeros(kinds, np.int64)
    _count_undealt(free, undealt)
    given = state_of_board(lying, step)
    for kind in range(kinds):
        enough[kind] = _cards_for_flush(held, int(suits[kind]))
    found = 0
    for index in range(begin, end):
        state = given
        different = 0
        for i in range(completions.shape[1]):
            rank = int(completions[index, i])
            state = np.int64(step[state, rank])
            if i > 0 and rank == completions[index, i - 1]:
                counts[different - 1] += 1
            else:
                ranks[different] = rank
                counts[different] = 1
                different += 1
        left = 1
        for i in range(different):
            left *= int(binomials[undealt[ranks[i]], counts[i]]) if counts[i] <= 4 else 0
        if left == 0:
            continue
        for player in range(players):
            six = np.int64(step[state, hole_ranks[player, 0]]) - SIX_CARDS
            plain[player] = rank_7[six, hole_ranks[player, 1]]
        for kind in range(kinds + 1):
            last = kind == kinds  # all boards that are left
            suit = NO_SUIT if last else int(suits[kind])
            on_board = 0 if last else int(lying[suit])
            open_ranks = 0
            if not last:
                if popcount(on_board) + different < enough[kind]:
                    continue
                for i in range(different):
                    of_suit = free[suit] >> ranks[i] & 1
                    open_ranks |= int(of_suit << i)
                    without[i] = binomials[undealt[ranks[i]] - of_suit, counts[i]]
                    with_suit[i] = binomials[undealt[ranks[i]] - of_suit, counts[i] - 1]
            subset = open_ranks
            while True:
                number = left
                in_suit = on_board
                if not last:
                    number = 0
                    if popcount(on_board) + popcount(subset) >= enough[kind]:
                        number = int(copies[kind])
                        for i in range(different):
                            inside = subset >> i & 1
                            number *= int(with_suit[i] if inside else without[i])
                            in_suit |= int(inside << ranks[i])
                        left -= number
                if number > 0:
                    best, mask = np.int64(0), 0
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
    found = list_classes(scan, begin, end, tables, CHOOSE, out)
    return np.ascontiguousarray(out[:, :found])  # one layout: what takes it is compiled once
