"""A hand of Omaha against one random hand by a kernel: the integers of the CPU backend."""

from __future__ import annotations

from math import comb
from threading import Barrier
from typing import Any

import numpy as np
import pytest
from omaha_games import omaha_game

from gpuodds.backends.cuda.arrays import ranks
from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.cuda.known_hands.spots import list_classes
from gpuodds.backends.cuda.omaha import against_random as omaha_random
from gpuodds.backends.cuda.omaha import ranks as omaha_ranks
from gpuodds.backends.operations.omaha.known_hands import OmahaOneRandomHand, OmahaOneRandomHandOnBoards
from gpuodds.cards import parse_cards
from gpuodds.games.omaha.game import OMAHA_HI_LO

# Hands that have no low, one, or one on some runouts; suits that are alike and that dead cards part;
# boards with a flush, with quads, without any low.
SPOTS = [
    ("AsAhKsKh", "2s7s9hTd", ""), ("Ac2c3h8d", "4c5cKcQd", "As2h3d"), ("QdQcJsTs", "QhQs2d", "AhAd"),
    ("9s9h8s8h", "KdKcQdJd", ""), ("Tc9c8d7d6h5h", "AcKcQd2h", "3s3d"),
    pytest.param("As2sKhKd3c", "4s5h8d", "Ks", marks=pytest.mark.weekly),
    ("AhKhQhJh3h2h", "Th9h8h7h6h", ""), ("AsAd2s2d", "AcAh2c2h3d", ""),
]  # fmt: skip


Cards = tuple[int, ...]


def cards_of(hand: str, board: str, dead: str) -> tuple[Cards, Cards, Cards]:
    return parse_cards(hand), parse_cards(board), parse_cards(dead)


@pytest.mark.slow
@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize(("hand", "board", "dead"), SPOTS)
def test_counts_are_those_of_the_cpu(cuda: Any, hand: str, board: str, dead: str, low: bool) -> None:
    given = cards_of(hand, board, dead)
    operation = OmahaOneRandomHand(omaha_game(len(given[0]), low), *given)
    found = CudaBackend().count(operation).counts
    assert found.dtype == np.int64
    assert np.array_equal(found, operation.on_cpu())
    left = 52 - len(given[0]) - len(given[1]) - len(given[2])
    to_come = 5 - len(given[1])
    assert found.sum() == comb(left, to_come) * comb(left - to_come, len(given[0]))
    assert (np.count_nonzero(found.sum(axis=(1, 2))) > 1) == (to_come > 0)


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("launch_shape", [(1, 32, 0), (3, 64, 1), (20, 96, 2)], indirect=True)
def test_count_omaha_cliques(cuda: Any, run: Any, low: bool) -> None:
    given = cards_of("Ac2c3h8d", "4c5cKcQd", "As2h3d")
    spots = omaha_random._load_spots(given[0], [given[1]], given[2])
    classes = list_classes(spots, 0, 13, 1000)
    sums, hand = cuda.zeros((9, 3, 4), np.uint64), cuda.asarray(np.array(given[0], np.uint8))
    part = spots.packed, classes, np.int64(0), np.int64(len(classes)), hand, np.int32(4)
    tables = ranks.packed_pairs(), omaha_ranks.packed_omaha_tables(), ranks.category_ends()
    run("omaha/against_random", "count_omaha_cliques", *part, *tables, np.int32(low), np.int32(0), sums)
    found = omaha_random.arrange(cuda.asnumpy(sums).astype(np.int64), low)
    assert np.array_equal(found, OmahaOneRandomHand(omaha_game(4, low), *given).on_cpu())
    each = cuda.zeros((len(classes), 3, 4), np.uint64)
    run("omaha/against_random", "count_omaha_cliques", *part, *tables, np.int32(low), np.int32(1), each)
    boards = cuda.asnumpy(classes)[:, 2].astype(np.uint64)
    together = (cuda.asnumpy(each) * boards[:, None, None]).sum(axis=0)
    assert np.array_equal(together, cuda.asnumpy(sums).sum(axis=0))


