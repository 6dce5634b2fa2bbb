"""The report of a benchmark run: its figures, their machine, the table and the JSON file."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from gpuodds.machine.files import open_output

PACKAGES = ("gpuodds", "numpy", "numba", "llvmlite", "typer", "rich")
DURATIONS = ((365.25 * 86400, "years"), (86400.0, "days"), (3600.0, "h"), (60.0, "min"), (1.0, "s"))


@dataclass(frozen=True)
class Bar:
    """The target of a row.

    At most ``value`` ``s`` or ``bytes``; at most ``value`` ``times`` as long as the row's first
    comparison; or at least ``value`` ``hands/s`` or ``rows/s``.
    """

    value: float
    unit: str

    def __str__(self) -> str:
        if self.unit.endswith("/s"):
            return f">= {in_rate(self.value)}"
        if self.unit == "times":
            return f"< {in_digits(self.value)} times"
        return f"< {in_bytes(self.value) if self.unit == 'bytes' else in_time(self.value)}"


@dataclass(frozen=True)
class Comparison:
    """The same work by another library or method.

    ``how`` is ``measured``, ``sampled`` (measured, but the answer is an estimate), ``extrapolated``
    (from a measured part, see ``note``) or ``missing`` (not installed). All libraries run in one
    thread, gpuodds in ``machine.threads``.
    """

    name: str
    how: str
    seconds: float | None = None
    rate: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Figures:
    """What a row measured: seconds of each run, hands a second, peak bytes, and comparisons."""

    seconds: list[float]
    rate: float | None = None
    peak_bytes: int | None = None
    others: list[Comparison] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def row_record(name: str, measures: str, bar: Bar | None, figures: Figures) -> dict[str, Any]:
    """Return a row as it stands in the JSON file.

    ``ratio`` is the time of another library over that of gpuodds, by the medians or the rates;
    for a sampled answer, with the samples that its ``note`` says.
    """
    middle = median(figures.seconds)
    others = []
    for other in figures.others:
        ratio = None
        if figures.rate is not None and other.rate is not None:
            ratio = figures.rate / other.rate
        elif other.seconds is not None:
            ratio = other.seconds / middle
        others.append(vars(other) | {"ratio": ratio})
    record = {
        "name": name,
        "measures": measures,
        "seconds": {"median": middle, "min": min(figures.seconds), "runs": len(figures.seconds)},
        "rate": figures.rate,
        "peak_bytes": figures.peak_bytes,
        "bar": None if bar is None else vars(bar),
        "others": others,
        "notes": figures.notes,
    }
    if bar is not None:
        record["bar"] = vars(bar) | {"within": share_of_bar(record) <= 1}
    return record


def share_of_bar(row: dict[str, Any]) -> float:
    """Return what a row of the JSON file takes as a multiple of what its bar allows; 0 without one."""
    bar = row["bar"]
    if bar is None:
        return 0.0
    if bar["unit"].endswith("/s"):
        return float(bar["value"] / row["rate"])
    if bar["unit"] == "times":
        return float(1 / row["others"][0]["ratio"] / bar["value"])
    taken = row["peak_bytes"] if bar["unit"] == "bytes" else row["seconds"]["median"]
    return float(taken / bar["value"])


def count_missed(rows: list[dict[str, Any]]) -> str:
    """Say how many rows of a run have a bar, and how many of them do not meet it.

    >>> count_missed([{"bar": None}, {"bar": {"within": True}}, {"bar": {"within": False}}])
    '3 rows measured; of 2 with a bar, 1 does not meet it.'
    """
    met = [row["bar"]["within"] for row in rows if row["bar"] is not None]
    missed = met.count(False)
    if not missed:
        return f"{len(rows)} rows measured; all {len(met)} with a bar meet it."
    verb = "does" if missed == 1 else "do"
    return f"{len(rows)} rows measured; of {len(met)} with a bar, {missed} {verb} not meet it."


def machine(threads: int, libraries: tuple[str, ...]) -> dict[str, Any]:
    """Describe the machine and the software of this run."""
    versions: dict[str, str | None] = {}
    for package in (*PACKAGES, *libraries):
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            versions[package] = None
    return {
        "cpu": _cpu_model(),
        "cores": os.cpu_count(),
        "threads": threads,
        "os": platform.platform(),
        "python": platform.python_version(),
        "packages": versions,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def in_words(machine: dict[str, Any]) -> str:
    """Write a machine in words: its processor, cores, system and Python."""
    system, _, _ = machine["os"].partition("-")
    return f"{machine['cpu']}, {machine['cores']} cores, {system}, Python {machine['python']}"


def _cpu_model() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def write_json(report: dict[str, Any], out: Path) -> None:
    """Write a run: ``{"machine": ..., "rows": [...]}``."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with open_output(out) as file:
        file.write((json.dumps(report, indent=2) + "\n").encode())


