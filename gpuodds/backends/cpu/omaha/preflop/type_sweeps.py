"""Count the opponents that every hand of Omaha beats on a class of boards, by types of hands.

See :mod:`gpuodds.backends.cpu.omaha.preflop.preflop_random` for what is counted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, inlined, lowest_bit, popcount
from gpuodds.backends.cpu.omaha.preflop.type_multisets import (
    COUNT_BITS,
    TypeHands,
    hands_with_suit,
    hands_without_suit,
)
from gpuodds.backends.cpu.omaha.shared.pair_ranks import PairRanks
from gpuodds.games.shared.hand_ranks import HIGHEST_RANK

Ints = npt.NDArray[np.int64]
Int16s = npt.NDArray[np.int16]
Int32s = npt.NDArray[np.int32]

SHARES = 12  # a multiple of every number of ways to choose cards of a type, for each card chosen
# What is counted of a hand on a class of boards: opponents that it beats in the high, that do not beat
# it, and all; and of these ...
BEATEN, NOT_BETTER, ALL = 0, 1, 2
ANY_LOW = 0  # all
NO_LOW = 1  # those without a low, if the hand has none
LOWER = 2  # those with a lower low or none, if the hand has one
NOT_HIGHER = 3  # those with the same low too


class SweepScratch(NamedTuple):
    """Scratch of a thread.

    By multiset of a hand's ranks: ``best`` its hand rank without flushes, ``low`` its low, ``level``
    that low among those that occur, 0 for none; ``plain`` (3, columns, multisets) what is counted of it
    without flushes. ``flushes`` (8192,) is the best flush by set of ranks in the suit.
    By multiset of ranks outside the suit: ``ways`` to hold it, ``boards`` that leave it over,
    ``shares`` as for parts below. By place, in order of hand rank: ``hand``, its ``rank``, its multiset
    ``outside``; ``unsorted`` (3, hands) has these three before; ``ends`` (7463,) by hand rank.
    By part of a hand: ``holders``, the hands so far that contain it, and ``part_shares``, what a hand
    that contains it adds to them, both 12^(cards - 1) times over.
    """

    best: Int16s
    low: Int16s
    level: Int16s
    plain: Ints
    flushes: Int16s
    ways: Ints
    boards: Ints
    shares: Ints
    hand: Int32s
    rank: Int32s
    outside: Int32s
    unsorted: Int32s
    ends: Int32s
    part_shares: Ints
    holders: Ints


def new_sweep_scratch(cards: int, columns: int) -> SweepScratch:
    """Return scratch for hands of ``cards`` cards; ``columns`` are those of the sums."""
    plain, suited = hands_without_suit(cards), hands_with_suit(cards)
    multisets, hands, sets = len(plain.keys), len(suited.keys), 1 << 13
    outside, parts = len(plain.outside), len(suited.parts_outside)

    def of(*shape: int) -> Ints:
        return np.zeros(shape, np.int64)

    def small(*shape: int) -> Int16s:
        return np.zeros(shape, np.int16)

    def medium(*shape: int) -> Int32s:
        return np.zeros(shape, np.int32)

    return SweepScratch(
        best=small(multisets), low=small(multisets), level=small(multisets),
        plain=of(3, columns, multisets), flushes=small(sets),
        ways=of(outside), boards=of(outside), shares=of(outside),
        hand=medium(hands), rank=medium(hands), outside=medium(hands), unsorted=medium(3, hands),
        ends=medium(HIGHEST_RANK + 1), part_shares=of(parts), holders=of(parts),
    )  # fmt: skip


@inlined
def _find_flushes(inside: int, sets: Ints, pairs: PairRanks, flushes: Int16s) -> None:
    """Fill the best flush of each set of ranks that a hand may have in the suit."""
    for number in range(sets.size):
        ranks = sets[number]
        flushes[ranks] = 0
        if ranks & inside or popcount(ranks) < 2:
            continue
        if popcount(ranks) == 2:
            flushes[ranks] = pairs.suited[lowest_bit(ranks), lowest_bit(ranks & (ranks - 1))]
            continue
        # Of three cards one is not in the best pair.
        left = ranks
        for _ in range(3):
            flushes[ranks] = max(flushes[ranks], flushes[ranks & ~(left & -left)])
            left &= left - 1


@inlined
def _count_ways(
    counts: Ints, copies: int, cards: int, hands: TypeHands, choose: Ints, share_of: Ints,
    scratch: SweepScratch,
) -> None:  # fmt: skip
    """Fill ``ways``, ``boards`` and shares; ``counts`` are the board's cards outside, by rank."""
    for size in range(cards + 1):
        for number in range(hands.outside_first[size], hands.outside_first[size + 1]):
            ways, boards, share = 1, 1, 1
            for _ in range(cards - 1 - size):
                share *= SHARES
            key = hands.outside[number]
            for rank in range(13):
                if counts[rank]:
                    of_rank = key >> COUNT_BITS * rank & 7
                    boards *= choose[copies - of_rank, counts[rank]]
            while key:
                rank = lowest_bit(key) // COUNT_BITS
                of_rank = key >> COUNT_BITS * rank & 7
                key ^= of_rank << COUNT_BITS * rank
                ways *= choose[copies - counts[rank], of_rank]
                share *= share_of[copies - counts[rank], of_rank]
            scratch.ways[number] = ways
            scratch.boards[number] = boards
            scratch.shares[number] = share
    for part in range(hands.parts_outside.size):
        scratch.part_shares[part] = scratch.shares[hands.parts_outside[part]]


