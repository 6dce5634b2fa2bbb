"""A process that is forked while threads compute answers too, instead of waiting for their locks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import needs
import pytest

import gpuodds

pytestmark = pytest.mark.slow

# A child that hangs is ended by the alarm.
START = """
import multiprocessing, os, signal, sys, threading, time
import gpuodds
from gpuodds.backends.cpu.compile.jit import compiled

def exact(hands, board, **options):
    return gpuodds.equity(hands, board=board, **options).outcomes

BOARDS = ["2s7d9h", "2s7d9hTc", "3c4c5d", "3c4c5dKh"]
QUESTIONS = [
    lambda number: exact(["AsKs", "QhQd"], BOARDS[number % 4]),
    lambda number: exact(["QQ+,AK", ["22+", "JJ+", "A2s+"][number % 3]], BOARDS[number % 4]),
    lambda number: exact(["AsAhKsKh", "QcQdJcJd"], ["2s7d9h", "3s4d9h"][number % 2], game="omaha"),
    lambda number: exact("AsKs", BOARDS[number % 4], opponents=2),
]

def fork(ask, *given):
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        try:
            ask(*given)
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitpid(child, 0)[1]
"""
WHILE_THREADS_COMPUTE = (
    START
    + """
exact(["AsKs", "QhQd"], "2s7d9h")
exact(["QQ+,AK", "22+"], "2s7d9h")  # loads the grammar, which beside busy threads takes long
stop = threading.Event()

def work(question):
    number = 0
    while not stop.is_set():
        question(number)
        number += 1

threads = [threading.Thread(target=work, args=[question]) for question in QUESTIONS]
for thread in threads:
    thread.start()
"""
)
FORKS = (
    WHILE_THREADS_COMPUTE
    + """
found = [fork(QUESTIONS[number % 4], number) for number in range(12)]
stop.set()
print(found)
"""
)
POOL = (
    WHILE_THREADS_COMPUTE
    + """
def ask(number):
    signal.alarm(60)
    return QUESTIONS[number % 4](number)

numbers = list(range(8))
with multiprocessing.get_context("fork").Pool(2) as pool:
    found = pool.map_async(ask, numbers).get(120)
stop.set()
print([number for number in numbers if found[number] != ask(number)])
signal.alarm(0)
"""
)
WHILE_ONE_COMPILES = (
    START
    + """
from numba.core.compiler_lock import global_compiler_lock

def add_one(number):
    return number + 1

exact(["AsKs", "QhQd"], "2s7d9h")
begun = threading.Event()

def work():
    with global_compiler_lock:
        begun.set()
        time.sleep(0.5)

thread = threading.Thread(target=work)
thread.start()
begun.wait()
print(fork(compiled(add_one), 1), not thread.join())
"""
)
WHILE_ONE_IMPORTS = (
    START
    + """
exact(["AsKs", "QhQd"], "2s7d9h")
sys.path.append(os.environ["FOLDER"])
gpuodds.__path__.append(os.environ["FOLDER"])
begun = gpuodds.begun = threading.Event()

def load():
    import gpuodds.slow

thread = threading.Thread(target=load)
thread.start()
begun.wait()
print(fork(load), not thread.join())
"""
)


def printed(program: str, **variables: str) -> str:
    """Return what a program prints on standard output."""
    ended = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


@pytest.mark.weekly
@needs.fork
def test_forks_while_threads_compute() -> None:
    assert printed(FORKS) == str([0] * 12)


@pytest.mark.weekly
@needs.fork
def test_processes_of_multiprocessing_while_threads_compute() -> None:
    assert printed(POOL) == "[]"


@needs.fork
def test_a_fork_waits_for_what_is_being_compiled() -> None:
    assert printed(WHILE_ONE_COMPILES) == "0 True"


@needs.fork
def test_a_fork_waits_for_imports(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("import time, gpuodds\ngpuodds.begun.set()\ntime.sleep(0.5)\n")
    assert printed(WHILE_ONE_IMPORTS, FOLDER=str(tmp_path)) == "0 True"


@pytest.mark.parametrize("name", ["gpuodds.spots.ranges.range", "cupy"])
def test_a_first_question_while_another_thread_imports(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Then the module is there, but what it will define is not.
    monkeypatch.setenv("GPUODDS_BACKEND", "cpu")
    monkeypatch.setitem(sys.modules, name, ModuleType(name))
    assert gpuodds.equity(["AsKs", "QhQd"], board="2s7d9h").exact
    assert gpuodds.rank_hands([[0, 5, 10, 15, 20, 25, 30]]).shape == (1,)