# Turns of a flop, with suits that are alike and that the cards tell apart; rivers, one of them twice.
BOARDS = [
    ("Ac2c3h8d", "4c5cKc", "As2h", [f"4c5cKc{card}" for card in ("2d", "2s", "Kh", "7c", "9c", "Tc")]),
    ("QdQcJsTs", "QhQs2d4h", "AhAd", ["QhQs2d4h4d", "QhQs2d4hAs", "QhQs2d4h4d"]),
    pytest.param(
        "As2sKhKd3c", "4s5h8d", "", ["4s5h8d9d", "4s5h8d9c", "4s5h8d9s", "4s5h8d4h"],
        marks=pytest.mark.weekly,
    ),
]  # fmt: skip


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize(("hand", "board", "dead", "texts"), BOARDS)
def test_counts_on_boards_are_those_of_the_cpu(
    cuda: Any,
    hand: str,
    board: str,
    dead: str,
    texts: list[str],
    low: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(omaha_random, "MAX_BOARDS", 2)
    own, common, out = cards_of(hand, board, dead)
    boards = np.array([parse_cards(text) for text in texts], np.uint8)
    operation = OmahaOneRandomHandOnBoards(omaha_game(len(own), low), own, common, out, boards)
    shares: list[float] = []
    found = CudaBackend().count(operation, shares.append)
    assert found.backend == "cuda" and np.array_equal(found.counts, operation.on_cpu())
    assert shares == sorted(shares) and shares[-1] == 1.0
    for row, full in zip(found.counts, boards.tolist(), strict=True):
        one = OmahaOneRandomHand(omaha_game(len(own), low), own, full, out).on_cpu()
        assert np.array_equal(row, one.sum(axis=0))


def test_number_omaha_classes(cuda: Any, run: Any) -> None:
    """A class has the number of the spot with the common board, where no two classes share one."""
    hand, board, _ = cards_of("QdQcJsTs", "QhQs2d", "")
    alike = cuda.asarray(omaha_random._alike_suits(hand, board, ()))
    found = []
    for boards in ([board], [(*board, 3), (*board, 51), (*board, 3)]):
        spots = omaha_random._load_spots(hand, boards, ())
        classes = list_classes(spots, 0, spots.items, 100_000)
        keys = cuda.empty(len(classes), np.int64)
        given = spots.packed, classes, np.int64(0), np.int64(len(classes)), alike, keys
        run("omaha/against_random", "number_omaha_classes", *given)
        found.append((cuda.asnumpy(keys), cuda.asnumpy(classes)))
    (whole, _), (parts, classes) = found
    assert len({*whole.tolist()}) == len(whole) and {*parts.tolist()} < {*whole.tolist()}
    spot = classes[:, 0] // 13
    assert np.array_equal(parts[spot == 0], parts[spot == 2])


def test_add_omaha_classes(cuda: Any, run: Any) -> None:
    hand, board, _ = cards_of("QdQcJsTs", "QhQs2d", "")
    spots = omaha_random._load_spots(hand, [(*board, 3), (*board, 51)], ())
    classes = list_classes(spots, 0, spots.items, 100_000)
    rng = np.random.default_rng(4)
    places, hands = rng.integers(0, 9, len(classes)), rng.integers(0, 1 << 30, (9, 3, 4))
    sums = cuda.zeros((2, 3, 4), np.uint64)
    given = spots.packed, classes, np.int64(0), np.int64(len(classes))
    rows = cuda.asarray(places), cuda.asarray(hands.astype(np.uint64))
    run("omaha/against_random", "add_omaha_classes", *given, *rows, sums)
    listed = cuda.asnumpy(classes).astype(np.int64)
    expected = np.zeros((2, 3, 4), np.int64)
    np.add.at(expected, listed[:, 0] // 13, listed[:, 2, None, None] * hands[places])
    assert np.array_equal(cuda.asnumpy(sums), expected)


def test_pieces_and_devices_change_nothing(cuda: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    if cuda.__version__ != "stand-in":
        pytest.skip("only the stand-in has as many devices as a test wants")
    cuda.cuda.settings.reset(devices=2)
    cuda.cuda.settings.meeting = Barrier(2)
    monkeypatch.setattr(omaha_random, "ITEMS", 5)
    monkeypatch.setattr(omaha_random, "MAX_CLASSES", {4: 3})
    operation = OmahaOneRandomHand(OMAHA_HI_LO, *cards_of("Ac2c3h8d", "4c5cKcQd", ""))
    shares: list[float] = []
    found = CudaBackend().count(operation, shares.append).counts
    assert np.array_equal(found, operation.on_cpu())
    assert {number for number, *_ in cuda.cuda.settings.launches} == {0, 1} and max(shares) == 1.0
