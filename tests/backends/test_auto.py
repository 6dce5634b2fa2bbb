"""``auto`` goes by the estimated work, and says what it assumed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from os import environ
from pathlib import Path
from typing import Any

import needs
import numpy as np
import pytest

import gpuodds
from gpuodds.backends import choice, startup
from gpuodds.backends.choice import choose_backend
from gpuodds.backends.compiling import (
    COMPILING_KERNELS,
    COMPILING_KERNELS_EACH_TIME,
    UNSAFE_KERNELS,
)
from gpuodds.backends.cpu.backend import CpuBackend
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.operation import Operation
from gpuodds.backends.operations.against_random import AgainstRandom
from gpuodds.backends.operations.heads_up_matrix import HeadsUpMatrix
from gpuodds.backends.operations.known_hands import UnbeatenDeals
from gpuodds.backends.operations.ranks import RankCombos
from gpuodds.backends.operations.samples import SampleDeals
from gpuodds.cli.main import run
from gpuodds.five_card import best_draw, five_odds
from gpuodds.methods.boards.flops import flop_equities
from gpuodds.methods.options import Options
from gpuodds.methods.planner import make_plan
from gpuodds.spots.spot import Spot
from gpuodds.table_building.build import build
from gpuodds.table_building.kinds.catalog import find_kind

HOST_CUDA = Path(__file__).parent.parent / "host_cuda"
CARDS = np.random.default_rng(3).permuted(np.tile(np.arange(52, dtype=np.uint8), (30, 1)), axis=1)
HANDS, TURNS, BOARDS = (np.ascontiguousarray(CARDS[:, a:b]) for a, b in ((0, 2), (2, 6), (2, 7)))
LOG = "gpuodds"


@pytest.fixture(autouse=True)
def new_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let no kernel be loaded or compiled yet, and no backend be asked for."""
    if "stand-in" not in sys.modules["cupy"].__version__:
        pytest.skip("a real GPU has used its kernels before")
    monkeypatch.delenv("GPUODDS_BACKEND", raising=False)
    monkeypatch.delenv("CUPY_CACHE_IN_MEMORY", raising=False)
    monkeypatch.setenv("CUPY_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(startup, "_used", set())
    startup._why_untrusted.cache_clear()
    forget_kernels()


def forget_kernels() -> None:
    """Forget what this process has loaded, as a new one has."""
    startup._used.clear()
    kept = device.kernel, device._module, device._say_compiling, device.why_no_device
    for function in kept:
        function.cache_clear()


def test_the_work_decides(cuda: Any) -> None:
    """The first use on a machine, the first in a process, and later ones need ever less work."""
    assert choose_backend("auto", 10).name == "cpu" and choose_backend("auto", 20).name == "cuda"
    forget_kernels()
    assert startup.compiled_kernels() == ["shared/check_cards"]
    assert choose_backend("auto", 1).name == "cpu" and choose_backend("auto", 2).name == "cuda"
    assert choose_backend("auto", 1e-3).name == "cpu" and choose_backend("auto", 0.1).name == "cuda"
    assert choose_backend("auto").name == "cuda"


def test_what_a_gpu_counts_in_time_is_not_sampled(cuda: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUODDS_THREADS", "1")
    spot = Spot.of(["95%", "97%", "99%"])
    assert make_plan(spot, Options(backend="cpu")).is_sampled
    assert make_plan(spot, Options()).is_sampled  # kernels have to be compiled first
    device.kernel("shared/check_cards", "check_cards")
    plan = make_plan(spot, Options())
    assert plan.method.name == "showdowns" and plan.seconds < 10 < plan.cpu_seconds
    forced = make_plan(spot, Options(method="exact", backend="cpu"))
    assert forced.seconds == forced.cpu_seconds == plan.cpu_seconds
    wide = Spot.of(["30%", "31%", "32%", "33%", "34%"])
    (note,) = make_plan(wide, Options("exact", backend="cuda")).notes[:1]
    assert "predicted for a GPU with its start" in note


def test_names_and_the_environment_override(cuda: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert choose_backend("cuda", 1e-6).name == "cuda" and choose_backend("cpu", 1e6).name == "cpu"
    monkeypatch.setenv("GPUODDS_BACKEND", "cuda")
    assert choose_backend("auto", 1e-6).name == "cuda" and choose_backend("cpu", 1e6).name == "cpu"
    monkeypatch.setenv("GPUODDS_BACKEND", "cpu")
    assert choose_backend("auto", 1e6).name == "cpu" and choose_backend("cuda", 1e-6).name == "cuda"


def test_a_small_question_imports_no_cupy() -> None:
    code = (
        "import sys, gpuodds\n"
        "found = gpuodds.equity('AsKs', opponents=3, board='2s7d9h')\n"
        "assert found.backend == 'cpu' and 'cupy' not in sys.modules\n"
        "assert gpuodds.equity(['AsKs', 'QQ+'], board='2s7d9h').backend == 'cpu'\n"
        "gpuodds.equity_batch([[51, 47]], [[1, 22, 30]], opponents=9)\n"
        "gpuodds.equity(['AKs', 'QQ+'], method='monte-carlo', samples=1000)\n"
        "assert 'cupy' not in sys.modules\n"
        "assert gpuodds.equity('AsKs', opponents=1, board='2s7d9h', backend='cuda').backend == 'cuda'\n"
        "assert 'cupy' in sys.modules\n"
    )
    set_up = {"PYTHONPATH": str(HOST_CUDA), "HOST_CUDA_DEVICES": "1", "GPUODDS_BACKEND": "auto"}
    set_up["PYTHONSAFEPATH"] = "1"  # the package as it is installed, not what stands in this folder
    subprocess.run([sys.executable, "-c", code], check=True, env={**environ, **set_up})


def test_a_longer_wait_on_the_cpu_is_explained(cuda: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", LOG)
    choose_backend("auto", 0.5)
    assert not caplog.records
    choose_backend("auto", 4)
    assert caplog.messages == [
        "computing on the CPU: about 4 s, less than a GPU needs to start (about 15 s, a prediction)"
    ]


def test_without_cupy_nothing_is_said(monkeypatch, caplog) -> None:
    monkeypatch.setattr(choice, "_has_cupy", lambda: False)
    caplog.set_level("INFO", LOG)
    assert choose_backend("auto", 4).name == "cpu" and not caplog.records


CALLS: list[tuple[Callable[[], Any], float, float]] = [
    (lambda: gpuodds.equity("AsKs", opponents=9, board="2s7d9h", table=False), 1e-4, 0.1),
    (lambda: gpuodds.equity("AsKs", opponents=2, table=False), 0.003, 0.3),
    (lambda: gpuodds.equity(["QQ+,AK", "22+"], board="2s7d9h"), 1e-4, 1),
    (lambda: gpuodds.equity(["AsKs", "QQ+"], opponents=7, board="2s7d9hTcJc"), 1e-6, 0.1),
    (lambda: gpuodds.equity(["AKs", "QQ+"], method="monte-carlo", samples=1000), 1e-7, 0.01),
    (lambda: gpuodds.Sampling(["AKs", "QQ+"]).run(time_limit=0.01), 0.01, 0.01),
    (lambda: gpuodds.equity_batch(HANDS, TURNS, opponents=3), 1e-4, 0.1),
    (lambda: gpuodds.rank_combos(BOARDS), 1e-5, 0.1),
    (lambda: flop_equities("2s7d9h", table=False), 1e-4, 0.1),
    (lambda: gpuodds.heads_up_matrix("2s7d9hTc"), 1e-4, 0.1),
    (lambda: five_odds("KsKh7d4c2c"), 0, 0),
    (lambda: best_draw("4h9d4c7dQs", max_discards=1), 0, 0),
]


@pytest.mark.parametrize("place", range(len(CALLS)))
def test_every_question_has_an_estimate(place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    function, least, most = CALLS[place]
    found: list[float] = []

    def is_worth_no_gpu(seconds: float) -> bool:
        found.append(seconds)
        return True

    monkeypatch.setattr(choice, "_is_worth_no_gpu", is_worth_no_gpu)
    function()
    assert found and all(least <= seconds <= most for seconds in found)


def test_large_work_goes_to_the_gpu(cuda: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    # Work that a GPU is worth, were it 100,000 times faster to start.
    for name in ("COMPILING_SECONDS", "STARTING_SECONDS", "LAUNCHING_SECONDS"):
        monkeypatch.setattr(startup, name, getattr(startup, name) / 1e5)
    batch = gpuodds.equity_batch(HANDS, TURNS, opponents=3)
    assert batch.backend == "cuda"
    assert np.array_equal(
        batch.unbeaten, gpuodds.equity_batch(HANDS, TURNS, opponents=3, backend="cpu").unbeaten
    )
    assert gpuodds.equity("AsKs", opponents=2, board="2s7d9h").backend == "cuda"
    sampled = {"method": "monte-carlo", "seed": 1, "samples": 2000}
    ours = gpuodds.equity(["AKs", "QQ+"], **sampled)  # type: ignore[arg-type]
    other = gpuodds.equity(["AKs", "QQ+"], **sampled, backend="cpu")  # type: ignore[arg-type]
    assert ours.backend == "cuda" and ours.players == other.players


def test_a_build_goes_by_all_of_its_shards(monkeypatch, tmp_path, all_pairs) -> None:
    found: list[float] = []
    kind = find_kind("preflop-heads-up")

    def choose(_: str, seconds: float) -> CpuBackend:
        found.append(seconds)
        return CpuBackend()

    monkeypatch.setattr(HeadsUpMatrix, "on_cpu", lambda *_: all_pairs)
    monkeypatch.setattr(choice, "choose_backend", choose)
    assert build(kind, tmp_path / "pairs", 0)
    assert found == [kind.seconds(0)]


OUT_OF_MEMORY: list[tuple[type[Operation[Any]], Callable[[], Any]]] = [
    (UnbeatenDeals, lambda: gpuodds.equity_batch(HANDS, TURNS, opponents=3).unbeaten),
    (RankCombos, lambda: gpuodds.rank_combos(BOARDS)),
    (AgainstRandom, lambda: flop_equities("2s7d9h", table=False).equity),
    (HeadsUpMatrix, lambda: gpuodds.heads_up_matrix("2s7d9hTc")),
    (
        SampleDeals,
        lambda: [
            player.equity
            for player in gpuodds.Sampling(["AKs", "QQ+"], seed=3).run(samples=3000).players
        ],
    ),
]


@pytest.mark.parametrize(("operation", "function"), OUT_OF_MEMORY)
def test_auto_goes_to_the_cpu_if_memory_runs_out(
    cuda: Any, operation: type[Operation[Any]], function: Any, monkeypatch: Any, caplog: Any
) -> None:
    monkeypatch.setattr(choice, "startup_seconds", lambda: 0.0)
    monkeypatch.setattr(startup, "LAUNCHING_SECONDS", 0.0)
    caplog.set_level("INFO", LOG)

    def fail(*_: object) -> None:
        raise MemoryError("GPU 0 has too little memory left: as arranged")

    monkeypatch.setattr(operation, "on_cuda", fail)
    found = function()
    assert "computing on the CPU: GPU 0 has too little memory left" in caplog.text
    monkeypatch.setenv("GPUODDS_BACKEND", "cpu")
    assert np.array_equal(found, function())
    monkeypatch.setenv("GPUODDS_BACKEND", "cuda")
    with pytest.raises(MemoryError, match="as arranged"):
        function()


def test_compilation_is_said_once_per_machine(cuda: Any, monkeypatch: Any, caplog: Any) -> None:
    caplog.set_level("INFO", LOG)
    device.kernel("arrays/rank_hands", "rank_hands")
    device.kernel("arrays/rank_combos", "rank_combos")
    assert caplog.messages == [COMPILING_KERNELS]
    forget_kernels()
    device.kernel("arrays/rank_hands", "rank_hands")
    assert len(caplog.messages) == 1 and startup.compiled_kernels() == [
        "arrays/rank_combos",
        "arrays/rank_hands",
    ]
    monkeypatch.setattr(device, "OPTIONS", (*device.OPTIONS, "-lineinfo"))  # another version
    forget_kernels()
    device.kernel("arrays/rank_hands", "rank_hands")
    assert caplog.messages == [COMPILING_KERNELS] * 2


def test_kernels_that_are_not_kept_are_compiled_each_time(monkeypatch, caplog, tmp_path) -> None:
    monkeypatch.setenv("CUPY_CACHE_IN_MEMORY", "1")
    caplog.set_level("INFO", LOG)
    device.kernel("arrays/rank_hands", "rank_hands")
    assert caplog.messages == [COMPILING_KERNELS_EACH_TIME] and not list(tmp_path.iterdir())


@needs.posix
def test_kernels_are_not_kept_where_others_can_write(cuda: Any, monkeypatch, caplog, tmp_path) -> None:
    device.kernel("arrays/rank_hands", "rank_hands")
    tmp_path.chmod(0o777)
    startup._why_untrusted.cache_clear()
    forget_kernels()
    marks = list(tmp_path.iterdir())
    assert marks and startup.compiled_kernels() == []
    monkeypatch.setenv("CUPY_CACHE_IN_MEMORY", "")  # is set below, and unset by this
    caplog.set_level("INFO", LOG)
    caplog.clear()
    device.kernel("arrays/rank_combos", "rank_combos")
    why = f"{tmp_path} is writable for everyone"
    assert caplog.messages == [UNSAFE_KERNELS % why, COMPILING_KERNELS_EACH_TIME]
    assert environ["CUPY_CACHE_IN_MEMORY"] == "1" and list(tmp_path.iterdir()) == marks


def test_doctor_shows_what_is_kept_and_where(cuda: Any, tmp_path: Path, capsys: Any) -> None:
    device.kernel("arrays/rank_combos", "rank_combos")
    assert run(["doctor", "--json"]) == 0
    assert (
        f'"{tmp_path} (2 compiled: arrays/rank_combos, shared/check_cards)"' in capsys.readouterr().out
    )


def test_answers_of_a_gpu_name_it(cuda: Any) -> None:
    assert gpuodds.equity_batch(HANDS, TURNS, backend="cuda").backend == "cuda"
    assert flop_equities("2s7d9h", table=False, backend="cuda").backend == "cuda"
