"""Measure gpuodds on this machine, next to alternative libraries.

Run ``python bench/run.py`` with gpuodds installed, and for the comparisons eval7, phevaluator,
treys and pokerkit (``pip install '.[bench]'``). It prints a table and writes
``bench/results/cpu.json``; with ``--backend cuda`` it measures the first GPU instead and writes
``bench/results/<its name>.json``:

    machine: cpu, cores, threads, os, python, packages {name: version or null}, date; on a GPU also
           devices, driver (the CUDA version that it serves) and state (clocks and the driver's version)
    rows: [name, measures, seconds {median, min, runs}, rate (of hands or rows) or null,
           peak_bytes or null, bar {value, unit, within} or null,
           others [name, how, seconds, rate, note, ratio], notes]
    not_measured: {name: reason}, if there is any, such as that the row failed (exit code 1)

``report.py`` defines the fields. A bar is a target on two cores; a row that misses it is shown, and is
no error.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from rich.console import Console

# Behind the installed packages: gpuodds is measured as it is installed.
sys.path.append(str(Path(__file__).resolve().parent.parent))

import gpuodds
from bench import others
from bench.report import Figures, machine, print_table, row_record, write_json
from bench.rows import (
    SMALL,
    NotMeasuredError,
    Rows,
    abstraction,
    batch,
    equity,
    games,
    histories,
    play,
    process,
    ranges,
    short_stacks,
    solvers,
    tables,
)

RESULTS = Path(__file__).resolve().parent / "results"
ROWS = Rows()
TOPICS = (
    process,
    equity,
    ranges,
    solvers,
    abstraction,
    batch,
    games,
    tables,
    short_stacks,
    histories,
    play,
)
for topic in TOPICS:
    ROWS.update(topic.ROWS)


def main() -> None:
    """Measure the rows that are asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--backend", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--quick", action="store_true", help="skip the rows that take minutes")
    parser.add_argument("--only", action="append", metavar="ROW", help="measure this row")
    parser.add_argument("--out", type=Path, help="default: a file in bench/results/, by the device")
    options = parser.parse_args()
    os.environ["GPUODDS_BACKEND"] = options.backend
    known, about, name = describe(options.backend)
    for wanted in options.only or ():
        if wanted not in known:
            parser.error(f"row {wanted!r}: expected one of {', '.join(known)}")
    rows = [known[name] for name in options.only or known]
    bars = {entry.name: None if SMALL else entry.bar for entry in rows}
    records, left_out, failed = [], {}, []
    with Console(stderr=True).status("") as status:
        for entry in rows:
            if options.quick and entry.slow:
                continue
            status.update(entry.name)
            try:
                figures = entry.measure()
            except NotMeasuredError as error:
                left_out[entry.name] = str(error)
                continue
            except (Exception, SystemExit) as error:  # keep what the other rows take minutes to measure
                failed.append(entry.name)
                left_out[entry.name] = f"failed: {type(error).__name__}: {error}"
                continue
            if SMALL:
                figures = Figures(figures.seconds, notes=["A small part, to try the row: no figure."])
            records.append(row_record(entry.name, entry.measures, bars[entry.name], figures))
    report = {"machine": about, "rows": records}
    if left_out:
        report["not_measured"] = left_out
    print_table(report, bars)
    for row_name, reason in left_out.items():
        print(f"{row_name}: not measured: {reason}")
    write_json(report, options.out or RESULTS / f"{name}.json")
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


def describe(backend: str) -> tuple[Rows, dict[str, Any], str]:
    """Return the rows of a backend, the device it runs on, and that device's name for a file."""
    if backend == "cpu":
        from gpuodds.backends.cpu.compile.threads import thread_count

        return ROWS, machine(thread_count(), others.LIBRARIES), "cpu"
    from bench.gpu import rows

    return rows.ROWS, *rows.describe()


if __name__ == "__main__":
    try:
        main()
    except gpuodds.InputError as error:
        sys.exit(str(error))
