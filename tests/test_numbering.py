"""Numbers of cards and hands as other programs write them, read and written."""

from __future__ import annotations

from itertools import combinations, pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuodds.cards import parse_cards, to_seed_mask
from gpuodds.errors import InputError
from gpuodds.games.five_card import rank_names
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.hand_names import CATEGORIES, CATEGORY_RANKS
from gpuodds.methods.hands.evaluate import rank_hand
from gpuodds.numbering import (
    from_base_13,
    from_base_52,
    from_suit_order,
    hand_value,
    to_base_13,
    to_base_52,
    to_suit_order,
)

DECK = range(52)


def as_any(value: Any) -> Any:
    return value


def test_decks_sorted_by_suit() -> None:
    assert to_suit_order("2c 3c Ac 2d 2h 2s As") == (0, 1, 12, 13, 26, 39, 51)
    # Suits and faces of a hand: (2,2), (1,7), (0,2), (1,5), (3,10).
    assert to_suit_order("4h9d4c7dQs") == (26 + 2, 13 + 7, 2, 13 + 5, 39 + 10)
    # Clubs 0 to 12, diamonds 13 to 25, hearts 26 to 38, spades 39 to 51, from the ace to the king.
    assert to_suit_order("Ac Kc Ad Kd Ah Kh As Ks", ace="low") == (0, 12, 13, 25, 26, 38, 39, 51)
    assert to_suit_order("7d", ace="low") == (19,)


@pytest.mark.parametrize("ace", ["high", "low"])
def test_numbers_by_suit_go_both_ways(ace: str) -> None:
    numbers = to_suit_order(DECK, ace=ace)
    assert sorted(numbers) == list(DECK) and from_suit_order(numbers, ace=ace) == tuple(DECK)
    assert to_suit_order(from_suit_order(DECK, ace=ace), ace=ace) == tuple(DECK)
    assert from_suit_order(np.array([0, 51], np.uint8), ace=ace) == from_suit_order([0, 51], ace=ace)


def test_numbers_with_the_ace_low_are_the_bits_of_sets() -> None:
    for cards, mask in [("7d", 0x80000), ("Jc2h", 0x8000400)]:
        assert sum(1 << number for number in to_suit_order(cards, ace="low")) == mask
    for card in DECK:
        assert 1 << to_suit_order([card], ace="low")[0] == to_seed_mask([card])


@given(st.sets(st.integers(0, 51), min_size=5, max_size=5), st.randoms())
def test_hands_to_the_base_52(cards: set[int], draw: Random) -> None:
    shuffled = draw.sample(sorted(cards), 5)
    value = to_base_52(shuffled)
    assert from_base_52(value) == tuple(sorted(cards)) and 0 <= value <= 350_530_283
    first, second, third, fourth, fifth = sorted(cards)
    assert value == first * 52**4 + second * 52**3 + third * 52**2 + fourth * 52 + fifth


def test_numbers_to_the_base_52_differ() -> None:
    hands = list(combinations(range(10), 5))
    assert len({to_base_52(hand) for hand in hands}) == len(hands)
    assert to_base_52([47, 48, 49, 50, 51]) == 350_530_283


def test_every_hand_rank_has_a_value() -> None:
    values = [to_base_13(rank) for rank in range(1, 7463)]
    assert all(low < high for low, high in pairwise(values))
    assert [from_base_13(value) for value in values] == list(range(1, 7463))
    for number, ranks in enumerate(CATEGORY_RANKS):
        royal = number == CATEGORIES.index("straight flush")
        found = {value // 13**5 for value in values[ranks.start - 1 : ranks.stop - 1]}
        assert found == ({8, 9} if royal else {number})
    assert values[-1] == 9 * 13**5 and sum(value >= 9 * 13**5 for value in values) == 1


@pytest.mark.parametrize(
    ("cards", "value", "chooser"),
    [
        ("7c5d4h3s2c", "053210", None),  # seven high, the lowest hand
        ("4h9d4c7dQs", "12a750", "022a75"),
        ("KsKdQhQc2d", "2ba000", "1bbaa0"),
        ("9s9d9hKc2d", "37b000", "2777b0"),
        ("5s4d3h2cAd", "430000", "53210c"),
        ("AsJs9s5s2s", "5c9730", "400003"),  # a flush of spades
        ("9s9d9h2c2d", "670000", "277700"),  # the chooser knows no full house
        ("9s9d9h9c2d", "770000", "377770"),
        ("9s8s7s6s5s", "870000", "576543"),  # ... and no straight flush
        ("AsKsQsJsTs", "900000", "5cba98"),
    ],
)
def test_values_to_the_base_13(cards: str, value: str, chooser: str | None) -> None:
    assert hand_value(cards) == int(value, 13)
    assert from_base_13(hand_value(cards)) == rank_hand(parse_cards(cards), HOLDEM)
    if chooser is None:
        assert hand_value(cards, "draw-chooser") < 0
    else:
        assert hand_value(cards, "draw-chooser") == int(chooser, 13)


@given(st.randoms())
def test_values_order_hands_as_the_rankings_do(draw: Random) -> None:
    hands = [draw.sample(DECK, 5) for _ in range(2)]
    for ranking in ("standard", "draw-chooser"):
        names = rank_names(ranking)
        ranks = [rank_hand(hand, HOLDEM) for hand in hands]
        flush = [hand[0] & 3 if len({c & 3 for c in hand}) == 1 else 0 for hand in hands]
        one, two = (int(names[suit, rank]) for suit, rank in zip(flush, ranks, strict=True))
        first, second = (hand_value(hand, ranking) for hand in hands)
        assert (first > second, first == second) == (one > two, one == two)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: to_suit_order("2x"), "2x: column 2: expected a suit"),
        (lambda: to_suit_order("2c", ace="first"), "ace first: expected one of high, low"),
        (lambda: from_suit_order([52]), "card number 52: expected 0 to 51"),
        (lambda: from_suit_order([-1], ace="low"), "card number -1: expected 0 to 51"),
        (lambda: from_suit_order(as_any(0)), "numbers 0: expected a list of numbers from 0 to 51"),
        (lambda: to_base_52("2c3c4c5c"), "hand 2c3c4c5c: expected five different cards"),
        (lambda: to_base_52([0, 0, 1, 2, 3]), "hand 2c2c2d2h2s: expected five different cards"),
        (lambda: to_base_52(""), "hand '': expected five different cards"),
        (lambda: from_base_52(350_530_284), "value 350530284: expected the number of five cards"),
        (lambda: from_base_52(52**5), "value 380204032: expected the number of five cards"),
        (lambda: from_base_52(-1), "value -1: expected the number of five cards"),
        (lambda: from_base_52(0), "value 0: expected the number of five cards"),
        (lambda: to_base_13(0), "hand rank 0: expected a number from 1 to 7462"),
        (lambda: from_base_13(9 * 13**5 + 1), "expected the base-13 value of a hand"),
        (lambda: from_base_13(0), "value 0: expected the base-13 value of a hand"),
        (
            lambda: hand_value("2c3c4c5c6c", "best"),
            "ranking best: expected one of standard, draw-chooser",
        ),
    ],
)
def test_bad_numbers(call: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()
