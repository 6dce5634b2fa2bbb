"""The starting hands of Omaha against brute force in plain Python."""

from __future__ import annotations

import doctest
from collections import Counter
from itertools import combinations, permutations
from random import Random

import numpy as np
import pytest

from gpuodds.cards import RANKS
from gpuodds.games.omaha import starting_hands as module
from gpuodds.games.omaha.combos import combo_cards
from gpuodds.games.omaha.starting_hands import (
    SUIT_PATTERNS,
    class_name,
    class_names,
    class_of,
    class_of_combos,
    group_names,
    rank_class_name,
    starting_hands,
    suit_pattern_name,
)

RENAMINGS = list(permutations(range(4)))


def renamed(cards: tuple[int, ...], renaming: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted((card & ~3 | renaming[card & 3] for card in cards), reverse=True))


def orbit(cards: tuple[int, ...]) -> set[tuple[int, ...]]:
    return {renamed(cards, renaming) for renaming in RENAMINGS}


def test_the_examples_hold() -> None:
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("size, classes, combos", [(4, 16432, 270725), (5, 134459, 2598960)])
def test_the_classes_and_their_sizes(size: int, classes: int, combos: int) -> None:
    every = starting_hands(size)
    assert len(every.cards) == classes
    assert every.sizes.sum() == combos
    assert np.array_equal(np.bincount(class_of_combos(size), minlength=classes), every.sizes)
    assert np.array_equal(class_of(every.cards), np.arange(classes))


@pytest.mark.slow
def test_six_cards_have_962988_classes() -> None:
    every = starting_hands(6)
    assert len(every.cards) == 962988
    assert every.sizes.sum() == 20358520
    assert np.array_equal(class_of(every.cards), np.arange(962988))


@pytest.mark.parametrize("size", [4, 5, 6])
def test_classes_are_the_orbits_of_renaming_suits(size: int) -> None:
    draw = Random(size)
    every = starting_hands(size)
    for _ in range(300):
        cards = tuple(draw.sample(range(52), size))
        members = orbit(cards)
        numbers = set(class_of(np.array(sorted(members))).tolist())
        (number,) = numbers
        assert every.sizes[number] == len(members)
        best = tuple(every.cards[number].tolist())
        assert best == max(members)  # the higher cards first, spades before hearts
        assert class_name(best) == min(
            (named(member) for member in members), key=lambda name: name[1::2]
        )


def named(cards: tuple[int, ...]) -> str:
    return "".join(RANKS[card >> 2] + "zyxw"[card & 3] for card in cards)


def test_classes_come_in_the_documented_order() -> None:
    every = starting_hands(4)
    places = {name: place for place, name in enumerate(SUIT_PATTERNS[4])}
    order = [
        (
            tuple(-(card >> 2) for card in cards),
            places[suit_pattern_name(cards)],
            tuple(-card for card in cards),
        )
        for cards in every.cards.tolist()
    ]
    assert order == sorted(order)
    assert len(set(order)) == len(order)


def test_names_are_different_and_groups_are_consecutive() -> None:
    names = class_names(4)
    assert len(set(names)) == 16432
    every = starting_hands(4)
    for number in range(0, 16432, 97):
        cards = every.cards[number].tolist()
        assert group_names(4)[every.groups[number]] == (
            rank_class_name(cards),
            suit_pattern_name(cards),
        )
    assert len(set(group_names(4))) == len(group_names(4))


@pytest.mark.slow
def test_suit_patterns_by_brute_force() -> None:
    counted: Counter[str] = Counter()
    for suits in combinations([card & 3 for card in range(52)], 4):
        counts = sorted((suits.count(suit) for suit in set(suits)), reverse=True)
        counted[str(counts)] += 1
    every = starting_hands(4)
    sums = np.bincount(every.patterns, weights=every.sizes).astype(int).tolist()
    assert sums == [counted[str(list(pattern))] for pattern in SUIT_PATTERNS[4].values()]
    assert dict(zip(SUIT_PATTERNS[4], sums, strict=True))["ds"] == 36504


@pytest.mark.parametrize("size", [4, 5, 6])
def test_every_pattern_is_named(size: int) -> None:
    drawn = Random(1)
    cards = combo_cards(size)
    for row in drawn.sample(range(len(cards)), 500):
        assert suit_pattern_name(cards[row]) in SUIT_PATTERNS[size]
