"""Draw combos and cards for Monte Carlo; :class:`gpuodds.Sampling` decides when to stop.

Sample i of a seed is a function of (seed, i) alone: its random bits come from a counter-based
generator, Philox-4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3",
2011), with the seed as key and (block, stream, i) as counter. So counts do not depend on threads,
launches or the device, and the counts of separate ranges of samples can be added. Combos come from one
stream; cards come from another, three per word, out of the undealt cards.

Players with ranges draw their combos independently, two with narrow ranges together. If two share a
card, *all* draw again, so that the probability of a tuple of disjoint combos is proportional to the
product of its weights. If only one of the two drew again, the hand of the other would be too likely.
Each such attempt has blocks of random words of its own. A word that would favour some entries (Lemire,
"Fast random integer generation in an interval", 2019) fails the attempt as well. Random opponents and
the rest of the board follow, from the undealt cards. What the first attempt leaves of its blocks are
the words of the cards, if they are enough; else those of the other stream are.

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

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt

import numpy as np
import numpy.typing as npt

from gpuodds.games.shared.alias_tables import alias_table
from gpuodds.games.shared.combos import combo_cards

Floats = npt.NDArray[np.float64]

COMBO_STREAM = 0  # the stream of the players' combos
CARD_STREAM = 1  # the stream of cards; a rejected word is replaced by that of the next stream
CARDS_A_WORD = 3
BLOCK_WORDS = 4  # the random words of a block
MAX_JOINED = 1 << 17  # pairs of combos of a table
ORDER_STREAM = 0  # the keys of the order of boards: the words of block 0, number 0
ORDER_ROUNDS = 4
ORDER_FACTORS = (0x7FEB352D, 0x31848BAB)  # odd


@dataclass(frozen=True, eq=False)
class Draws:
    """Alias tables of the players' ranges, of two players together where the ranges are narrow.

    A draw chooses one of a table's entries evenly. Then, where the table has 2 words, 32 random bits
    below the entry's limit leave it, and others give the entry's other one. Probabilities are exact to
    2^-32.

    Attributes:
        starts: Shape (tables + 1,): table t has the entries ``starts[t]`` to ``starts[t + 1] - 1``.
        holders: Shape (tables, 2): the players whose combos a table has; the second -1 if it has those
            of one.
        words: Shape (tables,): the random words of a draw, 0 of one entry, 1 where all are as likely.
        cards: Shape (entries,): the first player's two cards, the lower one in the lowest byte, then
            the second player's, or the first one's again.
        limits: Shape (entries,): 0 to 2^32 - 1.
        others: Shape (entries,): an entry of the same table, the entry itself if it has no other.
    """

    starts: npt.NDArray[np.int32]
    holders: npt.NDArray[np.int32]
    words: npt.NDArray[np.int32]
    cards: npt.NDArray[np.uint32]
    limits: npt.NDArray[np.uint32]
    others: npt.NDArray[np.int32]

    @property
    def players(self) -> int:
        """The number of players with ranges."""
        return int(self.holders.max()) + 1

    @property
    def blocks(self) -> int:
        """The blocks of four random words of an attempt, 0 if all hands are known."""
        return -(-int(self.words.sum()) // BLOCK_WORDS)

    def leave_words(self, cards: int) -> bool:
        """Whether what an attempt leaves of its blocks is enough for some cards."""
        return BLOCK_WORDS * self.blocks - int(self.words.sum()) >= -(-cards // CARDS_A_WORD)

    @property
    def hands(self) -> list[tuple[int, int]]:
        """The cards of each player's first entry: of known hands, the cards."""
        hands = [(0, 0)] * self.players
        for start, players in zip(self.starts.tolist(), self.holders.tolist(), strict=False):
            low, high, other_low, other_high = int(self.cards[start]).to_bytes(4, "little")
            hands[players[0]] = low, high
            if players[1] >= 0:
                hands[players[1]] = other_low, other_high
        return hands


def board_grid(boards: int) -> tuple[int, int]:
    """Return the columns and rows of a grid, almost a square, that has a place for each board."""
    columns = isqrt(boards - 1) + 1
    return columns, -(-boards // columns)


def plan_draws(weights: Floats) -> Draws:
    """Return the alias tables of ranges that can be dealt together.

    Args:
        weights: Shape (players, 1326), a weight above 0 in each row.
    """
    cards = combo_cards().astype(np.int64)
    masks = (1 << cards).sum(axis=1)
    packed = (cards << np.array([0, 8])).sum(axis=1).astype(np.uint32)
    held = [np.flatnonzero(row) for row in weights]
    starts, words, tables = [0], [], []
    holders = _partners([len(combos) for combos in held])
    for one, two in holders:
        first = second = held[one]
        share = weights[one, first]
        if two >= 0:
            left, right = np.nonzero(masks[first, None] & masks[held[two]] == 0)
            first, second = first[left], held[two][right]
            share = weights[one, first] * weights[two, second]
        count, are_equal = len(share), share.min() == share.max()
        limits, others = (np.zeros(count), np.arange(count)) if are_equal else alias_table(share)
        words.append(0 if count == 1 else 1 if are_equal else 2)
        cards_of_both = packed[first] | packed[second] << np.uint32(16)
        tables.append((cards_of_both, limits.astype(np.uint32), (others + starts[-1]).astype(np.int32)))
        starts.append(starts[-1] + count)
    return Draws(
        np.array(starts, np.int32),
        np.array(holders, np.int32),
        np.array(words, np.int32),
        *(np.concatenate(parts) for parts in zip(*tables, strict=True)),
    )


def _partners(sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Return the players of each table: the narrowest range with the widest one, if both are narrow.

    Of a pair drawn together no two combos share a card, so that all have to draw again less often.
    """
    order = sorted(range(len(sizes)), key=sizes.__getitem__)
    pairs = []
    while order:
        wide = order.pop()
        together = order and sizes[order[0]] * sizes[wide] <= MAX_JOINED
        pairs.append((order.pop(0), wide) if together else (wide, -1))
    return pairs


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
