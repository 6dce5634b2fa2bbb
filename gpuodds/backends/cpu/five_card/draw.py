"""Five-card hands listed for the draw: what a draw beats.

All hands of a deck are listed once, by rank and by the cards they hold. What a draw beats among the
hands without its cards follows by inclusion and exclusion over what they would share.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, empty, inlined, zeros
from gpuodds.games.shared.hand_ranks import FIVE_CARDS, HandRankTables

Int64s = npt.NDArray[np.int64]
Int32s = npt.NDArray[np.int32]
UInt16s = npt.NDArray[np.uint16]
UInt8s = npt.NDArray[np.uint8]


@inlined
def rank_five(a: int, b: int, c: int, d: int, e: int, tables: HandRankTables, names: UInt16s) -> int:
    """Rank five cards by the names that a ranking gives to hand ranks, and to flushes by suit."""
    state = tables.step[tables.step[tables.step[0, a >> 2], b >> 2], c >> 2]
    state = tables.step[tables.step[state, d >> 2], e >> 2]
    suit = a & 3
    if suit == b & 3 and suit == c & 3 and suit == d & 3 and suit == e & 3:
        mask = 1 << (a >> 2) | 1 << (b >> 2) | 1 << (c >> 2) | 1 << (d >> 2) | 1 << (e >> 2)
        return int(names[suit, tables.flush[mask]])
    return int(names[0, tables.rank_5[state - FIVE_CARDS]])


class Listing(NamedTuple):
    """Every hand of a deck, by rank and by what it shares with up to four cards.

    ``of_all[r]`` is the number of hands of a rank up to r, ``of_one[a, r]`` of those with the a-th
    card of the deck, ``of_two[ab, r]`` of those with two; ``of_three[abc]`` and ``of_four[abcd]`` are
    the ranks of those with three and four, ascending. Sets of cards, a < b < c < d, have the number
    C(a, 1) + C(b, 2) + C(c, 3) + C(d, 4).
    """

    of_all: Int64s
    of_one: npt.NDArray[np.int32]
    of_two: UInt16s
    of_three: UInt16s
    of_four: UInt16s


@inlined
def number_two(a: int, b: int) -> int:
    """Return the number of a set of two cards: see :class:`Listing`."""
    return a + b * (b - 1) // 2


@inlined
def number_three(a: int, b: int, c: int) -> int:
    """Return the number of a set of three cards: see :class:`Listing`."""
    return number_two(a, b) + c * (c - 1) * (c - 2) // 6


@inlined
def number_four(a: int, b: int, c: int, d: int) -> int:
    """Return the number of a set of four cards: see :class:`Listing`."""
    return number_three(a, b, c) + d * (d - 1) * (d - 2) * (d - 3) // 24


@compiled
def _rank_all(
    cards: UInt8s,
    tables: HandRankTables,
    names: UInt16s,
    ranks: UInt16s,
    packed: Int32s,
    begins: Int64s,
) -> None:
    """Rank every hand of a deck, pack its places in the deck, and count the hands of each rank."""
    at = 0
    for e in range(4, len(cards)):
        for d in range(3, e):
            for c in range(2, d):
                for b in range(1, c):
                    for a in range(b):
                        rank = rank_five(
                            cards[a], cards[b], cards[c], cards[d], cards[e], tables, names
                        )
                        ranks[at] = rank
                        packed[at] = a | b << 6 | c << 12 | d << 18 | e << 24
                        begins[rank + 1] += 1
                        at += 1


@compiled
def _list_subsets(order: Int32s, begins: Int64s, listing: Listing) -> None:
    """Enter the subsets of each hand in its listing; hands come in order of rank.

    So the lists of hands with three and four cards come out sorted.
    """
    _, of_one, of_two, of_three, of_four = listing
    threes = zeros(len(of_three), np.int32)
    fours = zeros(len(of_four), np.int32)
    p = empty(5, np.int64)
    for rank in range(len(begins) - 1):
        for hand in range(begins[rank], begins[rank + 1]):
            for i in range(5):
                p[i] = order[hand] >> 6 * i & 63
            for i in range(5):
                of_one[p[i], rank] += 1
                for j in range(i + 1, 5):
                    of_two[number_two(p[i], p[j]), rank] += 1
                    for k in range(j + 1, 5):
                        place = number_three(p[i], p[j], p[k])
                        of_three[place, threes[place]] = rank
                        threes[place] += 1
            for skip in range(5):
                a, b = p[int(skip < 1)], p[1 + (skip < 2)]
                place = number_four(a, b, p[2 + (skip < 3)], p[3 + (skip < 4)])
                of_four[place, fours[place]] = rank
                fours[place] += 1


@inlined
def _add_up_ranks(counts: npt.NDArray[np.integer]) -> int:
    """Turn numbers of hands by rank (n, ranks) into those up to each rank; return the ties among them.

    They are pairs of hands with a rank, in order, a hand with itself as well.
    """
    ties = 0
    for place in range(counts.shape[0]):
        for rank in range(counts.shape[1]):
            ties += int(np.int64(counts[place, rank]) ** 2)
            if rank:
                counts[place, rank] += counts[place, rank - 1]
    return ties


@compiled
def list_hands(cards: UInt8s, tables: HandRankTables, names: UInt16s, listing: Listing) -> int:
    """Rank every hand of a deck and fill its listing; return the pairs of hands that tie.

    ``cards`` are the deck's, ascending. ``names`` has shape (4, 7463): what a ranking calls the hand
    rank r, in row s if it is a flush of the suit s, else in row 0; at most 7462. The pairs are of hands
    without a common card, in order: by inclusion and exclusion over the cards that they could share.
    """
    size, top = len(cards), listing.of_all.shape[0]
    hands = size * (size - 1) * (size - 2) * (size - 3) // 24 * (size - 4) // 5
    ranks = empty(hands, np.uint16)
    packed = empty(hands, np.int32)
    begins = zeros(top + 1, np.int64)
    _rank_all(cards, tables, names, ranks, packed, begins)
    ties = -hands
    for rank in range(top):
        ties += int(begins[rank + 1]) ** 2
        begins[rank + 1] += begins[rank]
        listing.of_all[rank] = begins[rank + 1]
    places = begins.copy()
    order = empty(hands, np.int32)
    for hand in range(hands):
        rank = ranks[hand]
        order[places[rank]] = packed[hand]
        places[rank] += 1
    _list_subsets(order, begins, listing)
    ties += _add_up_ranks(listing.of_two) - _add_up_ranks(listing.of_one)
    return ties - _same_pairs(listing.of_three) + _same_pairs(listing.of_four)


@inlined
def _same_pairs(lists: UInt16s) -> int:
    """Count the pairs of equal entries in each sorted row, in order, an entry with itself as well."""
    pairs = 0
    for row in range(lists.shape[0]):
        run = 0
        for i in range(lists.shape[1]):
            run = run + 1 if i and lists[row, i] == lists[row, i - 1] else 1
            pairs += 2 * run - 1
    return pairs


@inlined
def _below(row: UInt16s, rank: int) -> int:
    """Count the entries of a sorted row that are less than a rank."""
    low, high = 0, len(row)
    while low < high:
        middle = (low + high) >> 1
        if row[middle] < rank:
            low = middle + 1
        else:
            high = middle
    return low


@inlined
def _tied(row: UInt16s, below: int, rank: int) -> int:
    end = below
    while end < len(row) and row[end] == rank:
        end += 1
    return end - below


@compiled
def count_draws(
    kept: UInt8s,
    cards: UInt8s,
    drawn: int,
    begin: int,
    end: int,
    tables: HandRankTables,
    names: UInt16s,
    listing: Listing,
) -> Int64s:
    """Count what draws of 0 to 4 cards make of kept ones, against a pat hand from the same deck.

    ``kept`` has shape (keeps, 5 - drawn). The highest card drawn is the begin-th to the end-th of the
    deck, exclusive; with none drawn, begin is 0. The result has shape (keeps, 2): wins and ties, over
    all draws and all hands from the rest, by inclusion and exclusion over what a hand shares with the
    draw.
    """
    counts = zeros((len(kept), 2), np.int64)
    p = zeros(4, np.int64)
    hand = empty(5, np.int64)
    for last in range(begin, end):
        for i in range(drawn):
            p[i] = i
        if drawn:
            p[drawn - 1] = last
        while True:
            for keep in range(len(kept)):
                for i in range(5 - drawn):
                    hand[i] = kept[keep, i]
                for i in range(drawn):
                    hand[5 - drawn + i] = cards[p[i]]
                rank = rank_five(hand[0], hand[1], hand[2], hand[3], hand[4], tables, names)
                less, same = _beside(p, drawn, rank, listing)
                counts[keep, 0] += less
                counts[keep, 1] += same
            # The next set of cards below the last.
            i = 0
            while i < drawn - 1 and p[i] + 1 == p[i + 1]:
                p[i] = i
                i += 1
            if i >= drawn - 1:
                break
            p[i] += 1
    return counts


@inlined
def _beside(p: Int64s, drawn: int, rank: int, listing: Listing) -> tuple[int, int]:
    """Count the hands without the drawn cards that are lower than a rank, and that equal it."""
    less = listing.of_all[rank - 1]
    same = listing.of_all[rank] - less
    for i in range(drawn):
        lower = listing.of_one[p[i], rank - 1]
        less -= lower
        same -= listing.of_one[p[i], rank] - lower
        for j in range(i + 1, drawn):
            pair = number_two(p[i], p[j])
            lower = np.int64(listing.of_two[pair, rank - 1])
            less += lower
            same += listing.of_two[pair, rank] - lower
            for k in range(j + 1, drawn):
                row = listing.of_three[number_three(p[i], p[j], p[k])]
                lower = _below(row, rank)
                less -= lower
                same -= _tied(row, lower, rank)
    if drawn == 4:
        row = listing.of_four[number_four(p[0], p[1], p[2], p[3])]
        lower = _below(row, rank)
        less += lower
        same += _tied(row, lower, rank)
    return less, same
