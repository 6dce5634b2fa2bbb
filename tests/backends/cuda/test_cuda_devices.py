"""Several GPUs and short memory, as CuPy and the driver show them: see tests/host_cuda/cupy/."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gpuodds
from gpuodds.backends.choice import choose_backend
from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.operation import Operation
from gpuodds.backends.operations.canonical import CanonicalRows, CanonicalSituations
from gpuodds.backends.operations.known_hands import UnbeatenDeals
from gpuodds.backends.operations.ranks import FindRepeatedCard, RankCards, RankCombos
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.results.batches.equity_batch import EquityBatch

CARDS = np.random.default_rng(5).permuted(np.tile(np.arange(52, dtype=np.uint8), (40, 1)), axis=1)
HANDS, FLOPS, BOARDS = (np.ascontiguousarray(CARDS[:, a:b]) for a, b in ((0, 2), (2, 5), (2, 7)))
TURNS, SEVEN = np.ascontiguousarray(CARDS[:, 2:6]), np.ascontiguousarray(CARDS[:, :7])
ROWS = np.array([0, 168, 77, 5])


def equity(hands: Any, boards: Any) -> Any:
    batch = gpuodds.equity_batch(hands, boards, opponents=3)
    return batch.unbeaten, batch.equity


# What takes CuPy arrays: the public functions, and operations of the backend that they rest on.
FUNCTIONS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (gpuodds.rank_hands, (SEVEN,)),
    (gpuodds.rank_hands, (SEVEN.astype(np.int64)[:, ::-1],)),
    (gpuodds.rank_combos, (BOARDS,)),
    (gpuodds.canonical_rows, (HANDS, FLOPS)),
    (lambda rows: gpuodds.canonical_cards(rows, 0), (ROWS,)),
    (lambda *cards: gpuodds.canonical_rows(*cards, perfect_recall=True), (HANDS, BOARDS)),
    (lambda rows: gpuodds.canonical_cards(rows, 5, perfect_recall=True), (ROWS,)),
    (equity, (HANDS, TURNS)),
    (lambda cards, more: _count(cards, FindRepeatedCard(cards, more)), (HANDS, BOARDS)),
    (lambda cards: _count(cards, RankCards(HOLDEM, cards)), (SEVEN,)),
    (lambda boards: _count(boards, RankCombos(HOLDEM, boards)), (BOARDS,)),
    (lambda hands, boards: _count(hands, CanonicalRows(hands, boards)), (HANDS, FLOPS)),
    (lambda rows: _count(rows, CanonicalSituations(rows, 0)), (ROWS,)),
    (lambda hands, boards: _count(hands, UnbeatenDeals(HOLDEM, hands, boards, 3)), (HANDS, TURNS)),
]


def _count(array: Any, operation: Operation[Any]) -> Any:
    backend = choose_backend("cpu" if isinstance(array, np.ndarray) else "cuda")
    return backend.count(operation).counts


@pytest.fixture
def settings(cuda: Any) -> Any:
    if cuda.__version__ != "stand-in":
        pytest.skip("only the stand-in can be configured")
    cuda.cuda.settings.devices = 2
    return cuda.cuda.settings


@pytest.mark.parametrize("place", range(len(FUNCTIONS)))
def test_cupy_arrays_are_worked_on_by_their_own_device(settings, cuda, place: int) -> None:
    function, given = FUNCTIONS[place]
    expected = function(*given)
    with cuda.cuda.Device(1):
        arrays = [cuda.asarray(array) for array in given]
        choose_backend("cuda")  # looks for devices, which allocates
    settings.launches.clear()
    settings.allocations.clear()
    found = function(*arrays)
    assert settings.current == 0
    assert {launch[0] for launch in settings.launches} == {1} and set(settings.allocations) <= {1}
    if not isinstance(found, tuple):
        found, expected = (found,), (expected,)
    for ours, theirs in zip(found, expected, strict=True):
        if isinstance(ours, cuda.ndarray):
            assert ours.device.id == 1 and ours.dtype == theirs.dtype
        with cuda.cuda.Device(1):
            assert np.allclose(cuda.asnumpy(ours), theirs, rtol=1e-14, atol=0)


def test_arrays_of_two_devices_are_refused(settings, cuda) -> None:
    hands = cuda.asarray(HANDS)
    with cuda.cuda.Device(1):
        boards = cuda.asarray(FLOPS)
    with pytest.raises(gpuodds.InputError, match="both on one device, found GPU 0 and GPU 1"):
        gpuodds.equity_batch(hands, boards)


def test_a_bad_row_on_another_device_is_named(settings, cuda) -> None:
    with cuda.cuda.Device(1):
        cards = cuda.asarray(np.array([[1, 2, 3, 4, 5], [6, 7, 8, 9, 60], [1, 1, 2, 3, 4]]))
    with pytest.raises(gpuodds.InputError, match="row 1: expected card numbers from 0 to 51, found 60"):
        gpuodds.rank_hands(cards)
    with pytest.raises(gpuodds.InputError, match="row 1: a hand cannot hold a card twice"):
        gpuodds.rank_hands(cards[::2])


def test_the_equities_of_a_batch_need_little_more_memory_than_themselves(cuda, monkeypatch) -> None:
    if cuda.__version__ != "stand-in":
        pytest.skip("only the stand-in counts memory")
    settings, rows, most = cuda.cuda.settings, 5000, 22
    unbeaten = cuda.zeros((rows, most, most + 1, 2), np.uint64)
    unbeaten[...] = 3
    batch = EquityBatch(unbeaten, [7] * most, "cuda")
    plain = EquityBatch(unbeaten.get(), [7] * most, "cpu").equity
    monkeypatch.setattr("gpuodds.results.batches.equity_batch.EQUITY_PIECE", 100 * most)
    # Their own size, and a tenth.
    settings.total_bytes[0] = settings.used[0] + rows * most * 8 * 11 // 10
    assert np.array_equal(batch.equity.get(), plain) and len(plain) == rows


DRIVER, RUNTIME = "driver_out_of_memory", "runtime_out_of_memory"


@pytest.mark.slow
@pytest.mark.parametrize("error", [DRIVER, RUNTIME])
@pytest.mark.parametrize(
    "where", ["load", "find_graphs", "solve_graphs", "rank_combos", "list_classes"]
)
def test_out_of_memory_at_a_launch_makes_smaller_pieces(settings, cuda, error, where) -> None:
    # The driver has no memory for a module, or for a kernel's local memory, and raises its own errors.
    if where == "load":
        from gpuodds.backends.cuda.shared import device

        device.kernel.cache_clear()
    expected = gpuodds.equity_batch(HANDS, TURNS, opponents=3, backend="cpu").unbeaten
    backend = CudaBackend("cuda:0")
    settings.errors[where] = [getattr(cuda.cuda, error)() for _ in range(2)]
    if where == "rank_combos":
        ranks = RankCombos(HOLDEM, BOARDS)
        assert np.array_equal(backend.count(ranks).counts, ranks.on_cpu())
    else:
        assert np.array_equal(backend.count(UnbeatenDeals(HOLDEM, HANDS, TURNS, 3)).counts, expected)
    assert settings.errors[where] == []


@pytest.mark.parametrize("error", [DRIVER, RUNTIME])
def test_out_of_memory_at_a_launch_names_the_gpu_then_goes_to_the_cpu(
    settings, cuda, error, monkeypatch, caplog
) -> None:
    monkeypatch.delenv("GPUODDS_BACKEND", raising=False)
    caplog.set_level("INFO", "gpuodds")
    monkeypatch.setattr("gpuodds.backends.startup.LAUNCHING_SECONDS", 0.0)
    spot: dict[str, Any] = {"hands": "Ts9s", "opponents": 9, "board": "2s7s9h"}
    choose_backend("cuda")  # finds the GPU, which is then in use

    def fill_up() -> None:
        settings.errors["find_graphs"] = [getattr(cuda.cuda, error)() for _ in range(1000)]

    fill_up()
    with pytest.raises(MemoryError, match=r"GPU \d has too little memory left: .*out of memory"):
        gpuodds.equity(**spot, backend="cuda")
    fill_up()
    result = gpuodds.equity(**spot, backend="auto")
    assert result.backend == "cpu" and "GPU 0 has too little memory left" in caplog.text


def test_out_of_memory_of_numba_names_the_gpu(settings) -> None:
    from numba.cuda import CudaAPIError

    text = "Call to cuLaunchKernel results in CUDA_ERROR_OUT_OF_MEMORY"
    settings.errors["number_situations"] = [CudaAPIError(2, text)]
    with pytest.raises(MemoryError, match=r"GPU 0 has too little memory left: \[2\] Call to cuLaunch"):
        CudaBackend().count(CanonicalRows(HANDS, FLOPS))


def test_other_errors_of_the_driver_are_raised(settings, cuda) -> None:
    settings.errors["rank_combos"] = [cuda.cuda.CUDADriverError("CUDA_ERROR_LAUNCH_FAILED: failed")]
    with pytest.raises(cuda.cuda.CUDADriverError, match="LAUNCH_FAILED"):
        CudaBackend().count(RankCombos(HOLDEM, BOARDS))


def test_the_stand_in_refuses_what_cupy_refuses(settings, cuda) -> None:
    here = cuda.arange(4)
    with cuda.cuda.Device(1):
        there = cuda.arange(4)
    assert (here.device.id, there.device.id) == (0, 1)
    with pytest.raises(TypeError, match="Implicit conversion"):
        np.asarray(here)
    with pytest.raises(TypeError, match="Unsupported type"):
        here + np.arange(4)
    with pytest.raises(TypeError, match="Unsupported type"):
        here[:] = np.arange(4)
    with pytest.raises(ValueError, match="Peer access is unavailable"):
        here + there
    ranks = cuda.zeros(1, np.uint16)
    from gpuodds.backends.cuda.shared import device
    from gpuodds.backends.cuda.shared.layout import HAND_RANK_TABLES

    launch = device.kernel("arrays/rank_combos", "rank_combos")
    tables = HAND_RANK_TABLES.pack(*[ranks] * 5, 5864)
    given = cuda.zeros(1, np.uint8), np.int64(0), ranks, tables, ranks
    launch((1,), (1,), given)
    with cuda.cuda.Device(1), pytest.raises(cuda.cuda.CUDADriverError, match="ILLEGAL_ADDRESS"):
        launch((1,), (1,), given)
    with cuda.cuda.Device(1), pytest.raises(cuda.cuda.CUDADriverError, match="ILLEGAL_ADDRESS"):
        launch((1,), (1,), (cuda.zeros(1, np.uint8), *given[1:4], cuda.zeros(1, np.uint16)))
    with pytest.raises(AssertionError, match="param_1: expected i8"):
        launch((1,), (1,), (given[0], 0, *given[2:]))
    stream = cuda.cuda.Stream()
    with cuda.cuda.Device(1), pytest.raises(RuntimeError, match="does not match with the current"):
        stream.__enter__()
