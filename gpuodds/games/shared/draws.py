"""Draw combos and cards for Monte Carlo; :class:`gpuodds.Sampling` decides when to stop.

Sample i of a seed is a function of (seed, i) alone: its random bits come from a counter-based
generator, Philox-4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3",
2011), with the seed as key and (block, stream, i) as counter. So counts do not depend on threads,
launches or the device, and the counts of separate ranges of samples can be added. Combos come from one
stream, one per word; cards come from another, three per word, out of the undealt cards.

Players with ranges draw their combos independently. If two share a card, *all* draw again, so that the
probability of a tuple of disjoint combos is proportional to the product of its weights. If only one of
the two drew again, the hand of the other would be too likely. Random opponents and the rest of the
board follow, from the undealt cards.

Where all hands but those of random opponents are known, every board is as likely as any other, and
boards are not drawn: they come in a random order, all of them before any comes again, and each time two
deals are made on one, a pair. How equities differ from board to board then adds nothing to the error of
whole rounds, and what is left shows in the differences between the deals of pairs.

Pair i has place i, modulo the number of boards, of a grid. Rounds of a Feistel network, whose keys are
random words of the seed, move it to another place, whose number is that of the board: a subset of the
undealt cards, the highest card first, in colexicographic order. Its cards leave the deck from the last
one on, each replaced by the last live card. The opponents of both deals are drawn with the words of one
stream; before the second deal the cards of the first one come back, the first one last.
"""

from __future__ import annotations

from math import isqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.games.shared.combos import combo_cards

Floats = npt.NDArray[np.float64]

COMBO_STREAM = 0  # the stream of the players' combos
CARD_STREAM = 1  # the stream of cards; a rejected word is replaced by that of the next stream
CARDS_A_WORD = 3
ORDER_STREAM = 0  # the keys of the order of boards: the words of block 0, number 0
ORDER_ROUNDS = 4
ORDER_FACTORS = (0x7FEB352D, 0x31848BAB)  # odd


class Draws(NamedTuple):
    """Vose's alias tables of the players' ranges, one after another.

    A draw chooses one of a player's entries evenly. The entry gives its own combo if 32 random bits are
    below its limit, else its other combo. Probabilities are exact to 2^-32.

    Attributes:
        starts: Shape (players + 1,): player p has the entries ``starts[p]`` to ``starts[p + 1] - 1``.
        cards: Shape (entries,): the combo of an entry, one card in the low byte, one in the high byte.
        limits: Shape (entries,): 0 to 2^32; 2^32 always gives the entry's own combo.
        others: Shape (entries,): the other combo of an entry, like ``cards``.
    """

    starts: npt.NDArray[np.int32]
    cards: npt.NDArray[np.uint16]
    limits: npt.NDArray[np.uint64]
    others: npt.NDArray[np.uint16]

    @property
    def players(self) -> int:
        """The number of players with ranges."""
        return len(self.starts) - 1


def board_grid(boards: int) -> tuple[int, int]:
    """Return the columns and rows of a grid, almost a square, that has a place for each board."""
    columns = isqrt(boards - 1) + 1
    return columns, -(-boards // columns)


def plan_draws(weights: Floats) -> Draws:
    """Return the alias tables of ranges.

    Args:
        weights: Shape (players, 1326), a weight above 0 in each row.
    """
    starts, cards, limits, aliases = [0], [], [], []
    packed = (combo_cards().astype(np.uint16) << np.array([0, 8], np.uint16)).sum(axis=1)
    for row in weights:
        in_range = np.flatnonzero(row)
        own = packed[in_range].astype(np.uint16)
        share = row[in_range] * (len(in_range) / row[in_range].sum())
        limit = np.full(len(in_range), 1 << 32, np.uint64)
        other = own.copy()
        small = [i for i in range(len(in_range)) if share[i] < 1]
        large = [i for i in range(len(in_range)) if share[i] >= 1]
        while small and large:
            short, rich = small.pop(), large[-1]
            limit[short] = round(float(share[short]) * 2**32)
            other[short] = own[rich]
            share[rich] -= 1 - share[short]
            if share[rich] < 1:
                small.append(large.pop())
        starts.append(starts[-1] + len(in_range))
        cards.append(own)
        limits.append(limit)
        aliases.append(other)
    joined = (np.concatenate(parts) for parts in (cards, limits, aliases))
    return Draws(np.array(starts, np.int32), *joined)


def can_be_dealt(weights: Floats) -> bool:
    """Return whether the ranges can be dealt together, by a search from the narrowest range on."""
    cards = combo_cards().astype(np.int64)
    masks = 1 << cards[:, 0] | 1 << cards[:, 1]
    lists = sorted((masks[np.flatnonzero(row)].tolist() for row in weights), key=len)

    def search(place: int, used: int) -> bool:
        if place == len(lists):
            return True
        return any(not used & mask and search(place + 1, used | mask) for mask in lists[place])

    return search(0, 0)
