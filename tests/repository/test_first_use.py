"""Compiling ahead: what was asked once is not compiled again, and a function has one version a type."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import gpuodds.first_use
from gpuodds.first_use import OMAHA, compile_ordinary
from gpuodds.games.game import OMAHA_FAMILY

pytestmark = pytest.mark.slow

FUNCTIONS = """
import sys
from numba.core import event
from gpuodds.backends.cpu.compile.jit import compiled

@compiled
def inner(number):
    return number + 1

@compiled
def outer(number):
    return inner(number) + inner(1) + inner(2)

@compiled
def other(number):
    return inner(number) - 1

class Names(event.Listener):
    found = []
    def on_start(self, event):
        self.found.append(event.data["dispatcher"].py_func.__name__)
    def on_end(self, event):
        pass

event.register("numba:compile", Names())
print(*({"inner": inner, "outer": outer, "other": other}[name](3) for name in sys.argv[1:]))
print(*sorted(Names.found))
"""
ASK = """
import gpuodds
from gpuodds.backends.report import functions_compiled
options = {"backend": "cpu", "table": False}
flop = "3c8dKh"
gpuodds.equity("7c6c", **options)
gpuodds.equity("7c6c", opponents=4, board=flop, **options)
gpuodds.equity(["7c6c", "AdAh"], opponents=1, board=flop, **options)
gpuodds.equity(["TT+", "AK"], **options)
gpuodds.equity(["20%", "AJ+", "TT"], board=flop, **options)
gpuodds.equity(["20%", "AJ+", "random"], method="monte-carlo", samples=1000, **options)
gpuodds.equity_batch([[51, 47]], [[1, 22, 30]], opponents=2, backend="cpu")
gpuodds.equity("7s6s", opponents=2, board="8dKhTd", game="short-deck", **options)
print(functions_compiled())
"""
ASK_OMAHA = """
import gpuodds
from gpuodds.backends.report import functions_compiled
for game in ("omaha", "omaha-hi-lo"):
    options = {"backend": "cpu", "table": False, "game": game}
    gpuodds.equity(["7c6c5d4d", "AdAhKsKd"], made_hands=True, **options)
    gpuodds.equity("7c6c5d4d", board="3c8dKh", **options)
    for ranges in (["AA**", "TTJJ,QQJJ"], ["AA**", "TTJJ@70,QQJJ"]):
        gpuodds.equity(ranges, board="3c8dKh", by_hand=True, made_hands=True, **options)
    gpuodds.equity(["AAKK", "TT99", "random"], board="3c8dKh2s4s", **options)
    gpuodds.equity(["AA**", "KK**"], opponents=2, method="monte-carlo", samples=1000, **options)
    gpuodds.equity("7c6c5d4d", opponents=5, method="monte-carlo", samples=1000, **options)
gpuodds.equity("7c6c5d4d2s", board="3c8dKhTs", game="omaha5", backend="cpu")
print(functions_compiled())
"""


def python(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache")}
    command = [sys.executable, *words]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done


def test_a_function_has_one_version_for_python_and_one_for_compiled_code(tmp_path: Path) -> None:
    script = tmp_path / "functions.py"
    script.write_text(FUNCTIONS)
    first = python(tmp_path, str(script), "outer").stdout
    assert first == "9\ninner outer\n"  # one inner, whatever its constants
    assert python(tmp_path, str(script), "inner", "outer").stdout == "4 9\ninner\n"
    assert python(tmp_path, str(script), "outer", "inner").stdout == "9 4\n\n"  # both are kept
    assert python(tmp_path, str(script), "other", "inner").stdout == "3 4\nother\n"  # both inner ones


def test_processes_share_the_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    # Only one: the processes import the module anew, and ask its own entries by number.
    monkeypatch.setattr(gpuodds.first_use, "ORDINARY", {OMAHA_FAMILY: OMAHA[-1:]})
    shares: list[float] = []
    compile_ordinary(OMAHA_FAMILY, 1, shares.append)
    assert shares == [1.0]


def test_after_warming_ordinary_questions_compile_nothing(tmp_path: Path) -> None:
    said = python(tmp_path, "-m", "gpuodds", "doctor", "--warm").stdout
    assert said.startswith("ready for ordinary questions of Texas hold'em: ")
    assert "functions compiled" in said
    assert python(tmp_path, "-c", ASK).stdout.split() == ["0"]
    assert "nothing to compile" in python(tmp_path, "-m", "gpuodds", "doctor", "--warm").stdout


@pytest.mark.weekly
def test_omaha_is_compiled_ahead(tmp_path: Path) -> None:
    words = "-m", "gpuodds", "doctor", "--warm", "--game"
    said = python(tmp_path, *words, "omaha").stdout
    assert said.startswith("ready for ordinary questions of Omaha:") and "functions compiled" in said
    assert python(tmp_path, "-c", ASK_OMAHA).stdout.split() == ["0"]
    assert "nothing to compile" in python(tmp_path, *words, "omaha5-hi-lo").stdout
