"""Hand ranks of Omaha by kernels: the integers of the CPU backend."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.cuda.omaha import ranks as omaha_ranks
from gpuodds.backends.operations.omaha.ranks import OmahaHandRanks, OmahaLowRanks
from gpuodds.cards import parse_cards

SIZES = [(hole, board) for hole in (4, 5, 6) for board in (3, 4, 5)]
# Quads, flushes of few and many cards, straight flushes that are not the highest cards, the wheel.
HANDS = [
    ("AsAhKsKh", "2s7d9h"), ("2c2d2h2s", "3c3d3h3s4c"), ("As2s9sKs", "3s4s5sQsJs"),
    ("4s5sAsKd", "6s7s8s"), ("AcKc2d3h", "QcJcTc9c8c"), ("Ah2c3h8d", "4h5h6s7s8c"),
    ("KcKdQcQd", "KhKsQhQs2c"),
]  # fmt: skip


def draw(rows: int, hole_cards: int, size: int) -> tuple[np.ndarray, np.ndarray]:
    deck = np.tile(np.arange(52, dtype=np.uint8), (rows, 1))
    cards = np.random.default_rng(hole_cards * size).permuted(deck, axis=1)
    return cards[:, :hole_cards].copy(), cards[:, hole_cards : hole_cards + size].copy()


@pytest.mark.parametrize(("hole_cards", "size"), SIZES)
@pytest.mark.parametrize("launch_shape", [(3, 7, 1)], indirect=True)
def test_rank_omaha(cuda: Any, run: Any, hole_cards: int, size: int) -> None:
    hands, boards = draw(1_000, hole_cards, size)
    ranks = cuda.zeros(len(hands), np.uint16)
    cards = cuda.asarray(hands), np.int32(hole_cards), cuda.asarray(boards), np.int32(size)
    tables = omaha_ranks.packed_omaha_tables()
    run("omaha/ranks", "rank_omaha", *cards, np.int64(len(hands)), tables, ranks)
    assert np.array_equal(cuda.asnumpy(ranks), OmahaHandRanks(hands, boards).on_cpu())


@pytest.mark.parametrize(("hole_cards", "size"), SIZES)
@pytest.mark.parametrize("launch_shape", [(3, 7, 1)], indirect=True)
def test_rank_omaha_lows(cuda: Any, run: Any, hole_cards: int, size: int) -> None:
    hands, boards = draw(1_000, hole_cards, size)
    ranks = cuda.zeros(len(hands), np.uint8)
    cards = cuda.asarray(hands), np.int32(hole_cards), cuda.asarray(boards), np.int32(size)
    tables = omaha_ranks.packed_omaha_tables()
    run("omaha/ranks", "rank_omaha_lows", *cards, np.int64(len(hands)), tables, ranks)
    expected = OmahaLowRanks(hands, boards).on_cpu()
    assert np.array_equal(cuda.asnumpy(ranks), expected) and len(np.unique(expected)) > 9


@pytest.mark.parametrize(("hand", "board"), HANDS)
def test_ranks_of_rare_hands(cuda: Any, hand: str, board: str) -> None:
    cards = [np.array([parse_cards(text)], np.uint8) for text in (hand, board)]
    backend = CudaBackend()
    assert backend.count(OmahaHandRanks(*cards)).counts == OmahaHandRanks(*cards).on_cpu()
    assert backend.count(OmahaLowRanks(*cards)).counts == OmahaLowRanks(*cards).on_cpu()


def test_arrays_are_answered_where_they_are(cuda: Any) -> None:
    hands, boards = draw(50, 5, 5)
    operations: list[Any] = [OmahaHandRanks, OmahaLowRanks]
    for operation in operations:
        expected = operation(hands, boards).on_cpu()
        found = CudaBackend().count(operation(cuda.asarray(hands), cuda.asarray(boards))).counts
        assert isinstance(found, cuda.ndarray) and found.dtype == expected.dtype
        assert np.array_equal(cuda.asnumpy(found), expected)
        here = CudaBackend().count(operation(hands, boards)).counts
        assert isinstance(here, np.ndarray) and np.array_equal(here, expected)
        assert CudaBackend().count(operation(hands[:0], boards[:0])).counts.shape == (0,)
