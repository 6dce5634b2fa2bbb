"""Five-card hands of any deck, counted by rank without listing them.

A deck is a set of cards, an int64 with bit c set for card c. How many of its hands have a given rank
follows from how many cards it has of each rank, and, where suits matter, from which ranks each suit
has: C(c, 2) pairs of a rank with c cards, and so on.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, empty, inlined, popcount, zeros
from gpuodds.cards import DECK_SIZE

Int64s = npt.NDArray[np.int64]

HIGHEST_RANK = 7462
PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(1, 9)
WHEEL_TOP, ACE = 3, 12
# The lowest hand ranks of some categories; there are as many full houses as four of a kind.
LOWEST_PAIR, LOWEST_STRAIGHT, LOWEST_FLUSH, LOWEST_FULL_HOUSE = 1278, 5854, 5864, 7141
QUADS_ABOVE, LOWEST_STRAIGHT_FLUSH = 156, 7453


@inlined
def _choose(n: int, k: int) -> int:
    if k == 2:
        return n * (n - 1) // 2
    if k == 3:
        return n * (n - 1) * (n - 2) // 6
    return n * (n - 1) * (n - 2) * (n - 3) // 24


@inlined
def _split(deck: int, of_rank: Int64s, of_suit: Int64s) -> int:
    """Count a deck's cards of each rank, and find the ranks of each suit; return its size."""
    of_rank[:] = 0
    of_suit[:] = 0
    for card in range(DECK_SIZE):
        if deck >> card & 1:
            of_rank[card >> 2] += 1
            of_suit[card & 3] |= 1 << (card >> 2)
    return int(popcount(deck))


@compiled
def count_by_rank(decks: Int64s) -> Int64s:
    """Count the hands of each rank in each deck.

    ``decks`` has shape (n,); the result has shape (n, 7463), and entry r is the number of hands of
    rank r. Ranks come in order where those of the cards ascend, category by category.
    """
    counts = zeros((len(decks), HIGHEST_RANK + 1), np.int64)
    n, suits, pairs = empty(13, np.int64), empty(4, np.int64), empty(13, np.int64)
    for row in range(len(decks)):
        _split(decks[row], n, suits)
        for rank in range(13):
            pairs[rank] = _choose(n[rank], 2)
        count = counts[row]
        _count_unpaired(n, suits, count)
        at = LOWEST_PAIR
        for pair in range(13):
            for a in range(2, 13):
                for b in range(1, a):
                    product = pairs[pair] * n[a] * n[b]
                    for c in range(b):
                        if a != pair and b != pair and c != pair:
                            count[at] = product * n[c]
                            at += 1
        for high in range(1, 13):
            for low in range(high):
                for kicker in range(13):
                    if kicker not in (high, low):
                        count[at] = pairs[high] * pairs[low] * n[kicker]
                        at += 1
        for trips in range(13):
            for a in range(1, 13):
                for b in range(a):
                    if trips not in (a, b):
                        count[at] = _choose(n[trips], 3) * n[a] * n[b]
                        at += 1
        at = LOWEST_FULL_HOUSE
        for trips in range(13):
            for pair in range(13):
                if pair != trips:
                    count[at] = _choose(n[trips], 3) * pairs[pair]
                    count[at + QUADS_ABOVE] = _choose(n[trips], 4) * n[pair]
                    at += 1
    return counts


@inlined
def _count_unpaired(n: Int64s, suits: Int64s, count: Int64s) -> None:
    """Count high cards and flushes, straights and straight flushes."""
    high, flush = 1, LOWEST_FLUSH
    for a in range(4, 13):
        for b in range(3, a):
            for c in range(2, b):
                for d in range(1, c):
                    product = n[a] * n[b] * n[c] * n[d]
                    mask = 1 << a | 1 << b | 1 << c | 1 << d
                    for e in range(d):
                        if a - e == 4 or (a == ACE and b == WHEEL_TOP):
                            continue
                        suited = _suited(suits, mask | 1 << e)
                        count[flush] = suited
                        count[high] = product * n[e] - suited
                        flush += 1
                        high += 1
    for top in range(WHEEL_TOP, 13):
        mask, product = 0, 1
        for step in range(5):
            mask |= 1 << (top - step) % 13
            product *= n[(top - step) % 13]
        suited = _suited(suits, mask)
        count[LOWEST_STRAIGHT + top - WHEEL_TOP] = product - suited
        count[LOWEST_STRAIGHT_FLUSH + top - WHEEL_TOP] = suited


