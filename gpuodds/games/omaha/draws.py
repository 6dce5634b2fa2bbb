"""Draw hands of Omaha for Monte Carlo, as :mod:`gpuodds.games.shared.draws` draws combos.

Streams and the order of cards are those of that module, and so is the rule for ranges: players draw
independently, and if two share a card *all* draw again. Each range has a table of its own, and the
words of all draws come one after another. Boards are drawn with the other cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.cards import DECK_SIZE, RANKS, SUITS
from gpuodds.games.shared.alias_tables import alias_table

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]


class OmahaDraws(NamedTuple):
    """Alias tables of the players' ranges, one after another.

    A draw chooses one of a player's entries evenly. Where ``others`` has the entry itself, that is the
    hand; else 32 random bits below the entry's limit leave it, and others give the other entry's hand.

    Attributes:
        starts: Shape (players + 1,): player p has the entries ``starts[p]`` to ``starts[p + 1] - 1``.
        cards: Shape (entries,): the cards of a hand, a byte each, from the lowest byte on.
        limits: Shape (entries,): 0 to 2^32 - 1.
        others: Shape (entries,): an entry of the same player.
        hole_cards: The number of cards of a hand, 4 to 6.
    """

    starts: npt.NDArray[np.int32]
    cards: npt.NDArray[np.uint64]
    limits: npt.NDArray[np.uint32]
    others: npt.NDArray[np.int32]
    hole_cards: int

    @property
    def players(self) -> int:
        """The number of players with ranges."""
        return len(self.starts) - 1

    @property
    def is_fixed(self) -> bool:
        """Whether each of them has one hand."""
        return len(self.cards) == self.players


class OmahaSamples(NamedTuple):
    """Counts of samples, for n named players of ``all``, with random opponents; int64.

    Attributes:
        high: Shape (n, all): at [p, m] player p has the best high hand with exactly m others.
        halves: Shape (n, all + 1, all + 2), of games with lows, else (n, 0, 0): at [p, h, l] player p
            is among h players with the best high hand, 0 if not, and l is 0 where no player has a low,
            1 where another has the best one, m + 1 where p is among m players with the best low.
        shared: Shape (n, all), of games with lows, else (n, 0): at [p, m] player p has a share of the
            pot, and exactly m others have one, too, of whichever half.
    """

    high: Ints
    halves: Ints
    shared: Ints

    def plus(self, other: OmahaSamples) -> OmahaSamples:
        """Return the counts of both."""
        return OmahaSamples(*(own + more for own, more in zip(self, other, strict=True)))


def plan_draws(hands: Sequence[UInt8s], weights: Sequence[Floats]) -> OmahaDraws:
    """Return the alias tables of ranges; a known hand is a range of one.

    Args:
        hands: For each player the cards of their hands, shape (n, 4 to 6), n above 0.
        weights: For each player the weights of their hands, shape (n,), above 0.
    """
    starts = np.cumsum([0, *map(len, hands)])
    tables = [alias_table(row) for row in weights]
    aliases = [begin + own for begin, (_, own) in zip(starts, tables, strict=False)]
    return OmahaDraws(
        starts.astype(np.int32),
        np.concatenate([_pack(cards) for cards in hands]),
        np.concatenate([limits for limits, _ in tables]).astype(np.uint32),
        np.concatenate(aliases).astype(np.int32),
        hands[0].shape[1],
    )


def _pack(cards: UInt8s) -> npt.NDArray[np.uint64]:
    packed = np.zeros((len(cards), 8), np.uint8)
    packed[:, : cards.shape[1]] = cards
    return packed.view("<u8")[:, 0].astype(np.uint64)


def can_be_dealt(hands: Sequence[UInt8s]) -> bool:
    """Return whether players can hold hands of their ranges at once: a search, narrow ranges first.

    Args:
        hands: For each player the cards of their hands, shape (n, 4 to 6).
    """
    bits = np.int64(1) << np.arange(DECK_SIZE, dtype=np.int64)
    return _search([np.bitwise_or.reduce(bits[cards], axis=1) for cards in hands])


def _search(ranges: list[Ints]) -> bool:
    """Return whether sets of cards, one from each range, have no card in common."""
    if not all(map(len, ranges)):
        return False
    if len(ranges) <= 1:
        return True
    narrow, *wider = sorted(ranges, key=len)
    for number, hand in enumerate(narrow):
        # Most ranges can be dealt with the first hand: what cannot be is shown on the way back.
        if number == 1 and _need_too_many(ranges):
            return False
        if _search([held[held & hand == 0] for held in wider]):
            return True
    return False


def _need_too_many(ranges: list[Ints]) -> bool:
    """Return whether the ranges need more cards of a rank, or of a suit, than they have."""
    every = np.bitwise_or.reduce([np.bitwise_or.reduce(held) for held in ranges])
    for cards in _RANK_AND_SUIT_SETS:
        had = int(every & cards).bit_count()
        if sum(_fewest(held & cards) for held in ranges) > had:
            return True
    return False


def _fewest(sets: Ints) -> int:
    """Return the fewest cards of any set."""
    return min(int(cards).bit_count() for cards in np.unique(sets))


_RANK_AND_SUIT_SETS = [0b1111 << len(SUITS) * rank for rank in range(len(RANKS))] + [
    sum(1 << card for card in range(suit, DECK_SIZE, len(SUITS))) for suit in range(len(SUITS))
]
