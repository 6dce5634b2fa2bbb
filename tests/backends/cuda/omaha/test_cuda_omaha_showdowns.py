"""Ranges of Omaha by kernels: the integers of the CPU backend."""

from __future__ import annotations

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
from gpuodds.backends.cuda.omaha.weights import from_parts, in_units, product_bits, whole_numbers
from gpuodds.backends.cuda.shared.layout import OMAHA_RANGES, OMAHA_SUMS
from gpuodds.backends.operations.omaha.known_hands import OmahaOneRandomHand, OmahaPreflopRandom
from gpuodds.backends.operations.omaha.ranges import OmahaBoardTotals, OmahaShowdowns
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


@pytest.mark.slow
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


def weights_of(count: int, seed: int) -> Any:
    """Return weights that differ by orders of magnitude."""
    rng = np.random.default_rng(seed)
    return rng.random(count) ** 4 * 10.0 ** rng.integers(-4, 2, count)


def assert_close(found: Any, expected: Any) -> None:
    """Equal to rounding: differences of sums leave some of it where the number is 0."""
    assert found.dtype == expected.dtype == np.float64 and (found >= 0).all()
    assert np.allclose(found, expected, rtol=1e-9, atol=1e-12 * expected.max())


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("size", [4, 5, pytest.param(6, marks=pytest.mark.weekly)])
def test_weights_are_those_of_the_cpu(cuda: Any, size: int, low: bool) -> None:
    hands, (boards, _) = [draw(size, 60, 1), draw(size, 40, 2)], full_boards(size)
    hands[1][:20] = hands[0][:20]
    hands[1] = np.unique(hands[1], axis=0)
    weights = [weights_of(len(own), player) for player, own in enumerate(hands)]
    times = np.arange(1, len(boards) + 1)
    operation = OmahaShowdowns(omaha_game(size, low), hands, weights, boards, times, True)
    found, expected = CudaBackend().count(operation), operation.on_cpu()
    assert found.backend == "cuda" and found.counts.made is not None and expected.made is not None
    for ours, theirs in zip(
        (*found.counts.counts, *found.counts.made), (*expected.counts, *expected.made), strict=True
    ):
        assert_close(ours, theirs)


