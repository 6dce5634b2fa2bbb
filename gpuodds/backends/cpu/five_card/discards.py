"""What five-card hands discard, and deals drawn against an opponent who discards so.

A discard is worth the mean of what the hands are worth that hold the kept cards and none of those
discarded. That follows by inclusion and exclusion from sums over the hands that hold a set of cards.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, empty, inlined, popcount, zeros
from gpuodds.backends.cpu.five_card.draw import number_four, number_three, number_two, rank_five
from gpuodds.backends.cpu.shared.random_words import draw_cards
from gpuodds.cards import DECK_SIZE
from gpuodds.games.shared.hand_ranks import HandRankTables

Int64s = npt.NDArray[np.int64]
UInt16s = npt.NDArray[np.uint16]
UInt8s = npt.NDArray[np.uint8]

# Sets of up to four cards of a whole deck, by size: where each size begins among the sums.
NONE, ONES, TWOS, THREES, FOURS, WORTHS = 0, 1, 53, 1379, 23479, 294204


@inlined
def _add_with_lowest(sums: Int64s, a: int, b: int, c: int, d: int, e: int, value: int) -> None:
    """Add what a hand is worth to the sums of its subsets that have its lowest card, a."""
    sums[ONES + a] += value
    sums[TWOS + number_two(a, b)] += value
    sums[TWOS + number_two(a, c)] += value
    sums[TWOS + number_two(a, d)] += value
    sums[TWOS + number_two(a, e)] += value
    sums[THREES + number_three(a, b, c)] += value
    sums[THREES + number_three(a, b, d)] += value
    sums[THREES + number_three(a, b, e)] += value
    sums[THREES + number_three(a, c, d)] += value
    sums[THREES + number_three(a, c, e)] += value
    sums[THREES + number_three(a, d, e)] += value
    sums[FOURS + number_four(a, b, c, d)] += value
    sums[FOURS + number_four(a, b, c, e)] += value
    sums[FOURS + number_four(a, b, d, e)] += value
    sums[FOURS + number_four(a, c, d, e)] += value


@inlined
def _add_without_lowest(sums: Int64s, b: int, c: int, d: int, e: int, value: int) -> None:
    """Add what hands that differ in their lowest card are worth to the subsets of the other four."""
    sums[NONE] += value
    sums[ONES + b] += value
    sums[ONES + c] += value
    sums[ONES + d] += value
    sums[ONES + e] += value
    sums[TWOS + number_two(b, c)] += value
    sums[TWOS + number_two(b, d)] += value
    sums[TWOS + number_two(b, e)] += value
    sums[TWOS + number_two(c, d)] += value
    sums[TWOS + number_two(c, e)] += value
    sums[TWOS + number_two(d, e)] += value
    sums[THREES + number_three(b, c, d)] += value
    sums[THREES + number_three(b, c, e)] += value
    sums[THREES + number_three(b, d, e)] += value
    sums[THREES + number_three(c, d, e)] += value
    sums[FOURS + number_four(b, c, d, e)] += value


@compiled
def add_up_subsets(tables: HandRankTables, names: UInt16s) -> Int64s:
    """Add up what the hands of a whole deck are worth, for each set of up to four cards in them.

    A hand is worth twice the hands it beats and once those it ties with. The sums are by size of the
    set, then by its number as in :class:`.draw.Listing`; after them stands what each name is
    worth.
    """
    sums = zeros(WORTHS + names.max() + 1, np.int64)
    worth = sums[WORTHS:]
    # The first turn counts the hands of each name, the second adds up what they are worth.
    for turn in range(2):
        for e in range(4, DECK_SIZE):
            for d in range(3, e):
                for c in range(2, d):
                    for b in range(1, c):
                        total = 0
                        for a in range(b):
                            name = rank_five(a, b, c, d, e, tables, names)
                            if turn == 0:
                                worth[name] += 1
                                continue
                            value = int(worth[name])
                            total += value
                            _add_with_lowest(sums, a, b, c, d, e, value)
                        if turn == 1:
                            _add_without_lowest(sums, b, c, d, e, total)
        below = 0
        for name in range(len(worth) if turn == 0 else 0):
            count = int(worth[name])
            worth[name] = 2 * below + count
            below += count
    return sums


@inlined
def _sum_of(hand: Int64s, subset: int, own: int, sums: Int64s) -> int:
    """Return the sum of a set of a hand's cards; the hand is ascending, ``own`` what it is worth."""
    size, place = 0, 0
    for i in range(5):
        if subset >> i & 1:
            size += 1
            card = hand[i]
            if size == 1:
                place = card
            elif size == 2:
                place += card * (card - 1) // 2
            elif size == 3:
                place += card * (card - 1) * (card - 2) // 6
            elif size == 4:
                place += card * (card - 1) * (card - 2) * (card - 3) // 24
    if size == 0:
        return int(sums[NONE])
    if size == 1:
        return int(sums[ONES + place])
    if size == 2:
        return int(sums[TWOS + place])
    if size == 3:
        return int(sums[THREES + place])
    if size == 4:
        return int(sums[FOURS + place])
    return own


