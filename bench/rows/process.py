"""Rows of new processes: the command, its first answer, its memory."""

from __future__ import annotations

import sys
from functools import partial
from importlib.util import find_spec
from statistics import median
from tempfile import TemporaryDirectory

from bench.report import Bar, Comparison, Figures
from bench.rows import Rows, call, command, peak_memory, refuse_small, time_in_turn, time_runs

ROWS = Rows()
row = ROWS.row
OFFSUIT = ["AsKh", "QdJc", "Th9s", "8c7d"]  # no two suits alike: no work is saved


@row("cold command", "gpuodds equity 1s 13s --opponents 3, a new process", Bar(2.5, "times"))
def cold_command() -> Figures:
    bare = [sys.executable, "-c", "import typer"]
    asked = command("equity", "1s", "13s", "--opponents", "3")
    seconds, baseline = time_in_turn([lambda: call(asked), lambda: call(bare)], 20)
    compared = [Comparison("python -c 'import typer'", "measured", median(baseline))]
    pydantic = "installed" if find_spec("pydantic") else "not installed"
    return Figures(seconds, others=compared, notes=[f"pydantic, which typer imports, is {pydantic}."])


def compare_with_import(module: str, *arguments: str) -> Figures:
    """Time a command in turn with the import of a module that it, or its like, cannot do without."""
    works = [
        lambda: call(command(*arguments)),
        lambda: call([sys.executable, "-c", f"import {module}"]),
    ]
    seconds, baseline = time_in_turn(works, 20)
    name = f"python -c 'import {module}'"
    return Figures(seconds, others=[Comparison(name, "measured", median(baseline))])


@row("computed command", "gpuodds equity AsKs QhQd --board 2s7d9h, a new process", Bar(1.75, "times"))
def computed_command() -> Figures:
    return compare_with_import("numba", "equity", "AsKs", "QhQd", "--board", "2s7d9h")


@row("help", "gpuodds --help, a new process", Bar(1.8, "times"))
def list_of_commands() -> Figures:
    return compare_with_import("typer", "--help")


def compile_anew(*arguments: str) -> Figures:
    """Time a command that finds no compiled functions."""
    refuse_small()
    with TemporaryDirectory() as folder:
        work = partial(call, command(*arguments), NUMBA_CACHE_DIR=folder)
        return Figures(time_runs(work, 1, warm=False))


@row("first call", "the first computed answer after installing, compiling included", Bar(15, "s"))
def first_call() -> Figures:
    return compile_anew("equity", "1s", "13s", "--opponents", "3", "--no-table")


@row("warm", "gpuodds doctor --warm: all that hold'em asks ordinarily is compiled", Bar(15, "s"))
def warm() -> Figures:
    return compile_anew("doctor", "--warm")


def measure_peak(*arguments: str) -> Figures:
    """Measure the peak resident memory of the command's computed answer."""
    peaks: list[int] = []
    asked = command("equity", *arguments, "--no-table")
    seconds = time_runs(lambda: peaks.append(peak_memory(asked)), 3)
    return Figures(seconds, peak_bytes=max(peaks))


@row("memory k=22", "peak of AsKd v 22 random hands, computed, a new process", Bar(1e9, "bytes"))
def memory_max_opponents() -> Figures:
    return measure_peak("AsKd", "--opponents", "22")


@row("memory 4 known", "peak of four known hands v 15 random, a new process", Bar(1e9, "bytes"))
def memory_known_hands() -> Figures:
    return measure_peak(*OFFSUIT, "--opponents", "15")
