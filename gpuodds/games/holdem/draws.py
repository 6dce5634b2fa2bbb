"""Monte Carlo: what is drawn, and what the counts say; :class:`gpuodds.Sampling` says when to stop.

Sample i of a seed is a function of (seed, i) alone: its random bits come from a counter-based
generator, Philox-4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3",
2011), with the seed as key and (block, stream, i) as counter. So the counts do not depend on threads,
launches or the device, and ranges of samples can be drawn anywhere and added. Combos are drawn from
one stream, word by word; cards from another, three of each word, from the cards that are live.

Players with ranges draw their combos independently, and if two share a card *all* draw again: a tuple
of disjoint combos is then drawn with a probability proportional to the product of its weights.
Drawing again only for the one who is in the way would favour the others' hands. Random players and the
rest of the board follow, from the cards that are left.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.games.holdem.combos import combo_cards

Floats = npt.NDArray[np.float64]

COMBO_STREAM = 0  # the stream of the players' combos
CARD_STREAM = 1  # that of the cards; a word that cannot be used is replaced by that of the next stream
CARDS_A_WORD = 3


class Draws(NamedTuple):
    """How combos are drawn: Vose's alias tables, all players' in a row.

    Player p has the entries ``starts[p]`` to ``starts[p + 1]``. An entry is drawn evenly; it stands
    for its own combo if 32 random bits are below ``limits``, else for that of ``others``. ``cards``
    are two cards each, the first in the low byte. A limit of 2^32 or more always holds; weights are met
    to 2^-32.
    """

    starts: npt.NDArray[np.int32]
    cards: npt.NDArray[np.uint16]
    limits: npt.NDArray[np.uint64]
    others: npt.NDArray[np.uint16]

    @property
    def players(self) -> int:
        """The number of players with ranges."""
        return len(self.starts) - 1


def plan_draws(weights: Floats) -> Draws:
    """Make the tables for weights (players, 1326); ranges are not empty."""
    starts, cards, limits, others = [0], [], [], []
    packed = (combo_cards().astype(np.uint16) << np.array([0, 8], np.uint16)).sum(axis=1)
    for row in weights:
        held = np.flatnonzero(row)
        own = packed[held].astype(np.uint16)
        share = row[held] * (len(held) / row[held].sum())
        limit = np.full(len(held), 1 << 32, np.uint64)
        other = own.copy()
        small = [i for i in range(len(held)) if share[i] < 1]
        large = [i for i in range(len(held)) if share[i] >= 1]
        while small and large:
            one, two = small.pop(), large[-1]
            limit[one] = round(float(share[one]) * 2**32)
            other[one] = own[two]
            share[two] -= 1 - share[one]
            if share[two] < 1:
                small.append(large.pop())
        starts.append(starts[-1] + len(held))
        cards.append(own)
        limits.append(limit)
        others.append(other)
    joined = (np.concatenate(parts) for parts in (cards, limits, others))
    return Draws(np.array(starts, np.int32), *joined)


def can_be_dealt(weights: Floats) -> bool:
    """Tell whether the ranges have disjoint combos, one each: a search, the narrowest range first."""
    cards = combo_cards().astype(np.int64)
    masks = 1 << cards[:, 0] | 1 << cards[:, 1]
    lists = sorted((masks[np.flatnonzero(row)].tolist() for row in weights), key=len)

    def search(place: int, used: int) -> bool:
        if place == len(lists):
            return True
        return any(not used & mask and search(place + 1, used | mask) for mask in lists[place])

    return search(0, 0)