@inlined
def _sort_hands(inside: int, cards: int, hands: TypeHands, scratch: SweepScratch) -> int:
    """Sort the hands that can be dealt by hand rank; return how many there are."""
    best, flushes, ways, ends = scratch.best, scratch.flushes, scratch.ways, scratch.ends
    ends[:] = 0
    dealt = 0
    for number in range(hands.sets.size):
        ranks = hands.sets[number]
        if ranks & inside:
            continue
        flush, first = flushes[ranks], hands.first[number]
        skipped = hands.outside_first[cards - popcount(ranks)] - first
        for hand in range(first, hands.first[number + 1]):
            if ways[hand + skipped] == 0:
                continue
            rank = max(best[hands.ranks[hand]], flush)
            scratch.unsorted[0, dealt] = hand
            scratch.unsorted[1, dealt] = rank
            scratch.unsorted[2, dealt] = hand + skipped
            ends[rank] += 1
            dealt += 1
    before = 0
    for rank in range(ends.size):
        of_rank = ends[rank]
        ends[rank] = before
        before += of_rank
    for i in range(dealt):
        rank = scratch.unsorted[1, i]
        place = ends[rank]
        ends[rank] = place + 1
        scratch.hand[place] = scratch.unsorted[0, i]
        scratch.rank[place] = rank
        scratch.outside[place] = scratch.unsorted[2, i]
    return dealt


@inlined
def _add(
    row: int, column: int, hand: np.int64, first: int, ranks: np.int32, boards: np.int64, met: int,
    plain: Ints, sums: Ints,
) -> None:  # fmt: skip
    """Add what is found on a class of boards to the sums; ``first`` is 0 without a flush suit."""
    # Without a flush suit what is found is kept; with one, that is taken off.
    sums[row, column, first + hand] += boards * (met - plain[row, column, ranks])
    if first == 0:
        plain[row, column, ranks] = met


@inlined
def _count_hands(
    row: int, begin: int, end: int, level: int, last: int, own: int, first: int, even: int,
    hands: TypeHands, scratch: SweepScratch, sums: Ints,
) -> None:  # fmt: skip
    """Count the opponents of the hands at the places ``begin`` to ``end`` that are swept so far.

    ``row`` and the columns are those of the sums, ``first`` the place of the first hand there;
    ``own`` is what a hand itself counts for among its opponents, if it is swept too.
    """
    holders, parts, plain = scratch.holders, hands.parts, scratch.plain
    for place in range(begin, end):
        hand = np.int64(scratch.hand[place])
        ranks = hands.ranks[hand]
        difference = scratch.level[ranks] - level
        if level < last and (difference < 0 or difference > 1):
            continue
        met = own if row != BEATEN and difference <= 0 else 0
        for i in range(even):
            met += holders[parts[hand, i]]
        for i in range(even, parts.shape[1]):
            met -= holders[parts[hand, i]]
        boards = scratch.boards[scratch.outside[place]]
        if level == last:
            _add(row, ANY_LOW, hand, first, ranks, boards, met, plain, sums)
        if sums.shape[1] > 1 and 0 <= difference <= 1:
            column = LOWER if difference else NOT_HIGHER if level else NO_LOW
            _add(row, column, hand, first, ranks, boards, met, plain, sums)


@inlined
def _sweep(
    dealt: int, level: int, last: int, own: int, first: int, hands: TypeHands, scratch: SweepScratch,
    sums: Ints,
) -> None:  # fmt: skip
    """Go through the sorted hands, and add those at or below a level of lows to ``holders``."""
    holders, parts, shares = scratch.holders, hands.parts, scratch.part_shares
    holders[:] = 0
    even = (parts.shape[1] + 1) // 2 - (own > 0)
    at = 0
    while at < dealt:
        end = at + 1
        while end < dealt and scratch.rank[end] == scratch.rank[at]:
            end += 1
        # All hands are as many with a flush suit as without.
        rows = 3 if end == dealt and first == 0 else 2
        for row in range(rows):
            begin = 0 if row == ALL else at
            _count_hands(row, begin, end, level, last, own, first, even, hands, scratch, sums)
            if row == BEATEN:
                for place in range(at, end):
                    hand = np.int64(scratch.hand[place])
                    if scratch.level[hands.ranks[hand]] <= level:
                        ways = scratch.ways[scratch.outside[place]]
                        for i in range(parts.shape[1]):
                            part = parts[hand, i]
                            holders[part] += ways * shares[part]
        at = end


@compiled
def count_class(
    inside: int, counts: Ints, copies: int, cards: int, last: int, own: int, first: int,
    hands: TypeHands, pairs: PairRanks, choose: Ints, share_of: Ints, scratch: SweepScratch, sums: Ints,
) -> None:  # fmt: skip
    """Add a class of boards: ``inside`` its set of ranks in the suit, ``counts`` its other ranks."""
    _find_flushes(inside, hands.sets, pairs, scratch.flushes)
    _count_ways(counts, copies, cards, hands, choose, share_of, scratch)
    dealt = _sort_hands(inside, cards, hands, scratch)
    for level in range(last + 1):
        _sweep(dealt, level, last, own, first, hands, scratch, sums)
