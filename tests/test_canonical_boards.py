"""Canonical boards: how many, how large their classes, and that each board has exactly one."""

from __future__ import annotations

from itertools import permutations
from math import comb

import numpy as np
import pytest

from gpuodds.cards import parse_cards
from gpuodds.errors import InputError
from gpuodds.holdem.canonical_boards import canonical_boards, check_cards, full_boards


def bits(boards: np.ndarray) -> np.ndarray:
    """Return each board as a set of cards in one number."""
    return (np.int64(1) << boards.astype(np.int64)).sum(axis=1)


def test_number_and_weights() -> None:
    boards, sizes = canonical_boards()
    assert boards.shape == (134_459, 5) and boards.dtype == np.uint8
    assert sizes.shape == (134_459,) and sizes.sum() == 2_598_960 == comb(52, 5)
    assert set(sizes.tolist()) == {4, 12, 24}


@pytest.mark.parametrize("size", range(6))
def test_order(size: int) -> None:
    boards, sizes = canonical_boards(size)
    assert (np.diff(boards.astype(int), axis=1) > 0).all() and sizes.sum() == comb(52, size)
    numbers = [
        [sum(1 << (card >> 2) for card in board if card & 3 == suit) for suit in range(4)]
        for board in boards.tolist()
    ]
    assert numbers == sorted(numbers)


def test_the_classes_are_all_boards_once() -> None:
    boards, sizes = canonical_boards()
    renamed = [
        np.sort(bits((boards >> 2) * 4 + np.array(names, np.uint8)[boards & 3]))
        for names in permutations(range(4))
    ]
    everything, times = np.unique(np.concatenate(renamed), return_counts=True)
    assert len(everything) == 2_598_960
    # A class of w boards has each of them come up 24 / w times.
    _, at = np.unique(bits(boards), return_index=True)
    own = np.searchsorted(everything, np.sort(bits(boards)))
    assert np.array_equal(times[own], 24 // sizes[at])


def test_the_listed_board_has_its_suits_descend() -> None:
    boards, _ = canonical_boards()
    for board in boards[::997].tolist():
        suits = [sum(1 << (card >> 2) for card in board if card & 3 == suit) for suit in range(4)]
        assert suits == sorted(suits, reverse=True)


@pytest.mark.parametrize(
    ("board", "dead"), [("", "2c2d2h"), ("AsKsQs", ""), ("AsKsQs2c", "3d4d"), ("AsKsQs2c2d", "3d")]
)
def test_full_boards(board: str, dead: str) -> None:
    given, out = parse_cards(board), parse_cards(dead)
    boards = full_boards(given, out)
    unseen = 52 - len(given) - len(out)
    assert boards.shape == (comb(unseen, 5 - len(given)), 5) and boards.dtype == np.uint8
    assert len(np.unique(bits(boards))) == len(boards)
    assert (boards[:, : len(given)] == np.array(given, np.uint8)).all()
    assert not np.isin(boards, out).any()
    assert (np.array([number.bit_count() for number in bits(boards[:1000]).tolist()]) == 5).all()


@pytest.mark.parametrize(
    ("board", "dead", "says"),
    [
        ((0, 1, 2, 3, 4, 5), (), "at most 5 cards"),
        ((0, 52), (), "card number 52: expected 0 to 51"),
        ((), (-1,), "card number -1"),
        ((0, 1), (1,), "2d: the same card is twice"),
    ],
)
def test_cards_that_are_refused(board: tuple[int, ...], dead: tuple[int, ...], says: str) -> None:
    with pytest.raises(InputError, match=says):
        check_cards(board, dead)
