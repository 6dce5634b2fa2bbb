"""Measure gpuodds in turns with a program that does the same work with a library of another language.

``python bench/peers.py OMPEval 4aec210 ./program`` runs the program, which is no part of gpuodds. It
prints an object of JSON a line for each row of ``run.py`` whose work it does, with its seconds or its
rate, hands or rows a second:

    {"row": "call 2 hands", "seconds": 1e-4}
    {"row": "drawn 7-card hands", "rate": 3e8}

After it these rows are measured here, and so on in turns. The figures of the library are entered in
``bench/results/peers.json``, in place of those it has there:

    {library: {version, machine as in run.py, with the date,
               rows: [{name, measures, unit "seconds" or "rate", ours, theirs, ratio}]}}

Figures are medians of the rounds. With a ratio of 2 gpuodds takes half the time. The ratio is
the median of those of the rounds, because a shared machine is faster in some minutes than in others.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

sys.path.append(str(Path(__file__).resolve().parent.parent))

from bench.report import Figures, in_digits, in_rate, in_time, machine, write_json
from bench.run import RESULTS, ROWS

ROUNDS = 5
KINDS = ("seconds", "rate")

Taken = dict[str, tuple[str, float]]
"""Figures by row: ``seconds`` or ``rate``, and how many."""


def read_figures(printed: str) -> Taken:
    """Return the figures that a program printed.

    >>> read_figures('{"row": "call 2 hands", "seconds": 1e-4}')
    {'call 2 hands': ('seconds', 0.0001)}
    """
    figures: Taken = {}
    for line in printed.splitlines():
        read = json.loads(line)
        kinds = [kind for kind in KINDS if kind in read]
        if read.get("row") not in ROWS or len(kinds) != 1:
            raise ValueError(f"{line}: expected a row of run.py, and its seconds or its rate")
        figures[read["row"]] = kinds[0], float(read[kinds[0]])
    return figures


def own_figure(row: Figures, kind: str) -> float:
    """Return what a row took here, in seconds, or its rate.

    Raises:
        ValueError: The row has no rate.
    """
    if kind == "seconds":
        return median(row.seconds)
    if row.rate is None:
        raise ValueError("a rate was printed for a row of run.py that has none")
    return row.rate


def compare(rounds: list[tuple[Taken, Taken]]) -> list[dict[str, Any]]:
    """Return the rows from the figures of each round, those of the library and those of gpuodds.

    >>> theirs, ours = {"call 2 hands": ("seconds", 3e-4)}, {"call 2 hands": ("seconds", 1e-4)}
    >>> row = compare([(theirs, ours)])[0]
    >>> row["name"], row["ours"], row["theirs"], round(row["ratio"], 6)
    ('call 2 hands', 0.0001, 0.0003, 3.0)
    """
    rows = []
    for name, (kind, _) in rounds[0][0].items():
        pairs = [(theirs[name][1], ours[name][1]) for theirs, ours in rounds]
        ratios = [own / other if kind == "rate" else other / own for other, own in pairs]
        rows.append(
            {
                "name": name,
                "measures": ROWS[name].measures,
                "unit": kind,
                "ours": median(own for _, own in pairs),
                "theirs": median(other for other, _ in pairs),
                "ratio": median(ratios),
            }
        )
    return rows


def measure(program: list[str], rounds: int) -> list[dict[str, Any]]:
    """Run the program and the rows that it names in turns."""
    taken = []
    for _ in range(rounds):
        done = subprocess.run(program, stdout=subprocess.PIPE, text=True)
        if done.returncode:
            raise ValueError(f"{program[0]}: exit code {done.returncode}")
        theirs = read_figures(done.stdout)
        ours = {
            name: (kind, own_figure(ROWS[name].measure(), kind)) for name, (kind, _) in theirs.items()
        }
        taken.append((theirs, ours))
    return compare(taken)


def main() -> None:
    """Measure beside one library."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("library", help="its name")
    parser.add_argument("version", help="its version, or the commit")
    parser.add_argument("program", nargs="+", help="the command that prints its figures")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--out", type=Path, default=RESULTS / "peers.json")
    options = parser.parse_args()
    from gpuodds.backends.cpu.compile.threads import thread_count

    rows = measure(options.program, options.rounds)
    about = machine(thread_count(), ())
    report = json.loads(options.out.read_text("utf-8")) if options.out.exists() else {}
    report[options.library] = {"version": options.version, "machine": about, "rows": rows}
    write_json(report, options.out)
    for row in rows:
        write = in_time if row["unit"] == "seconds" else in_rate
        figures = f"{write(row['ours'])}, {options.library} {write(row['theirs'])}"
        print(f"{row['name']}: {figures}, {in_digits(row['ratio'])} times")


if __name__ == "__main__":
    try:
        main()
    except ValueError as error:
        sys.exit(f"peers.py: {error}")
