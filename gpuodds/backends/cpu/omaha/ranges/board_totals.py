"""Count the deals of two players' Omaha hands on each of many boards, without telling hands apart.

This is the sweep of :mod:`gpuodds.backends.cpu.omaha.ranges.sweep` for sums over all hands. One list is
enough to look things up, the shorter one, and the other to be added to the sums of
:mod:`gpuodds.backends.cpu.omaha.ranges.subset_sums`. A very short list is compared hand by hand.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, compiled_without_refcounts
from gpuodds.backends.cpu.omaha.ranges.hand_lists import Ints, UInt8s, UInt64s
from gpuodds.backends.cpu.omaha.ranges.subset_sums import (
    ANY_LOW,
    FIELD_SHIFT,
    LOW_TO_OWN,
    NO_LOW,
    WORSE_LOW,
    add_hands,
)
from gpuodds.backends.cpu.omaha.ranges.sweep import (
    DEALT,
    HIGH_TIE,
    HIGH_TIE_BESIDE_LOW,
    HIGH_WIN,
    HIGH_WIN_BESIDE_LOW,
    LOW_DEALT,
    LOW_TIE,
    LOW_WIN,
    NOTHING,
    SCOOP,
    TIE,
    WIN,
    BoardRanks,
    SortedHands,
    Sweep,
    find_apart,
    new_sorted,
    number_lows,
    rank_board,
    sort_hands,
)
from gpuodds.games.shared.hand_ranks import HandRankTables, UInt16s

LOW_LOST = LOW_DEALT + 1  # the column after those of a hand's counts: the other player wins the low
TOTAL_COLUMNS, LOW_TOTAL_COLUMNS = DEALT + 1, LOW_LOST + 1

_FIELD = np.uint64(FIELD_SHIFT)


class TwoLists(NamedTuple):
    """Who of a joint list of hands belongs to the two players.

    ``first`` (n,) and ``second`` (m,) are places in the list, ascending; ``weights`` (n,) and
    ``values`` (m,) the weights there, uint64 or float64. ``own`` (n,) is what a hand of the first
    player meets of itself in the second's list: its value there, negated if a hand has an odd number of
    cards.
    """

    first: Ints
    second: Ints
    weights: Any
    values: Any
    own: Any


class ListScratch(NamedTuple):
    """The ranks (n,) and words (n,) of one player's hands on a board, and these sorted."""

    ranks: UInt16s
    words: UInt64s
    sorted: SortedHands


@compiled_without_refcounts
def _take(places: Ints, ranks: UInt16s, words: UInt64s, own: ListScratch) -> int:
    """Sort the hands of one player; return how many ranks there are."""
    for i in range(places.size):
        own.ranks[i] = ranks[places[i]]
        own.words[i] = words[places[i]]
    return sort_hands(own.words, own.ranks, own.sorted)


@compiled_without_refcounts
def _add_compared(
    begin: int, end: int, fields: int, low: bool, ties: bool, hands: SortedHands, lists: TwoLists,
    sweep: Sweep, row: Any,
) -> None:  # fmt: skip
    """Add what the first player's hands of one rank find before and after their equals are added.

    ``ties`` is whether the second player has hands of this rank; otherwise ``after`` is not read.
    """
    before, after = sweep.before, sweep.after
    for place in range(np.uint64(begin), np.uint64(end)):
        i, h = place - np.uint64(begin), hands.order[place]
        weight = lists.weights[h]
        win = before[i, NO_LOW] * weight
        not_lost = win
        if ties:
            not_lost = after[i, NO_LOW] * weight
        itself = lists.own[h] * weight
        if not low:
            row[WIN] += win
            row[TIE] += not_lost - win
            if ties:
                row[TIE] += itself
            continue
        field = hands.words[place] >> _FIELD
        if ties and not field:
            not_lost += itself
        row[SCOOP] += win
        if fields == 1:
            row[HIGH_WIN] += win
            row[HIGH_TIE] += not_lost - win
            row[NOTHING] -= not_lost
            continue
        low_win = before[i, ANY_LOW] * weight
        low_not_lost = low_win
        if ties:
            low_not_lost = after[i, ANY_LOW] * weight
            if field:
                low_not_lost += itself
        row[HIGH_WIN_BESIDE_LOW] += low_win
        row[HIGH_TIE_BESIDE_LOW] += low_not_lost - low_win
        row[NOTHING] -= low_not_lost
        if not field:
            row[HIGH_WIN] += win
            row[HIGH_TIE] += not_lost - win
            row[NOTHING] -= not_lost
            continue
        row[HIGH_WIN_BESIDE_LOW] += win
        row[HIGH_TIE_BESIDE_LOW] += not_lost - win
        if field > 1:
            row[SCOOP] += before[i, WORSE_LOW] * weight
        # The other player gets all with a better high and a better low.
        if ties:
            row[NOTHING] += after[i, LOW_TO_OWN] * weight + itself
        else:
            row[NOTHING] += before[i, LOW_TO_OWN] * weight


