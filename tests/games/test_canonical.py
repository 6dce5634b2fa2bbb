"""Canonical rows: their published number, the way there and back, and independence of suit names."""

from __future__ import annotations

from itertools import combinations, permutations
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpuodds
from gpuodds.games.holdem.canonical import canonical_row, hand_of
from gpuodds.games.shared.boards import canonical_boards, canonical_index

# Waugh, "A fast and optimal hand isomorphism algorithm" (2013), tables 1 and 2.
ROWS = {0: 169, 3: 1_286_792, 4: 13_960_050, 5: 123_156_254}
BOARDS = {3: 1755, 4: 16_432, 5: 134_459}


def masks(cards: Any) -> int:
    return sum(1 << (16 * (card & 3) + (card >> 2)) for card in cards)


def plain_row(hand: Any, board: Any) -> int:
    keys, offsets = canonical_index(len(board))
    return int(canonical_row(masks(hand), masks(board), keys, offsets))


@pytest.mark.parametrize("size", ROWS)
def test_the_number_of_rows_is_the_published_one(size: int) -> None:
    keys, offsets = canonical_index(size)
    assert offsets[-1] == ROWS[size]
    if size in BOARDS:
        assert len(keys) == BOARDS[size]
    assert (np.diff(keys) > 0).all() and (np.diff(offsets) > 0).all()


@pytest.mark.slow
@pytest.mark.parametrize("size", [0, 1, 2])
def test_each_row_is_one_situation_on_small_boards(size: int) -> None:
    classes: dict[int, set[tuple[tuple[int, int], ...]]] = {}
    for board in combinations(range(52), size):
        # One hand in 29 on boards of two cards: all of them take a minute.
        for hand in list(combinations(sorted({*range(52)} - {*board}), 2))[:: 29 if size == 2 else 1]:
            kind = tuple(
                sorted(
                    (masks(board) >> 16 * s & 0x1FFF, masks(hand) >> 16 * s & 0x1FFF) for s in range(4)
                )
            )
            classes.setdefault(plain_row(hand, board), set()).add(kind)
    assert all(len(kinds) == 1 for kinds in classes.values())
    kinds = {next(iter(found)) for found in classes.values()}
    assert len(kinds) == len(classes)
    if size < 2:
        assert sorted(classes) == list(range(canonical_index(size)[1][-1]))


@pytest.mark.parametrize("size", [0, 1, 2, 3, pytest.param(4, marks=pytest.mark.weekly)])
def test_all_rows_survive_the_round_trip(size: int) -> None:
    rows = np.arange(canonical_index(size)[1][-1])
    hands, boards = gpuodds.canonical_cards(rows, size)
    assert np.array_equal(gpuodds.canonical_rows(hands, boards), rows)
    assert hands.dtype == boards.dtype == np.uint8
    assert (np.diff(hands.astype(int), axis=1) > 0).all() and (
        np.diff(boards.astype(int), axis=1) > 0
    ).all()
    # The classes together hold every situation.
    suits = np.zeros((len(rows), 4), np.int64)
    for column in hands.T:
        suits[rows, column & 3] |= 1 << (column >> 2).astype(np.int64)
    for column in boards.T:
        suits[rows, column & 3] |= 1 << (13 + (column >> 2).astype(np.int64))
    suits.sort(axis=1)
    times = np.full(len(rows), 24)
    run = np.ones(len(rows), np.int64)
    for suit in range(1, 4):
        run = np.where(suits[:, suit] == suits[:, suit - 1], run + 1, 1)
        times //= run
    assert times.sum() == comb(52, 2) * comb(50, size)


@pytest.mark.parametrize("size", [4, 5])
def test_drawn_rows_survive_the_round_trip(size: int) -> None:
    rows = np.random.default_rng(size).integers(0, ROWS[size], 200_000)
    rows[:2] = 0, ROWS[size] - 1
    hands, boards = gpuodds.canonical_cards(rows, size)
    assert np.array_equal(gpuodds.canonical_rows(hands, boards), rows)


