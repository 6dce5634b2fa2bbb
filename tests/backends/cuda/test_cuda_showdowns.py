"""Showdowns of ranges on a GPU: the CPU's integers; weighted sums do not depend on how they are cut."""

from __future__ import annotations

from math import fsum
from threading import Barrier
from typing import Any

import numpy as np
import pytest

import gpuodds
from gpuodds import Range
from gpuodds.backends.cpu.backend import CpuBackend
from gpuodds.backends.cuda.arrays.ranks import packed_tables
from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.cuda.ranges import showdowns
from gpuodds.backends.cuda.ranges.showdowns import WARPS, OnDevice, ShowdownTask
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import SHOWDOWN_THREADS, SUM_NUMBERS
from gpuodds.backends.operations.range_showdowns import RangeShowdowns
from gpuodds.backends.operations.ranks import RankCombos
from gpuodds.cards import parse_cards
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.combos import combo_cards

# No flush, four of a suit, one hand for all, four alike, three of a suit.
BOARDS = ["2s7d9hTcJc", "2s3s4s5sAd", "TsJsQsKsAs", "2c2d2h2s3c", "2s7d9s3hKs"]
TWO = ["QQ+,AK", "22+,A2s+"]
THREE = ["AA,KK", "QQ+,AKs", "JJ+"]
WARPS_OF_LAUNCHES = pytest.mark.parametrize(
    "launch_shape", [(1, 32, 0), (3, 64, 1), (20, 96, 2)], ids=str, indirect=True
)


def ranges(texts: list[str]) -> Any:
    return np.stack([Range(text).weights for text in texts])


def drawn(players: int, share: float, seed: int = 1) -> Any:
    rng = np.random.default_rng(seed)
    return rng.random((players, 1326)) * (rng.random((players, 1326)) < share)


def boards_of(texts: list[str]) -> Any:
    return np.array([parse_cards(text) for text in texts], np.uint8).reshape(len(texts), -1)


def count(backend: Any, weights: Any, boards: Any, made: bool = True, heroes: Any = None) -> Any:
    times = 1 + np.arange(len(boards), dtype=np.int64) % 24
    heroes = range(len(weights)) if heroes is None else heroes
    return backend.count(RangeShowdowns(HOLDEM, weights, boards, times, list(heroes), made)).counts


def same(ours: Any, other: Any) -> None:
    assert ours.by_winners.dtype == other.by_winners.dtype == np.int64
    assert ours.by_winners.any() and np.array_equal(ours.by_winners, other.by_winners)
    if other.by_category is None:
        assert ours.by_category is None
    else:
        assert np.array_equal(ours.by_category, other.by_category)


def close(ours: Any, other: Any) -> None:
    """Equal to 1e-12; differences of sums leave rounding where the number is 0."""
    for one, two in zip(ours, other, strict=True):
        assert one.dtype == np.float64 and two.any()
        assert np.allclose(one, two, rtol=1e-12, atol=1e-14 * two.max())


def test_rare_ties_are_exact_to_rounding(cuda: Any) -> None:
    """Ties of small weight beside many lower combos: no difference of large sums."""
    weights = drawn(2, 1.0) * np.where(np.random.default_rng(6).random((2, 1326)) < 0.5, 1e-6, 1.0)
    boards = boards_of(BOARDS[:1])
    ours = count(CudaBackend(), weights, boards).by_winners[0, :, 1]
    ranks, cards = RankCombos(HOLDEM, boards).on_cpu()[0], combo_cards()
    small = 0
    for h in np.flatnonzero(ranks)[::7]:
        apart = (cards[:, :, None] != cards[h]).all(axis=(1, 2))
        ties = fsum(weights[1][(ranks == ranks[h]) & apart])
        assert ours[h] == pytest.approx(ties, rel=1e-14)
        small += 0 < ties < 1e-4
    assert small > 3


def task_of(weights: Any, made: bool, folded: int = 0) -> ShowdownTask:
    boards = boards_of(BOARDS)
    times = np.arange(1, len(boards) + 1, dtype=np.int64)
    heroes = tuple(range(len(weights) - folded))
    return ShowdownTask(weights, folded, boards, times, heroes, made, game=HOLDEM)