@compiled_without_refcounts
def _add_all(
    begin: int, end: int, fields: int, low: bool, hands: SortedHands, lists: TwoLists, sweep: Sweep,
    row: Any,
) -> None:  # fmt: skip
    """Add what the first player's hands find once all of the second's are added."""
    apart = sweep.after
    for place in range(np.uint64(begin), np.uint64(end)):
        i, h = place - np.uint64(begin), hands.order[place]
        weight = lists.weights[h]
        none = apart[i, NO_LOW] * weight
        itself = lists.own[h] * weight
        if not low:
            row[DEALT] += none + itself
            continue
        field = hands.words[place] >> _FIELD
        if not field:
            none += itself
        dealt = none
        if fields > 1:
            with_low = apart[i, ANY_LOW] * weight
            if field:
                with_low += itself
                own = apart[i, LOW_TO_OWN] * weight + itself
                beaten = none
                if field > 1:
                    beaten += apart[i, WORSE_LOW] * weight
                row[LOW_WIN] += beaten
                row[LOW_TIE] += none + own - beaten
                row[LOW_LOST] += with_low - own
                row[NOTHING] -= none + own
            else:
                row[LOW_LOST] += with_low
            dealt += with_low
        row[LOW_DEALT] += dealt
        row[NOTHING] += dealt


@compiled
def sweep_totals(
    boards: UInt8s, begin: int, end: int, cards: UInt8s, words: UInt64s, runs: Ints, lists: TwoLists,
    steps: UInt64s, sets: int, tables: HandRankTables, low_ranks: UInt8s, low: bool,
    ranked: BoardRanks, listed: SortedHands, first: ListScratch, second: ListScratch, sweep: Sweep,
    totals: Any,
) -> None:  # fmt: skip
    """Fill the rows ``begin`` to ``end`` of ``totals``.

    Args:
        boards: (m, 5) uint8.
        begin: The first board.
        end: The end of the boards.
        cards: (n, hole cards), as ``words`` and ``runs`` of :class:`HandLists`.
        words: (n,)
        runs: (1327,)
        lists: Who holds what.
        steps: (6, 52), and ``sets``, of :func:`sum_steps`.
        sets: How many sums a field has.
        tables: The hand ranks.
        low_ranks: The table of low ranks.
        low: Whether the game is hi-lo.
        ranked: Scratch.
        listed: Scratch; the hands' words with the fields of their lows.
        first: Scratch.
        second: Scratch.
        sweep: Scratch.
        totals: (m, columns) zeros, of the dtype of ``lists.values``.
    """
    size = cards.shape[1]
    sums, own, other = sweep.sums, first.sorted, second.sorted
    last_fields = 0
    for number in range(begin, end):
        row = totals[number]
        has_low = rank_board(boards[number], cards, runs, tables, low_ranks, low, ranked)
        fields, marked = 1, words
        if has_low:
            fields = number_lows(words, ranked, listed)
            marked = listed.listed
        if fields != last_fields:
            for i in range(6):
                for card in range(52):
                    sweep.steps[i, card] = steps[i, card] * np.uint64(fields)
            last_fields = fields
        groups = _take(lists.first, ranked.ranks, marked, first)
        second_hands = _take(lists.second, ranked.ranks, marked, second)
        for i in range(sets * fields):
            sums[i] = 0
        at = 0
        for group in range(groups):
            start, stop = own.starts[group], own.starts[group + 1]
            rank = first.ranks[own.order[start]]
            lower = at
            while lower < second_hands and second.ranks[other.order[other.starts[lower]]] < rank:
                lower += 1
            add_hands(
                other.words, other.order, lists.values, other.starts[at], other.starts[lower], size,
                fields, sweep.steps, sums,
            )  # fmt: skip
            find_apart(own.words, start, stop, size, fields, sweep, sweep.before)
            at = lower
            ties = at < second_hands and second.ranks[other.order[other.starts[at]]] == rank
            if ties:
                add_hands(
                    other.words, other.order, lists.values, other.starts[at], other.starts[at + 1],
                    size, fields, sweep.steps, sums,
                )  # fmt: skip
                at += 1
                find_apart(own.words, start, stop, size, fields, sweep, sweep.after)
            _add_compared(start, stop, fields, low, ties, own, lists, sweep, row)
        add_hands(
            other.words, other.order, lists.values, other.starts[at], other.starts[second_hands], size,
            fields, sweep.steps, sums,
        )  # fmt: skip
        find_apart(own.words, 0, own.starts[groups], size, fields, sweep, sweep.after)
        _add_all(0, own.starts[groups], fields, low, own, lists, sweep, row)