def print_table(report: dict[str, Any], bars: dict[str, Bar | None]) -> None:
    """Print a run as a table, a row's comparisons below it."""
    about = report["machine"]
    table = Table(
        title=f"{about['cpu']}, {about['threads']} threads, Python {about['python']}",
        title_justify="left",
    )
    for title in ("row", "median", "min", "bar"):
        table.add_column(title, justify="left" if title == "row" else "right", no_wrap=True)
    table.add_column("what was measured; the same by other means, and how many times as long")
    for row in report["rows"]:
        bar = bars[row["name"]]
        seconds = row["seconds"]
        runs = "1 run" if seconds["runs"] == 1 else f"{seconds['runs']} runs"
        text = Text(f"{row['measures']} ({runs})")
        if row["rate"] is not None:
            text.append(f": {in_rate(row['rate'])}")
        if row["peak_bytes"] is not None:
            text.append(f": {in_bytes(row['peak_bytes'])}")
        for other in row["others"]:
            text.append(f"\n{_other_line(other)}", "dim")
        for note in row["notes"]:
            text.append(f"\n{note}", "dim")
        verdict = Text("")
        if bar is not None:
            met = row["bar"]["within"]
            verdict = Text(f"{bar} {'met' if met else 'missed'}", "green" if met else "red")
            verdict.append(f"\n{share_of_bar(row):.2f} of it")
        table.add_row(
            row["name"],
            in_time(seconds["median"]),
            in_time(seconds["min"]),
            verdict,
            text,
            end_section=True,
        )
    console = Console()
    if not console.is_terminal:
        console = Console(width=150)
    console.print(table)
    print(count_missed(report["rows"]))


def in_markdown(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    r"""Return the lines of a table in Markdown.

    >>> in_markdown(["hand", "equity"], [["AA**", "1 %"]])
    ['| hand | equity |', '| --- | --- |', '| AA\\*\\* | 1 % |']
    """
    lines = [titles, ["---"] * len(titles), *rows]
    return [f"| {' | '.join(cell.replace('*', chr(92) + '*') for cell in line)} |" for line in lines]


def _other_line(other: dict[str, Any]) -> str:
    line = f"  {other['name']}: {other['how']}"
    if other["rate"] is not None:
        line += f" {in_rate(other['rate'])}"
    elif other["seconds"] is not None:
        line += f" {in_time(other['seconds'])}"
    if other["ratio"] is not None:
        line += f", x {in_digits(other['ratio'])}"
    return line + (f"; {other['note']}" if other["note"] else "")


def in_time(seconds: float) -> str:
    """Write a duration in the unit that suits it."""
    if seconds < 1:
        return f"{1000 * seconds:.3g} ms"
    size, unit = next((size, unit) for size, unit in DURATIONS if seconds >= size)
    return f"{in_digits(seconds / size)} {unit}"


def in_rate(rate: float) -> str:
    """Write hands or rows a second."""
    if rate < 1000:
        return f"{in_digits(rate)}/s"
    size, unit = (1e6, "million/s") if rate >= 1e6 else (1e3, "thousand/s")
    return f"{in_digits(rate / size)} {unit}"


def in_bytes(count: float) -> str:
    """Write a memory size in MB, of a million bytes."""
    return f"{count / 1e6:,.0f} MB"


def in_digits(number: float) -> str:
    """Write a number with three significant digits."""
    rounded = f"{number:.3g}"
    return f"{float(rounded):,.0f}" if 100 <= number < 1e6 else rounded


def in_times(ratio: float) -> str:
    """Write a ratio with three significant digits, in words from a million on.

    >>> [in_times(ratio) for ratio in (0.0878, 23.04, 6924, 19_283_000, 5.2e9)]
    ['0.0878', '23', '6,920', '19.3 million', '5.2 billion']
    """
    for size, unit in ((1e9, " billion"), (1e6, " million"), (1, "")):
        if ratio >= size:
            return f"{in_digits(ratio / size)}{unit}"
    return in_digits(ratio)
