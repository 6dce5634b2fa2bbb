"""Three players' ranges of Omaha by kernels: the integers of the CPU backend."""

from __future__ import annotations

from threading import Barrier
from typing import Any

import numpy as np
import pytest
from omaha_games import omaha_game

from gpuodds.backends.cuda.arrays import ranks
from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.cuda.omaha import ranks as omaha_ranks
from gpuodds.backends.cuda.omaha import showdowns as omaha_showdowns
from gpuodds.backends.cuda.omaha import three_players
from gpuodds.backends.cuda.omaha.weights import from_parts, in_units, product_bits, whole_numbers
from gpuodds.backends.cuda.shared.layout import OMAHA_THREE
from gpuodds.backends.operations.omaha.ranges import OmahaThreePlayers
from gpuodds.cards import parse_cards
from gpuodds.games.omaha.combos import combo_cards
from gpuodds.games.omaha.game import OMAHA, OMAHA_HI_LO

# No flush, quads, lows of three to five ranks, one that many share, and none.
BOARDS = ["2s7d9hTcKs", "As2s3s4d8h", "2h3h5h6h8h", "AcAdAhAsKs", "QsKdKh9c9s"]


def draw(size: int, counts: list[int], seed: int) -> list[Any]:
    """Return the hands of three players, some of them the same, of few ranks."""
    every = combo_cards(size)
    ranks = (0, 1, 2, 6, 11, 12) if size == 4 else (0, 1, 2, 3, 4, 5, 6, 9, 10, 11, 12)
    rows = every[np.isin(every // 4, ranks).all(axis=1)]
    rng = np.random.default_rng(seed)
    pool = rows[rng.choice(len(rows), 2 * max(counts), replace=False)]
    return [
        np.ascontiguousarray(pool[np.sort(rng.choice(len(pool), n, replace=False))]) for n in counts
    ]


def boards_of(size: int) -> Any:
    texts = BOARDS[1:2] if size == 6 else BOARDS
    return np.array([parse_cards(text) for text in texts], np.uint8)


def operation_of(size: int, low: bool, counts: list[int], weighted: bool) -> OmahaThreePlayers:
    hands, boards = draw(size, counts, size), boards_of(size)
    rng = np.random.default_rng(9)
    weights = [rng.random(n) ** 3 if weighted else np.ones(n) for n in counts]
    times = np.arange(1, len(boards) + 1)
    return OmahaThreePlayers(omaha_game(size, low), hands, weights, boards, times)


def assert_close(found: Any, expected: Any) -> None:
    """Equal to rounding, in all deals and in each kind."""
    whole = sum(expected.values())
    for key in {*found, *expected}:
        assert found.get(key, 0.0) == pytest.approx(expected.get(key, 0.0), rel=1e-9, abs=1e-12 * whole)


@pytest.mark.slow
@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("counts", [[7, 30, 40], [45, 5, 20]])
@pytest.mark.parametrize("size", [4, 5, pytest.param(6, marks=pytest.mark.weekly)])
def test_counts_are_those_of_the_cpu(cuda: Any, size: int, counts: list[int], low: bool) -> None:
    operation = operation_of(size, low, counts, weighted=False)
    found, expected = CudaBackend().count(operation), operation.on_cpu()
    assert found.backend == "cuda" and found.counts == expected
    assert {type(count) for count in found.counts.values()} == {int}
    assert len(expected) > (10 if low else 4)


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("size", [4, pytest.param(5, marks=pytest.mark.weekly)])
def test_weights_are_those_of_the_cpu(cuda: Any, size: int, low: bool) -> None:
    operation = operation_of(size, low, [20, 6, 30], weighted=True)
    found, expected = CudaBackend().count(operation), operation.on_cpu()
    assert found.backend == "cuda"
    assert_close(found.counts, expected)


def launch(cuda: Any, run: Any, size: int, low: bool, weighted: bool = False) -> None:
    """Launch a kernel on two parts of each board, and compare with the CPU."""
    operation = operation_of(size, low, [5, 12, 16], weighted)
    units, bits = in_units(operation.weights) if weighted else (None, [])
    listed = omaha_showdowns.list_hands(operation.hands, units)
    kind, blocks = omaha_showdowns.kind_of(listed), 20 if size == 4 and not weighted else 3
    firsts = listed.places[0].astype(np.int32)
    arrays = [
        cuda.asarray(array)
        for array in (operation.boards, operation.times, listed.words, listed.weights, firsts)
    ]
    count, boards = len(listed.words), len(operation.boards)
    given = OMAHA_THREE.pack(*arrays, boards, count, len(firsts), 2, int(low))
    scratch = [cuda.empty((blocks, count), dtype) for dtype in (np.uint64, np.uint32)]
    tables = ranks.packed_pairs(), omaha_ranks.packed_omaha_tables()
    out = cuda.zeros((8, 8, 2), np.uint64)
    sums = cuda.empty((blocks, listed.sets), np.uint64), np.int64(listed.sets)
    for begin, end in ((0, 1), (1, 2 * boards)):
        span = np.int64(begin), np.int64(end - begin)
        if kind == "four":
            run("omaha/three_players", "count_three_four", given, *tables, *span, *scratch, out)
            continue
        more = np.int32(size), *tables, *span, *scratch, *sums, out
        if weighted:
            run("omaha/three_players", "count_three_weighted", given, *more)
        else:
            run("omaha/three_players", "count_three_many", given, *more)
    parts = cuda.asnumpy(out).view(np.int64)
    numbers = from_parts(parts, product_bits(bits)) if weighted else whole_numbers(parts)
    found = {(high, of_low): numbers[high, of_low] for high, of_low in np.argwhere(numbers).tolist()}
    if weighted:
        assert_close(found, operation.on_cpu())
    else:
        assert found == operation.on_cpu()


SHAPES = [(1, 32, 0), (3, 64, 1), (20, 96, 2)]


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("launch_shape", SHAPES, indirect=True)
def test_count_three_four(cuda: Any, run: Any, low: bool) -> None:
    launch(cuda, run, 4, low)


@pytest.mark.parametrize(("size", "low"), [(5, True), pytest.param(6, False, marks=pytest.mark.weekly)])
@pytest.mark.parametrize("launch_shape", SHAPES[1:2], indirect=True)
def test_count_three_many(cuda: Any, run: Any, size: int, low: bool) -> None:
    launch(cuda, run, size, low)


@pytest.mark.parametrize(("size", "low"), [(4, True), (5, False)])
@pytest.mark.parametrize("launch_shape", SHAPES[1:2], indirect=True)
def test_count_three_weighted(cuda: Any, run: Any, size: int, low: bool) -> None:
    launch(cuda, run, size, low, weighted=True)


def test_pieces_and_devices_change_nothing(cuda: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    if cuda.__version__ != "stand-in":
        pytest.skip("only the stand-in has as many devices as a test wants")
    cuda.cuda.settings.reset(devices=2)
    cuda.cuda.settings.meeting = Barrier(2)
    for name, value in (("MAX_LAUNCH", 100), ("MAX_PIECE", 200), ("MAX_ITEM", 100), ("ITEMS", 8)):
        monkeypatch.setattr(three_players, name, value)
    operation = operation_of(4, True, [10, 20, 15], weighted=False)
    shares: list[float] = []
    assert CudaBackend().count(operation, shares.append).counts == operation.on_cpu()
    assert {number for number, *_ in cuda.cuda.settings.launches} == {0, 1} and max(shares) == 1.0


def test_players_without_hands_or_deals(cuda: Any) -> None:
    """Hands that cannot be dealt together, or none at all, leave nothing to count."""
    aces, kings = (np.array([sorted(parse_cards(text))], np.uint8) for text in ("AsAhAdAc", "KsKhKdKc"))
    boards, times = boards_of(4)[:1], np.ones(1, np.int64)
    for hands in ([aces, kings, aces], [aces, kings, aces[:0]], [kings, kings, aces]):
        weights = [np.ones(len(own)) for own in hands]
        for game in (OMAHA, OMAHA_HI_LO):
            operation = OmahaThreePlayers(game, hands, weights, boards, times)
            assert CudaBackend().count(operation).counts == operation.on_cpu() == {}
