"""High hands of Omaha by the rules, against two other libraries."""

from __future__ import annotations

import random
from itertools import combinations, pairwise

import pytest

from gpuodds.cards import format_cards, parse_cards
from gpuodds.games.omaha.hand_ranks import rank_omaha
from gpuodds.games.shared.hand_names import hand_name
from gpuodds.games.shared.hand_ranks import rank_cards


@pytest.mark.parametrize(
    ("hole", "board", "name"),
    [
        ("As2c3d4h", "KsQsJsTs2d", "pair of twos, ace king queen kickers"),  # one spade
        ("AsKs3d4h", "QsJsTs2d2c", "royal flush"),
        ("AsAhAdAc", "KsKhKd2c3c", "full house, kings over aces"),  # two aces play
        ("AsAh2d2h", "KsKhKdKc3c", "full house, kings over aces"),  # three kings play
        ("AsKs2s3s", "QsJs4d4c5h", "pair of fours, ace king queen kickers"),  # two spades on the board
        ("5c6c7c8c", "9cTcJc2d3d", "straight flush, jack high"),
        ("5s6d7c8hKh", "9cTcJc2d3d", "straight, jack high"),
        ("2s4d5c8hKcAc", "9cTcJc2d3d", "flush, ace king jack ten nine"),
        ("2s4d5c8h", "9cTcJc", "high card, jack ten nine eight five"),
        ("2s4d5c8h", "9cTcJc8s", "pair of eights, jack ten five kickers"),
    ],
)
def test_exactly_two_hole_cards_play(hole, board, name):
    assert hand_name(rank_omaha(parse_cards(hole), parse_cards(board))) == name


def test_two_hole_cards_and_a_flop_are_a_hand():
    generator = random.Random(1)
    for _ in range(200):
        cards = generator.sample(range(52), 5)
        assert rank_omaha(cards[:2], cards[2:]) == rank_cards(cards)


def test_more_cards_are_never_worse():
    generator = random.Random(2)
    for _ in range(100):
        cards = generator.sample(range(52), 11)
        ranks = [[rank_omaha(cards[5 : 5 + h], cards[:b]) for b in (3, 4, 5)] for h in (4, 5, 6)]
        assert all(row == sorted(row) for row in ranks)
        assert all(list(column) == sorted(column) for column in zip(*ranks, strict=True))
        fewer = [rank_omaha(four, cards[:5]) for four in combinations(cards[5:11], 4)]
        assert max(fewer) == ranks[2][2]


@pytest.mark.weekly
def test_pokerkit_agrees():
    pokerkit = pytest.importorskip("pokerkit")
    generator = random.Random(3)
    drawn = []
    for number in range(2000):
        cards = generator.sample(range(52), 4 + number % 3 + 3 + number % 5 % 3)
        hole, board = cards[: 4 + number % 3], cards[4 + number % 3 :]
        theirs = pokerkit.OmahaHoldemHand.from_game(format_cards(hole), format_cards(board))
        drawn.append((rank_omaha(hole, board), theirs))
    drawn.sort(key=lambda pair: pair[0])
    for (rank, theirs), (next_rank, next_theirs) in pairwise(drawn):
        assert (rank == next_rank) == (theirs == next_theirs)
        assert (rank < next_rank) == (theirs < next_theirs)


@pytest.mark.weekly
def test_phevaluator_agrees():
    phevaluator = pytest.importorskip("phevaluator")
    generator = random.Random(4)
    for _ in range(100_000):
        cards = generator.sample(range(52), 9)
        theirs = phevaluator.evaluate_omaha_cards(*cards)  # 1 is the best
        assert rank_omaha(cards[5:], cards[:5]) == 7463 - theirs