@pytest.fixture
def launch(cuda: Any, launch_shape: tuple[int, int]) -> Any:
    """Launch a kernel on all items of a task; return its sums and made hands, added up."""
    blocks = launch_shape[0]

    def run(file: str, name: str, task: ShowdownTask) -> tuple[Any, Any]:
        on_device, exact = OnDevice(task), task.is_exact
        dtype = np.int64 if exact else np.float64
        heroes, sets = len(task.heroes), task.sets
        items = task.pieces * task.parts
        sums = cuda.zeros((task.pieces, heroes, task.active.size, sets), dtype)
        made = cuda.zeros((items, WARPS, heroes, 9, sets + 1), dtype)
        several: tuple[Any, ...] = ()
        scratch: tuple[Any, ...] = ()
        if task.players > 2:
            several = (on_device.heroes,)
        if task.has_sums:
            scratch = (cuda.empty(blocks * SUM_NUMBERS, np.float64),)
        span = np.int64(0), np.int64(0), np.int64(items)
        given = (on_device.given, *several, packed_tables(HOLDEM), *span, *scratch, sums, made)
        device.kernel(file, name)((blocks,), (SHOWDOWN_THREADS,), given)
        by_winners = np.zeros((heroes, 1326, sets), dtype)
        by_winners[:, task.active] = cuda.asnumpy(sums).sum(axis=0)
        return by_winners, cuda.asnumpy(made).sum(axis=(0, 1)).astype(np.float64)

    return run


def expected_of(task: ShowdownTask) -> Any:
    weights, folded = np.split(task.weights, [task.players - task.folded])
    given = weights, task.boards, task.times, list(task.heroes), task.made_hands, folded
    return RangeShowdowns(HOLDEM, *given).on_cpu()


@WARPS_OF_LAUNCHES
def test_count_two_exact(launch: Any) -> None:
    task = task_of(ranges(TWO), made=True)
    found = launch("ranges/two_ranges", "count_two_exact", task)
    assert all(np.array_equal(a, b) for a, b in zip(found, expected_of(task), strict=True))


@WARPS_OF_LAUNCHES
def test_count_two_weighted(launch: Any) -> None:
    task = task_of(drawn(2, 0.1), made=True)
    close(launch("ranges/two_ranges", "count_two_weighted", task), expected_of(task))


@WARPS_OF_LAUNCHES
@pytest.mark.parametrize(
    ("texts", "folded"),
    [(THREE, 0), (THREE, 1), (["QQ+,AKs", "JJ+", "AA,KK"], 1)],
    ids=str,
)
def test_count_multiway_exact(launch: Any, texts: list[str], folded: int) -> None:
    """Folded ranges are wide or narrow: the second of a pair."""
    task = task_of(ranges(texts), made=True, folded=folded)
    found = launch("ranges/multiway", "count_multiway_exact", task)
    assert all(np.array_equal(a, b) for a, b in zip(found, expected_of(task), strict=True))


@pytest.mark.slow
@WARPS_OF_LAUNCHES
@pytest.mark.parametrize(
    ("texts", "folded"),
    [
        ([*THREE, "AQs"], 0),
        ([*THREE, "AQs", "KK,AKs"], 0),
        (["AKs,KQs", "QQ", "KK+", "JTs", "88,AQs", "A2s+"], 0),
        (["QQ+,AK", "JJ+,AQs", "88+", "AA,AK"], 2),
        (["QQ+,AK", "AK,KK", "AA,QQ", "88+,AKs", "KK,AKs"], 3),
    ],
    ids=str,
)
def test_count_three_opponents_exact(launch: Any, texts: list[str], folded: int) -> None:
    """None, one and two opponents are listed; those who have folded are listed, or are not."""
    task = task_of(ranges(texts), made=True, folded=folded)
    found = launch("ranges/three_opponents", "count_three_opponents_exact", task)
    assert all(np.array_equal(a, b) for a, b in zip(found, expected_of(task), strict=True))


@WARPS_OF_LAUNCHES
@pytest.mark.parametrize("folded", [0, 1])
def test_count_multiway_weighted(launch: Any, folded: int) -> None:
    task = task_of(drawn(3, 0.02), made=True, folded=folded)
    close(launch("ranges/multiway", "count_multiway_weighted", task), expected_of(task))


