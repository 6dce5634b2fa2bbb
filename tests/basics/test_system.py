"""What operating systems do differently, simulated: cores, processes, Ctrl-C, quoting."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from gpuodds import first_use
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.games.game import HOLDEM_FAMILY
from gpuodds.machine import processes, system
from gpuodds.server.settings import Settings
from gpuodds.tables.files.manifest import build_command
from gpuodds.tables.layouts.catalog import find_layout


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")


@pytest.mark.parametrize(("cores", "expected"), [(6, 6), (None, 1)])
def test_cores_without_affinity(
    monkeypatch: pytest.MonkeyPatch, cores: int | None, expected: int
) -> None:
    """macOS and Windows have no os.sched_getaffinity; some containers tell no number at all."""
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    monkeypatch.delenv("GPUODDS_THREADS", raising=False)
    assert system.core_count() == thread_count() == expected
    assert (Settings().workers, Settings().threads) == ((4, 1) if cores else (2, 1))


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ((256, -1), (800, -1)),  # macOS
        ((256, 512), (512, 512)),
        ((1024, 4096), None),  # Linux
        ((-1, -1), None),
        ((512, 512), None),
    ],
)
def test_open_files(
    monkeypatch: pytest.MonkeyPatch, limits: tuple[int, int], expected: tuple[int, int] | None
) -> None:
    class Resource:
        RLIMIT_NOFILE, RLIM_INFINITY = 7, -1
        raised: tuple[int, int] | None = None

        @staticmethod
        def getrlimit(which: int) -> tuple[int, int]:
            return limits

        @classmethod
        def setrlimit(cls, which: int, raised: tuple[int, int]) -> None:
            cls.raised = raised
            raise ValueError("not allowed to raise maximum limit")

    monkeypatch.setitem(sys.modules, "resource", Resource)
    monkeypatch.setattr(sys, "platform", "darwin")
    system.allow_open_files(800)
    assert Resource.raised == expected
    Resource.raised = None
    monkeypatch.setattr(sys, "platform", "win32")
    system.allow_open_files(800)
    assert Resource.raised is None


class Refused(Exception):
    """A pool was asked for."""


class WindowsPool:
    """A pool of processes that refuses more than Windows can wait for, and starts none."""

    def __init__(self, processes: int, *arguments: Any) -> None:
        assert processes <= 61
        raise Refused(processes)


@pytest.mark.parametrize(("given", "expected"), [(8, 8), (100, 61)])
def test_many_processes_on_windows(
    monkeypatch: pytest.MonkeyPatch, windows: None, given: int, expected: int
) -> None:
    monkeypatch.setattr(first_use, "ProcessPoolExecutor", WindowsPool)
    monkeypatch.setattr(processes, "ProcessPoolExecutor", WindowsPool)
    with pytest.raises(Refused, match=f"^{expected}$"):
        first_use.compile_ordinary(HOLDEM_FAMILY, given)
    with pytest.raises(Refused, match=f"^{expected}$"):
        execution = processes.Execution(workers=given)
        processes.share_out(len, [()] * 200, lambda number, found: False, execution)


def test_many_processes_elsewhere() -> None:
    assert system.pool_size(100) == (61 if sys.platform == "win32" else 100)


@pytest.mark.parametrize("has_break", [False, True])
def test_other_processes_ignore_interrupts(monkeypatch: pytest.MonkeyPatch, has_break: bool) -> None:
    """Windows has Ctrl-Break as a second signal, which would end them."""
    monkeypatch.delattr(signal, "SIGBREAK", raising=False)
    if has_break:
        monkeypatch.setattr(signal, "SIGBREAK", 21, raising=False)
    handlers: dict[int, Any] = {}
    monkeypatch.setattr(signal, "signal", handlers.__setitem__)
    system.ignore_interrupts()
    assert handlers == dict.fromkeys([2, 21] if has_break else [2], signal.SIG_IGN)


def test_processes_start_where_no_signal_can_be_blocked(
    monkeypatch: pytest.MonkeyPatch, windows: None
) -> None:
    monkeypatch.delattr(signal, "pthread_sigmask", raising=False)
    with system.interrupts_blocked():
        pass


def run_in_pool(future: Future[Any]) -> None:
    with thread_pool(2, lambda done: None) as run:
        run(lambda begin, end: future.result(), 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "wait", [system.result_of, lambda future: system.first_done([future]), run_in_pool]
)
def test_ctrl_c_ends_a_wait(wait: Callable[[Future[Any]], Any]) -> None:
    """A signal that another thread raises wakes no wait of the main thread, as on Windows."""
    release = threading.Event()
    heard: list[bool] = []

    def press(number: int, frame: Any) -> None:
        heard.append(release.is_set())
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, press)
    try:
        with ThreadPoolExecutor(1) as pool:
            future = pool.submit(release.wait, 60)
            threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
            threading.Timer(3, release.set).start()  # the thread of a pool cannot be interrupted
            with pytest.raises(KeyboardInterrupt):
                wait(future)
            release.set()
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [False]


def test_the_result_of_a_future() -> None:
    def fail(error: Exception) -> None:
        raise error

    release = threading.Event()
    with ThreadPoolExecutor(2) as pool:
        slow = pool.submit(release.wait, 20)
        assert system.first_done([slow, pool.submit(bool, 4)])[1] == {slow}
        assert system.result_of(pool.submit(int, "42")) == 42
        for error in (TimeoutError("its own"), ValueError("no")):
            with pytest.raises(type(error), match=str(error)):
                system.result_of(pool.submit(fail, error))
        threading.Timer(0.3, release.set).start()  # after several waits
        assert system.result_of(slow) is True
    nothing: list[Future[int]] = []
    assert system.first_done(nothing) == (set(), set())


@pytest.mark.parametrize(
    ("word", "windows_too", "elsewhere"),
    [
        ("flops", "flops", "flops"),
        (r"C:\tables\flops", r"C:\tables\flops", r"'C:\tables\flops'"),
        ("my tables", '"my tables"', "'my tables'"),
    ],
)
def test_a_command_can_be_typed(
    monkeypatch: pytest.MonkeyPatch, word: str, windows_too: str, elsewhere: str
) -> None:
    """cmd knows no single quotes."""
    layout = find_layout("flop-random")
    for platform, expected in (("win32", windows_too), ("darwin", elsewhere), ("linux", elsewhere)):
        monkeypatch.setattr(sys, "platform", platform)
        command = build_command(layout, layout.default_opponents, word)
        monkeypatch.undo()
        assert command == f"gpuodds table build flop-random --out {expected}"


def run_script(folder: Path, *lines: str) -> subprocess.CompletedProcess[str]:
    begin = ["import signal, threading, time", "from gpuodds.cli import interrupt"]
    press = "press = lambda: threading.Timer(0.2, signal.raise_signal, [signal.SIGINT]).start()"
    code = "\n".join(
        [*begin, press, "interrupt.GRACE = 0.3", "interrupt.end_soon_on_interrupt()", *lines]
    )
    return subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=60
    )


def test_ctrl_c_ends_a_command_whose_main_thread_is_deaf(tmp_path: Path) -> None:
    """The main thread is in compiled code, or on Windows in a wait: it calls no handler."""
    done = run_script(
        tmp_path, "press()", "lock = threading.Lock()", "lock.acquire()", "lock.acquire()"
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "gpuodds: interrupted\n")


@pytest.mark.slow
@pytest.mark.parametrize("way", ["stop_on_interrupt", "wait_on_interrupt"])
def test_a_command_that_keeps_what_is_done_gets_the_time(tmp_path: Path, way: str) -> None:
    done = run_script(
        tmp_path,
        "try:",
        f"    with interrupt.{way}():",
        "        press()",
        "        for _ in range(20): time.sleep(0.05)",
        "except KeyboardInterrupt:",
        "    pass",
        "for _ in range(20): time.sleep(0.05)",
        "print('kept')",
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "kept\n", "")


SUBINTERPRETER = """
from importlib import import_module
import sys
name = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
interpreters = import_module(name)
ASK = '''
import gpuodds
try:
    gpuodds.equity(["AsKs", "QhQd"], board="2s7d9h")
except gpuodds.InputError as error:
    print(error, flush=True)
'''
made = interpreters.create(*(["legacy"] if sys.version_info >= (3, 13) else []))
interpreters.run_string(made, ASK)
print("alive")
"""


def test_computing_in_a_subinterpreter_is_refused() -> None:
    # NumPy loads there once at most, and numba would wait for ever.
    words = [sys.executable, "-c", SUBINTERPRETER]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=100)
    lines = ended.stdout.splitlines()
    assert (ended.returncode, len(lines), lines[1:]) == (0, 2, ["alive"]), ended.stderr
    assert lines[0].startswith("computing in a subinterpreter: expected the main interpreter")
