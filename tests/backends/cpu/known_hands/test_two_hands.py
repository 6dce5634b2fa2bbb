"""Pairs of known hands: golden integers, brute force, and properties of any cards."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import brute_force

from gpuodds.backends.operations.known_hands import HandsVersusHands
from gpuodds.cards import parse_cards
from gpuodds.games.holdem.game import HOLDEM

CARDS = st.permutations(range(52))


def count(cards: list[int], size: int = 0, dead: int = 0) -> list[int]:
    """Count one row: the hands are the first four cards, then come board and dead cards."""
    hands = np.array(cards[:4], np.uint8).reshape(1, 2, 2)
    board, out = np.array([cards[4 : 4 + size]], np.uint8), cards[4 + size : 4 + size + dead]
    found = HandsVersusHands(HOLDEM, hands, board, np.array([out], np.uint8)).on_cpu()
    return [int(number) for number in found[0]]


def test_pairs_of_the_golden_file(golden_equity: Any) -> None:
    pairs = [case for case in golden_equity["known_hands"] if len(case["hands"]) == 2]
    assert len(pairs) > 3
    for case in pairs:
        cards = [*parse_cards("".join(case["hands"])), *parse_cards(case["board"] + case["dead"])]
        board, dead = len(case["board"]) // 2, len(case["dead"]) // 2
        assert count(cards, board, dead) == case["wins_by_mask_from_1"]


# Flushes that need one, two or no more card; of both hands; on the board; beaten by full houses.
WORST = [
    "AsKsQhQd2s7s9s", "AsKsQsJs2s7d9h", "AsKsQhQd2s2d9s", "AsKd7s7d7h2s9s", "2s3d4s5dAsKsQs",
    "AsAdKsKdQsJsTs", "5s6s9sTs7s8s2h", "AcKc2d2h2c3c3h", "AcKdAdKcAsKs2h", "2c7d2d7cTsTh3s",
]  # fmt: skip


@pytest.mark.parametrize("text", WORST)
@pytest.mark.parametrize("more", ["", "Ts", "6h6c"])
def test_flops_to_rivers_equal_brute_force(text: str, more: str) -> None:
    cards = [*parse_cards(text)]
    cards += [card for card in parse_cards(more) if card not in cards]
    size = len(cards) - 4
    hands = (cards[0], cards[1]), (cards[2], cards[3])
    expected = brute_force(hands, 0, tuple(cards[4:]))
    first, second = (won[0] for won in expected.won)
    assert count(cards, size) == [first, second, expected.outcomes - first - second]
    if more:
        fewer = brute_force(hands, 0, tuple(cards[4:7]), tuple(cards[7:]))
        first, second = (won[0] for won in fewer.won)
        assert count(cards, 3, size - 3) == [first, second, fewer.outcomes - first - second]


@settings(max_examples=30, deadline=None)
@given(cards=CARDS, size=st.integers(0, 5), dead=st.integers(0, 3), suits=st.permutations(range(4)))
def test_hands_swap_and_names_of_suits_do_not_matter(
    cards: list[int], size: int, dead: int, suits: list[int]
) -> None:
    first, second, ties = count(cards, size, dead)
    renamed = [card - card % 4 + suits[card % 4] for card in cards]
    other_way = renamed[2:4] + renamed[1::-1] + renamed[4 : 4 + size][::-1] + renamed[4 + size :]
    assert count(other_way, size, dead) == [second, first, ties]


@settings(max_examples=20, deadline=None)
@given(cards=CARDS, size=st.integers(0, 4))
def test_a_board_is_the_sum_over_the_next_card(cards: list[int], size: int) -> None:
    # Each full board is reached by as many next cards as are to come.
    before, rest = cards[: 4 + size], cards[4 + size :]
    sums = np.sum([count([*before, card], size + 1) for card in rest], axis=0)
    assert sums.tolist() == [number * (5 - size) for number in count(before, size)]


def test_rows_are_independent_of_each_other() -> None:
    decks = [random.Random(seed).sample(range(52), 8) for seed in range(4_000)]
    cards = np.array(decks, np.uint8)
    hands, boards = cards[:, :4].reshape(-1, 2, 2), cards[:, 4:8].copy()
    found = HandsVersusHands(HOLDEM, hands, boards, cards[:, :0]).on_cpu()
    assert found.shape == (4_000, 3) and found.dtype == np.int64
    assert (found.sum(axis=1) == 44).all()
    for row in range(0, 4_000, 313):
        assert found[row].tolist() == count(decks[row], 4)
