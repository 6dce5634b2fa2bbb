"""Arrays of cards from callers: what is read, and the one line that refuses the rest."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from gpuodds.errors import InputError
from gpuodds.games.catalog import find_game
from gpuodds.spots.arrays import (
    as_cards,
    as_hand_tuples,
    as_hands_and_boards,
    as_rows,
    is_on_device,
    on_host,
    own_device,
    refuse_missing_cards,
)

ONE_LENGTH = "expected rows of one length, found rows that differ"


@pytest.mark.parametrize(
    ("cards", "sizes", "expected"),
    [
        ([[0, 1], [51, 50]], (2,), [[0, 1], [51, 50]]),
        ([["As", "Ks"], ["2c", "10d"]], (2,), [[51, 47], [0, 33]]),
        (np.array([[3, 4, 5]], np.int64), (3, 4), [[3, 4, 5]]),
        (np.array([[3, 4, 5]], np.uint16)[:, ::-1], range(3, 6), [[5, 4, 3]]),
        (np.zeros((0, 2)), (2,), []),  # no rows have no dtype that means something
        (np.zeros((3, 0)), range(6), [[], [], []]),
    ],
)
def test_rows_of_cards_become_small_integers(cards: Any, sizes: Any, expected: list[list[int]]) -> None:
    found = as_cards(cards, "hands", sizes)
    assert found.tolist() == expected and found.dtype == np.uint8
    assert found.flags.c_contiguous and found.flags.writeable and found.ndim == 2


def test_an_array_in_another_order_or_for_reading_alone_is_copied() -> None:
    columns = np.array([[3, 4, 5], [6, 7, 8]], np.uint8, order="F")
    kept = np.array([[3, 4, 5], [6, 7, 8]], np.uint8)
    kept.flags.writeable = False
    for cards in (columns, kept):
        found = as_cards(cards, "boards", (3,))
        assert found.tolist() == [[3, 4, 5], [6, 7, 8]]
        assert found.flags.c_contiguous and found.flags.writeable


def test_an_array_of_the_right_form_is_not_copied() -> None:
    cards = np.array([[0, 1], [51, 50]], np.uint8)
    assert as_cards(cards, "hands", (2,)) is cards
    rows = np.array([1, 2])
    assert as_rows(rows, 5) is rows


@pytest.mark.parametrize(
    ("cards", "sizes", "message"),
    [
        ([[0, 1]], (3,), "expected an array of shape (n, 3), found (1, 2)"),
        ([[0, 1]], (3, 4), "expected an array of shape (n, 3) or (n, 4), found (1, 2)"),
        ([[0, 1]], range(3, 6), "expected an array of shape (n, 3), (n, 4) or (n, 5), found (1, 2)"),
        ([0, 1], (2,), "expected an array of shape (n, 2), found (2,)"),
        ([[[0, 1]]], (1,), "expected an array of shape (n, 1), found (1, 1, 2)"),
        ([], (2,), "expected an array of shape (n, 2), found (0,)"),
        ([[0, 1], [0]], (2,), ONE_LENGTH),
        ([[0, 52]], (2,), "row 0: expected card numbers from 0 to 51, found 52"),
        ([[0, 1], [2, -1]], (2,), "row 1: expected card numbers from 0 to 51, found -1"),
        ([[0, 1], [2, 99], [98, 0]], (2,), "row 1: expected card numbers from 0 to 51, found 99"),
        ([[0, 1], [-3, 99]], (2,), "row 1: expected card numbers from 0 to 51, found -3"),
        ([[0.0, 1.0]], (2,), "expected an array of integers, found float64"),
        ([[True, False]], (2,), "expected an array of integers, found bool"),
        ([["As", "Kx"]], (2,), "row 0: expected a card, found Kx"),
        ([["As", "Ks"], ["2d2c", "2c"]], (2,), "row 1: expected a card, found 2d2c"),
        ([["As", ""]], (2,), "row 0: expected a card, found ''"),
    ],
)
def test_other_arrays_are_refused(cards: Any, sizes: Any, message: str) -> None:
    with pytest.raises(InputError) as fault:
        as_cards(cards, "boards", sizes)
    assert str(fault.value) == f"boards: {message}"


@pytest.mark.parametrize("rows", [[], [0], [5, 0, 3], np.array([5], np.uint8), range(6)])
def test_numbers_of_rows_are_read(rows: Any) -> None:
    found = as_rows(rows, 5)
    assert found.tolist() == list(rows) and found.dtype == np.int64


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([6], "row 6: expected 0 to 5"),
        ([0, 6], "row 6: expected 0 to 5"),
        ([3, -1, 9], "row -1: expected 0 to 5"),
        ([[1], [2, 3]], "rows: expected an array of shape (n,), found rows of rows"),
        ([[1]], "rows: expected an array of integers of shape (n,), found int64, shape (1, 1)"),
        (3, "rows: expected an array of integers of shape (n,), found int64, shape ()"),
        ([1.0], "rows: expected an array of integers of shape (n,), found float64, shape (1,)"),
        ([True], "rows: expected an array of integers of shape (n,), found bool, shape (1,)"),
    ],
)
def test_other_numbers_of_rows_are_refused(rows: Any, message: str) -> None:
    with pytest.raises(InputError) as fault:
        as_rows(rows, 5)
    assert str(fault.value) == message


def test_several_hands_a_row_are_read() -> None:
    hands = [[[0, 1], [51, 50], [3, 4]], [[7, 8], [9, 10], [11, 12]]]
    found = as_hand_tuples(hands, 3)
    assert found.tolist() == hands and found.shape == (2, 3, 2) and found.dtype == np.uint8
    assert as_hand_tuples([[["As", "Ks"], ["2c", "2d"]]], 2).tolist() == [[[51, 47], [0, 1]]]
    assert as_hand_tuples(np.zeros((0, 2, 2), np.uint8), 2).shape == (0, 2, 2)


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        ([[0, 1]], "expected an array of shape (n, 2, 2), found (1, 2)"),
        ([[[0, 1]] * 3], "expected an array of shape (n, 2, 2), found (1, 3, 2)"),
        ([[[0, 1, 2]] * 2], "expected an array of shape (n, 2, 2), found (1, 2, 3)"),
        ([[[0, 1], [2]]], ONE_LENGTH),
        ([[[0, 1], [2, 3]], [[0, 1], [2, 52]]], "row 1: expected card numbers from 0 to 51, found 52"),
        ([[["As", "Ks"], ["2c", "2x"]]], "row 0: expected a card, found 2x"),
    ],
)
def test_other_hands_a_row_are_refused(hands: Any, message: str) -> None:
    with pytest.raises(InputError) as fault:
        as_hand_tuples(hands, 2)
    assert str(fault.value) == f"hands: {message}"


def test_hands_and_boards_are_read() -> None:
    hands, boards = as_hands_and_boards([[51, 47], [0, 1]], [["2h", "3h", "4h"], ["5h", "6h", "7h"]])
    assert hands.tolist() == [[51, 47], [0, 1]] and boards.tolist() == [[2, 6, 10], [14, 18, 22]]
    hands, boards = as_hands_and_boards([["As", "Ks"]])
    assert hands.tolist() == [[51, 47]] and boards.shape == (1, 0)
    for size in range(6):
        assert as_hands_and_boards([[51, 47]], np.zeros((1, size), int))[1].shape == (1, size)


@pytest.mark.parametrize(
    ("hands", "boards", "message"),
    [
        ([[0, 1, 2]], None, "hands: expected an array of shape (n, 2), found (1, 3)"),
        ([[0, 52]], None, "hands: row 0: expected card numbers from 0 to 51, found 52"),
        ([[0, 1]], [[2, 52]], "boards: row 0: expected card numbers from 0 to 51, found 52"),
        ([[0, 1]], [[2], [3]], "1 hands and 2 boards: expected a board for each hand"),
        (
            [[0, 1]],
            [[2, 3, 4, 5, 6, 7]],
            "boards: expected an array of shape (n, 0), (n, 1), (n, 2), (n, 3), (n, 4) or (n, 5), "
            "found (1, 6)",
        ),
    ],
)
def test_other_hands_and_boards_are_refused(hands: Any, boards: Any, message: str) -> None:
    with pytest.raises(InputError) as fault:
        as_hands_and_boards(hands, boards)
    assert str(fault.value) == message


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ([[20, 15], [3, 1]], "hands: row 0: 5s: short-deck has cards from 6 to A"),
        ([[20, 16], [40, 0], [1, 2]], "hands: row 1: 2c: short-deck has cards from 6 to A"),
    ],
)
def test_cards_that_a_deck_lacks_are_refused(cards: Any, message: str) -> None:
    short = find_game("short-deck")
    with pytest.raises(InputError) as fault:
        refuse_missing_cards(np.array(cards), "hands", short)
    assert str(fault.value) == message
    refuse_missing_cards(np.array([[16, 51]]), "hands", short)
    refuse_missing_cards(np.zeros((0, 2), np.uint8), "hands", short)
    refuse_missing_cards(np.array(cards), "hands", find_game("holdem"))


def test_without_cupy_no_array_is_on_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "cupy", raising=False)
    array = np.zeros(3)
    assert not is_on_device(array) and not is_on_device([1]) and on_host(array, "rows") is array
    with own_device(array):
        assert "cupy" not in sys.modules


def test_cupy_arrays_stay_on_their_device(cuda: Any) -> None:
    hands, boards = (cuda.asarray(np.array(rows)) for rows in ([[0, 1], [50, 51]], [[2, 3, 4]] * 2))
    assert is_on_device(hands) and not is_on_device(np.zeros(3))
    for given, found in zip((hands, boards), as_hands_and_boards(hands, boards), strict=True):
        assert is_on_device(found) and found.dtype == np.uint8
        assert cuda.asnumpy(found).tolist() == cuda.asnumpy(given).tolist()
    assert is_on_device(as_hands_and_boards(hands)[1]) and as_hands_and_boards(hands)[1].shape == (2, 0)
    rows = as_rows(cuda.asarray(np.array([2, 0], np.int32)), 2)
    assert is_on_device(rows) and rows.dtype == np.int64 and cuda.asnumpy(rows).tolist() == [2, 0]


def test_cupy_arrays_are_refused_where_they_do_not_fit(cuda: Any) -> None:
    cards = cuda.asarray(np.array([[0, 1], [2, 52]]))
    faults = [
        (
            lambda: as_cards(cards, "hands", (2,)),
            "hands: row 1: expected card numbers from 0 to 51, found 52",
        ),
        (lambda: as_rows(cards[1], 51), "row 52: expected 0 to 51"),
        (lambda: on_host(cards, "rows"), "rows: expected a NumPy array or a list, found a CuPy array"),
        (
            lambda: as_hands_and_boards(cards[:1], [[2, 3, 4]]),
            "hands and boards: expected both as NumPy arrays or both as CuPy arrays",
        ),
        (
            lambda: as_hand_tuples(cards, 1),
            "hands: expected a NumPy array or a list, found a CuPy array",
        ),
    ]
    for call, message in faults:
        with pytest.raises(InputError) as fault:
            call()
        assert str(fault.value) == message


def test_arrays_of_two_devices_are_worked_on_where_they_are(cuda: Any) -> None:
    if cuda.__version__ != "stand-in":
        pytest.skip("a machine may have one device; the stand-in has as many as asked")
    cuda.cuda.settings.devices = 2
    with cuda.cuda.Device(1):
        hands = cuda.asarray(np.array([[0, 1]]))
        rows = cuda.asarray(np.array([2, 0]))
    assert cuda.cuda.settings.current == 0
    with own_device(hands):
        assert cuda.cuda.settings.current == 1
    assert as_cards(hands, "hands", (2,)).device.id == as_rows(rows, 2).device.id == 1
    with pytest.raises(InputError) as fault:
        as_hands_and_boards(hands, cuda.asarray(np.array([[2, 3, 4]])))
    wanted = "expected both on one device, found GPU 1 and GPU 0"
    assert str(fault.value) == f"hands and boards: {wanted}"
