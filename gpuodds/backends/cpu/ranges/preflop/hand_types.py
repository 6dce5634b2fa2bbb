"""Types of hands and groups of boards, such that hands of a type rank alike on boards of a group.

Fix one suit. A hand's *type* says which of its ranks are in that suit: both, one or none, in this
order, so that hands with more cards of the suit come first. A *rank class* has hands of the same two
ranks, whatever their suits. Boards are grouped by their five ranks; or, with three cards or more of the
suit, by the ranks in it and those of the other cards. How many boards of a group two hands leave over
depends on how often they hold the board's ranks: their *patterns* on the board.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.games.shared.combos import combo_cards

Ints = npt.NDArray[np.int64]
Int32s = npt.NDArray[np.int32]
UInt8s = npt.NDArray[np.uint8]

RANKS = 13
NO_RANK = 13
SUITS = 4
BOTH = [(2, one, two) for one, two in combinations(range(RANKS), 2)]
ONE = [(1, inside, outside) for inside in range(RANKS) for outside in range(RANKS)]
NONE = [(0, one, two) for one, two in combinations_with_replacement(range(RANKS), 2)]
TYPES = [*BOTH, *ONE, *NONE]
SPREADS = ((1, 1, 1, 1, 1), (2, 1, 1, 1), (2, 2, 1), (3, 1, 1), (3, 2), (4, 1))
"""How often the ranks of a board occur."""
HELD_BY_SPREAD = [(0, 0), *((0, one) for one in range(1, 6))]
HELD_BY_SPREAD += [(one, two) for two in range(1, 6) for one in range(1, two + 1)]
"""Patterns on a board's ranks, its first to fifth: those that a hand holds, 0 for one off the board."""


class Hands(NamedTuple):
    """Types of hands.

    Attributes:
        ranks: Shape (n, 2): the ranks of both cards.
        suited: Shape (n,): how many are in the suit, descending.
        inside: Shape (n,): the ranks in the suit, a mask.
        outside: Shape (n, 2): the ranks in other suits, :data:`NO_RANK` in place of a rank in the suit.
    """

    ranks: UInt8s
    suited: UInt8s
    inside: Int32s
    outside: UInt8s

    def take(self, types: Ints) -> Hands:
        """Return some types."""
        return Hands(self.ranks[types], self.suited[types], self.inside[types], self.outside[types])


@lru_cache
def hand_types() -> Hands:
    """Return the 338 types of hands."""
    rows = []
    for suited, first, second in TYPES:
        mask = sum(1 << rank for rank in (first, second)[:suited])
        rows.append((first, second, suited, mask, *[NO_RANK] * suited, *(first, second)[suited:]))
    table = np.array(rows, np.int64)
    ranks, outside = table[:, :2].astype(np.uint8), table[:, 4:].astype(np.uint8)
    return Hands(ranks, table[:, 2].astype(np.uint8), table[:, 3].astype(np.int32), outside)


@lru_cache
def rank_classes() -> UInt8s:
    """Return the ranks of the 91 rank classes, shape (91, 2)."""
    return np.array([ranks for _, *ranks in NONE], np.uint8)


@lru_cache
def types_of_combos() -> tuple[Ints, Ints]:
    """Return the rank class of each combo (1326,), and its type in each suit (4, 1326)."""
    number = np.zeros((3, RANKS, RANKS), np.int64)  # by cards in the suit and by ranks
    for place, (suited, high, low) in enumerate(TYPES):
        number[suited, high, low] = place
        if suited != 1:
            number[suited, low, high] = place
    low, high = combo_cards().astype(np.int64).T
    classes = number[0, low >> 2, high >> 2] - number[0, 0, 0]
    types = np.zeros((SUITS, len(low)), np.int64)
    for suit in range(SUITS):
        holds_low, holds_high = low & 3 == suit, high & 3 == suit
        # A card in the suit comes first.
        first, second = np.where(holds_high, (high, low), (low, high)) >> 2
        types[suit] = number[holds_low.astype(np.int64) + holds_high, first, second]
    return classes, types


