"""Count the deals of three players on full boards by who has the best high and the best low hand.

For each hand of the first player, the third player's hands that share no card with it are added to
the sums of :mod:`gpuodds.backends.cpu.omaha.ranges.subset_sums` by ascending high rank. A hand of the
second player meets those of the third when the sums hold all below the better rank of the first's and
the second's hand, when they hold the equal ones, too, and when they hold all: the differences are the
deals that the third player loses, ties and wins. The fields of the sums tell the same of the better
low.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gpuodds.backends.cpu.compile.jit import compiled, compiled_without_refcounts
from gpuodds.backends.cpu.omaha.ranges.hand_lists import UInt8s, UInt64s
from gpuodds.backends.cpu.omaha.ranges.subset_sums import (
    ANY_LOW,
    FIELD_SHIFT,
    LOW_TO_OWN,
    NO_LOW,
    WORSE_LOW,
    Ints,
    add_hands,
)
from gpuodds.backends.cpu.omaha.ranges.sweep import (
    BoardRanks,
    SortedHands,
    Sweep,
    UInt32s,
    find_apart,
    number_lows,
    rank_board,
    sort_hands,
)
from gpuodds.games.shared.hand_ranks import HIGHEST_RANK, HandRankTables, UInt16s

MASKS = 8  # of three players
THIRD = 4  # the mask of the third player

_FIELD = np.uint64(FIELD_SHIFT)
_CARDS = np.uint64((1 << FIELD_SHIFT) - 1)

# What the sums hold: the third player's lower hands; the lower and equal ones; both, where no hand is
# equal; all.
LOWER, TO_EQUAL, WITHOUT_EQUAL, ALL = range(4)


class Lists(NamedTuple):
    """The hands of three players, each once, by ascending number: see :class:`HandLists`.

    ``cards``, ``masks``, ``words`` and ``runs`` are as there. ``members`` (n,) uint8 has the players
    who have a hand, as a mask. ``first``, ``second`` and ``third`` (n,) are the weights of each, uint64
    or float64; ``own`` (n,) is what a hand meets of itself in the third's list: its weight, negated if
    a hand has an odd number of cards.
    """

    cards: UInt8s
    masks: Ints
    words: UInt64s
    runs: Ints
    members: UInt8s
    first: Any
    second: Any
    third: Any
    own: Any


class Dealt(NamedTuple):
    """The hands of one player that share no card with board and hand, by ascending rank; scratch.

    ``order``, ``words`` and ``ranks`` (n,) are their places in the lists, cards and field, and high
    ranks. For the second player ``high`` and ``low`` (n,) say which of the first (1) and second (2)
    have the better hand of the two, or both (3), and the field is that of the better low.
    """

    order: UInt32s
    words: UInt64s
    ranks: UInt16s
    high: UInt8s
    low: UInt8s


def new_dealt(hands: int) -> Dealt:
    """Make the arrays of a player's hands."""
    return Dealt(
        np.zeros(hands, np.uint32),
        np.zeros(hands, np.uint64),
        np.zeros(hands, np.uint16),
        np.zeros(hands, np.uint8),
        np.zeros(hands, np.uint8),
    )


@compiled_without_refcounts
def _deal(
    player: int, dead: int, total: int, lists: Lists, ranks: UInt16s, hands: SortedHands, dealt: Dealt
) -> int:
    """List the hands of a player without cards of the set ``dead``; return how many there are."""
    count = 0
    for place in range(np.uint64(total)):
        h = hands.order[place]
        if lists.members[h] >> player & 1 and lists.masks[h] & dead == 0:
            dealt.order[count] = h
            dealt.words[count] = hands.words[place]
            dealt.ranks[count] = ranks[h]
            count += 1
    return count


@compiled_without_refcounts
def _compare(rank: int, field: np.uint64, count: int, second: Dealt) -> None:
    """Compare the second player's hands with the first's of this rank and field."""
    for i in range(np.uint64(count)):
        word, own = second.words[i], int(second.ranks[i])
        other = word >> _FIELD
        second.high[i] = (rank >= own) + 2 * (own >= rank)
        second.low[i] = (field >= other) + 2 * (other >= field) if field or other else 0
        second.words[i] = word & _CARDS | max(field, other) << _FIELD


@compiled_without_refcounts
def _add_lower(
    rank: int, begin: int, end: int, size: int, fields: int, lists: Lists, third: Dealt, sweep: Sweep
) -> int:
    """Add the third player's hands below a rank, from ``begin``; return where they end."""
    last = begin
    while last < end and third.ranks[last] < rank:
        last += 1
    add_hands(third.words, third.order, lists.third, begin, last, size, fields, sweep.steps, sweep.sums)
    return last