@compiled_without_refcounts
def _add_pairs(
    rank: int, cards: int, own_low: int, low: bool, ranks: UInt16s, lows: UInt8s, masks: Ints,
    places: Ints, values: Any, row: Any,
) -> None:  # fmt: skip
    """Add the second player's hands that share no card with a hand of the first, on a board."""
    for i in range(places.size):
        j = places[i]
        other = int(ranks[j])
        if other == 0 or masks[j] & cards:
            continue
        value = values[i]
        if not low:
            row[DEALT] += value
            if rank > other:
                row[WIN] += value
            elif rank == other:
                row[TIE] += value
            continue
        other_low = int(lows[j])
        row[LOW_DEALT] += value
        beside = (own_low | other_low) > 0
        if rank > other:
            row[HIGH_WIN_BESIDE_LOW if beside else HIGH_WIN] += value
            if own_low > other_low or not beside:
                row[SCOOP] += value
        elif rank == other:
            row[HIGH_TIE_BESIDE_LOW if beside else HIGH_TIE] += value
        elif other_low > own_low or not beside:
            row[NOTHING] += value
        if own_low > other_low:
            row[LOW_WIN] += value
        elif own_low < other_low:
            row[LOW_LOST] += value
        elif beside:
            row[LOW_TIE] += value


@compiled
def compare_totals(
    boards: UInt8s, begin: int, end: int, cards: UInt8s, masks: Ints, runs: Ints, lists: TwoLists,
    tables: HandRankTables, low_ranks: UInt8s, low: bool, ranked: BoardRanks, of_hand: Any, totals: Any,
) -> None:  # fmt: skip
    """Fill the rows ``begin`` to ``end`` of ``totals``: compare every pair of hands.

    Arguments as of :func:`sweep_totals`; ``masks`` (n,) of :class:`HandLists`, ``of_hand`` (columns,)
    is scratch.
    """
    for number in range(begin, end):
        if not rank_board(boards[number], cards, runs, tables, low_ranks, low, ranked):
            ranked.lows[:] = 0
        for i in range(lists.first.size):
            h = lists.first[i]
            rank = int(ranked.ranks[h])
            if rank == 0:
                continue
            for column in range(of_hand.size):
                of_hand[column] = 0
            _add_pairs(
                rank, masks[h], int(ranked.lows[h]), low, ranked.ranks, ranked.lows, masks,
                lists.second, lists.values, of_hand,
            )  # fmt: skip
            for column in range(of_hand.size):
                totals[number, column] += of_hand[column] * lists.weights[i]


def new_list(hands: int) -> ListScratch:
    """Make the scratch of one player's hands."""
    return ListScratch(np.zeros(hands, np.uint16), np.zeros(hands, np.uint64), new_sorted(hands))


def join_lists(
    weights: npt.NDArray[np.float64], first: Ints, second: Ints, hole_cards: int, dtype: npt.DTypeLike
) -> TwoLists:
    """Return who holds what, from the weights (n, 2) of a joint list in each player's."""
    joined = weights.astype(dtype)
    own = joined[first, 1]
    return TwoLists(
        first,
        second,
        np.ascontiguousarray(joined[first, 0]),
        np.ascontiguousarray(joined[second, 1]),
        own.copy() if hole_cards % 2 == 0 else np.zeros_like(own) - own,
    )
