"""Ranges of Omaha by kernels: the integers of the CPU backend."""

from __future__ import annotations

from math import comb
from threading import Barrier
from typing import Any

import numpy as np
import pytest
from omaha_games import omaha_game

from gpuodds.backends.counts import OmahaCounts
from gpuodds.backends.cuda.arrays import ranks
from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.cuda.omaha import ranks as omaha_ranks
from gpuodds.backends.cuda.omaha import showdowns as omaha_showdowns
from gpuodds.backends.cuda.shared.layout import OMAHA_RANGES
from gpuodds.backends.operations.omaha.known_hands import OmahaOneRandomHand, OmahaPreflopRandom
from gpuodds.backends.operations.omaha.ranges import OmahaShowdowns
from gpuodds.cards import parse_cards
from gpuodds.games.omaha.combos import combo_cards
from gpuodds.games.omaha.game import OMAHA, OMAHA5, OMAHA_HI_LO
from gpuodds.games.shared.boards import board_ranks, canonical_boards
from gpuodds.games.shared.combos import SUIT_NAMES

UInt8s = np.ndarray[Any, np.dtype[np.uint8]]
# No flush, three to five of a suit, quads, lows of three to five ranks and none.
BOARDS = ["2s7d9hTcKs", "As2s3s4d8h", "2h3h5h6h8h", "AcAdAhAsKs", "As4d5c8hKd", "QsKdKh9c9s"]


