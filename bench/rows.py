"""Rows of a benchmark run: how they are entered, timed, and how the command is called."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from bench.report import Bar, Figures


class NotMeasuredError(Exception):
    """A row has nothing to measure here; the message says why."""


@dataclass(frozen=True)
class Row:
    """A row of the table: its name, its subject, its bar, and the function that measures it."""

    name: str
    measures: str
    bar: Bar | None
    slow: bool
    measure: Callable[[], Figures]


class Rows(dict[str, Row]):
    """The rows of a run by name, in order."""

    def row(
        self, name: str, measures: str, bar: Bar | None = None, slow: bool = False
    ) -> Callable[[Callable[[], Figures]], Callable[[], Figures]]:
        """Enter a function as the row that it measures."""

        def enter(measure: Callable[[], Figures]) -> Callable[[], Figures]:
            self[name] = Row(name, measures, bar, slow, measure)
            return measure

        return enter


def time_runs(work: Callable[[], object], runs: int, warm: bool = True) -> list[float]:
    """Return the seconds of each run, after one that is not measured if ``warm``."""
    if warm:
        work()
    seconds = []
    for _ in range(runs):
        begin = perf_counter()
        work()
        seconds.append(perf_counter() - begin)
    return seconds


def command(*arguments: str) -> list[str]:
    """Return a call of the installed ``gpuodds`` command."""
    if find_spec("gpuodds.__main__"):
        return [sys.executable, "-m", "gpuodds", *arguments]
    script = Path(sys.executable).with_name("gpuodds")
    return [str(script) if script.exists() else shutil.which("gpuodds") or "gpuodds", *arguments]


def call(arguments: list[str], **environment: str) -> str:
    """Run a process away from the checkout, so that the installed package runs; return its stdout."""
    with TemporaryDirectory() as folder:
        done = subprocess.run(
            arguments, cwd=folder, env=os.environ | environment, capture_output=True, text=True
        )
    if done.returncode:
        sys.exit(f"{' '.join(arguments)}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout
