"""Hands of Omaha by the types of their cards: how all hands compare on a board depends on no more.

Without a flush suit a card's type is its rank, and there are four of each. With one it is its rank and
whether it is of that suit: one card of a rank is, three are not. A hand is then a set of ranks in the
suit and a multiset of ranks outside; without a flush suit, the second alone.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, combinations, combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

RANKS = 13
COUNT_BITS = 3  # of the count of a rank outside the suit, 0 to 4
INSIDE_BIT = COUNT_BITS * RANKS  # the first of a key's thirteen bits for the ranks in the suit


class TypeHands(NamedTuple):
    """All hands of a number of cards by type, in ascending order of their keys.

    A key has three bits for the count of each rank outside the suit, then one for each rank inside.

    Attributes:
        keys: Shape (hands,): their keys.
        sets: Shape (sets,): the sets of ranks in the suit, masks, ascending.
        first: Shape (sets + 1,): the first hand with each set; then follow those that have the same set
            and, in order, each multiset outside of the size that is left.
        outside: Shape (multisets,): the keys of the multisets outside, by size, then ascending.
        outside_first: Shape (cards + 2,): the first of them of each size.
        ranks: Shape (hands,), int32: the number of each hand's multiset of ranks.
        parts: Shape (hands, 2^cards - 1), uint16 or uint32: for each subset of a hand's cards but all
            of them, the number of the subset's types among all multisets of fewer cards. First come
            the subsets of an even number of cards.
        parts_outside: Shape (parts,), int32: the multiset outside of each of those.
    """

    keys: Ints
    sets: Ints
    first: Ints
    outside: Ints
    outside_first: Ints
    ranks: npt.NDArray[np.int32]
    parts: npt.NDArray[Any]
    parts_outside: npt.NDArray[np.int32]


@lru_cache
def hand_rank_multisets(cards: int) -> UInt8s:
    """Return the multisets of ranks of hands, shape (n, cards), in ascending order of their keys."""
    rows = _multisets(cards, 4)
    return rows[np.argsort(_outside_keys(rows))]


@lru_cache
def hands_without_suit(cards: int) -> TypeHands:
    """Return all hands by rank alone."""
    return _type_hands(cards, np.zeros(1, np.int64), 4)


@lru_cache
def hands_with_suit(cards: int) -> TypeHands:
    """Return all hands by rank and by which cards are in one suit."""
    masks = [mask for mask in range(1 << RANKS) if mask.bit_count() <= cards]
    return _type_hands(cards, np.array(masks, np.int64), 3)


def suit_keys(hands: npt.NDArray[Any], suit: int) -> Ints:
    """Return the keys of hands, shape (n, cards), card numbers, for a flush suit, -1 for none."""
    ranks, inside = hands.astype(np.int64) >> 2, hands & 3 == suit
    return _add_bits(np.where(inside, INSIDE_BIT + ranks, COUNT_BITS * ranks))


def _multisets(size: int, copies: int) -> UInt8s:
    """Return the multisets of ``size`` ranks, none more than ``copies`` times, shape (n, size)."""
    flat = chain.from_iterable(combinations_with_replacement(range(RANKS), size))
    rows = np.fromiter(flat, np.uint8).reshape(-1, size) if size else np.zeros((1, 0), np.uint8)
    if size <= copies:
        return rows
    kept: UInt8s = rows[(rows[:, copies:] != rows[:, :-copies]).all(axis=1)]
    return kept


def _outside_keys(rows: UInt8s) -> Ints:
    return _add_bits(COUNT_BITS * rows.astype(np.int64))


def _add_bits(bits: Ints) -> Ints:
    keys: Ints = (np.int64(1) << bits).sum(axis=1)
    return keys


def _type_hands(cards: int, sets: Ints, copies: int) -> TypeHands:
    by_size = [np.sort(_outside_keys(_multisets(size, copies))) for size in range(cards + 1)]
    sizes = np.array([len(keys) for keys in by_size])
    inside = np.array([mask.bit_count() for mask in sets.tolist()])
    keys = [mask << INSIDE_BIT | by_size[cards - size] for mask, size in zip(sets, inside, strict=True)]
    hands = np.concatenate(keys)
    smaller = [
        mask << INSIDE_BIT | by_size[left]
        for mask, size in zip(sets, inside, strict=True)
        for left in range(cards - int(size))
    ]
    parts = np.sort(np.concatenate(smaller))
    outside, outside_first = np.concatenate(by_size), np.concatenate([[0], sizes.cumsum()])
    # The multisets outside are numbered by size first: find each among all by key.
    order = np.argsort(outside)
    part_keys = parts & (1 << INSIDE_BIT) - 1
    return TypeHands(
        hands,
        sets,
        np.concatenate([[0], sizes[cards - inside].cumsum()]),
        outside,
        outside_first,
        _number(np.sort(_outside_keys(_multisets(cards, 4))), _rank_keys(hands)).astype(np.int32),
        _parts(hands, cards, parts),
        order[_number(outside[order], part_keys)].astype(np.int32),
    )


def _number(keys: Ints, wanted: Ints) -> Ints:
    numbers: Ints = np.searchsorted(keys, wanted)
    return numbers


def _rank_keys(keys: Ints) -> Ints:
    """Return the keys of hands whose cards in the suit are put with the others."""
    ranks = keys & (1 << INSIDE_BIT) - 1
    for rank in range(RANKS):
        ranks += (keys >> INSIDE_BIT + rank & 1) << COUNT_BITS * rank
    return ranks


def _parts(hands: Ints, cards: int, parts: Ints) -> npt.NDArray[Any]:
    """Return the numbers of the subsets of each hand among ``parts``."""
    left, bits = hands.copy(), np.zeros((cards, len(hands)), np.int64)
    for card in range(cards):
        lowest = left & -left
        # A count's bits are taken off one by one.
        place = np.frexp(lowest.astype(np.float64))[1] - np.int64(1)
        place = np.where(place < INSIDE_BIT, place // COUNT_BITS * COUNT_BITS, place)
        bits[card] = np.int64(1) << place
        left -= bits[card]
    subsets = [subset for size in range(cards) for subset in combinations(range(cards), size)]
    subsets.sort(key=lambda subset: len(subset) % 2)
    dtype = np.uint16 if len(parts) <= 1 << 16 else np.uint32
    out = np.empty((len(hands), len(subsets)), dtype)
    for column, subset in enumerate(subsets):
        out[:, column] = _number(parts, bits[list(subset)].sum(axis=0))
    return out