class RankBoards(NamedTuple):
    """Boards by their ranks.

    Attributes:
        ranks: Shape (6175, 5), uint8.
        spread: Shape (6175,), uint8: the place in :data:`SPREADS`.
        places: Shape (6175, 13), uint8: which of the board's ranks each rank is, 1 to 5, those that
            occur most often first; 0 for a rank that is not on the board.
        pattern: Shape (6, 6), uint8: a hand's pattern by the places of its two ranks.
        ways: Shape (6, 21, 21), int32: boards by the spread and the patterns of two hands.
    """

    ranks: UInt8s
    spread: npt.NDArray[np.uint8]
    places: UInt8s
    pattern: UInt8s
    ways: Int32s


@lru_cache
def rank_boards() -> RankBoards:
    """Return the boards by rank."""
    rows = np.array(list(combinations_with_replacement(range(RANKS), 5)), np.uint8)
    rows = rows[rows[:, 0] != rows[:, 4]]
    times = (rows[:, :, None] == np.arange(RANKS)).sum(axis=1)
    ordered = np.argsort(-times, axis=1, kind="stable")[:, :5]
    spreads = {(*times, *[0] * (5 - len(times))): number for number, times in enumerate(SPREADS)}
    in_order = np.take_along_axis(times, ordered, axis=1).tolist()
    spread = np.array([spreads[*row] for row in in_order], np.uint8)
    places = np.zeros((len(rows), RANKS), np.uint8)
    np.put_along_axis(places, ordered, np.arange(1, 6, dtype=np.uint8), axis=1)
    places[times == 0] = 0
    pattern = np.zeros((6, 6), np.uint8)
    for number, (first, second) in enumerate(HELD_BY_SPREAD):
        pattern[first, second] = pattern[second, first] = number
    return RankBoards(rows, spread, places, pattern, _ways_by_spread())


def _ways_by_spread() -> Int32s:
    held = np.array([[row.count(place) for place in range(1, 6)] for row in HELD_BY_SPREAD])
    left = np.maximum(4 - held[:, None] - held, 0)
    choose = np.array([[comb(cards, taken) for taken in range(5)] for cards in range(5)], np.int32)
    taken = np.array([[*times, *[0] * (5 - len(times))] for times in SPREADS])
    ways: Int32s = choose[left, taken[:, None, None]].prod(axis=3, dtype=np.int32)
    return ways


class SuitedBoards(NamedTuple):
    """Boards with three cards or more of the suit.

    Attributes:
        inside: Shape (36608,), int16: the ranks in the suit, a mask.
        outside: Shape (36608, 2), uint8: the other ranks, ascending, :data:`NO_RANK` if fewer.
        kind: Shape (36608,), uint8: 0 for two other ranks that differ, 1 for two equal ones, 2 for one
            other card, 3 for none. Boards with the same other cards are next to each other.
        ways: Shape (4, 9, 9), int32: boards by kind and the patterns of two hands. A pattern is 3 times
            how often the hand holds the first other rank outside the suit, plus that of the second.
    """

    inside: npt.NDArray[np.int16]
    outside: UInt8s
    kind: UInt8s
    ways: Int32s


@lru_cache
def suited_boards() -> SuitedBoards:
    """Return the boards with three cards or more of a suit."""
    masks = {
        size: [sum(1 << rank for rank in ranks) for ranks in combinations(range(RANKS), size)]
        for size in (3, 4, 5)
    }
    outside_of = [(0, 3, pair) for pair in combinations(range(RANKS), 2)]
    outside_of += [(1, 3, (rank, rank)) for rank in range(RANKS)]
    outside_of += [(2, 4, (rank, NO_RANK)) for rank in range(RANKS)]
    outside_of += [(3, 5, (NO_RANK, NO_RANK))]
    sizes = [len(masks[size]) for _, size, _ in outside_of]
    inside = np.concatenate([np.array(masks[size], np.int16) for _, size, _ in outside_of])
    outside = np.repeat(np.array([pair for *_, pair in outside_of], np.uint8), sizes, axis=0)
    kind = np.repeat(np.array([kind for kind, *_ in outside_of], np.uint8), sizes)
    ways = np.zeros((4, 9, 9), np.int32)
    for first_held, second_held in np.ndindex(9, 9):
        first = max(0, 3 - first_held // 3 - second_held // 3)
        second = max(0, 3 - first_held % 3 - second_held % 3)
        ways[:, first_held, second_held] = first * second, comb(first, 2), first, 1
    return SuitedBoards(inside, outside, kind, ways)
