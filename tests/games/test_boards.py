"""Canonical boards: their number, the size of their classes, and one class for every board."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest

import gpuodds
from gpuodds import count_distinct_boards
from gpuodds.cards import parse_cards
from gpuodds.errors import InputError
from gpuodds.games.holdem.starting_hands import example_combo, starting_hands
from gpuodds.games.shared.boards import (
    canonical_boards,
    canonical_index,
    full_boards,
)


def bits(boards: np.ndarray) -> np.ndarray:
    """Return each board as a set of cards in one number."""
    return (np.int64(1) << boards.astype(np.int64)).sum(axis=1)


def test_canonical_boards_have_the_published_number_and_weights() -> None:
    boards, sizes = canonical_boards()
    assert boards.shape == (134_459, 5) and boards.dtype == np.uint8
    assert sizes.shape == (134_459,) and sizes.sum() == 2_598_960 == comb(52, 5)
    assert set(sizes.tolist()) == {4, 12, 24}


@pytest.mark.parametrize("size", range(6))
def test_boards_are_sorted(size: int) -> None:
    boards, sizes = canonical_boards(size)
    assert (np.diff(boards.astype(int), axis=1) > 0).all() and sizes.sum() == comb(52, size)
    numbers = [
        [sum(1 << (card >> 2) for card in board if card & 3 == suit) for suit in range(4)]
        for board in boards.tolist()
    ]
    assert numbers == sorted(numbers)


def test_classes_cover_every_board_once() -> None:
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


@pytest.mark.slow
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


def test_distinct_boards_of_starting_hands() -> None:
    hands = {"AKs": 388_863, "72s": 388_863, "AKo": 1_094_724, "AA": 572_036, "22": 572_036}
    for hand, boards in hands.items():
        assert count_distinct_boards(hand) == boards
    assert count_distinct_boards("AsKs") == count_distinct_boards((51, 47)) == 388_863
    with pytest.raises(InputError, match="hand AK: expected one starting hand, such as AKs or AKo"):
        count_distinct_boards("AK")
    with pytest.raises(InputError, match="street preflop: expected one of flop, turn, river"):
        count_distinct_boards("AKs", "preflop")


@pytest.mark.parametrize(
    ("street", "size", "rows"),
    [("flop", 3, 1_286_792), ("turn", 4, 13_960_050), ("river", 5, 123_156_254)],
)
def test_distinct_boards_are_the_rows_of_the_tables(street: str, size: int, rows: int) -> None:
    counts = {name: count_distinct_boards(name, street) for name in starting_hands()}
    assert sum(counts.values()) == canonical_index(size)[1][-1] == rows
    assert count_distinct_boards("", street) == len(canonical_boards(size)[0])
    if size == 3:
        # Of each class of hand and flop, the deals: all 1,326 hands on all flops.
        listed = {name: classes_of_flops(name) for name in ("AA", "AKs", "72o")}
        assert {name: len(classes) for name, classes in listed.items()} == {
            name: counts[name] for name in listed
        }
        assert all(sum(classes.values()) == comb(50, 3) for classes in listed.values())


def classes_of_flops(name: str) -> Counter[int]:
    hand = example_combo(name)
    flops = np.array([f for f in combinations(range(52), 3) if not {*f} & {*hand}], np.uint8)
    rows = gpuodds.canonical_rows(np.tile(np.array(hand, np.uint8), (len(flops), 1)), flops)
    return Counter(rows.tolist())


def test_full_boards_leave_out_dead_cards() -> None:
    every = {tuple(sorted(row)) for row in full_boards([51], range(10, 45)).tolist()}
    deck = [*range(10), *range(45, 51)]
    assert every == {tuple(sorted((51, *rest))) for rest in combinations(deck, 4)}
