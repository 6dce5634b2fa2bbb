"""Compare estimated and measured times of methods: ``python bench/pricing.py [GAME]``.

The planner chooses between methods by these estimates. Costs stand next to what has them: those of an
operation in its file in ``gpuodds/backends/operations/``, what several share in
``gpuodds/backends/costs.py``, the rest with the method. Both columns are seconds of one core, so that a
busy machine matters little.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import process_time

os.environ["GPUODDS_THREADS"] = "1"

from gpuodds.basics.choices import GameName
from gpuodds.errors import ImpossibleDeal
from gpuodds.methods.families import methods_of
from gpuodds.methods.method import ALONE, HERE, MONTE_CARLO, Method
from gpuodds.methods.options import Options, SamplingOptions
from gpuodds.methods.sampling.costs import sampling_seconds
from gpuodds.methods.sampling.engine import Sampling
from gpuodds.spots.normal_form import NormalForm, unchanged
from gpuodds.spots.spot import Spot

LONGEST, WARMING = 60.0, 1.0  # seconds of an estimate that is still tried, that is tried twice
HANDS, MADE, BY_HAND = (False, False), (False, True), (True, False)  # by hand, made hands
SPOTS = (
    ("AsKs QhQd", 0, "", HANDS),
    ("AsKs", 1, "2s7d9h", HANDS),
    ("AsKs", 3, "", HANDS),
    ("AsKs", 9, "2s7d9h", HANDS),
    ("AsKs QhQd", 2, "2s7d9h", HANDS),
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
    ("15% 30%", 0, "2s7d9h", HANDS),
    ("30% random", 0, "2s7d9h", HANDS),
    ("30% 60%", 0, "2s7d9hTc", HANDS),
    ("30%,QQ:0.5 60%", 0, "2s7d9h", HANDS),
    ("AKs 22", 1, "", HANDS),
    ("15% 30%", 1, "2s7d9h", HANDS),
    ("15% 30%", 1, "2s7d9h", BY_HAND),
    ("QQ+ AK 15% 30%", 0, "2s7d9h", HANDS),
    ("QQ+ AK 15% 30%", 0, "2s7d9h", MADE),
    ("QQ+ AK 22 33 15%", 0, "2s7d9h", HANDS),
    ("QQ+ AK", 2, "2s7d9h", HANDS),
    ("15% 30% 60%", 1, "2s7d9hTc", HANDS),
    ("15% 16% 17% 18%", 0, "2s7d9h", HANDS),
    ("30% 31% 32% 33%", 0, "2s7d9h", HANDS),
    ("90% 92% 94% 96%", 0, "2s7d9hTc", HANDS),
    ("30% 31%:0.5 32% 33%", 0, "2s7d9h", HANDS),
    ("13% 14% 15% 16% 17%", 0, "2s7d9hTc", HANDS),
    ("13% 14% 15% 16% 17%:0.5", 0, "2s7d9hTc", HANDS),
    ("28% 29% 30% 31% 32%", 0, "2s7d9hTc", HANDS),
    ("90% 92% 94% 96% 98%", 0, "2s7d9hTcJc", HANDS),
    ("90% 92% 94% 96% 98%", 0, "2s7d9hTcJc", MADE),
    ("5% 6% 7% 8% 9% 10%", 0, "2s7d9hTcJc", HANDS),
    ("12% 13% 14% 15% 16% 17%", 0, "2s7d9hTcJc", HANDS),
    ("12% 13% 14% 15% 16% 17%:0.5", 0, "2s7d9hTcJc", HANDS),
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

# Of the games of Omaha.
OMAHA_SPOTS = (
    ("AsAhKsKh QcQdJcJd", 0, "", HANDS),
    ("AsAhKsKh QcQdJcJd", 0, "2s7d9h", HANDS),
    ("AsAhKsKh", 1, "", HANDS),
    ("AsAhKsKh", 1, "2s7d9h", HANDS),
    ("AA KK", 0, "2s7d9h", HANDS),
    ("AA KK", 0, "2s7d9h", MADE),
    ("AA:0.5,AKQJ KK", 0, "2s7d9h", BY_HAND),
    ("AA *", 0, "2s7d9hTc", HANDS),
    ("AA KK QQJJ", 0, "2s7d9hTc", HANDS),
    ("AAKK QQJJ TT99", 0, "2s7d9h", HANDS),
    ("AAKK", 1, "2s7d9hTc", HANDS),
)


def able(form: NormalForm, options: Options) -> list[Method]:
    """Return the methods that can answer, tables left out."""
    return [method for method in methods_of(form.spot.game) if not method.why_not(form, options)]


def main(game: GameName) -> None:
    """Measure each spot with each method, print a table."""
    spots = SPOTS if game == "holdem" else OMAHA_SPOTS
    print(f"{'spot':42} {'method':15} {'estimate, s':>12} {'measured, s':>12} {'ratio':>6}")

    def add(name: str, method: str, expected: float, work: Callable[[], object]) -> None:
        begin = process_time()
        work()
        took = process_time() - begin
        print(f"{name:42} {method:15} {expected:12.4f} {took:12.4f} {expected / took:6.2f}")
        sys.stdout.flush()

    for is_warm in (False, True):  # the first time compiles
        for hands, opponents, board, (by_hand, made) in spots:
            options = Options(table=False, backend="cpu", by_hand=by_hand, made_hands=made)
            spot = Spot.of(hands.split(), opponents=opponents, board=board, game=game)
            more = " made" * made + " by hand" * by_hand
            name = f"{hands} k={opponents} {board}{more}"
            for method in able(unchanged(spot), options):
                # Each with a spot of its own: what is computed once is a part of the cost.
                form = unchanged(Spot.of(hands.split(), opponents=opponents, board=board, game=game))
                expected = method.seconds(form, options, HERE)
                work = partial(method.count, form, options, ALONE)
                if is_warm and expected <= LONGEST:
                    add(name, method.name, expected, work)
                elif expected <= WARMING:
                    with suppress(ImpossibleDeal):
                        work()
    for hands, opponents, board in SAMPLED if game == "holdem" else ():
        spot = Spot.of(hands.split(), opponents=opponents, board=board)
        Sampling.of(spot, backend="cpu").run(samples=10_000)
        for limits in LIMITS:
            goal = "" if limits.samples else " to an error"
            name = f"{hands} k={opponents} {board}{goal}"
            run = Sampling.of(spot, backend="cpu").run
            draw = partial(run, samples=limits.samples, standard_error=limits.standard_error)
            add(name, MONTE_CARLO, sampling_seconds(spot, limits, 1), draw)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", nargs="?", default="holdem")
    main(parser.parse_args().game)
