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
from gpuodds.backends.operations.omaha.known_hands import OmahaOneRandomHand
from gpuodds.cards import parse_cards
from gpuodds.games.omaha.game import OMAHA_HI_LO

# Hands that have no low, one, or one on some runouts; suits that are alike and that dead cards part;
# boards with a flush, with quads, without any low.
SPOTS = [
    ("AsAhKsKh", "2s7s9hTd", ""), ("Ac2c3h8d", "4c5cKcQd", "As2h3d"), ("QdQcJsTs", "QhQs2d", "AhAd"),
    ("9s9h8s8h", "KdKcQdJd", ""), ("As2sKhKd3c", "4s5h8d", "Ks"), ("Tc9c8d7d6h5h", "AcKcQd2h", "3s3d"),
    ("AhKhQhJh3h2h", "Th9h8h7h6h", ""), ("AsAd2s2d", "AcAh2c2h3d", ""),
]  # fmt: skip


Cards = tuple[int, ...]


def cards_of(hand: str, board: str, dead: str) -> tuple[Cards, Cards, Cards]:
    return parse_cards(hand), parse_cards(board), parse_cards(dead)


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
    spots = omaha_random._load_spot(*given)
    classes = list_classes(spots, 0, 13, 1000)
    sums, hand = cuda.zeros((9, 3, 4), np.uint64), cuda.asarray(np.array(given[0], np.uint8))
    part = spots.packed, classes, np.int64(0), np.int64(len(classes)), hand, np.int32(4)
    tables = ranks.packed_pairs(), omaha_ranks.packed_omaha_tables(), omaha_ranks.category_ends()
    run("omaha/against_random", "count_omaha_cliques", *part, *tables, np.int32(low), sums)
    found = omaha_random.arrange(cuda.asnumpy(sums).astype(np.int64), low)
    assert np.array_equal(found, OmahaOneRandomHand(omaha_game(4, low), *given).on_cpu())


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
