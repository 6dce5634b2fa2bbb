"""The CUDA backend gives the CPU backend's integers, for any launch, memory and devices."""

from __future__ import annotations

from threading import Barrier
from typing import Any

import numpy as np
import pytest

import gpuodds
from gpuodds.backends.choice import choose_backend
from gpuodds.backends.cpu.backend import CpuBackend
from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.operation import Operation
from gpuodds.backends.operations.five_card import FiveCardHands
from gpuodds.backends.operations.heads_up_matrix import HeadsUpMatrix
from gpuodds.backends.operations.known_hands import ThreatMatchings
from gpuodds.backends.operations.ranks import RankCards, RankCombos
from gpuodds.cards import parse_cards
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.multiway import MatchingCounts
from gpuodds.spots.spot import Spot
from gpuodds.tables.shipped.preflop_random import preflop_counts

Counts = dict[int, MatchingCounts]

SPOTS = [
    (["AsKs"], "2s7d9hTcJc", "", 9),
    (["AsKs"], "2s7s9s", "", 9),  # a flush is possible at once
    (["AsKs"], "2s7s9sTs", "", 5),  # one more of the suit is enough
    (["7c2d"], "2s7s9sKsAs", "", 22),  # the board plays
    (["7c2d"], "8s8c8d8h", "", 3),  # quads on the board
    (["9c9d"], "AsKsQsJsTs", "", 4),  # a royal flush on the board
    (["5c4c"], "As2d3h", "", 9),  # the wheel
    (["3c2d"], "AsAdAh", "Ac", 9),
    (["AsKs"], "2s7d9hTc", "", 20),
    (["AsKs"], "2s7d9h", "3s4s5s6s", 2),
    (["AsKs", "AhKh"], "2s7d9h", "", 0),
    (["AsKs", "QhQd", "7c2c"], "2s7d", "3c3d", 4),
    (["AsKs", "AhKh", "AdKd"], "Ac2s7d9h", "", 6),  # ties among known players
    (["AsAh"], "2c", "", 2),
    (["AsAh"], "", "", 1),
    (["KsKd", "QsQd"], "", "2c2d", 1),
]


def clean(counts: Counts, max_edges: int) -> dict[int, dict[tuple[int, int, int], int]]:
    """Return the counts without zeros and without more edges than requested."""
    return {
        winners: {key: ways for key, ways in sums.items() if ways and key[1] <= max_edges}
        for winners, sums in counts.items()
    }


def read_hand(text: str) -> Any:
    return parse_cards(text)


def count_on(backend: Any, spot: Spot) -> Any:
    (counts,) = backend.count(ThreatMatchings([spot], spot.opponents)).counts
    return clean(counts, spot.opponents)


@pytest.mark.slow
@pytest.mark.parametrize(("hands", "board", "dead", "opponents"), SPOTS)
def test_matchings_are_those_of_the_cpu(cuda, hands, board, dead, opponents) -> None:
    spot = Spot.of(hands, opponents=opponents, board=board, dead=dead)
    assert count_on(CudaBackend(), spot) == count_on(CpuBackend(), spot)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hand", "opponents"),
    [
        ("AsKs", 2),
        ("7c2d", 2),
        ("8h8d", 2),
        pytest.param("8h8d", 9, marks=pytest.mark.slow),
        pytest.param("7c2d", 9, marks=pytest.mark.weekly),
    ],
)
def test_before_the_flop_they_are_those_of_the_table(cuda, hand, opponents) -> None:
    result = gpuodds.equity(hand, opponents=opponents, table=False, backend="cuda")
    assert (result.backend, result.method) == ("cuda", "exact")
    player = result.players[0]
    known = preflop_counts(read_hand(hand), opponents)
    assert [player.win_outcomes, *player.tie_outcomes] == known


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_order_of_threads_changes_nothing(cuda, seed) -> None:
    if cuda.__version__ == "stand-in":
        cuda.cuda.settings.seed = seed
    spot = Spot.of(["AsTs"], opponents=9, board="2s7s9h")
    assert count_on(CudaBackend(), spot) == count_on(CpuBackend(), spot)


