"""Known hands against each other on many boards, on a GPU: the CPU's integers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gpuodds
from gpuodds.backends.cuda.arrays.ranks import packed_tables
from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.cuda.known_hands import hands as module
from gpuodds.backends.cuda.known_hands.spots import pack_spots
from gpuodds.backends.operations.known_hands import HandsVersusHands
from gpuodds.cards import parse_cards
from gpuodds.games.holdem.game import HOLDEM, Holdem
from gpuodds.games.short_deck.game import SHORT_DECK


def draw(
    rows: int, on_board: int, dead: int, game: Holdem = HOLDEM, players: int = 2
) -> tuple[Any, Any, Any]:
    cards = [card for card in range(52) if card not in game.missing]
    decks = np.tile(np.array(cards, np.uint8), (rows, 1))
    decks = np.random.default_rng(rows + on_board).permuted(decks, axis=1)
    ends = np.cumsum([2 * players, on_board, dead])
    hands, boards, out, _ = np.split(decks, ends, axis=1)
    return hands.reshape(rows, players, 2), boards.copy(), out.copy()


@pytest.mark.parametrize(("rows", "on_board", "dead"), [(5, 0, 0), (9, 3, 2), (70, 4, 0), (300, 5, 1)])
@pytest.mark.parametrize("game", [HOLDEM, SHORT_DECK], ids=str)
def test_counts_are_those_of_the_cpu(
    cuda: Any, rows: int, on_board: int, dead: int, game: Holdem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "RESULTS", 120)  # several pieces
    operation = HandsVersusHands(game, *draw(rows, on_board, dead, game))
    found = CudaBackend().count(operation)
    assert found.backend == "cuda" and found.counts.dtype == np.int64
    assert np.array_equal(found.counts, operation.on_cpu())


@pytest.mark.parametrize("players", [3, 4, 6])
@pytest.mark.parametrize(("rows", "on_board", "dead"), [(20, 3, 1), (70, 4, 0), (70, 5, 2)])
def test_more_than_two_hands(
    cuda: Any, players: int, rows: int, on_board: int, dead: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "RESULTS", 500)
    operation = HandsVersusHands(HOLDEM, *draw(rows, on_board, dead, HOLDEM, players))
    found = CudaBackend().count(operation)
    assert found.counts.dtype == np.int32
    assert np.array_equal(found.counts, operation.on_cpu())


def test_known_counts_before_the_flop(cuda: Any) -> None:
    """AsKs against QhQd: 1,712,304 boards, as in the table that gpuodds ships."""
    hands = np.array([[parse_cards("AsKs"), parse_cards("QhQd")]], np.uint8)
    nothing = np.zeros((1, 0), np.uint8)
    (counts,) = CudaBackend().count(HandsVersusHands(HOLDEM, hands, nothing, nothing)).counts.tolist()
    assert counts == [787_966, 917_606, 6_732]


def test_arrays_of_the_device_stay_there(cuda: Any) -> None:
    given = draw(30, 4, 1)
    there = HandsVersusHands(HOLDEM, *(cuda.asarray(rows) for rows in given))
    counts = CudaBackend().count(there).counts
    assert isinstance(counts, cuda.ndarray)
    assert np.array_equal(cuda.asnumpy(counts), HandsVersusHands(HOLDEM, *given).on_cpu())


def test_a_batch_of_pairs(cuda: Any) -> None:
    rows = [{"hands": hands, "board": "2s7d9h"} for hands in (["AsKs", "QhQd"], ["7h2d", "AcAd"])]
    ours, theirs = (gpuodds.equities(rows, backend=backend) for backend in ("cuda", "cpu"))
    for found, expected in zip(ours, theirs, strict=True):
        assert (found.backend, expected.backend) == ("cuda", "cpu")
        assert found.players == expected.players


@pytest.mark.parametrize("launch_shape", [(1, 32, 0), (3, 64, 1), (20, 128, 2)], indirect=True)
def test_sum_winners(cuda: Any, run: Any) -> None:
    """From an item in the middle of a spot on, which others share with it, on any grid."""
    given = draw(40, 3, 0)
    hands, boards, dead = map(cuda.asarray, given)
    spots = pack_spots(hands, boards, dead, HOLDEM)
    sums = cuda.zeros((40, 3), np.uint64)
    runouts = spots.items // 40
    for first, last in ((0, 7 * runouts + 5), (7 * runouts + 5, spots.items)):
        span = np.int64(first), np.int64(last - first)
        run("known_hands/winners", "sum_winners", spots.packed, packed_tables(HOLDEM), *span, sums)
    assert np.array_equal(cuda.asnumpy(sums), HandsVersusHands(HOLDEM, *given).on_cpu())
