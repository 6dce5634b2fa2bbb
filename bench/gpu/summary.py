"""What ``.ci/gpu`` needs of Python: the rows of a run, their results in one file, a page about them."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

# Behind the installed packages, as in run.py.
sys.path.append(str(Path(__file__).resolve().parents[2]))

from bench.report import Bar, count_missed, in_rate, in_time, share_of_bar

STAND_IN = "stand-in"  # the device of a rehearsal
BENCH, STEPS, PAGE = "bench.json", "steps.tsv", "summary.md"


def list_rows(quick: bool) -> list[str]:
    """Return the names of the rows, with ``quick`` only the short ones."""
    from bench.gpu import rows

    return [row.name for row in rows.ROWS.values() if not (quick and row.slow)]


def merge(folder: Path, out: Path) -> None:
    """Write the reports of rows, which a folder has in order, as one report."""
    parts = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))]
    if not parts:
        return
    report = parts[0] | {"rows": [row for part in parts for row in part["rows"]]}
    left_out: dict[str, str] = {}
    for part in parts:
        left_out |= part.get("not_measured", {})
    report["not_measured"] = left_out
    write(report, out / BENCH)


def write(report: dict[str, Any], path: Path) -> None:
    """Write a report at once, so that a run that is cut leaves the one before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_text(json.dumps(report, indent=2) + "\n", "utf-8")
    unfinished.replace(path)


def file_name(report: dict[str, Any]) -> str | None:
    """Return the name of a device's file in bench/results/, None for the stand-in.

    >>> file_name({"machine": {"devices": ["NVIDIA H200, 139.8 GiB (139.1 free)"]}})
    'nvidia-h200.json'
    """
    device = report["machine"]["devices"][0].partition(",")[0]
    words = "".join(c if c.isascii() and c.isalnum() else " " for c in device.lower()).split()
    return None if device == STAND_IN else f"{'-'.join(words)}.json"


def page(report: dict[str, Any] | None, steps: list[list[str]]) -> str:
    """Return the page of a run: its device, its steps, the bars missed and met, what was not measured.

    Args:
        report: The report of its rows; None if there is none.
        steps: Name, exit code or reason, and seconds of each step.
    """
    lines = ["# GPU run", ""]
    if report is not None:
        lines += _machine(report["machine"])
    lines += ["| step | result | time |", "| --- | --- | --- |"]
    for name, code, seconds in steps:
        result = {"0": "passed", "124": "out of time", "137": "out of time"}.get(code, code)
        result = f"exit code {result}" if result.isdecimal() else result
        lines.append(f"| {name} | {result} | {seconds} s |")
    if report is None:
        return "\n".join([*lines, "", "No row was measured.", ""])
    lines += ["", *_bars(report["rows"])]
    for name, reason in report.get("not_measured", {}).items():
        lines.append(f"- {name}: not measured: {reason}")
    return "\n".join([*lines, ""])


def _machine(about: dict[str, Any]) -> list[str]:
    lines = [f"- {device}" for device in about["devices"]]
    state = ", ".join(f"{name} {value}" for name, value in about.get("state", {}).items())
    packages = ", ".join(f"{name} {version}" for name, version in about["packages"].items() if version)
    lines += [f"- CUDA of the driver {about['driver']}" + (f"; {state}" if state else "")]
    lines += [f"- Python {about['python']}, {packages}", f"- {about['cpu']}, {about['os']}"]
    if about["devices"][0].startswith(STAND_IN):
        lines += [
            "",
            "A rehearsal without a GPU, with a small part of each row: no time here is a figure.",
        ]
    return [*lines, ""]


def _bars(rows: list[dict[str, Any]]) -> list[str]:
    # The largest miss first; what has no bar last.
    measured = sorted(((share_of_bar(row), row) for row in rows), key=lambda pair: -pair[0])
    lines = [count_missed(rows), ""]
    lines += ["| row | median | rate | bar | of the bar |", "| --- | --- | --- | --- | --- |"]
    for share, row in measured:
        bar = row["bar"]
        verdict = "" if bar is None else f"{share:.2f}" if bar["within"] else f"{share:.2f} missed"
        lines.append(
            f"| {row['name']} | {in_time(row['seconds']['median'])} "
            f"| {in_rate(row['rate']) if row['rate'] else ''} "
            f"| {Bar(bar['value'], bar['unit']) if bar else ''} "
            f"| {verdict} |"
        )
    return [*lines, ""]


def summarize(out: Path, keep: Path | None) -> None:
    """Print and write the page of a run; keep its report if it is of a device."""
    bench, noted = out / BENCH, out / STEPS
    report = json.loads(bench.read_text("utf-8")) if bench.exists() else None
    steps = noted.read_text("utf-8").splitlines() if noted.exists() else []
    text = page(report, [line.split("\t") for line in steps])
    (out / PAGE).write_text(text, "utf-8")
    print(text)
    name = None if report is None else file_name(report)
    if keep is not None and report is not None and name is not None:
        write(report, keep / name)
        print(f"{keep / name} is written.")


def main() -> None:
    """Do what ``.ci/gpu`` asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    tasks = parser.add_subparsers(dest="task", required=True)
    rows = tasks.add_parser("rows", help="list the rows")
    rows.add_argument("--quick", action="store_true")
    merging = tasks.add_parser("merge", help="join the reports of rows")
    merging.add_argument("folder", type=Path)
    merging.add_argument("out", type=Path)
    summary = tasks.add_parser("summary", help="write the page of a run")
    summary.add_argument("out", type=Path)
    summary.add_argument("--keep", type=Path, help="keep the report here, by the device's name")
    options = parser.parse_args()
    if options.task == "rows":
        print("\n".join(list_rows(options.quick)))
    elif options.task == "merge":
        merge(options.folder, options.out)
    else:
        summarize(options.out, options.keep)


if __name__ == "__main__":
    main()