def draw(size: int, count: int, seed: int) -> UInt8s:
    """Return different hands of few cards, so that they share many."""
    every = combo_cards(size)
    rows = every[np.isin(every // 4, (0, 1, 3, 5, 6, 11, 12)).all(axis=1)]
    chosen = np.random.default_rng(seed).choice(len(rows), count, replace=False)
    return np.ascontiguousarray(rows[chosen])


def full_boards(size: int = 4) -> tuple[UInt8s, Any]:
    """Return boards and how often each counts; few for hands of six cards, whose sums take long."""
    texts = BOARDS[:2] if size == 6 else BOARDS
    boards = np.array([parse_cards(text) for text in texts], np.uint8)
    return boards, np.arange(1, len(boards) + 1) ** 12


def assert_alike(found: OmahaCounts, expected: OmahaCounts) -> None:
    for ours, theirs in zip(found.counts, expected.counts, strict=True):
        assert ours.dtype == theirs.dtype and np.array_equal(ours, theirs)
    assert (found.made is None) == (expected.made is None)
    for ours, theirs in zip(found.made or (), expected.made or (), strict=True):
        assert ours.tolist() == theirs.tolist()


@pytest.mark.parametrize("made_hands", [False, True])
@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("size", [4, 5, pytest.param(6, marks=pytest.mark.weekly)])
def test_counts_are_those_of_the_cpu(cuda: Any, size: int, low: bool, made_hands: bool) -> None:
    hands = [draw(size, 300, 1), draw(size, 170, 2)]
    hands[1][:40] = hands[0][:40]
    hands[1] = np.unique(hands[1], axis=0)
    weights = [np.ones(len(own)) for own in hands]
    boards, times = full_boards(size)
    operation = OmahaShowdowns(omaha_game(size, low), hands, weights, boards, times, made_hands)
    found = CudaBackend().count(operation).counts
    assert_alike(found, operation.on_cpu())
    for ours in found.counts:
        assert ours.dtype == np.int64 and (ours.sum(axis=0) > 0).all()
    for counts, made in zip(found.counts, found.made or (), strict=False):
        assert counts[:, -1].sum() == made[:, -1].sum() and np.count_nonzero(made[:, -1]) > 3


def test_weights_are_counted_on_the_cpu(cuda: Any) -> None:
    hands, (boards, times) = [draw(4, 50, 1), draw(4, 30, 2)], full_boards()
    weights = [np.full(50, 0.5), np.ones(30)]
    operation = OmahaShowdowns(OMAHA, hands, weights, boards, times, True)
    found = CudaBackend().count(operation)
    assert_alike(found.counts, operation.on_cpu())
    assert found.backend == "cpu"


def test_many_hands_by_category_are_counted_on_the_cpu(
    cuda: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    if cuda.__version__ != "stand-in":
        pytest.skip("only the stand-in tells of launches")
    monkeypatch.setattr(omaha_showdowns, "MAX_BY_CATEGORY", 50)
    cuda.cuda.settings.reset(devices=1)
    hands, (boards, times) = [draw(4, 30, 1), draw(4, 30, 2)], full_boards()
    weights = [np.ones(30)] * 2
    for made_hands in (True, False):
        operation = OmahaShowdowns(OMAHA, hands, weights, boards, times, made_hands)
        found = CudaBackend().count(operation)
        assert_alike(found.counts, operation.on_cpu())
        assert found.backend == ("cpu" if made_hands else "cuda")
        assert (not cuda.cuda.settings.launches) == made_hands


def one_board(cuda: Any, run: Any, size: int, low: bool) -> None:
    """Launch a kernel on the whole list of a few hundred hands and compare with the CPU."""
    hands, (boards, times) = draw(size, 200, 3), full_boards(size)
    members = np.full(len(hands), 3, np.uint64)
    words = cuda.asarray(omaha_showdowns._words(hands, members))
    columns = 4 if low else 1
    categories = 1 if low else 9
    ends = cuda.empty(0, np.int32) if low else omaha_ranks.category_ends()
    out = cuda.zeros((categories, len(hands), 2, 3, columns), np.uint64)
    rows, factors = cuda.asarray(boards), cuda.asarray(times)
    given = OMAHA_RANGES.pack(rows, factors, words, ends, len(boards), len(hands), 2, columns)
    sets = sum(comb(47, k) for k in range(size))
    blocks = 20 if size == 4 else 3
    sorted_hands = cuda.empty((blocks, len(hands)), np.uint64)
    tables = ranks.packed_pairs(), omaha_ranks.packed_omaha_tables()
    if size == 4:
        run("omaha/showdowns", "count_omaha_four", given, *tables, sorted_hands, out)
    else:
        sums = cuda.empty((blocks, sets), np.uint64)
        more = np.int32(size), *tables, sorted_hands, sums, np.int64(sets)
        run("omaha/showdowns", "count_omaha_many", given, *more, out)
    by_category = cuda.asnumpy(out).view(np.int64)
    weights = [np.ones(len(hands))] * 2
    game = omaha_game(size, low)
    expected = OmahaShowdowns(game, [hands, hands], weights, boards, times, True).on_cpu()
    assert expected.made is not None
    for player in range(2):
        counts = by_category.sum(axis=0)[:, player]
        assert np.array_equal(omaha_showdowns._share_columns(counts, low), expected.counts[player])
        made = omaha_showdowns._made_columns(by_category[:, :, player])
        assert made.sum(axis=0).tolist() == expected.made[player].sum(axis=0).tolist()
        if categories > 1:
            assert np.array_equal(made, expected.made[player])


SHAPES = [(1, 32, 0), (3, 64, 1), (20, 96, 2)]


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("launch_shape", SHAPES, indirect=True)
def test_count_omaha_four(cuda: Any, run: Any, low: bool) -> None:
    one_board(cuda, run, 4, low)


@pytest.mark.parametrize(("size", "low"), [(5, False), (5, True), (6, False)])
@pytest.mark.parametrize("launch_shape", SHAPES[1:2], indirect=True)
def test_count_omaha_many(cuda: Any, run: Any, size: int, low: bool) -> None:
    one_board(cuda, run, size, low)


def test_pieces_and_devices_change_nothing(cuda: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    if cuda.__version__ != "stand-in":
        pytest.skip("only the stand-in has as many devices as a test wants")
    cuda.cuda.settings.reset(devices=2)
    cuda.cuda.settings.meeting = Barrier(2)
    monkeypatch.setattr(omaha_showdowns, "MAX_HANDS", 100)
    monkeypatch.setattr(omaha_showdowns, "LAUNCHES", 1)
    hands, (boards, times) = [draw(4, 60, 1), draw(4, 50, 2)], full_boards()
    weights = [np.ones(len(own)) for own in hands]
    shares: list[float] = []
    operation = OmahaShowdowns(OMAHA_HI_LO, hands, weights, boards, times, True)
    found = CudaBackend().count(operation, shares.append).counts
    assert_alike(found, operation.on_cpu())
    assert {number for number, *_ in cuda.cuda.settings.launches} == {0, 1} and max(shares) == 1.0


def test_scratch_fits_the_memory(cuda: Any) -> None:
    """With little memory fewer blocks run, each with scratch of its own; the counts are the same."""
    if cuda.__version__ != "stand-in":
        pytest.skip("only the stand-in has as little memory as a test wants")
    hands, (boards, times) = [draw(5, 60, 1)] * 2, full_boards()
    operation = OmahaShowdowns(OMAHA5, hands, [np.ones(60)] * 2, boards, times, False)
    for free_bytes, blocks in ((1 << 32, 6), (7 << 20, 2), (1 << 20, 1)):
        cuda.cuda.settings.reset(devices=1)
        cuda.cuda.settings.free_bytes = free_bytes
        assert_alike(CudaBackend().count(operation).counts, operation.on_cpu())
        assert cuda.cuda.settings.launches[0][2] == blocks


@pytest.mark.parametrize("low", [False, True])
def test_all_hands_of_a_board_and_those_like_it(cuda: Any, low: bool) -> None:
    """One board of those that differ stands for all like it; a hand's counts there are averages."""
    boards, times = canonical_boards()
    chosen = int(np.flatnonzero(times == 12)[1234])
    some = boards[chosen : chosen + 1], times[chosen : chosen + 1]
    board = some[0][0].astype(np.int64)
    alike = np.unique(np.sort(board >> 2 << 2 | SUIT_NAMES[:, board & 3], axis=1), axis=0)
    assert len(alike) == 12
    hands = np.array([parse_cards("AsAh2c3h"), parse_cards("9d8d7c6c")], np.uint8)
    found = omaha_showdowns.count_preflop(hands, low, *some, None, (0,))
    for hand, counts in zip(hands.tolist(), found, strict=True):
        expected = sum(
            OmahaOneRandomHand(omaha_game(4, low), hand, board, ()).on_cpu().sum(axis=0)
            for board in alike.tolist()
            if not set(board) & set(hand)
        )
        assert np.array_equal(counts, expected)


def test_a_part_of_all_boards(cuda: Any) -> None:
    hands = np.array([parse_cards("AsAh2c3h"), parse_cards("9d8d7c6c")], np.uint8)
    ranks = [0, 0, 0, 0, 8], [9, 11, 11, 11, 11]
    first, last = (board_ranks().tolist().index(row) for row in ranks)
    part = range(first, last + 1, last - first)
    operation = OmahaPreflopRandom(OMAHA, hands, part)
    found, expected = CudaBackend().count(operation).counts, operation.on_cpu()
    assert np.array_equal(found, expected) and found[0].any()
