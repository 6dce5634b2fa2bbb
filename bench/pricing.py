"""Compare estimated and measured times to count ranges and to sample: ``python bench/pricing.py``.

The planner chooses between counting and sampling by these estimates
(``gpuodds/methods/costs.py`` and ``showdown_costs.py``, where the constants are). Both columns are
seconds of one core, so that a busy machine matters little.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

os.environ["GPUODDS_THREADS"] = "1"

from gpuodds.methods.costs import counting_seconds, sampling_seconds
from gpuodds.methods.listed_hands import count_listed_hands
from gpuodds.methods.options import Options, SamplingOptions
from gpuodds.methods.planner import MONTE_CARLO
from gpuodds.methods.sampling import Sampling
from gpuodds.methods.showdowns import count_showdowns
from gpuodds.spots.spot import Spot

LONGEST = 60.0  # seconds of an estimate that is still tried
HANDS, MADE, BY_HAND = (False, False), (False, True), (True, False)  # by hand, made hands
SPOTS = (
    ("AsKs QhQd", 0, "", HANDS),
    ("AsKs QhQd", 0, "", MADE),
    ("AsKs QhQd", 0, "2s7d9h", MADE),
    ("AsKs QhQd JcTc 9c8c", 0, "", MADE),
    ("AsKs", 1, "", MADE),
    ("AsKs", 1, "2s7d9h", MADE),
    ("AsKs", 2, "2s7d9h", MADE),
    ("AsKs", 3, "2s7d9hTc", MADE),
    ("AsKs", 2, "", BY_HAND),
    ("AsKs 15%", 0, "", MADE),
    ("QQ+,AK 22+,A2s+", 0, "", HANDS),
    ("QQ+,AK 22+,A2s+", 0, "2s7d9h", HANDS),
    ("random random", 0, "", MADE),
    ("random random", 0, "2s7d9h", HANDS),
    ("AKs 22", 1, "", HANDS),
    ("15% 30%", 1, "2s7d9h", HANDS),
    ("15% 30%", 1, "2s7d9h", BY_HAND),
    ("QQ+ AK 15% 30%", 0, "2s7d9h", HANDS),
    ("QQ+ AK 15% 30%", 0, "2s7d9h", MADE),
    ("QQ+ AK 22 33 15%", 0, "2s7d9h", HANDS),
    ("QQ+ AK", 2, "2s7d9h", HANDS),
    ("15% 30% 60%", 1, "2s7d9hTc", HANDS),
    ("15%", 1, "", HANDS),
    ("15%", 3, "2s7d9h", HANDS),
    ("QQ+", 9, "", HANDS),
)
# Sampled: players, random opponents, board.
SAMPLED = (
    ("AsKs", 1, ""),
    ("AsKs", 3, ""),
    ("AsKs", 9, ""),
    ("AsKs", 22, ""),
    ("AsKs", 3, "2s7d9h"),
    ("AsKs", 3, "2s7d9hTcJc"),
    ("AsKs QhQd JcTc", 0, ""),
    ("15%", 3, ""),
    ("15% 30%", 0, ""),
    ("15% 30% 60%", 1, "2s7d9h"),
    ("15% 15% 15% 15% 15% 15%", 0, ""),
    ("QQ+ QQ+ QQ+", 0, ""),
)
LIMITS = SamplingOptions(samples=1_000_000), SamplingOptions(standard_error=0.0005)

METHODS = {"showdowns": count_showdowns, "listed hands": count_listed_hands}


def estimate(spot: Spot, options: Options) -> dict[str, float]:
    """Return the estimates of the methods that are measured here."""
    found = counting_seconds(spot, options)
    return {method: seconds for method, seconds in found.items() if method in METHODS}


def main() -> None:
    """Measure each spot with each method, print a table, write bench/results/pricing.json."""
    for hands, opponents in (("AsKs QQ", 0), ("AsKs QQ JJ", 0), ("AsKs QQ+ JJ AK", 0), ("QQ+", 3)):
        for by_hand, made in (HANDS, MADE, BY_HAND):
            options = Options(table=False, backend="cpu", by_hand=by_hand, made_hands=made)
            spot = Spot.of(hands.split(), opponents=opponents, board="2s7d9hTc")
            for method in estimate(spot, options):
                METHODS[method](spot, options)
    rows: list[dict[str, Any]] = []
    print(f"{'spot':42} {'method':12} {'estimate, s':>12} {'measured, s':>12} {'ratio':>6}")

    def add(name: str, method: str, expected: float, work: Callable[[], object]) -> None:
        begin = process_time()
        work()
        took = process_time() - begin
        print(f"{name:42} {method:12} {expected:12.4f} {took:12.4f} {expected / took:6.2f}")
        sys.stdout.flush()
        rows.append({"spot": name, "method": method, "estimate": expected, "measured": took})

    for hands, opponents, board, (by_hand, made) in SPOTS:
        options = Options(table=False, backend="cpu", by_hand=by_hand, made_hands=made)
        spot = Spot.of(hands.split(), opponents=opponents, board=board)
        more = " made" * made + " by hand" * by_hand
        name = f"{hands} k={opponents} {board}{more}"
        for method, expected in estimate(spot, options).items():
            if expected <= LONGEST:
                add(name, method, expected, partial(METHODS[method], spot, options))
    for hands, opponents, board in SAMPLED:
        spot = Spot.of(hands.split(), opponents=opponents, board=board)
        Sampling.of(spot, backend="cpu").run(samples=10_000)
        for limits in LIMITS:
            goal = "" if limits.samples else " to an error"
            name = f"{hands} k={opponents} {board}{goal}"
            run = Sampling.of(spot, backend="cpu").run
            work = partial(run, samples=limits.samples, standard_error=limits.standard_error)
            add(name, MONTE_CARLO, sampling_seconds(spot, limits), work)
    path = Path(__file__).parent / "results" / "pricing.json"
    path.write_text(json.dumps({"schema": "gpuodds.pricing/1", "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0]).parse_args()
    main()
