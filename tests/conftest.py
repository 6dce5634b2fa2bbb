"""Shared by all tests: golden integers with their source."""

from __future__ import annotations

import gc
import json
import os
import re
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import hypothesis
import needs
import pytest

GOLDEN = Path(__file__).parent / "golden"
HOST_CUDA = Path(__file__).parent / "host_cuda"


INTERPRETER_OPTIONS: dict[str, tuple[Callable[[str], Any], str]] = {
    "architecture": (
        str,
        "what kernels are compiled for: sm_75, sm_90 (the default), sm_120 and so on",
    ),
    "checks": (
        int,
        "a sum of 1: uninitialized reads, 2: races, 4: writes to read-only memory; default: 0",
    ),
    "schedule": (int, "a seed for the order of blocks, warps and lanes; default: in turn"),
    "processors": (int, "multiprocessors of a device; default: 2"),
}

# A busy machine is no fault: examples have no deadline.
hypothesis.settings.register_profile("gpuodds", deadline=None)
# Of .ci/mutants: the same examples in each run; the first failure is enough.
hypothesis.settings.register_profile(
    "mutants",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=30,
    phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
)
hypothesis.settings.load_profile("gpuodds")


os.environ["XDG_CONFIG_HOME"] = os.path.join(tempfile.gettempdir(), "gpuodds-tests-settings")
os.environ.pop("GPUODDS_RANGES", None)  # a developer's own ranges would be names here

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Of a job in the background of a shell: the commands under test would ignore Ctrl-C as well.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    """Without ``-m gpu``, put the stand-in for CuPy before a real one: one process has one of them.

    With it the stand-in is used if it has devices, as in a rehearsal of ``.ci/gpu``.
    """
    gc.set_threshold(10_000, 20, 20)  # by default the garbage collector took 6 % of the time
    for name in INTERPRETER_OPTIONS:  # for the processes that tests start, too
        value = config.getoption(f"ptx_{name}")
        if value is not None:
            os.environ[f"HOST_CUDA_{name.upper()}"] = str(value)
    if not names_gpus(config) or "HOST_CUDA_DEVICES" in os.environ:
        sys.path.insert(0, str(HOST_CUDA))
        import cupy  # noqa: F401 (puts itself and its numba.cuda in place before anyone asks)


def names_gpus(config: pytest.Config) -> bool:
    """Return whether ``-m`` asks for tests that need a GPU: ``-m slow`` alone has none of them."""
    return re.search(r"(?<!not )\bgpu\b", config.getoption("markexpr")) is not None


def pytest_sessionstart(session: pytest.Session) -> None:
    """With ``-n``, compile once what most tests need: processes would compile it side by side."""
    if getattr(session.config.option, "numprocesses", None):  # of the process that starts the others
        from gpuodds.first_use import ORDINARY, compile_ordinary

        with ThreadPoolExecutor() as pool:
            if needs.interpreter and "ptx" in sys.modules:
                from ptx.compiler import interpreter

                pool.submit(interpreter)
            for family in ORDINARY:
                compile_ordinary(family, session.config.option.numprocesses)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add options: of the interpreter of kernels, and for checkers that take very long."""
    parser.addoption("--each-kernel-once", action="store_true", help="one launch of each test")
    parser.addoption(
        "--on-cuda", action="store_true", help="ask every question of GPUs, or of the stand-in for them"
    )
    group = parser.getgroup("interpreted kernels (tests/host_cuda)")
    for name, (kind, text) in INTERPRETER_OPTIONS.items():
        group.addoption(f"--ptx-{name}", type=kind, help=text)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what needs a GPU, unless ``-m`` names it.

    With ``--each-kernel-once``, keep of each test of a kernel the first of its parameters.
    """
    if not names_gpus(config):
        keep_only(config, items, [item for item in items if not item.get_closest_marker("gpu")])
    if not config.getoption("--each-kernel-once"):
        return
    kernels = re.compile(r"test_(" + "|".join(kernel_names()) + r")(_|\[|$)")
    kept: dict[str, pytest.Item] = {}
    for item in items:
        if item.get_closest_marker("gpu") and kernels.match(item.name):
            kept.setdefault(item.nodeid.partition("[")[0], item)
    keep_only(config, items, list(kept.values()))


def keep_only(config: pytest.Config, items: list[pytest.Item], kept: list[pytest.Item]) -> None:
    """Deselect all items but some."""
    names = {item.nodeid for item in kept}
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in names])
    items[:] = kept


def kernel_names() -> list[str]:
    """Return the names of all kernels."""
    sources = Path(str(files("gpuodds.kernels"))).rglob("*.cu")
    pattern = re.compile(r"__global__ void (?:__launch_bounds__\(.*?\)\s+)?(\w+)\(")
    return [name for path in sources for name in pattern.findall(path.read_text("utf-8"))]