def draw_spots(count: int, on_board: int, seed: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    deck = np.tile(np.arange(52, dtype=np.uint8), (count, 1))
    cards = rng.permuted(deck, axis=1)[:, : 2 + on_board]
    return np.ascontiguousarray(cards[:, :2]), np.ascontiguousarray(cards[:, 2:])


@pytest.mark.parametrize(
    ("on_board", "count", "opponents"),
    [
        (5, 300, 9),
        (5, 100, 22),
        pytest.param(4, 100, 9, marks=pytest.mark.weekly),
        (3, 2, 9),
        (3, 60, 2),
    ],
)
def test_a_batch_equals_the_cpu(cuda, on_board, count, opponents) -> None:
    hands, boards = draw_spots(count, on_board, opponents)
    ours = gpuodds.equity_batch(hands, boards, opponents=opponents, backend="cuda")
    other = gpuodds.equity_batch(hands, boards, opponents=opponents, backend="cpu")
    assert type(ours.unbeaten) is np.ndarray
    assert np.array_equal(ours.unbeaten, other.unbeaten) and ours.outcomes == other.outcomes
    assert np.array_equal(ours.equity, other.equity)


def test_cupy_arrays_in_and_out(cuda) -> None:
    hands, boards = draw_spots(40, 4, 1)
    on_device = gpuodds.equity_batch(cuda.asarray(hands), cuda.asarray(boards), opponents=3)
    assert isinstance(on_device.unbeaten, cuda.ndarray) and isinstance(on_device.equity, cuda.ndarray)
    here = gpuodds.equity_batch(hands, boards, opponents=3, backend="cpu")
    assert np.array_equal(cuda.asnumpy(on_device.unbeaten), here.unbeaten)
    assert np.allclose(cuda.asnumpy(on_device.equity), here.equity, rtol=1e-14, atol=0)
    assert on_device.counts(7, 2) == here.counts(7, 2)
    cards = np.concatenate([hands, boards], axis=1)
    ranks = gpuodds.rank_hands(cuda.asarray(cards))
    assert isinstance(ranks, cuda.ndarray)
    assert np.array_equal(cuda.asnumpy(ranks), gpuodds.rank_hands(cards))
    wide = cuda.asarray(cards.astype(np.int64))
    assert np.array_equal(cuda.asnumpy(gpuodds.rank_hands(wide)), gpuodds.rank_hands(cards))


@pytest.mark.parametrize("rows", [0, 1, 50])
def test_ranks_are_those_of_the_cpu(cuda, rows) -> None:
    hands, boards = draw_spots(rows, 5, 6)
    cards = np.concatenate([hands, boards], axis=1)
    operations: list[tuple[Any, Any]] = [(RankCards, cards), (RankCombos, boards)]
    for operation, given in operations:
        expected = operation(HOLDEM, given).on_cpu()
        assert np.array_equal(CudaBackend().count(operation(HOLDEM, given)).counts, expected)
        found = CudaBackend().count(operation(HOLDEM, cuda.asarray(given))).counts
        assert np.array_equal(cuda.asnumpy(found), expected)


def test_a_matrix_equals_the_cpu(cuda) -> None:
    board, dead = (0, 21, 30, 47), (5,)
    operation = HeadsUpMatrix(HOLDEM, board, dead)
    ours, other = CudaBackend().count(operation).counts, operation.on_cpu()
    assert np.array_equal(ours[0], other[0]) and np.array_equal(ours[1], other[1])


def test_bad_cupy_arrays_are_refused(cuda) -> None:
    cards = cuda.asarray(np.array([[1, 2, 3, 4, 5], [6, 7, 8, 9, 6], [1, 1, 2, 3, 4]], np.uint8))
    with pytest.raises(gpuodds.InputError, match=r"row 1: .* twice"):
        gpuodds.rank_hands(cards)
    with pytest.raises(gpuodds.InputError, match="row 0: expected card numbers from 0 to 51, found 52"):
        gpuodds.rank_hands(cuda.asarray(np.array([[52, 2, 3, 4, 5]], np.uint8)))
    with pytest.raises(gpuodds.InputError, match="both as NumPy arrays or both as CuPy"):
        gpuodds.equity_batch(cards[:, :2], np.zeros((3, 3), np.uint8))
    with pytest.raises(gpuodds.InputError, match="CuPy arrays were given"):
        gpuodds.equity_batch(cards[:2, :2], backend="cpu")


def test_no_rows_give_no_rows(cuda) -> None:
    nothing = np.zeros((0, 2), np.uint8)
    for backend in ("cpu", "cuda"):
        batch = gpuodds.equity_batch(nothing, np.zeros((0, 3), np.uint8), opponents=2, backend=backend)
        assert batch.equity.shape == (0, 2) and batch.unbeaten.shape == (0, 2, 3, 2)


class TestOnTheStandIn:
    """Conditions that a real GPU cannot be put into."""

    @pytest.fixture(autouse=True)
    def stand_in(self, cuda: Any) -> Any:
        if cuda.__version__ != "stand-in":
            pytest.skip("only the stand-in can be configured")
        self.settings = cuda.cuda.settings

    @pytest.mark.slow
    def test_short_memory_makes_smaller_pieces(self) -> None:
        hands, boards = draw_spots(60, 4, 3)
        whole = gpuodds.equity_batch(hands, boards, opponents=9, backend="cuda").unbeaten
        self.settings.launches.clear()
        self.settings.max_bytes, self.settings.free_bytes = 3_000_000, 800_000
        cut = gpuodds.equity_batch(hands, boards, opponents=9, backend="cuda").unbeaten
        assert np.array_equal(whole, cut)
        assert [launch[1] for launch in self.settings.launches].count("find_graphs") > 1

    @pytest.mark.parametrize("max_bytes", [1_200_000, 1_500_000, 2_000_000])
    def test_out_of_memory_half_way_keeps_the_counts(self, max_bytes) -> None:
        spot = Spot.of(["Ts9s"], opponents=9, board="2s7s")
        self.settings.max_bytes = max_bytes
        assert count_on(CudaBackend(), spot) == count_on(CpuBackend(), spot)
        assert self.settings.refusals > 0

    def test_ranks_come_in_pieces(self) -> None:
        operation = RankCombos(HOLDEM, draw_spots(50, 5, 8)[1])
        self.settings.free_bytes = 100_000
        assert np.array_equal(CudaBackend().count(operation).counts, operation.on_cpu())
        assert [launch[1] for launch in self.settings.launches].count("rank_combos") > 2

    def test_too_little_memory_names_the_gpu(self) -> None:
        self.settings.max_bytes = 1000
        with pytest.raises(MemoryError, match="GPU 0"):
            gpuodds.equity("Ts9s", opponents=9, board="2s7s", backend="cuda")

    def test_auto_falls_back_to_the_cpu(self, monkeypatch, caplog) -> None:
        monkeypatch.delenv("GPUODDS_BACKEND", raising=False)
        monkeypatch.setattr("gpuodds.backends.choice.startup_seconds", lambda: 0.0)
        monkeypatch.setattr("gpuodds.backends.startup.LAUNCHING_SECONDS", 0.0)
        self.settings.max_bytes = 1000
        caplog.set_level("INFO", "gpuodds")
        result = gpuodds.equity("Ts9s", opponents=9, board="2s7s9h")
        assert result.backend == "cpu" and "GPU 0" in caplog.text

    @pytest.mark.slow
    @pytest.mark.parametrize("devices", [2, 3])
    def test_several_devices_share_the_work(self, devices) -> None:
        self.settings.devices, self.settings.meeting = devices, Barrier(devices)
        hands, boards = draw_spots(90, 4, 4)
        ours = gpuodds.equity_batch(hands, boards, opponents=9, backend="cuda").unbeaten
        other = gpuodds.equity_batch(hands, boards, opponents=9, backend="cpu").unbeaten
        assert np.array_equal(ours, other)
        spot = Spot.of(["7c2d"], opponents=9, board="2s7s")
        assert count_on(CudaBackend(), spot) == count_on(CpuBackend(), spot)
        operation = RankCombos(HOLDEM, draw_spots(200, 5, 9)[1])
        assert np.array_equal(CudaBackend().count(operation).counts, operation.on_cpu())
        assert {launch[0] for launch in self.settings.launches} == set(range(devices))

    def test_devices_share_a_matrix(self) -> None:
        self.settings.devices, self.settings.meeting = 3, Barrier(3)
        operation = HeadsUpMatrix(HOLDEM, (0, 21, 30, 47), ())
        ours, other = CudaBackend().count(operation).counts, operation.on_cpu()
        assert np.array_equal(ours[0], other[0]) and np.array_equal(ours[1], other[1])
        assert {launch[0] for launch in self.settings.launches} == {0, 1, 2}

    def test_named_devices_are_used(self) -> None:
        self.settings.devices = 4
        chosen = choose_backend("cuda:3,1")
        self.settings.launches.clear()
        self.settings.meeting = Barrier(2)
        count_on(chosen, Spot.of(["Ts9s"], opponents=9, board="2s7s"))
        assert {launch[0] for launch in self.settings.launches} == {1, 3}
        with pytest.raises(gpuodds.InputError, match="device '4': expected 0 to 3"):
            choose_backend("cuda:4")

    def test_an_exception_on_one_device_ends_the_work(self, monkeypatch) -> None:
        self.settings.devices = 2

        def fail(*_: object) -> None:
            raise ZeroDivisionError("as arranged")

        monkeypatch.setattr("gpuodds.backends.cuda.known_hands.matching_counts.Worker.add_items", fail)
        with pytest.raises(ZeroDivisionError, match="as arranged"):
            gpuodds.equity("Ts9s", opponents=9, board="2s7s", backend="cuda")

    def test_progress_ends_at_one(self) -> None:
        shares: list[float] = []
        gpuodds.equity("Ts9s", opponents=3, board="2s7s", backend="cuda", progress=shares.append)
        assert shares == sorted(shares) and shares[-1] == 1

    def test_a_missing_device_is_reported_only_on_request(self, monkeypatch, caplog) -> None:
        monkeypatch.delenv("GPUODDS_BACKEND", raising=False)
        from gpuodds.backends.cuda.shared.device import why_no_device

        self.settings.devices = 0
        why_no_device.cache_clear()
        with pytest.raises(gpuodds.InputError, match=r"backend 'cuda': .*shows no device"):
            gpuodds.equity("AsKs", backend="cuda")
        caplog.set_level("INFO", "gpuodds")
        assert gpuodds.equity("AsKs", table=False).backend == "cpu"
        assert not caplog.records

    @pytest.mark.parametrize(
        ("driver", "message"),
        [(0, "no NVIDIA driver is installed"), (12080, "serves CUDA 12.8, this CuPy needs 13.0")],
    )
    def test_the_driver_is_named(self, monkeypatch, cuda, driver, message) -> None:
        from gpuodds.backends.cuda.shared.device import why_no_device

        why_no_device.cache_clear()
        monkeypatch.setattr(cuda.cuda.runtime, "driverGetVersion", lambda: driver)
        with pytest.raises(gpuodds.InputError, match=message):
            gpuodds.equity("AsKs", backend="cuda")

    def test_cupy_is_named_with_its_extra(self, monkeypatch) -> None:
        from gpuodds.backends.cuda.shared import device

        device.why_no_device.cache_clear()
        monkeypatch.setattr(device, "find_spec", lambda name: None)
        with pytest.raises(gpuodds.InputError, match=r"CuPy is not installed: .*gpuodds\[cuda13\]"):
            gpuodds.equity("AsKs", backend="cuda")


def test_results_name_the_backend_that_counted(cuda: Any) -> None:
    decks = FiveCardHands(np.array([2**52 - 1]))
    matchings = ThreatMatchings([Spot.of(["AsKs"], opponents=2, board="2s7d9hTcJc")], 2)
    operations: list[Operation[Any]] = [decks, matchings]
    for operation in operations:
        assert CudaBackend().count(operation).backend == "cuda"
        assert CpuBackend().count(operation).backend == "cpu"
    board: dict[str, Any] = {"board": "2s7d9hTcJc", "backend": "cuda"}
    assert gpuodds.equity("AsKs", opponents=2, **board).backend == "cuda"
    ranges = gpuodds.equity(["AsKs", "QQ+"], **board)
    assert ranges.exact and ranges.backend == "cuda"
    assert gpuodds.equity(["AsKs", "QQ+"], opponents=7, **board).backend == "cuda"  # hand by hand
    sampled = gpuodds.equity(["AsKs", "QQ+"], method="monte-carlo", samples=100, **board)
    assert sampled.backend == "cuda"