@compiled_without_refcounts
def _count_met(
    rule: int, begin: int, end: int, factor: Any, size: int, fields: int, lists: Lists, second: Dealt,
    sweep: Sweep, counts: Any,
) -> None:  # fmt: skip
    """Count what some hands of the second player meet in the sums.

    What the sums hold counts for the winners of the high with the hands that were added last, and is
    taken off those with the hands that are added next, since these find it again. Row 0 of ``counts``
    takes what is left after all hands.
    """
    apart = sweep.before
    find_apart(second.words, begin, end, size, fields, sweep, apart)
    for place in range(np.uint64(begin), np.uint64(end)):
        i, h = place - np.uint64(begin), second.order[place]
        high, low = int(np.int64(second.high[place])), int(np.int64(second.low[place]))
        times = lists.second[h] * factor
        below = apart[i, NO_LOW] * times
        met, off = high, THIRD
        if rule == LOWER:
            off = high | THIRD
        elif rule == TO_EQUAL:
            met = high | THIRD
        elif rule == ALL:
            met, off = THIRD, 0
        if rule != LOWER and rule != ALL:
            own_high = high | THIRD if high & 2 else high
            own_low = low | THIRD if low & 2 else low
            counts[own_high, own_low] += lists.own[h] * times
        if fields > 1:
            every = below + apart[i, ANY_LOW] * times
            to_equal = below
            if low:
                to_equal += apart[i, LOW_TO_OWN] * times
                if second.words[place] >> _FIELD > 1:
                    below += apart[i, WORSE_LOW] * times
                counts[met, low | THIRD] += to_equal - below
                counts[off, low | THIRD] -= to_equal - below
            counts[met, THIRD] += every - to_equal
            counts[off, THIRD] -= every - to_equal
        counts[met, low] += below
        counts[off, low] -= below


@compiled
def count_boards(
    boards: UInt8s, times: Any, begin: int, end: int, lists: Lists, firsts: Ints, steps: UInt64s,
    sets: int, tables: HandRankTables, low_ranks: UInt8s, low: bool, ranked: BoardRanks,
    hands: SortedHands, sweep: Sweep, second: Dealt, third: Dealt, counts: Any,
) -> None:  # fmt: skip
    """Add the counts of the boards ``begin`` to ``end`` to ``counts``.

    Args:
        boards: (m, 5) uint8.
        times: (m,) of the dtype of the weights, the factor of each board.
        begin: The first board.
        end: The end of the boards.
        lists: The hands.
        firsts: The places of the first player's hands.
        steps: (6, 52), and ``sets``, of :func:`sum_steps`.
        sets: How many sums a field has.
        tables: The hand ranks.
        low_ranks: The table of low ranks.
        low: Whether the game is hi-lo.
        ranked: Scratch.
        hands: Scratch.
        sweep: Scratch, of the dtype of the weights.
        second: Scratch.
        third: Scratch.
        counts: (8, 8) of the dtype of the weights: deals by the players with the best high and the best
            low hand, two masks. Row 0 has no meaning.
    """
    size = lists.cards.shape[1]
    ranks, sums = ranked.ranks, sweep.sums
    for number in range(begin, end):
        has_low = rank_board(boards[number], lists.cards, lists.runs, tables, low_ranks, low, ranked)
        fields, listed = 1, lists.words
        if has_low:
            fields = number_lows(lists.words, ranked, hands)
            listed = hands.listed
        for i in range(6):
            for card in range(52):
                sweep.steps[i, card] = steps[i, card] * np.uint64(fields)
        total = hands.starts[sort_hands(listed, ranks, hands)]
        for h in firsts:
            rank = int(np.int64(ranks[h]))
            if rank == 0:
                continue
            seconds = _deal(1, lists.masks[h], total, lists, ranks, hands, second)
            thirds = _deal(2, lists.masks[h], total, lists, ranks, hands, third)
            if seconds == 0 or thirds == 0:
                continue
            _compare(rank, listed[h] >> _FIELD, seconds, second)
            for i in range(sets * fields):
                sums[i] = 0
            factor = times[number] * lists.first[h]
            done, added = 0, 0
            while done < seconds:
                better = max(rank, int(np.int64(second.ranks[done])))
                last = done + 1
                while last < seconds and second.ranks[last] <= better:
                    last += 1
                added = _add_lower(better, added, thirds, size, fields, lists, third, sweep)
                rule = WITHOUT_EQUAL
                if added < thirds and third.ranks[added] == better:
                    _count_met(LOWER, done, last, factor, size, fields, lists, second, sweep, counts)
                    added = _add_lower(better + 1, added, thirds, size, fields, lists, third, sweep)
                    rule = TO_EQUAL
                _count_met(rule, done, last, factor, size, fields, lists, second, sweep, counts)
                done = last
            _add_lower(HIGHEST_RANK + 1, added, thirds, size, fields, lists, third, sweep)
            _count_met(ALL, 0, seconds, factor, size, fields, lists, second, sweep, counts)
