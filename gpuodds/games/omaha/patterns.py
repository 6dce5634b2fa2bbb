"""Find the hands that match a pattern of cards, such as two aces of different suits.

A pattern is a list of places. A hand matches it if each place can have a card of its own in the hand:
one of the cards it allows, with places of one rank variable equal in rank and those of two rank
variables different, and likewise for suits. Cards of the hand that no place has are any cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.cards import DECK_SIZE
from gpuodds.games.omaha.combos import combo_cards, combo_numbers
from gpuodds.games.omaha.starting_hands import starting_hands

Bools = npt.NDArray[np.bool_]
Cards = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]

ANY_CARD = (1 << DECK_SIZE) - 1
_RANK_OF_ALL_SUITS = 0b1111
_STEP = 1 << 20  # hands that are matched at a time


class Place(NamedTuple):
    """A place of a pattern."""

    allowed: int
    """The cards it allows, as a set: bit c is the card c."""
    rank: str = ""
    """Its rank variable, or nothing."""
    suit: str = ""
    """Its suit variable, or nothing."""


def names_no_suit(pattern: Sequence[Place]) -> bool:
    """Return whether renaming the suits changes nothing: each place allows whole ranks."""
    ranks = [_RANK_OF_ALL_SUITS << 4 * rank for rank in range(DECK_SIZE // 4)]
    return all(place.allowed & rank in (0, rank) for place in pattern for rank in ranks)


def matching_classes(size: int, pattern: Sequence[Place]) -> Bools:
    """Return which starting hands match a pattern that names no suit, shape (starting hands,)."""
    return _matches(starting_hands(size).cards, pattern)


def matching_combos(size: int, pattern: Sequence[Place]) -> Ints:
    """Return the numbers of the combos that match a pattern, ascending."""
    named = [place.allowed for place in pattern if place.allowed.bit_count() == 1]
    if len(set(named)) < len(named):
        return np.zeros(0, np.int64)
    if named:
        cards = _hands_with([mask.bit_length() - 1 for mask in named], size)
        return np.sort(combo_numbers(cards[_matches(cards, pattern)]))
    cards = combo_cards(size)
    found = [
        begin + np.flatnonzero(_matches(cards[begin : begin + _STEP], pattern))
        for begin in range(0, len(cards), _STEP)
    ]
    return np.concatenate(found)


def _hands_with(named: list[int], size: int) -> Cards:
    """Return the hands that hold some cards, shape (n, size)."""
    others = np.setdiff1d(np.arange(DECK_SIZE, dtype=np.uint8), named)
    more = size - len(named)
    if more:
        rest = combo_cards(more)
        # In colexicographic order the combos of the first c cards come first.
        rest = others[rest[: _first_combos(rest, len(others))]]
    else:
        rest = np.zeros((1, 0), np.uint8)
    held = np.broadcast_to(np.array(named, np.uint8), (len(rest), len(named)))
    return np.column_stack([held, rest])


def _first_combos(combos: Cards, cards: int) -> int:
    return int(np.searchsorted(combos[:, -1], cards))


def _matches(cards: Cards, pattern: Sequence[Place]) -> Bools:
    """Return which hands match, shape (n,): place by place, keeping the hands that may still match."""
    places = [place for place in pattern if place != (ANY_CARD, "", "")]
    # Places that allow few cards first: they leave few hands.
    places.sort(key=lambda place: (place.allowed.bit_count(), place))
    tables = [_table(place.allowed) for place in places]
    found = np.zeros(len(cards), bool)
    alive = _enough(cards, places, tables)
    _fill(cards, places, tables, [], alive, found)
    return found


def _enough(cards: Cards, places: list[Place], tables: list[Bools]) -> Ints:
    """Return the hands that have a card for each place, or several where places allow the same."""
    fits = np.ones(len(cards), bool)
    for allowed in {place.allowed for place in places} - {ANY_CARD}:
        wanted = [number for number, place in enumerate(places) if place.allowed == allowed]
        table = tables[wanted[0]].view(np.uint8)
        held = np.zeros(len(cards), np.uint8)
        for column in cards.T:
            held += table[column]
        fits &= held >= len(wanted)
    return np.flatnonzero(fits)


def _fill(
    cards: Cards,
    places: list[Place],
    tables: list[Bools],
    taken: list[int],
    alive: Ints,
    found: Bools,
) -> None:
    """Give the next place each card in turn; mark the hands in which all places have one."""
    number = len(taken)
    if number == len(places):
        found[alive] = True
        return
    place = places[number]
    # Of places that allow the same without variables, the later takes the later card.
    same = number and place == places[number - 1] and not place.rank and not place.suit
    for column in range(taken[-1] + 1 if same else 0, cards.shape[1]):
        if column in taken:
            continue
        left = alive[~found[alive]]
        held = cards[left, column]
        fits = tables[number][held]
        for before, other in zip(taken, places, strict=False):
            if place.rank and other.rank:
                equal = cards[left, before] >> 2 == held >> 2
                fits &= equal if place.rank == other.rank else ~equal
            if place.suit and other.suit:
                equal = cards[left, before] & 3 == held & 3
                fits &= equal if place.suit == other.suit else ~equal
        left = left[fits]
        if len(left):
            _fill(cards, places, tables, [*taken, column], left, found)


def _table(allowed: int) -> Bools:
    return np.array([allowed >> card & 1 for card in range(DECK_SIZE)], bool)
