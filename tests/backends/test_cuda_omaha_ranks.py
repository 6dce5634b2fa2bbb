"""Hand ranks of Omaha by kernels: the integers of the CPU backend."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuodds.backends.cpu.backend import CpuBackend
from gpuodds.backends.cuda import omaha_ranks
from gpuodds.backends.cuda.backend import CudaBackend
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
    run("omaha_ranks", "rank_omaha", *cards, np.int64(len(hands)), tables, ranks)
    assert np.array_equal(cuda.asnumpy(ranks), CpuBackend().omaha_hand_ranks(hands, boards))


@pytest.mark.parametrize(("hole_cards", "size"), SIZES)
@pytest.mark.parametrize("launch_shape", [(3, 7, 1)], indirect=True)
def test_rank_omaha_lows(cuda: Any, run: Any, hole_cards: int, size: int) -> None:
    hands, boards = draw(1_000, hole_cards, size)
    ranks = cuda.zeros(len(hands), np.uint8)
    cards = cuda.asarray(hands), np.int32(hole_cards), cuda.asarray(boards), np.int32(size)
    tables = omaha_ranks.packed_omaha_tables()
    run("omaha_ranks", "rank_omaha_lows", *cards, np.int64(len(hands)), tables, ranks)
    expected = CpuBackend().omaha_low_ranks(hands, boards)
    assert np.array_equal(cuda.asnumpy(ranks), expected) and len(np.unique(expected)) > 9


@pytest.mark.parametrize(("hand", "board"), HANDS)
def test_ranks_of_rare_hands(cuda: Any, hand: str, board: str) -> None:
    cards = [np.array([parse_cards(text)], np.uint8) for text in (hand, board)]
    backend = CudaBackend()
    assert backend.omaha_hand_ranks(*cards) == CpuBackend().omaha_hand_ranks(*cards)
    assert backend.omaha_low_ranks(*cards) == CpuBackend().omaha_low_ranks(*cards)


def test_arrays_are_answered_where_they_are(cuda: Any) -> None:
    hands, boards = draw(50, 5, 5)
    for name in ("omaha_hand_ranks", "omaha_low_ranks"):
        expected = getattr(CpuBackend(), name)(hands, boards)
        rank = getattr(CudaBackend(), name)
        found = rank(cuda.asarray(hands), cuda.asarray(boards))
        assert isinstance(found, cuda.ndarray) and found.dtype == expected.dtype
        assert np.array_equal(cuda.asnumpy(found), expected)
        here = rank(hands, boards)
        assert isinstance(here, np.ndarray) and np.array_equal(here, expected)
        assert rank(hands[:0], boards[:0]).shape == (0,)
