"""Count the boards on which a hand beats and ties another, by types of hands, before the flop.

Take all boards by rank alone, flushes left aside. Then, for each suit, take the boards with three cards
or more of it once more: add how the hands rank, subtract how they rank without flushes. A pair of hands
that cannot have a flush on a board has the same result both times, so it is skipped.

Sums are int32: a pair of hands meets C(48, 5) = 1,712,304 boards, of which each is added and
subtracted at most once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, inlined, popcount, zeros
from gpuodds.backends.cpu.ranges.preflop.hand_types import Hands, RankBoards, SuitedBoards
from gpuodds.backends.cpu.shared.showdown_sums import hand_category
from gpuodds.games.shared.hand_names import CATEGORY_RANKS
from gpuodds.games.shared.hand_ranks import SIX_CARDS, HandRankTables

Ints = npt.NDArray[np.int64]
Int32s = npt.NDArray[np.int32]
UInt8s = npt.NDArray[np.uint8]
UInt16s = npt.NDArray[np.uint16]

CATEGORY_ENDS = tuple(ranks.stop for ranks in CATEGORY_RANKS)  # of the full deck alone
NEVER = np.int32(-1)  # a rank below every other


class PairSums(NamedTuple):
    """The boards of pairs of hands, by row and column.

    Attributes:
        wins: Shape (categories, rows, columns), int32: boards on which the row's hand wins.
        ties: The same shape: boards on which both tie.
        boards: The same shape: all boards; no entries unless counted by category. Categories are those
            of the row's hand, or one for all.
    """

    wins: Int32s
    ties: Int32s
    boards: Int32s


def new_pair_sums(categories: int, rows: int, columns: int) -> PairSums:
    """Return sums of zero; with one category ``boards`` has no entries."""
    shape = categories, rows, columns
    every = shape if categories > 1 else (0, 0, 0)
    return PairSums(np.zeros(shape, np.int32), np.zeros(shape, np.int32), np.zeros(every, np.int32))


@inlined
def _compare(
    wins: Int32s, ties: Int32s, ways: Int32s,
    rank: np.int32, ranks: Int32s, plain: np.int32, plains: Int32s,
) -> None:  # fmt: skip
    """Add the boards on which ``rank`` wins and ties, subtract those on which ``plain`` does."""
    for column in range(len(wins)):
        boards = ways[column]
        won = np.int32(rank > ranks[column]) - np.int32(plain > plains[column])
        tied = np.int32(rank == ranks[column]) - np.int32(plain == plains[column])
        wins[column] += np.int32(boards * won)
        ties[column] += np.int32(boards * tied)


@compiled
def _add_row(
    sums: PairSums, row: int, begin: int | np.int64, end: int, ways: Int32s,
    rank: np.int32, ranks: Int32s, plain: np.int32, plains: Int32s,
) -> None:  # fmt: skip
    """Compare a row's hand with the columns ``begin`` to ``end``.

    Add the boards on which ``rank`` wins and ties; subtract those on which ``plain`` does.
    """
    new = old = 0
    if len(sums.boards):
        new = hand_category(int(rank), CATEGORY_ENDS)
        old = hand_category(int(plain), CATEGORY_ENDS) if plain != NEVER else -1
    ways, ranks, plains = ways[begin:end], ranks[begin:end], plains[begin:end]
    for step in range(1 if new == old else 2):
        category = old if step else new
        if category < 0:
            continue
        added, taken = (NEVER if step else rank), (plain if step or new == old else NEVER)
        wins, ties = sums.wins[category, row, begin:end], sums.ties[category, row, begin:end]
        for column in range(len(wins)):
            won = np.int32(added > ranks[column]) - np.int32(taken > plains[column])
            tied = np.int32(added == ranks[column]) - np.int32(taken == plains[column])
            wins[column] += np.int32(ways[column] * won)
            ties[column] += np.int32(ways[column] * tied)
        if new != old:
            every, sign = sums.boards[category, row, begin:end], -1 if step else 1
            for column in range(len(every)):
                every[column] += np.int32(ways[column] * sign)


@inlined
def _find_rows(state: np.int64, tables: HandRankTables, six: Ints) -> None:
    """Fill ``six`` (13,): the row of ``rank_7`` of a board and a further rank, negative if none."""
    for rank in range(13):
        six[rank] = np.int64(tables.step[state, rank]) - SIX_CARDS


@inlined
def _rank(six: Ints, first: int, second: int, rank_7: UInt16s) -> np.int32:
    row = six[first]
    return np.int32(rank_7[row, second]) if row >= 0 else np.int32(0)


@compiled
def add_rank_boards(
    begin: int, end: int, boards: RankBoards, rows: UInt8s, columns: UInt8s, tables: HandRankTables,
    sums: PairSums,
) -> None:  # fmt: skip
    """Add the boards ``begin`` to ``end`` by rank alone to the pairs of some rank classes."""
    six = zeros(13, np.int64)
    width = len(columns)
    ranks, none = zeros(width, np.int32), zeros(width, np.int32)
    ways = zeros((21, width), np.int32)
    for number in range(begin, end):
        state = np.int64(0)
        for i in range(5):
            state = np.int64(tables.step[state, boards.ranks[number, i]])
        _find_rows(state, tables, six)
        by_pattern, places = boards.ways[boards.spread[number]], boards.places[number]
        for column in range(width):
            first, second = columns[column, 0], columns[column, 1]
            ranks[column] = _rank(six, first, second, tables.rank_7)
            pattern = boards.pattern[places[first], places[second]]
            for held_spread in range(21):
                ways[held_spread, column] = by_pattern[held_spread, pattern]
        for row in range(len(rows)):
            first, second = rows[row, 0], rows[row, 1]
            pattern = boards.pattern[places[first], places[second]]
            rank = _rank(six, first, second, tables.rank_7)
            if rank:
                _add_row(sums, row, np.int64(0), width, ways[pattern], rank, ranks, NEVER, none)


@inlined
def _read_hands(
    inside: int, six: Ints, hands: Hands, last: int, flushing: int, tables: HandRankTables,
    plain: Int32s, best: Int32s,
) -> None:  # fmt: skip
    """Fill the ranks of the first ``last`` hands on a board, without flushes and with them.

    The first ``flushing`` hands have enough cards of the suit for a flush.
    """
    for hand in range(last):
        plain[hand] = _rank(six, hands.ranks[hand, 0], hands.ranks[hand, 1], tables.rank_7)
        best[hand] = plain[hand]
    for hand in range(min(last, flushing)):
        best[hand] = max(plain[hand], np.int32(tables.flush[inside | hands.inside[hand]]))


@inlined
def _pattern(hands: Hands, hand: int, first: int, second: int) -> int:
    """Return a hand's pattern on the ranks of a board outside the suit."""
    pattern = 0
    for card in range(2):
        rank = hands.outside[hand, card]
        if rank < 13:
            pattern += 3 * (rank == first) + (rank == second)
    return pattern


