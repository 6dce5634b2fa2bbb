"""Count the hands of two players against each other on full boards, by ascending hand rank.

On a board the hands are sorted by high rank. Before the hands of a rank are added to the sums of
:mod:`gpuodds.backends.cpu.omaha.ranges.subset_sums`, each of them finds the other player's lower hands
there; afterwards the lower and equal ones.

Hi-lo keeps a field of the sums for each low: field 0 the hands without a low, field f those with the
f-th lowest low of the board or a lower one. No board leaves more than ten lows. A hand with a low finds
the hands that it beats both ways in the field below its own, before its rank is added; once all hands
are added, the fields say how its low compares with all.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, compiled_without_refcounts
from gpuodds.backends.cpu.omaha.ranges.hand_lists import UInt8s, UInt64s, fill_hand_ranks
from gpuodds.backends.cpu.omaha.ranges.pairs import rank_low_pairs, rank_pairs
from gpuodds.backends.cpu.omaha.ranges.subset_sums import (
    ANY_LOW,
    FIELD_SHIFT,
    LOW_TO_OWN,
    NO_LOW,
    WORSE_LOW,
    Ints,
    add_hands,
    sum_apart,
)
from gpuodds.games.shared.combos import COMBOS
from gpuodds.games.shared.hand_ranks import HIGHEST_RANK, HandRankTables, UInt16s

Int32s = npt.NDArray[np.int32]
UInt32s = npt.NDArray[np.uint32]

LOWS = 57  # low ranks, and 0 for no low
MAX_FIELDS = 11
BLOCK = 1024  # hands that look up the final sums together

_FIELD = np.uint64(FIELD_SHIFT)

# The columns of counts: in high games the first three, in hi-lo games these nine.
WIN, TIE, DEALT = 0, 1, 2
HIGH_WIN, HIGH_TIE, HIGH_WIN_BESIDE_LOW, HIGH_TIE_BESIDE_LOW = 0, 1, 2, 3
LOW_WIN, LOW_TIE, SCOOP, NOTHING, LOW_DEALT = 4, 5, 6, 7, 8
HIGH_COLUMNS, LOW_COLUMNS = 3, 9


class BoardRanks(NamedTuple):
    """The ranks of pairs and hands on a board, and scratch of finding them.

    ``ranks`` (n,) uint16 are the hands' high ranks, 0 if a card is on the board; ``lows`` (n,) uint8
    their low ranks, 0 if there is none.
    """

    plain: UInt16s
    pairs: UInt16s
    best: UInt16s
    ranks: UInt16s
    low_plain: UInt8s
    low_pairs: UInt8s
    low_best: UInt8s
    lows: UInt8s


class SortedHands(NamedTuple):
    """The hands that can be dealt, by ascending rank, and scratch of the sort.

    ``order`` and ``words`` (n,) are the hands' places in the list, and their cards and field. The hands
    of the i-th rank stand from ``starts[i]`` to ``starts[i + 1]``. ``places`` (7463,) is zero between
    sorts, ``fields`` (57,) has the field of each low rank, ``listed`` (n,) the words in the order of
    the list.
    """

    order: UInt32s
    words: UInt64s
    starts: Ints
    places: Int32s
    fields: UInt64s
    listed: UInt64s


class Sweep(NamedTuple):
    """The sums, and what hands find in them.

    ``steps`` (6, 52) and ``sums`` are as in :mod:`gpuodds.backends.cpu.omaha.ranges.subset_sums`.
    ``before`` and ``after`` (n, 4) have a row a hand, before and after the hands of its rank are added.
    """

    steps: UInt64s
    sums: Any
    before: Any
    after: Any


def new_ranks(hands: int) -> BoardRanks:
    """Make the arrays that the ranks of a board fill."""
    sizes = (13, 13), (COMBOS,), (52,), (hands,)
    high = [np.zeros(size, np.uint16) for size in sizes]
    low = [np.zeros(size, np.uint8) for size in sizes]
    return BoardRanks(high[0], high[1], high[2], high[3], low[0], low[1], low[2], low[3])


def new_sorted(hands: int) -> SortedHands:
    """Make the arrays that a sort of some hands fills."""
    return SortedHands(
        np.zeros(hands, np.uint32),
        np.zeros(hands, np.uint64),
        np.zeros(HIGHEST_RANK + 2, np.int64),
        np.zeros(HIGHEST_RANK + 1, np.int32),
        np.zeros(LOWS, np.uint64),
        np.zeros(hands, np.uint64),
    )


def new_sweep(hands: int, sets: int, fields: int, dtype: npt.DTypeLike) -> Sweep:
    """Make the arrays of a sweep over some hands; ``dtype`` is uint64 or complex128."""
    before, after = np.zeros((2, max(hands, BLOCK), 4), dtype)
    return Sweep(np.zeros((6, 52), np.uint64), np.zeros(sets * fields, dtype), before, after)


@compiled_without_refcounts
def _set_of(board: UInt8s) -> int:
    dead = 0
    for i in range(5):
        dead |= 1 << int(np.int64(board[i]))
    return dead


@compiled
def rank_board(
    board: UInt8s, cards: UInt8s, runs: Ints, tables: HandRankTables, low_ranks: UInt8s, low: bool,
    ranked: BoardRanks,
) -> bool:  # fmt: skip
    """Rank hands on a board, their lows too if ``low``; return whether any hand can have a low."""
    dead = _set_of(board)
    rank_pairs(board, tables, ranked.plain, ranked.pairs)
    fill_hand_ranks(cards, runs, dead, ranked.pairs, ranked.best, ranked.ranks)
    if not low or not rank_low_pairs(board, low_ranks, ranked.low_plain, ranked.low_pairs):
        return False
    fill_hand_ranks(cards, runs, dead, ranked.low_pairs, ranked.low_best, ranked.lows)
    return True


@compiled_without_refcounts
def number_lows(words: UInt64s, ranked: BoardRanks, hands: SortedHands) -> int:
    """Number the low ranks that occur on a board from 1, and list the hands' words with these fields.

    Returns how many fields there are.
    """
    fields, low_pairs, lows, listed = hands.fields, ranked.low_pairs, ranked.lows, hands.listed
    fields[:] = 0
    for pair in range(COMBOS):
        fields[low_pairs[pair]] = 1
    fields[0] = 0
    number = 1
    for rank in range(1, LOWS):
        if fields[rank]:
            fields[rank] = number
            number += 1
    for h in range(words.size):
        listed[h] = words[h] | fields[lows[h]] << _FIELD
    return number


@compiled_without_refcounts
def sort_hands(words: UInt64s, ranks: UInt16s, in_order: SortedHands) -> int:
    """Sort the hands of a board by rank; return how many ranks there are."""
    places, order, starts, ordered = in_order.places, in_order.order, in_order.starts, in_order.words
    for h in range(ranks.size):
        places[ranks[h]] += 1
    at, number = 0, 0
    for rank in range(1, HIGHEST_RANK + 1):
        count = places[rank]
        if count:
            starts[number] = at
            number += 1
            places[rank] = at
            at += count
    starts[number] = at
    for h in range(ranks.size):
        rank = ranks[h]
        if rank:
            place = np.uint32(places[rank])
            places[rank] = place + 1
            order[place] = h
            ordered[place] = words[h]
    for rank in range(HIGHEST_RANK + 1):
        places[rank] = 0
    return number


@compiled_without_refcounts
def _add_compared(
    begin: int, end: int, times: Any, fields: int, low: bool, hands: SortedHands, own: Any,
    sweep: Sweep, counts: Any,
) -> None:  # fmt: skip
    """Add what the hands of one rank find before and after they are added themselves."""
    before, after, words, order = sweep.before, sweep.after, hands.words, hands.order
    for place in range(np.uint64(begin), np.uint64(end)):
        h, i = order[place], place - np.uint64(begin)
        win = before[i, NO_LOW] * times
        tie = after[i, NO_LOW] * times - win
        itself = own[h] * times
        if not low:
            counts[h, WIN] += win
            counts[h, TIE] += tie + itself
            continue
        field = words[place] >> _FIELD
        if not field:
            tie += itself
        if fields == 1:
            counts[h, HIGH_WIN] += win
            counts[h, HIGH_TIE] += tie
            counts[h, SCOOP] += win
            counts[h, NOTHING] -= win + tie
            continue
        low_win = before[i, ANY_LOW] * times
        low_tie = after[i, ANY_LOW] * times - low_win
        if field:
            low_tie += itself
        counts[h, SCOOP] += win
        counts[h, NOTHING] -= low_win + low_tie
        if field == 0:
            counts[h, HIGH_WIN] += win
            counts[h, HIGH_TIE] += tie
            counts[h, HIGH_WIN_BESIDE_LOW] += low_win
            counts[h, HIGH_TIE_BESIDE_LOW] += low_tie
            counts[h, NOTHING] -= win + tie
            continue
        counts[h, HIGH_WIN_BESIDE_LOW] += win + low_win
        counts[h, HIGH_TIE_BESIDE_LOW] += tie + low_tie
        counts[h, NOTHING] += after[i, LOW_TO_OWN] * times + itself
        if field > 1:
            counts[h, SCOOP] += before[i, WORSE_LOW] * times


@compiled_without_refcounts
def _add_all(
    begin: int, end: int, times: Any, fields: int, low: bool, ranks: UInt16s, words: UInt64s,
    own: Any, sweep: Sweep, counts: Any,
) -> None:  # fmt: skip
    """Add what some hands of the list find once all hands are added."""
    apart = sweep.after
    for h in range(np.uint64(begin), np.uint64(end)):
        if ranks[h] == 0:
            continue
        i = h - np.uint64(begin)
        none = apart[i, NO_LOW] * times
        itself = own[h] * times
        if not low:
            counts[h, DEALT] += none + itself
            continue
        field = words[h] >> _FIELD
        if not field:
            none += itself
        dealt = none
        if field:
            dealt += itself
        if fields > 1:
            dealt += apart[i, ANY_LOW] * times
        counts[h, LOW_DEALT] += dealt
        counts[h, NOTHING] += dealt
        if field:
            beaten = none
            if field > 1:
                beaten += apart[i, WORSE_LOW] * times
            to_own = none + apart[i, LOW_TO_OWN] * times + itself
            counts[h, LOW_WIN] += beaten
            counts[h, LOW_TIE] += to_own - beaten
            counts[h, NOTHING] -= to_own


@compiled_without_refcounts
def find_apart(
    words: UInt64s, begin: int, end: int, size: int, fields: int, sweep: Sweep, apart: Any
) -> None:
    """Fill ``apart`` for some hands."""
    for column in range(4 if fields > 1 else 1):
        sum_apart(column, words, begin, end, size, fields, sweep.steps, sweep.sums, apart)


@compiled
def sweep_boards(
    boards: UInt8s, times: Any, begin: int, end: int, cards: UInt8s, words: UInt64s, runs: Ints,
    values: Any, own: Any, steps: UInt64s, sets: int, tables: HandRankTables, low_ranks: UInt8s,
    low: bool, ranked: BoardRanks, hands: SortedHands, sweep: Sweep, counts: Any,
) -> None:  # fmt: skip
    """Add the counts of the boards ``begin`` to ``end`` to ``counts``.

    Args:
        boards: (m, 5) uint8.
        times: (m,) of the dtype of ``values``, the factor of each board.
        begin: The first board.
        end: The end of the boards.
        cards: (n, hole cards), as ``words`` and ``runs`` of :class:`HandLists`.
        words: (n,)
        runs: (1327,)
        values: (n,) uint64, weight 0 or 1 of the first player's hand plus 2^32 times the second's;
            or complex128, the first player's weight the real part.
        own: (n,) what a hand meets of itself, as ``values``: these, negated if a hand has an odd
            number of cards.
        steps: (6, 52), and ``sets``, of :func:`sum_steps`.
        sets: How many sums a field has.
        tables: The hand ranks.
        low_ranks: The table of low ranks.
        low: Whether the game is hi-lo.
        ranked: Scratch.
        hands: Scratch.
        sweep: Scratch.
        counts: (n, columns) of the dtype of ``values``: for each hand, the weight of the first and of
            the second player's hands by column.
    """
    size = cards.shape[1]
    sums = sweep.sums
    last_fields = 0
    for number in range(begin, end):
        has_low = rank_board(boards[number], cards, runs, tables, low_ranks, low, ranked)
        fields = 1
        listed = words
        if has_low:
            fields = number_lows(words, ranked, hands)
            listed = hands.listed
        if fields != last_fields:
            for i in range(6):
                for card in range(52):
                    sweep.steps[i, card] = steps[i, card] * np.uint64(fields)
            last_fields = fields
        different = sort_hands(listed, ranked.ranks, hands)
        for i in range(sets * fields):
            sums[i] = 0
        factor = times[number]
        for rank in range(different):
            first, last = hands.starts[rank], hands.starts[rank + 1]
            find_apart(hands.words, first, last, size, fields, sweep, sweep.before)
            add_hands(hands.words, hands.order, values, first, last, size, fields, sweep.steps, sums)
            find_apart(hands.words, first, last, size, fields, sweep, sweep.after)
            _add_compared(first, last, factor, fields, low, hands, own, sweep, counts)
        for first in range(0, words.size, BLOCK):
            last = min(first + BLOCK, words.size)
            find_apart(listed, first, last, size, fields, sweep, sweep.after)
            _add_all(first, last, factor, fields, low, ranked.ranks, listed, own, sweep, counts)
