"""Every hand of Omaha against a random hand before the flop, and one hand alone: the same counts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, combinations, product
from math import comb

import numpy as np
import pytest

from gpuodds.backends.cpu.omaha.known_hands.against_random import count_against_random
from gpuodds.backends.cpu.omaha.preflop.preflop_random import count_boards, read_hands
from gpuodds.cards import parse_cards
from gpuodds.games.shared.boards import board_ranks, board_ranks_index, canonical_boards

HANDS = ["AsAhKsKh", "AsAcAd2h", "JsTc9d8h", "As9s5s3s", "As2s3h4h", "7c7d2c2d", "As2h3dKc", "2s2h2d2c"]
BOARDS = ["2345A", "34568", "3388A", "9TJQK", "22238", "444KK", "7777T", "A2277", "KKQJT"]


def number_of(board: str) -> int:
    """Return the row of the ranks of a board."""
    ranks = sorted("23456789TJQKA".index(rank) for rank in board)
    return board_ranks().tolist().index(ranks)


def boards_of(board: str) -> list[list[int]]:
    """Return all boards of a multiset of ranks."""
    of_rank = [
        combinations(range(4 * rank, 4 * rank + 4), board.count(text))
        for rank, text in enumerate("23456789TJQKA")
    ]
    return [list(chain(*parts)) for parts in product(*of_rank)]


def one_by_one(hand: Sequence[int], board: str, low: bool) -> list[list[int]]:
    """Count a hand alone on each board of a multiset of ranks, and add up."""
    sums = np.zeros((3, 4), np.int64)
    for cards in boards_of(board):
        if not {*cards} & {*hand}:
            sums += count_against_random(hand, cards, (), low).sum(axis=0)
    return sums.tolist()


@lru_cache
def all_hands(cards: int) -> np.ndarray:
    flat = chain.from_iterable(combinations(range(52), cards))
    return np.fromiter(flat, np.uint8, comb(52, cards) * cards).reshape(-1, cards)


@pytest.mark.parametrize(
    "board",
    [
        pytest.param(
            board, marks=[pytest.mark.weekly] if board in ("2345A", "34568", "9TJQK", "KKQJT") else []
        )
        for board in BOARDS
    ],
)
def test_boards_of_the_same_ranks_one_by_one(board: str) -> None:
    number = number_of(board)
    hands = [parse_cards(hand) for hand in HANDS[:: 1 if len(set(board)) < 5 else 4]]
    for low in (False, True):
        found = read_hands(np.array(hands, np.uint8), count_boards(4, low, range(number, number + 1)))
        for hand, counts in zip(hands, found, strict=True):
            assert counts.tolist() == one_by_one(hand, board, low)


@pytest.mark.parametrize(
    "text",
    [
        "AsKsQhQd7c 22238",
        pytest.param("As2s3s4hKhKd 3388A", marks=pytest.mark.weekly),
    ],
)
def test_five_and_six_cards(text: str) -> None:
    hand, board = text.split()
    number, cards = number_of(board), parse_cards(hand)
    found = read_hands(
        np.array([cards], np.uint8), count_boards(len(cards), True, range(number, number + 1))
    )
    assert found[0].tolist() == one_by_one(cards, board, low=True)


def test_parts_add_up_and_all_hands_are_alike() -> None:
    begin, end = number_of("3388A"), number_of("3388A") + 12
    sums = count_boards(4, True, range(begin, end))
    parts = [count_boards(4, True, range(part, end, 3)) for part in range(begin, begin + 3)]
    assert np.array_equal(sums, sum(parts))
    counts = read_hands(all_hands(4), sums)
    assert counts.min() >= 0
    total = counts.sum(axis=0)
    # What one hand wins another loses.
    assert total[0].sum() == total[2].sum()
    assert total[:, 1].sum() == total[:, 3].sum()
    assert total[0, 1] == total[2, 3]
    assert total[0, 3] == total[2, 1]
    boards = sum(
        int(np.prod([comb(4, count) for count in np.bincount(row)])) for row in board_ranks()[begin:end]
    )
    assert total.sum() == boards * comb(47, 4) * comb(43, 4)
    assert read_hands(all_hands(4), count_boards(4, False, range(begin, end)))[:, :, 0].tolist() == (
        counts.sum(axis=2).tolist()
    )


@pytest.mark.weekly
@pytest.mark.parametrize("low", [False, True])
def test_all_boards(low: bool) -> None:
    sums = count_boards(4, low, range(len(board_ranks())))
    counts = read_hands(all_hands(4), sums)
    every = comb(48, 5) * comb(43, 4)
    assert every == 211_315_436_640
    assert (counts.sum(axis=(1, 2)) == every).all()
    total = [sum(column.tolist()) for column in counts.reshape(-1, 12).T]
    high = [sum(total[row : row + 4]) for row in (0, 4, 8)]
    # The equities of all hands average one half.
    assert high[0] == high[2]
    assert sum(total[1::4]) == sum(total[3::4])
    for hand in HANDS:
        found = read_hands(np.array([parse_cards(hand)], np.uint8), sums)[0]
        alone = count_against_random(parse_cards(hand), low=low).sum(axis=0)
        assert found.tolist() == alone.tolist()


def test_the_ranks_of_all_boards() -> None:
    assert board_ranks().shape == (6175, 5)
    assert board_ranks_index(4 * board_ranks()[:, ::-1]).tolist() == [*range(6175)]
    index, counts = np.unique(board_ranks_index(canonical_boards()[0]), return_counts=True)
    assert index.tolist() == [*range(6175)]
    assert counts[number_of("7777T")] == 1 and counts[number_of("34568")] == 51
