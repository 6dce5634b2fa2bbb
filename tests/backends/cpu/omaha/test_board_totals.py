"""Two players' deals on each of many boards of Omaha: sums of what is counted hand by hand."""

from __future__ import annotations

import random

import numpy as np
import pytest

from gpuodds.backends.cpu.omaha.known_hands.against_random import count_against_random
from gpuodds.backends.cpu.omaha.known_hands.random_on_boards import count_on_boards
from gpuodds.backends.cpu.omaha.ranges import two_player_boards
from gpuodds.backends.cpu.omaha.ranges.showdowns import count_showdowns
from gpuodds.backends.cpu.omaha.ranges.two_player_boards import count_boards
from gpuodds.cards import parse_cards
from gpuodds.games.omaha.combos import combo_numbers

BOARDS = ["2h7h9hKhAc", "5s6s7s8s9s", "8c8d8h8s3c", "Ac2d3h4s5c", "3c4d7h8sKc", "2c2d3h8s8c"]


def draw_hands(draw: random.Random, size: int, hands: int) -> np.ndarray:
    # Few ranks, so that hands tie and lists share hands.
    deck = [card for card in range(52) if card // 4 in (0, 1, 2, 4, 6, 11, 12)]
    rows = np.array([sorted(draw.sample(deck, size)) for _ in range(hands)], np.uint8)
    return rows[np.unique(combo_numbers(rows), return_index=True)[1]]


def draw_boards(draw: random.Random) -> np.ndarray:
    drawn = [draw.sample(range(52), 5) for _ in range(12)]
    return np.array([*map(parse_cards, BOARDS), *drawn], np.uint8)


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("size", [4, 5, 6])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("compared", [False, True])
def test_each_board_is_the_sum_of_its_hands(
    low: bool, size: int, weighted: bool, compared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    longest = dict.fromkeys((4, 5, 6), 10**9 if compared else 0)
    monkeypatch.setattr(two_player_boards, "LONGEST_COMPARED", longest)
    draw = random.Random(10 * size + low)
    both = draw_hands(draw, size, 150)
    lists = [both[40:], np.concatenate([both[:60], both[100:]])]
    if low:
        lists.reverse()
    weights = [np.ones(len(own)) for own in lists]
    if weighted:
        weights = [np.array([draw.choice([0.25, 0.7, 1.0]) for _ in own]) for own in lists]
    boards = draw_boards(draw)
    found = count_boards(lists, weights, boards, low)
    assert all((own.dtype == np.int64) != weighted for own in found)
    for number, board in enumerate(boards):
        expected = count_showdowns(lists, weights, board[None], np.ones(1, np.int64), low).counts
        for own, hands, counts in zip(weights, expected, found, strict=True):
            if weighted:
                assert counts[number] == pytest.approx((own[:, None] * hands).sum(axis=0), abs=1e-9)
            else:
                assert counts[number].tolist() == hands.sum(axis=0).tolist()


def test_boards_without_a_deal() -> None:
    hands = [
        np.array([parse_cards("2s3s4s5s")], np.uint8),
        np.array([parse_cards("2s3s4s6s")], np.uint8),
    ]
    boards = np.array([parse_cards("AsKsQsJsTs")], np.uint8)
    weights = [np.ones(1), np.ones(1)]
    for low in (False, True):
        assert not any(own.any() for own in count_boards(hands, weights, boards, low))


@pytest.mark.parametrize(
    ("hand", "board", "dead"),
    [
        ("AsAhKsKh", "", ""),
        pytest.param("As2h3dJd", "", "4c4d", marks=pytest.mark.weekly),
        ("As2h3dJd", "7c8c9d", "2s"),
        ("QsJsTsTh9c", "2s3s9d", ""),
    ],
)
def test_one_random_hand_on_boards(hand: str, board: str, dead: str) -> None:
    draw = random.Random(hand + board)
    cards, lying, out = (parse_cards(text) for text in (hand, board, dead))
    deck = [card for card in range(52) if card not in {*cards, *lying, *out}]
    more = 1 if lying else 3
    boards = np.array([[*lying, *draw.sample(deck, more)] for _ in range(4)], np.uint8)
    for low in (False, True):
        shares: list[float] = []
        found = count_on_boards(cards, lying, out, boards, low, shares.append)
        assert shares == sorted(shares) and shares[-1] == 1.0
        for row, own in zip(boards.tolist(), found, strict=True):
            assert own.tolist() == count_against_random(cards, row, out, low).sum(axis=0).tolist()
