"""The part of a threat graph that ranks alone decide, and which ranks are alike in it.

A *rank graph* has the thirteen ranks as types: their undealt cards, and what two of them make of the
best known hand if they make no flush. Where a flush is possible but no known hand has one, the threat
graph adds that two undealt cards of the suit lose to it. So it follows from the rank graph and from how
many ranks of each *kind* have their card of the suit undealt: ranks are of one kind if swapping them
leaves the rank graph as it is. Many board classes, of many spots, share these few numbers.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import inlined
from gpuodds.backends.graph_words import TYPES

Ints = npt.NDArray[np.int64]

RANKS = 13
KIND_BITS = 4  # a rank's kind, in the thirteen that ``kinds`` packs
OWN = 1 | 1 << RANKS  # a rank's own two bits in its row, shifted by the rank


@inlined
def read_rank_graph(
    plain_rows: Ints, ones: int, twos: int, fours: int, scratch: Ints, key: Ints
) -> tuple[int, int]:
    """Write the normal form of a rank graph to ``key``; return its length and the kinds of the ranks.

    A word of ``key`` is a kind: which kinds it loses to and ties with (13 bits each), what two cards of
    one rank make (2 bits), whether cards of two ranks make the same, then its cards, else those of each
    rank, and its number of ranks.

    Args:
        plain_rows: Shape (13,): the types that a rank loses to in bits 0 to 12, and those it ties with
            in bits 26 to 38, as in
            :class:`gpuodds.backends.cpu.known_hands.threat_graphs.threats.ClassScratch`.
        ones: The lowest binary digit of the number of undealt cards, a mask of ranks.
        twos: The second digit.
        fours: The third digit.
        scratch: Shape (6, n), n >= 13.
        key: Receives at most 13 words.
    """
    rows, first, inner, cards, ranks = scratch[0], scratch[1], scratch[2], scratch[3], scratch[4]
    even = scratch[5]  # whether two cards of a rank do what cards of two ranks do
    present = ones | twos | fours
    single = ones & ~(twos | fours)
    count, kinds = 0, 0
    for rank in range(RANKS):
        size = (ones >> rank & 1) + 2 * (twos >> rank & 1) + 4 * (fours >> rank & 1)
        there = present & ~(single & 1 << rank) if size else 0
        row = plain_rows[rank] & there | (plain_rows[rank] >> TYPES & there) << RANKS
        rows[rank] = row
        within = row >> rank & OWN
        kind = 0
        while kind < count:
            other = first[kind]
            between = row >> other & OWN
            if (row ^ rows[other]) & ~(OWN << rank | OWN << other) == 0:
                fits = size < 2 or within == between
                if fits and even[kind] and (cards[kind] < 2 or inner[kind] == between):
                    inner[kind] = between
                    cards[kind] += size
                    break
                alone = ranks[kind] == 1 or not even[kind]
                if alone and size == cards[kind] and within == inner[kind]:
                    even[kind] = 0
                    break
            kind += 1
        if kind == count:
            first[kind], inner[kind], cards[kind], even[kind] = rank, within, size, 1
            ranks[kind] = 0
            count += 1
        ranks[kind] += 1
        kinds |= kind << KIND_BITS * rank
    for kind in range(count):
        # In place of what two cards of the first rank make: what cards of two ranks of the kind do.
        row = rows[first[kind]] & ~(OWN << first[kind])
        between = inner[kind]
        if not even[kind]:
            another = first[kind] + 1
            while kinds >> KIND_BITS * another & 15 != kind:
                another += 1
            between = row >> another & OWN
        row |= between << first[kind]
        word = ranks[kind] << 6 | cards[kind]
        word = (word << 1 | even[kind]) << 2 | (inner[kind] & 1) | inner[kind] >> RANKS << 1
        for other in range(count):
            bits = row >> first[other] & OWN
            word = word << 2 | (bits & 1) | bits >> RANKS << 1
        key[kind] = word
    return count, kinds