@inlined
def _with_suited(hands: Hands, needed: int) -> int:
    """Return how many of the hands have so many cards of the suit or more; they come first."""
    last = 0
    while last < len(hands.suited) and hands.suited[last] >= needed:
        last += 1
    return last


@compiled
def add_suited_boards(
    begin: int, end: int, boards: SuitedBoards, rows: Hands, columns: Hands, same: bool,
    tables: HandRankTables, sums: PairSums,
) -> None:  # fmt: skip
    """Add what flushes of one suit change on the boards ``begin`` to ``end``.

    With ``same`` rows and columns are the same types, and columns before the row are left out.
    """
    six = zeros(13, np.int64)
    height, width = len(rows.suited), len(columns.suited)
    row_plain, row_best = zeros(height, np.int32), zeros(height, np.int32)
    plain, best = zeros(width, np.int32), zeros(width, np.int32)
    row_patterns = zeros(height, np.int64)
    every_way, ways = zeros((9, width), np.int32), zeros((9, width), np.int32)
    filled = zeros(9, np.int64)
    known = -1
    flushing_rows, flushing = 0, 0
    for number in range(begin, end):
        inside = int(boards.inside[number])
        first, second = int(boards.outside[number, 0]), int(boards.outside[number, 1])
        if known != first << 4 | second:
            known = first << 4 | second
            needed = 5 - popcount(inside)  # cards of the suit that make a flush
            flushing_rows, flushing = _with_suited(rows, needed), _with_suited(columns, needed)
            by_pattern = boards.ways[boards.kind[number]]
            for row in range(height):
                row_patterns[row] = _pattern(rows, row, first, second)
            for column in range(width):
                pattern = _pattern(columns, column, first, second)
                for num_held in range(9):
                    every_way[num_held, column] = by_pattern[num_held, pattern]
        state = np.int64(0)
        for rank in range(13):
            if inside >> rank & 1:
                state = np.int64(tables.step[state, rank])
        if first < 13:
            state = np.int64(tables.step[state, first])
        if second < 13:
            state = np.int64(tables.step[state, second])
        _find_rows(state, tables, six)
        most = width if flushing_rows else flushing
        least = height if flushing and not same else flushing_rows
        _read_hands(inside, six, columns, most, flushing, tables, plain, best)
        _read_hands(inside, six, rows, least, flushing_rows, tables, row_plain, row_best)
        filled[:] = 0
        for row in range(least):
            last = width if row < flushing_rows else flushing
            start = row if same else 0
            pattern = row_patterns[row]
            if inside & rows.inside[row]:
                continue
            if filled[pattern] < last:
                filled[pattern] = last
                some, left = every_way[pattern, :last], ways[pattern, :last]
                for column in range(last):
                    left[column] = some[column] if inside & columns.inside[column] == 0 else np.int32(0)
            _add_row(
                sums, row, start, last, ways[pattern],
                row_best[row], best, row_plain[row], plain,
            )  # fmt: skip