@pytest.mark.slow
@WARPS_OF_LAUNCHES
@pytest.mark.parametrize(
    ("players", "folded", "share"),
    [(4, 0, 0.01), (5, 0, 0.005), (6, 0, 0.004), (4, 2, 0.01), (5, 3, 0.01)],
)
def test_count_three_opponents_weighted(launch: Any, players: int, folded: int, share: float) -> None:
    task = task_of(drawn(players, share), made=True, folded=folded)
    close(launch("ranges/three_opponents", "count_three_opponents_weighted", task), expected_of(task))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("exact", [True, False])
def test_parts_of_a_piece_add_to_different_sums(
    cuda: Any, monkeypatch: pytest.MonkeyPatch, players: int, exact: bool
) -> None:
    """Blocks run at once and add without atomics: two parts must not meet, on any boards of a piece."""
    monkeypatch.setattr(showdowns, "MAX_PIECES", 1)
    monkeypatch.setattr(showdowns, "ITEMS", 2)
    weights = ranges([*THREE, "AQs"])[:players]
    task = task_of(weights if exact else weights * 0.5, made=False)
    assert task.pieces == 1 and task.parts == 2
    on_device, touched, whole = OnDevice(task), [], 0
    for part in range(task.parts):
        numbers = players * task.active.size * task.sets
        dtype = np.int64 if exact else np.float64
        sums = cuda.zeros((1, numbers), dtype)
        on_device._launch(part, part + 1, sums, cuda.zeros((1, 1), dtype))
        touched.append(cuda.asnumpy(sums)[0] != 0)
        whole = whole + cuda.asnumpy(sums)
    assert np.sum(touched, axis=0).max() == 1 and all(some.any() for some in touched)
    by_winners = np.reshape(whole, (players, -1, task.sets))
    assert np.allclose(by_winners, expected_of(task)[0][:, task.active], rtol=1e-12)


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_add_rows_exact_and_weighted(cuda: Any, dtype: Any) -> None:
    rng = np.random.default_rng(3)
    rows = rng.integers(0, 1 << 40, (9, 5)).astype(dtype)
    first = np.array([0, 2, 2, 9], np.int64)
    expected = [rows[a:b].sum(axis=0) for a, b in ((0, 2), (2, 2), (2, 9))]
    assert np.array_equal(cuda.asnumpy(showdowns._add_rows(cuda.asarray(rows), first)), expected)


def test_add_rows_exact(cuda: Any) -> None:
    rows, out = cuda.full((4, 2), 1 << 61, np.int64), cuda.empty((2, 2), np.int64)
    given = rows, cuda.asarray(np.array([0, 1, 4], np.int64)), np.int64(2), np.int64(2), out
    device.kernel("shared/add_rows", "add_rows_exact")((2,), (3,), given)
    assert cuda.asnumpy(out).tolist() == [[1 << 61] * 2, [3 << 61] * 2]


def test_add_rows_weighted(cuda: Any) -> None:
    """What rounding loses is kept: 1 + 1e100 + 1 - 1e100 = 2."""
    rows = cuda.asarray(np.array([[1.0], [1e100], [1.0], [-1e100]]))
    out = cuda.empty((1, 1), np.float64)
    given = rows, cuda.asarray(np.array([0, 4], np.int64)), np.int64(1), np.int64(1), out
    device.kernel("shared/add_rows", "add_rows_weighted")((1,), (1,), given)
    assert cuda.asnumpy(out).tolist() == [[2.0]]


@pytest.mark.parametrize(
    ("texts", "boards"),
    [
        (["random", "random"], BOARDS[:2]),
        (TWO, [""]),  # no board: all tie
        (THREE, [""]),
        (["AA", "KK", "AKs", "QQ", "AQs"], BOARDS[:1]),
        (["AA", "KK", "AKs", "QQ", "AQs", "JJ,TT"], BOARDS[4:]),
    ],
)
def test_counts_equal_the_cpu(cuda: Any, texts: list[str], boards: list[str]) -> None:
    given = ranges(texts), boards_of(boards), boards[0] != ""
    same(count(CudaBackend(), *given), count(CpuBackend(), *given))


