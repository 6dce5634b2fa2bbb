"""Keep how gpuodds compares with other libraries, commit by commit, and plot it.

Run ``python bench/history.py --add`` after ``bench/run.py``: it adds what bench/results/cpu.json has
that is new as a record to ``bench/history.json``, and draws ``docs/pictures/history.svg``. Without
options it only draws. ``--past`` makes the records anew, from all committed versions of cpu.json. A
record:

    commit: the last commit that changed gpuodds/, kernels/ or cli/ when the figures were taken
    date: of the run
    measured, extrapolated: {row: {library: ratio}}, of the rows of ``PLOTTED``

A ratio is the time of the library over that of gpuodds, both of one run of ``bench/run.py``; libraries
run in one thread. Rows keep their names: a row that comes to measure other work gets another name.
Sampled answers are left out, because their work depends on the error.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

# Behind the installed packages, as in run.py.
sys.path.append(str(Path(__file__).resolve().parent.parent))

from bench.others import LIBRARIES
from bench.report import in_times
from gpuodds.plotting import COLORS, new_picture, save_picture

ROOT = Path(__file__).resolve().parent.parent
RECORDS = ROOT / "bench" / "history.json"
RESULTS = "bench/results/cpu.json"
PICTURE = ROOT / "docs" / "pictures" / "history.svg"
CODE = ("gpuodds", "kernels", "cli")
KINDS = ("measured", "extrapolated")
PLOTTED = {
    "drawn 7-card hands": "ranks of a million seven-card hands",
    "known hands": "AsKs against QhQd, all boards",
    "preflop k=1": "AsKs against a random hand",
    "ranges flop": "QQ+,AK against 22+,A2s+ on a flop",
    "three ranges flop": "QQ+,AK, 22+,A2s+ and random on a flop",
    "batch arrays": "10,000 flops of two hands",
}
"""The rows that are kept and plotted, with their titles."""
MAX_LABELS = 12  # of commits, below a panel

Record = dict[str, Any]


def read_records(path: Path) -> list[Record]:
    """Return the records of a file, the oldest first."""
    records: list[Record] = json.loads(path.read_text("utf-8"))
    return records


def write_records(records: list[Record], path: Path) -> None:
    """Write records into a file, the oldest first."""
    path.write_text(json.dumps(records, indent=1) + "\n", "utf-8")


def ratios(report: dict[str, Any]) -> dict[str, dict[str, dict[str, float]]]:
    """Return the ratios of the plotted rows of a report by kind, row and library, to four digits."""
    by_kind: dict[str, dict[str, dict[str, float]]] = {kind: {} for kind in KINDS}
    for row in report["rows"]:
        for other in row["others"]:
            if row["name"] in PLOTTED and other["how"] in KINDS and other["name"] in LIBRARIES:
                ratios_of_row = by_kind[other["how"]].setdefault(row["name"], {})
                ratios_of_row[other["name"]] = float(f"{other['ratio']:.4g}")
    return by_kind


def new_record(report: dict[str, Any], records: list[Record], commit: str, now: str) -> Record | None:
    """Return what a report has that the records before it have not; None if that is nothing.

    Args:
        report: A report of ``bench/run.py``.
        records: The records before it.
        commit: The code that it measured.
        now: The date of rows that were added to the report of an earlier run.
    """
    last = {kind: {row: r for record in records for row, r in record[kind].items()} for kind in KINDS}
    new = {
        kind: {row: of_row for row, of_row in rows.items() if last[kind].get(row) != of_row}
        for kind, rows in ratios(report).items()
    }
    if not any(new.values()):
        return None
    date = report["machine"]["date"]
    is_known = any(record["date"] == date for record in records)
    return {"commit": commit, "date": now if is_known else date, **new}


def git(root: Path, *arguments: str) -> str:
    """Return what git prints in a checkout."""
    return subprocess.run(
        ["git", *arguments], cwd=root, capture_output=True, text=True, check=True
    ).stdout.strip()


def code_commit(root: Path, commit: str = "HEAD") -> str:
    """Return the last commit up to ``commit`` that changed the code that is measured."""
    return git(root, "log", "-1", "--format=%H", commit, "--", *CODE)


def past_records(root: Path) -> Iterator[Record]:
    """Yield the records of the committed versions of cpu.json, the oldest first."""
    records: list[Record] = []
    for line in git(root, "log", "--reverse", "--format=%H %ct", "--", RESULTS).splitlines():
        commit, seconds = line.split()
        report = json.loads(git(root, "show", f"{commit}:{RESULTS}"))
        date = datetime.fromtimestamp(int(seconds), UTC).isoformat()
        record = new_record(report, records, code_commit(root, commit), date)
        if record is not None:
            records.append(record)
            yield record


def draw(records: list[Record], out: Path) -> None:
    """Plot the ratios of the rows of ``PLOTTED`` into a file, a panel a row."""
    from matplotlib import rc_context

    figure = new_picture(out, 8.5, 9)
    figure.suptitle("Time of other libraries over that of gpuodds, by commit", fontsize=13)
    panels = figure.subplots(3, 2, sharex=True)
    for axes, (row, title) in zip(panels.flat, PLOTTED.items(), strict=True):
        draw_row(axes, records, row)
        axes.set_title(title, fontsize=10, loc="left")
    labelled = range(len(records))[:: -(-len(records) // MAX_LABELS)]
    for axes in panels[-1]:
        labels = [records[place]["commit"][:7] for place in labelled]
        axes.set_xticks(labelled, labels, rotation=45, ha="right", rotation_mode="anchor")
    note = "filled: measured to the end; hollow: extrapolated from the rate at which it ranks hands"
    figure.supxlabel(f"{records[0]['date'][:10]} to {records[-1]['date'][:10]}; {note}", fontsize=9)
    with rc_context({"svg.fonttype": "none"}):
        save_picture(figure, out)


def draw_row(axes: Any, records: list[Record], row: str) -> None:
    """Draw the ratios of a row: a line a library, which ends in its name and its last ratio."""
    from matplotlib.ticker import FuncFormatter, NullLocator

    for name, color in zip(LIBRARIES, COLORS, strict=False):
        points = [
            (place, color if kind == "measured" else "white", record[kind][row][name])
            for place, record in enumerate(records)
            for kind in KINDS
            if name in record[kind].get(row, {})
        ]
        if not points:
            continue  # no run has compared it yet
        places, faces, values = zip(*points, strict=True)
        axes.plot(places, values, color=color)
        axes.scatter(places, values, 22, faces, edgecolors=color, zorder=3)
        label, end = f"{name} {in_times(values[-1])}", (places[-1], values[-1])
        beside = {"xytext": (7, 0), "textcoords": "offset points", "va": "center"}
        axes.annotate(label, end, **beside, color="0.2", fontsize=9)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: in_times(value)))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.tick_params(labelsize=8)
    axes.grid(axis="y", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlim(-0.3, 1.7 * len(records))  # room for the labels of the lines


def main() -> None:
    """Add records, and draw them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--add", action="store_true", help=f"add what is new in {RESULTS}")
    parser.add_argument("--past", action="store_true", help="add all committed versions of it")
    options = parser.parse_args()
    records = list(past_records(ROOT)) if options.past else read_records(RECORDS)
    if options.add:
        if git(ROOT, "status", "--porcelain", "--", *CODE):
            sys.exit(f"commit {', '.join(CODE)} first: a record names the commit that it measured")
        report = json.loads((ROOT / RESULTS).read_text("utf-8"))
        now = datetime.now(UTC).isoformat(timespec="seconds")
        record = new_record(report, records, code_commit(ROOT), now)
        records += [] if record is None else [record]
    write_records(records, RECORDS)
    draw(records, PICTURE)
    print(PICTURE)


if __name__ == "__main__":
    main()
