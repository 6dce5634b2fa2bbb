"""Ranks of many hands of Omaha against the reference, and against themselves."""

from __future__ import annotations

import numpy as np
import pytest

from gpuodds.backends.cpu.omaha.shared import ranks
from gpuodds.backends.cpu.omaha.shared.ranks import low_ranks, rank_omaha_hands
from gpuodds.cards import parse_cards
from gpuodds.games.omaha.hand_ranks import rank_omaha
from gpuodds.games.omaha.low_ranks import low_rank
from gpuodds.games.shared.hand_names import hand_name
from gpuodds.games.shared.hand_ranks import hand_rank_tables


def draw(number, hole_cards, board_cards, deck=52, seed=1):
    """Draw hands and boards, from the lowest cards of the deck."""
    generator = np.random.default_rng(seed)
    cards = np.argsort(generator.random((number, deck)), axis=1).astype(np.uint8)
    return cards[:, :hole_cards], cards[:, hole_cards : hole_cards + board_cards]


@pytest.mark.slow
@pytest.mark.parametrize("hole_cards", [4, 5, 6])
@pytest.mark.parametrize("board_cards", [3, 4, 5])
def test_ranks_agree_with_the_reference(hole_cards, board_cards):
    hands, boards = draw(600, hole_cards, board_cards)
    low_hands, low_boards = draw(200, hole_cards, board_cards, 28)
    suited_hands, suited_boards = draw(400, hole_cards, board_cards, 26)
    hands = np.concatenate([hands, low_hands, suited_hands * 2])  # of two suits
    boards = np.concatenate([boards, low_boards, suited_boards * 2])
    highs, lows = rank_omaha_hands(hands, boards), low_ranks(hands, boards)
    assert highs.dtype == np.uint16 and lows.dtype == np.uint8
    rows = list(zip(hands.tolist(), boards.tolist(), strict=True))
    assert highs.tolist() == [rank_omaha(*row) for row in rows]
    assert lows.tolist() == [low_rank(*row) for row in rows]
    tables = hand_rank_tables()
    assert ((highs >= tables.lowest_flush) & (highs < tables.flushes_end)).sum() > 20
    assert len(set(lows.tolist())) > 20


@pytest.mark.parametrize(
    ("hand", "board", "top"),
    [
        ("5c6cAc9c", "7c8cTcKcQc", "ten"),
        ("5c6cAc9c", "2c3c4cKcQc", "six"),
        ("5c6cAc9c", "4c7c8c2d2h", "eight"),
        ("5c2dAcQc", "2c3c4cKcTc", "five"),
    ],
)
def test_straight_flushes_that_are_not_of_the_highest_cards(hand, board, top):
    cards = [np.array([parse_cards(text)], np.uint8) for text in (hand, board)]
    assert hand_name(int(rank_omaha_hands(*cards)[0])) == f"straight flush, {top} high"


def test_large_batches_in_threads_agree_with_small_ones(monkeypatch):
    hands, boards = draw(20_000, 4, 5)
    small = [rank_omaha_hands(hands[i : i + 500], boards[i : i + 500]) for i in range(0, 20_000, 500)]
    small_lows = [low_ranks(hands[i : i + 500], boards[i : i + 500]) for i in range(0, 20_000, 500)]
    monkeypatch.setenv("GPUODDS_THREADS", "4")
    monkeypatch.setattr(ranks, "MIN_HANDS_PER_THREAD", 1000)
    assert rank_omaha_hands(hands, boards).tolist() == np.concatenate(small).tolist()
    assert low_ranks(hands, boards).tolist() == np.concatenate(small_lows).tolist()


def test_no_hands_no_ranks():
    assert rank_omaha_hands(*draw(0, 4, 5)).shape == low_ranks(*draw(0, 4, 5)).shape == (0,)


def test_impossible_boards_leave_other_ranks_alone():
    hands = draw(2000, 4, 5)[0]
    for card in range(0, 52, 4):
        rank_omaha_hands(hands, np.full((2000, 5), card, np.uint8))
    hands, boards = draw(2000, 4, 5)
    expected = [rank_omaha(*row) for row in zip(hands.tolist(), boards.tolist(), strict=True)]
    assert rank_omaha_hands(hands, boards).tolist() == expected


def test_suits_and_the_order_of_cards_make_no_difference():
    hands, boards = draw(3000, 5, 5)
    highs, lows = rank_omaha_hands(hands, boards), low_ranks(hands, boards)
    suits = np.array([2, 0, 3, 1], np.uint8)
    renamed = [cards & ~np.uint8(3) | suits[cards & 3] for cards in (hands, boards)]
    for more in (renamed, (hands[:, ::-1], np.roll(boards, 2, axis=1))):
        assert (rank_omaha_hands(*more) == highs).all() and (low_ranks(*more) == lows).all()