def test_weights_of_few_digits_are_exact(cuda: Any) -> None:
    """Doubled weights count twice, to the bit; whole numbers come out as such."""
    hands, (boards, _) = [draw(4, 60, 1), draw(4, 40, 2)], full_boards()
    times = np.arange(1, len(boards) + 1)

    def count(first: float, second: float) -> OmahaCounts:
        weights = [np.full(60, first), np.full(40, second)]
        operation = OmahaShowdowns(OMAHA_HI_LO, hands, weights, boards, times, True)
        counts: OmahaCounts = CudaBackend().count(operation).counts
        return counts

    whole, weighted = count(1.0, 1.0), count(0.75, 4.0)
    for player, factor in ((0, 4.0), (1, 0.75)):
        assert np.array_equal(weighted.counts[player], factor * whole.counts[player])
        assert whole.made is not None and weighted.made is not None
        assert np.array_equal(weighted.made[player], 3.0 * whole.made[player].astype(float))


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("size", [4, 5, pytest.param(6, marks=pytest.mark.weekly)])
def test_board_totals_are_those_of_the_cpu(
    cuda: Any, size: int, low: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(omaha_showdowns, "MAX_HANDS", 100)
    hands, (boards, _) = [draw(size, 60, 1), draw(size, 40, 2)], full_boards(size)
    for weighted in (False, True):
        weights = [weights_of(len(own), 1) if weighted else np.ones(len(own)) for own in hands]
        operation = OmahaBoardTotals(omaha_game(size, low), hands, weights, boards)
        found = CudaBackend().count(operation)
        assert found.backend == "cuda"
        for ours, theirs in zip(found.counts, operation.on_cpu(), strict=True):
            if weighted:
                assert_close(ours, theirs)
            else:
                assert ours.dtype == theirs.dtype == np.int64 and np.array_equal(ours, theirs)


def one_board(cuda: Any, run: Any, size: int, low: bool, weighted: bool = False) -> None:
    """Launch a kernel on the whole list of a few hundred hands and compare with the CPU."""
    hands, (boards, times) = draw(size, 200, 3), full_boards(size)
    times = np.arange(1, len(boards) + 1) if weighted else times
    weights = [weights_of(200, player) if weighted else np.ones(200) for player in range(2)]
    units, bits = in_units(weights) if weighted else (None, [])
    listed = omaha_showdowns.list_hands([hands, hands], units)
    columns, blocks = 4 if low else 1, 20 if size == 4 and not weighted else 3
    shape = (200, 2, 3, columns)
    by_hand = cuda.zeros((*shape, 2) if weighted else shape, np.uint64)
    by_category, by_board = (cuda.zeros(of, np.uint64) for of in ((2, 9, 3, 2), 0))
    arrays = [cuda.asarray(array) for array in (boards, times, listed.words, listed.weights)]
    ends = ranks.category_ends()
    given = OMAHA_RANGES.pack(*arrays, ends, len(boards), 200, 2, columns)
    out = OMAHA_SUMS.pack(by_hand, by_category, by_board)
    scratch = [cuda.empty((blocks, 200), dtype) for dtype in (np.uint64, np.uint32)]
    tables = ranks.packed_pairs(), omaha_ranks.packed_omaha_tables()
    if size == 4 and not weighted:
        run("omaha/showdowns", "count_omaha_four", given, *tables, *scratch, out)
    else:
        words = listed.sets * (2 if weighted else 1)
        sums = cuda.empty((blocks, words), np.uint64)
        more = np.int32(size), *tables, *scratch, sums, np.int64(words), out
        if weighted:
            run("omaha/showdowns", "count_omaha_weighted", given, *more)
        else:
            run("omaha/showdowns", "count_omaha_many", given, *more)
    counts, of_category = (cuda.asnumpy(part).view(np.int64) for part in (by_hand, by_category))
    operation = OmahaShowdowns(omaha_game(size, low), [hands] * 2, weights, boards, times, True)
    expected = operation.on_cpu()
    assert expected.made is not None
    for player, places in enumerate(listed.places):
        of_player = counts[places, player]
        made = np.diff(of_category[player], axis=1, prepend=0)
        if weighted:
            found = from_parts(of_player[:, ROWS_DEALT, 0], bits[1 - player])
            assert_close(found, expected.counts[player][:, -1])
            found = from_parts(made[:, 0], product_bits(bits))
            assert_close(found, expected.made[player][:, 0])
        else:
            columns_found = omaha_showdowns._share_columns(of_player, low)
            assert np.array_equal(columns_found, expected.counts[player])
            assert np.array_equal(whole_numbers(made)[:, :2], expected.made[player][:, :2])


ROWS_DEALT = 2
SHAPES = [(1, 32, 0), (3, 64, 1), (20, 96, 2)]


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("launch_shape", SHAPES, indirect=True)
def test_count_omaha_four(cuda: Any, run: Any, low: bool) -> None:
    one_board(cuda, run, 4, low)


@pytest.mark.parametrize(
    ("size", "low"), [(5, False), (5, True), pytest.param(6, True, marks=pytest.mark.weekly)]
)
@pytest.mark.parametrize("launch_shape", SHAPES[1:2], indirect=True)
def test_count_omaha_many(cuda: Any, run: Any, size: int, low: bool) -> None:
    one_board(cuda, run, size, low)


@pytest.mark.parametrize(
    ("size", "low"), [(4, True), (5, False), pytest.param(6, False, marks=pytest.mark.weekly)]
)
@pytest.mark.parametrize("launch_shape", SHAPES[1:2], indirect=True)
def test_count_omaha_weighted(cuda: Any, run: Any, size: int, low: bool) -> None:
    one_board(cuda, run, size, low, weighted=True)


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