@pytest.mark.parametrize("heroes", [[0], [2, 1], [1]])
def test_some_players_are_counted(cuda: Any, heroes: list[int]) -> None:
    given = ranges(THREE if 2 in heroes else [*THREE, "TT"]), boards_of(BOARDS[:2]), True, heroes
    same(count(CudaBackend(), *given), count(CpuBackend(), *given))
    given = ranges(TWO), boards_of(BOARDS[:2]), True, [min(heroes)]
    ours, both = count(CudaBackend(), *given), count(CpuBackend(), *given[:3], [0, 1])
    assert np.array_equal(ours.by_winners[0], both.by_winners[min(heroes)])
    assert np.array_equal(ours.by_category[0], both.by_category[min(heroes)])


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_weighted_sums_do_not_depend_on_devices_and_launches(
    cuda: Any, monkeypatch: pytest.MonkeyPatch, players: int
) -> None:
    rng = np.random.default_rng(4)
    boards = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (12, 1)), axis=1)[:, :5]
    given = drawn(players, 0.01, seed=5), np.ascontiguousarray(boards)
    once = count(CudaBackend(), *given)
    close(once, count(CpuBackend(), *given))
    monkeypatch.setattr(showdowns, "MAX_LAUNCH", 1.5e5)
    monkeypatch.setattr(showdowns, "MAX_WORK", 1e6)
    if cuda.__version__ == "stand-in":
        cuda.cuda.settings.devices, cuda.cuda.settings.seed = 3, 9
        cuda.cuda.settings.meeting = Barrier(3)
        cuda.cuda.settings.launches.clear()
    cut = count(CudaBackend(), *given)
    assert all(np.array_equal(a, b) for a, b in zip(once, cut, strict=True))
    if cuda.__version__ == "stand-in":
        launched = [one[0] for one in cuda.cuda.settings.launches]
        assert set(launched) == {0, 1, 2} and len(launched) > 12


@pytest.mark.parametrize("texts", [TWO, THREE])
def test_short_launches_have_a_block_for_each_multiprocessor(
    cuda: Any, monkeypatch: pytest.MonkeyPatch, texts: list[str]
) -> None:
    if cuda.__version__ != "stand-in":
        pytest.skip("only the stand-in lists launches")
    monkeypatch.setattr(showdowns, "MAX_LAUNCH", 1.0)
    cuda.cuda.settings.processors = 2  # fewer than items
    cuda.cuda.settings.launches.clear()
    count(CudaBackend(), ranges(texts), boards_of(BOARDS[:4]), made=False)
    blocks = [one[2] for one in cuda.cuda.settings.launches if one[1].startswith("count_")]
    assert len(blocks) > 1 and set(blocks) == {device.processors()}


def test_short_memory_cuts_the_work(cuda: Any) -> None:
    if cuda.__version__ != "stand-in":
        pytest.skip("only the stand-in can be configured")
    given = ranges(THREE), boards_of(BOARDS)
    whole = count(CudaBackend(), *given)
    cuda.cuda.settings.max_bytes = 100_000
    same(count(CudaBackend(), *given), whole)
    assert cuda.cuda.settings.refusals > 0


def test_equity_of_ranges_names_the_gpu(cuda: Any) -> None:
    spot: dict[str, Any] = {"board": "2s7d9hTcJc", "by_hand": True, "made_hands": True}
    ours = gpuodds.equity(TWO, backend="cuda", **spot)
    other = gpuodds.equity(TWO, backend="cpu", **spot)
    assert ours.backend == "cuda" and other.backend == "cpu"
    for one, two in zip(ours.players, other.players, strict=True):
        assert one.equity == two.equity
        assert (one.win_outcomes, one.tie_outcomes) == (two.win_outcomes, two.tie_outcomes)


@pytest.mark.parametrize("boards", [[""], BOARDS[:2]], ids=str)
def test_folded_players_hold_cards_and_win_nothing(cuda: Any, boards: list[str]) -> None:
    weights, folded = ranges(["AA,AKs", "KK,QQ", "AK"]), ranges(["QQ,AA"])
    times = np.ones(len(boards), np.int64)
    operation = RangeShowdowns(
        HOLDEM, weights, boards_of(boards), times, [0, 2], boards[0] != "", folded
    )
    same(CudaBackend().count(operation).counts, operation.on_cpu())
