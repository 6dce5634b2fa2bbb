"""Solve hands of three players with 13,500 chips: ``python bench/three_handed.py``.

S. Ganzfried and T. Sandholm (2008) approximated such a tournament, with blinds of 300 and 600 and the
independent chip model to begin with. Writes ``bench/results/three_handed.json``, for docs/push-fold.md:
charts in percent of hands, what each player gains by the hand, and what best responses would gain.
Needs the tables of three hands: minutes the first time.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

# Behind the installed packages, as in run.py.
sys.path.append(str(Path(__file__).resolve().parent.parent))

import gpuodds
from bench.report import machine, write_json
from gpuodds.backends.cpu.compile.threads import thread_count
from gpuodds.short_stacks.tables import build_tables

OUT = Path(__file__).resolve().parent / "results" / "three_handed.json"
BLINDS, PRIZES = (300, 600), (50, 30, 20)
STACKS = (
    (4500, 4500, 4500),
    (6300, 4500, 2700),
    (2700, 4500, 6300),
    (4500, 2700, 6300),
    (9000, 3000, 1500),
    (3000, 9000, 1500),
    (1500, 3000, 9000),
    (6000, 6000, 1500),
    (1500, 6000, 6000),
)


def solve(stacks: tuple[int, ...]) -> dict[str, Any]:
    """Return the record of a spot."""
    begin = perf_counter()
    result = gpuodds.push_fold(stacks, blinds=BLINDS, payouts=PRIZES)
    return {
        "stacks": list(stacks),
        "percent": {place: result.percent(place) for place in result.places},
        "values": list(result.values),
        "gain": float(result.certificate.gain),
        "exact": result.exact,
        "seconds": perf_counter() - begin,
    }


def main() -> None:
    """Solve all of them, and write the file."""
    argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0]).parse_args()
    build_tables()
    solve(STACKS[0])  # loads the tables
    rows = [solve(stacks) for stacks in STACKS]
    about = machine(thread_count(), ())
    write_json({"machine": about, "blinds": list(BLINDS), "prizes": list(PRIZES), "rows": rows}, OUT)


if __name__ == "__main__":
    main()
