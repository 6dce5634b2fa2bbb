"""Low hands, eight or better, and their names."""

from __future__ import annotations

import random
from itertools import combinations, pairwise

import numpy as np
import pytest

from gpuodds.cards import format_cards, parse_cards
from gpuodds.errors import InputError
from gpuodds.games.omaha.low_ranks import best_lows, low_name, low_rank, low_ranks_of_sets, low_set


@pytest.mark.parametrize(
    ("hole", "board", "name"),
    [
        ("As2cKhKd", "3s4d5hQcJc", "5-4-3-2-A low"),  # also a straight
        ("As2cKhKd", "As2d8h7c6c", "8-7-6-2-A low"),  # the hand's ace and deuce
        ("As2cKhKd", "Ad2d8hTcTd", "no low"),  # three different ranks of the board
        ("AsAhKhKd", "2d3d4h5c6d", "no low"),  # two of the hand
        ("4s6hKhKd", "8d8hAdAc3d", "8-6-4-3-A low"),
        ("4s6h2h2d", "8d7h5dAc", "7-5-4-2-A low"),
        ("As2s3s4s", "5s6s7s", "7-6-5-2-A low"),  # a flush
        ("9s9hAsKd", "2d3d4h5c6d", "no low"),
        ("AsKsQsJsTs2s", "3d4d9h9c7c", "7-4-3-2-A low"),
    ],
)
def test_names(hole, board, name):
    assert low_name(low_rank(parse_cards(hole), parse_cards(board))) == name


def test_ranks_are_ordered_by_the_highest_card_then_the_next():
    fives = sorted(combinations(range(1, 9), 5), key=lambda five: five[::-1], reverse=True)
    names = ["-".join("A" if n == 1 else str(n) for n in five[::-1]) + " low" for five in fives]
    assert [low_name(rank) for rank in range(57)] == ["no low", *names]


@pytest.mark.parametrize("number", [-1, 57])
def test_other_numbers_are_refused(number):
    with pytest.raises(InputError, match=f"low rank {number}: expected a number from 0 to 56"):
        low_name(number)


def test_tables_agree_with_the_rules():
    sets = low_ranks_of_sets()
    assert sorted(sets[sets > 0]) == list(range(1, 57))
    generator = random.Random(1)
    seen = set()
    for number in range(3000):
        cards = generator.sample(range(32 + 20 * (number % 2)), 11)  # half of them low cards
        hole, board = cards[: 4 + number % 3], cards[6 : 9 + number % 5 % 3]
        rank = low_rank(hole, board)
        assert best_lows()[low_set(board), low_set(hole)] == rank
        seen.add(rank)
    assert len(seen) > 50
    assert best_lows().dtype == np.uint8


@pytest.mark.weekly
def test_pokerkit_agrees():
    pokerkit = pytest.importorskip("pokerkit")
    generator = random.Random(3)
    low_cards = [card for card in range(52) if card < 28 or card >= 48]
    drawn = []
    for number in range(2000):
        deck = low_cards if number % 2 else range(52)
        cards = generator.sample(deck, 4 + number % 3 + 3 + number % 5 % 3)
        hole, board = cards[: 4 + number % 3], cards[4 + number % 3 :]
        theirs = pokerkit.OmahaEightOrBetterLowHand.from_game_or_none(
            format_cards(hole), format_cards(board)
        )
        rank = low_rank(hole, board)
        assert (rank == 0) == (theirs is None)
        if rank:
            drawn.append((rank, theirs))
    assert len(drawn) > 500
    drawn.sort(key=lambda pair: pair[0])
    for (rank, theirs), (next_rank, next_theirs) in pairwise(drawn):
        assert (rank == next_rank) == (theirs == next_theirs)
        assert (rank < next_rank) == (theirs < next_theirs)