@given(st.permutations(range(52)), st.integers(0, 5), st.permutations(range(4)))
def test_a_row_is_independent_of_suit_names_and_card_order(
    deck: list[int], size: int, names: list[int]
) -> None:
    hand, board = deck[:2], deck[2 : 2 + size]
    row = plain_row(hand, board)
    assert (
        plain_row(*([4 * (c >> 2) + names[c & 3] for c in reversed(cards)] for cards in (hand, board)))
        == row
    )
    found_hand, found_board = gpuodds.canonical_cards(np.array([row]), size)
    same = [
        sorted([4 * (c >> 2) + order[c & 3] for c in hand]) == found_hand[0].tolist()
        and sorted([4 * (c >> 2) + order[c & 3] for c in board]) == found_board[0].tolist()
        for order in permutations(range(4))
    ]
    assert any(same)


@settings(deadline=None)
@given(st.integers(3, 5), st.data())
def test_python_and_compiled_code_agree(size: int, data: Any) -> None:
    row = data.draw(st.integers(0, ROWS[size] - 1))
    hands, boards = gpuodds.canonical_cards(np.array([row]), size)
    assert plain_row(hands[0].tolist(), boards[0].tolist()) == row
    keys, offsets = canonical_index(size)
    place = int(np.searchsorted(offsets, row, "right")) - 1
    assert hand_of(row - int(offsets[place]), int(keys[place])) == masks(hands[0].tolist())


def test_each_offset_is_the_first_row_of_its_board() -> None:
    offsets = canonical_index(3)[1]
    assert np.array_equal(gpuodds.canonical_cards(offsets[:-1], 3)[1], canonical_boards(3)[0])


@pytest.mark.parametrize(
    ("hands", "boards", "message"),
    [
        ([[0, 0]], [[1, 2, 3]], "row 0: a hand cannot hold a card twice"),
        ([[0, 1]], [[1, 2, 3]], "row 0: a hand cannot hold a card twice"),
        ([[0, 52]], [[1, 2, 3]], "expected card numbers from 0 to 51"),
        ([[0, 1, 2]], [[3, 4, 5]], r"expected an array of shape \(n, 2\)"),
        ([[0, 1]], [[2, 3, 4, 5, 6, 7]], r"boards: expected an array of shape \(n, 0\)"),
        ([[0, 1], [2, 3]], [[2, 3, 4]], "a board for each hand"),
    ],
)
def test_canonical_rows_refuses_invalid_cards(hands: Any, boards: Any, message: str) -> None:
    with pytest.raises(gpuodds.InputError, match=message):
        gpuodds.canonical_rows(np.array(hands, np.uint8), np.array(boards, np.uint8))


@pytest.mark.parametrize("size", [0, 3, 4, 5])
def test_gpus_give_the_same_rows(cuda: Any, size: int) -> None:
    rows = np.random.default_rng(size).integers(0, ROWS[size], 500)
    hands, boards = gpuodds.canonical_cards(cuda.asarray(rows), size)
    plain = gpuodds.canonical_cards(rows, size)
    assert np.array_equal(cuda.asnumpy(hands), plain[0])
    assert np.array_equal(cuda.asnumpy(boards), plain[1])
    assert np.array_equal(cuda.asnumpy(gpuodds.canonical_rows(hands, boards)), rows)


def test_canonical_cards_refuses_rows_out_of_range() -> None:
    for row in (-1, 169):
        with pytest.raises(gpuodds.InputError, match=f"row {row}: expected 0 to 168"):
            gpuodds.canonical_cards(np.array([row]), 0)


@pytest.mark.parametrize(
    ("rows", "size", "message"),
    [
        ([1.5], 3, r"expected an array of integers of shape \(n,\), found float64"),
        ([1 << 70], 3, "found object"),
        ([[1], [2, 3]], 3, "found rows of rows"),
        (5, 3, r"int64, shape \(\)"),
        ([1], "3", "board_cards 3: expected a whole number"),
        ([1], 3.5, "board_cards 3.5: expected a whole number"),
        ([1], None, "board_cards None: expected a whole number"),
        ([1], True, "board_cards True: expected a whole number"),
        ([1], 6, "board_cards 6: expected 0 to 5"),
        (np.array([(1 << 64) - 1], np.uint64), 3, "expected 0 to 1286791"),
    ],
)
def test_canonical_cards_refuses_other_types_and_shapes(rows: Any, size: Any, message: str) -> None:
    with pytest.raises(gpuodds.InputError, match=message):
        gpuodds.canonical_cards(rows, size)