@inlined
def _best_discard(hand: Int64s, most: int, own: int, sums: Int64s) -> int:
    """Return the cards to discard, as bits, from an ascending hand: see :func:`best_discards`."""
    of_subset = empty(32, np.int64)
    for subset in range(32):
        of_subset[subset] = _sum_of(hand, subset, own, sums)
    ways = (1.0, 47.0, 1081.0, 16215.0, 178365.0, 1533939.0)
    best, highest = 0, -1.0
    for discard in range(32):
        drawn = popcount(discard)
        if drawn > most:
            continue
        # Completions of the kept cards that hold none of those discarded.
        total, some = 0, discard
        while True:
            value = of_subset[31 ^ discard | some]
            total += value if popcount(some) % 2 == 0 else -value
            if some == 0:
                break
            some = some - 1 & discard
        mean = total / ways[drawn]
        if mean > highest:
            best, highest = discard, mean
    return best


@compiled
def best_discards(
    hands: UInt8s, most: int, tables: HandRankTables, names: UInt16s, sums: Int64s
) -> Int64s:
    """Return what each hand discards to have most equity against five random cards.

    ``hands`` has shape (n, 5), each ascending; the result holds bits of the places to discard, at most
    ``most`` of them. ``sums`` are those of :func:`add_up_subsets`.
    """
    discards = empty(len(hands), np.int64)
    hand = empty(5, np.int64)
    for row in range(len(hands)):
        for i in range(5):
            hand[i] = hands[row, i]
        name = rank_five(hand[0], hand[1], hand[2], hand[3], hand[4], tables, names)
        discards[row] = _best_discard(hand, most, sums[WORTHS + name], sums)
    return discards


@compiled
def sample_draws(
    own: UInt8s,
    left: UInt8s,
    discards: Int64s,
    most: int,
    begin: int,
    end: int,
    seed: int,
    tables: HandRankTables,
    names: UInt16s,
    sums: Int64s,
) -> Int64s:
    """Deal the samples of a seed and count each discard's wins and ties, shape (discards, 2).

    Five cards go to the opponent, then as many to the player as it draws, then as many to the opponent.
    The opponent draws if there are ``sums``, see :func:`add_up_subsets`, and stands pat if not.
    """
    won_and_tied = zeros((len(discards), 2), np.int64)
    deck = left.copy()
    last = len(deck) - 1
    theirs, hand = empty(5, np.int64), empty(5, np.int64)
    wanted = 5 + most * (2 if len(sums) else 1)
    for sample in range(begin, end):
        deck[:] = left
        draw_cards(deck, wanted, sample, seed)
        for i in range(5):
            theirs[i] = deck[last - i]
        if len(sums):
            for i in range(1, 5):
                card, j = theirs[i], i
                while j and theirs[j - 1] > card:
                    theirs[j] = theirs[j - 1]
                    j -= 1
                theirs[j] = card
            name = rank_five(theirs[0], theirs[1], theirs[2], theirs[3], theirs[4], tables, names)
            discard = _best_discard(theirs, most, sums[WORTHS + name], sums)
            drawn = 5 + most
            for i in range(5):
                if discard >> i & 1:
                    theirs[i] = deck[last - drawn]
                    drawn += 1
        rank = rank_five(theirs[0], theirs[1], theirs[2], theirs[3], theirs[4], tables, names)
        for row in range(len(discards)):
            drawn = 5
            for i in range(5):
                if discards[row] >> i & 1:
                    hand[i] = deck[last - drawn]
                    drawn += 1
                else:
                    hand[i] = own[i]
            ours = rank_five(hand[0], hand[1], hand[2], hand[3], hand[4], tables, names)
            won_and_tied[row, 0] += ours > rank
            won_and_tied[row, 1] += ours == rank
    return won_and_tied