@contextmanager
def one_device() -> Iterator[None]:
    """Have the stand-in for CuPy show one device, and then as many as before."""
    import cupy

    from gpuodds.backends.cuda.shared.device import why_no_device

    stand_in = getattr(cupy.cuda, "settings", None)
    why_no_device.cache_clear()
    if stand_in is None:
        yield
        return
    before = stand_in.devices
    stand_in.reset(devices=1)
    yield
    stand_in.reset(devices=before)
    why_no_device.cache_clear()


@pytest.fixture(params=["host", pytest.param("gpu", marks=pytest.mark.gpu)])
def cuda(request: pytest.FixtureRequest) -> Iterator[Any]:
    """CuPy: its stand-in on the CPU, or with ``-m gpu`` the real one."""
    if request.param == "host" and not needs.interpreter:
        pytest.skip("no g++ on this machine, no NVRTC, or it is not Linux")
    import cupy

    if not hasattr(cupy.cuda, "settings") and request.config.getoption("--each-kernel-once"):
        cupy.cuda.set_allocator(None)  # a checker sees the ends of arrays, not of a pool's blocks
    with one_device():
        yield cupy


@pytest.fixture(autouse=True)
def asked_of_cuda(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """With ``--on-cuda``, have a GPU answer what names no backend."""
    if not request.config.getoption("--on-cuda"):
        yield
        return
    monkeypatch.setenv("GPUODDS_BACKEND", "cuda")
    with one_device():
        yield


@pytest.fixture(autouse=True, scope="session")
def no_kernels_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let the stand-in for CuPy keep its marks of compiled kernels apart from a real one's."""
    import cupy

    with pytest.MonkeyPatch.context() as patch:
        if cupy.__version__ == "stand-in":
            patch.setenv("CUPY_CACHE_DIR", str(tmp_path_factory.mktemp("kernels")))
        yield


@pytest.fixture(scope="session")
def golden_equity() -> Any:
    """Reference integers of hold'em equity; the file says where each comes from."""
    return json.loads((GOLDEN / "equity.json").read_text("utf-8"))


@pytest.fixture(autouse=True, scope="session")
def no_tables_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let tests find no tables but those that they build."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("GPUODDS_TABLES", raising=False)
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


# What takes many seconds to count is counted once, for all processes of a run.

CountOnce = Callable[[str, Callable[[Path], None]], Path]


@pytest.fixture(scope="session")
def count_once(
    tmp_path_factory: pytest.TempPathFactory,
) -> CountOnce:
    """Return the path of a name, made by a function the first time that a process asks for it."""
    from filelock import FileLock  # which a machine for the tests of GPUs alone need not have

    base = tmp_path_factory.getbasetemp()
    folder = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def count(name: str, make: Callable[[Path], None]) -> Path:
        path, unfinished = folder / name, folder / f"unfinished-{name}"
        with FileLock(folder / f"{name}.lock"):
            if not path.exists():
                make(unfinished)
                unfinished.rename(path)
        return path

    return count


@pytest.fixture(scope="session")
def all_pairs() -> Any:
    """Wins and ties of every combo against every other on all boards, from the shipped table.

    ``tests/tables/kinds/test_preflop_heads_up.py`` counts them, in its weekly tests.
    """
    from gpuodds.tables.shipped.preflop_heads_up import matrices

    return matrices()


@pytest.fixture(scope="session")
def built_pairs(count_once: CountOnce, all_pairs: Any) -> Path:
    """A folder with ``preflop-heads-up``, built from the counts of the shipped one."""
    from gpuodds.backends.operations.heads_up_matrix import HeadsUpMatrix
    from gpuodds.table_building.build import build
    from gpuodds.table_building.kinds.catalog import find_kind

    def count(path: Path) -> None:
        assert build(find_kind("preflop-heads-up"), path, 0, backend="cpu")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HeadsUpMatrix, "on_cpu", lambda operation, progress: all_pairs)
        return count_once("pairs", count)


@pytest.fixture(scope="session")
def built_random(count_once: CountOnce) -> Path:
    """A folder with ``preflop-random`` against one and two opponents, built by the command."""
    from gpuodds.cli.main import run

    def count(path: Path) -> None:
        arguments = ["preflop-random", "--opponents", "1-2", "--out", str(path)]
        assert run(["table", "build", *arguments, "--backend", "cpu"]) == 0

    return count_once("random", count)


@pytest.fixture(scope="session")
def three_way_aces(count_once: CountOnce) -> Any:
    """The rows of AA in ``preflop-three-way``, an Arrow table."""
    from pyarrow import parquet

    from gpuodds.backends.cpu.backend import CpuBackend
    from gpuodds.games.holdem.starting_hands import starting_hands
    from gpuodds.table_building.kinds.preflop_three_way import PreflopThreeWay

    def count(path: Path) -> None:
        kind = PreflopThreeWay()
        rows = kind.layout.shards(0)[starting_hands().index("AA")]
        parquet.write_table(kind.compute(rows, 0, CpuBackend()), path)

    return parquet.read_table(count_once("aces.parquet", count))
