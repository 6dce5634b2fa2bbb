"""Rows of a benchmark run: how they are entered, timed, and how the command is called."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from bench.report import Bar, Figures

SMALL = bool(os.environ.get("BENCH_SMALL"))
"""Whether rows do a small part of their work, to try them: such a time is no figure, has no bar."""


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


def refuse_small() -> None:
    """Leave a row out whose smallest part takes long."""
    if SMALL:
        raise NotMeasuredError("no small size")


def time_runs(work: Callable[[], object], runs: int, warm: bool = True) -> list[float]:
    """Return the seconds of each run, after one that is not measured if ``warm``; one run if small."""
    return time_in_turn([work], runs, warm)[0]


def time_in_turn(
    works: Sequence[Callable[[], object]], runs: int, warm: bool = True
) -> list[list[float]]:
    """Return the seconds of each run of each work; they take turns, so that they share the noise."""
    for work in works if warm and not SMALL else ():
        work()
    seconds: list[list[float]] = [[] for _ in works]
    for _ in range(1 if SMALL else runs):
        for work, taken in zip(works, seconds, strict=True):
            begin = perf_counter()
            work()
            taken.append(perf_counter() - begin)
    return seconds


@contextmanager
def one_thread() -> Iterator[None]:
    """Let gpuodds count in one thread."""
    before = os.environ.get("GPUODDS_THREADS")
    os.environ["GPUODDS_THREADS"] = "1"
    try:
        yield
    finally:
        del os.environ["GPUODDS_THREADS"]
        if before is not None:
            os.environ["GPUODDS_THREADS"] = before


def command(*arguments: str) -> list[str]:
    """Return a call of the installed ``gpuodds`` command."""
    if find_spec("gpuodds.__main__"):
        return [sys.executable, "-P", "-m", "gpuodds", *arguments]
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


# Prints the peak resident memory of a command, in the kB of Linux or the bytes of macOS. A process
# of its own, because a child starts with the peak of the process that it is split from.
PEAK = (
    "import resource, subprocess, sys;"
    "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL);"
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
)


def peak_memory(arguments: list[str], **environment: str) -> int:
    """Return the peak resident memory of a process, in bytes."""
    scale = 1 if sys.platform == "darwin" else 1024
    return scale * int(call([sys.executable, "-c", PEAK, *arguments], **environment))