@inlined
def _suited(suits: Int64s, mask: int) -> int:
    """Count the suits that have all of some ranks."""
    num_suits = 0
    for suit in range(4):
        num_suits += suits[suit] & mask == mask
    return num_suits


@inlined
def _elementary(n: Int64s, skip: int, end: int, sums: Int64s) -> None:
    """Write the sums of products of 0 to 4 counts of different ranks below ``end`` but ``skip``."""
    sums[:] = 0
    sums[0] = 1
    for rank in range(end):
        if rank != skip:
            for size in range(4, 0, -1):
                sums[size] += sums[size - 1] * n[rank]


@compiled
def count_by_high_card(decks: Int64s) -> Int64s:
    """Count the hands of each category whose high card is a given one, in each deck.

    The high card is the highest, or of hands with pairs or more the card of the largest group, the
    higher of two pairs, that has the highest suit; of a wheel it is the five. ``decks`` has shape
    (n,), the result (n, 9, 52), the categories in ascending order.
    """
    counts = zeros((len(decks), 9, 52), np.int64)
    n, suits = empty(13, np.int64), empty(4, np.int64)
    sums, pairs = empty(5, np.int64), empty(13, np.int64)
    for row in range(len(decks)):
        size = _split(decks[row], n, suits)
        all_pairs = 0
        for rank in range(13):
            pairs[rank] = _choose(n[rank], 2)
            all_pairs += pairs[rank]
        for rank in range(13):
            # What of the other cards does not depend on the suit.
            _elementary(n, rank, 13, sums)
            two_kickers, three_kickers = sums[2], sums[3]
            _elementary(n, rank, rank, sums)
            below = sums[4]
            lower_pairs = 0
            for other in range(rank):
                lower_pairs += pairs[other] * (size - n[rank] - n[other])
            straights_to_top = 1  # the other ranks of a straight with this top
            if rank >= WHEEL_TOP:
                for step in range(1, 5):
                    straights_to_top *= n[(rank - step) % 13]
            low = 0
            for suit in range(4):
                if not suits[suit] >> rank & 1:
                    continue
                card = 4 * rank + suit
                straight_flush = 0
                if rank >= WHEEL_TOP:
                    straight_flush = 1
                    for step in range(1, 5):
                        straight_flush &= suits[suit] >> ((rank - step) % 13) & 1
                    counts[row, STRAIGHT, card] = straights_to_top - straight_flush
                    counts[row, STRAIGHT_FLUSH, card] = straight_flush
                # Five ranks whose highest this is; a wheel's highest is its ace, not its five.
                straights, suited = 0, 0
                if rank > WHEEL_TOP:
                    straights, suited = straights_to_top, straight_flush
                if rank == ACE:
                    straights += n[0] * n[1] * n[2] * n[3]
                    suited += suits[suit] & 15 == 15
                flushes = _choose(popcount(suits[suit] & ((1 << rank) - 1)), 4)
                counts[row, FLUSH, card] = flushes - suited
                counts[row, 0, card] = below - straights - flushes + suited
                counts[row, PAIR, card] = low * three_kickers
                counts[row, TWO_PAIR, card] = low * lower_pairs
                counts[row, TRIPS, card] = _choose(low, 2) * two_kickers
                counts[row, FULL_HOUSE, card] = _choose(low, 2) * (all_pairs - pairs[rank])
                counts[row, QUADS, card] = _choose(low, 3) * (size - n[rank])
                low += 1
    return counts
