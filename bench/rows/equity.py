"""Rows of hands: against random hands, against each other, sampled; ranks of hands."""

from __future__ import annotations

from statistics import median

import gpuodds
from bench import others
from bench.report import Bar, Figures
from bench.rows import SMALL, Rows, time_runs

ROWS = Rows()
row = ROWS.row
HANDS = 133_784_560  # seven cards of 52
DRAWN = 1000 if SMALL else 1_000_000
FLOP = "2c7d9h"


@row("k=1..9", "AsKs v each of 1 to 9 random hands at once, computed, warm", Bar(0.15, "s"))
def all_opponents() -> Figures:
    def work() -> list[gpuodds.EquityResult]:
        return gpuodds.equities_by_opponents("AsKs", opponents=9)

    seconds = time_runs(work, 10)
    outcomes = work()[-1].outcomes
    compared = others.pokerkit_sampling("AsKs", 9) + others.enumerate_outcomes(outcomes, 9)
    return Figures(
        seconds, others=compared, notes=["Compared: k = 9 alone.", *others.by_outcome(outcomes)]
    )


@row("flop k=9", f"AsKs on {FLOP} v 9 random hands, warm", Bar(0.02, "s"))
def flop() -> Figures:
    def work() -> gpuodds.EquityResult:
        return gpuodds.equity("AsKs", opponents=9, board=FLOP)

    seconds = time_runs(work, 50)
    outcomes = work().outcomes
    compared = others.pokerkit_sampling("AsKs", 9, board=FLOP) + others.enumerate_outcomes(outcomes, 9)
    return Figures(seconds, others=compared, notes=others.by_outcome(outcomes))


@row("preflop k=1", "AsKs v a random hand, computed, warm", Bar(0.004, "s"))
def one_opponent() -> Figures:
    def work() -> gpuodds.EquityResult:
        return gpuodds.equity("AsKs", opponents=1, table=False)

    seconds = time_runs(work, 50)
    outcomes = work().outcomes
    compared = others.eval7_range("AsKs", "random") + others.pokerkit_sampling("AsKs", 1)
    compared += others.enumerate_outcomes(outcomes, 1)
    return Figures(seconds, others=compared, notes=others.by_outcome(outcomes))


@row("preflop k=2", "AsKs v two random hands, computed, warm", Bar(0.03, "s"))
def two_opponents() -> Figures:
    def work() -> gpuodds.EquityResult:
        return gpuodds.equity("AsKs", opponents=2, table=False)

    seconds = time_runs(work, 20)
    outcomes = work().outcomes
    compared = others.pokerkit_sampling("AsKs", 2) + others.enumerate_outcomes(outcomes, 2)
    return Figures(seconds, others=compared, notes=others.by_outcome(outcomes))


@row("known hands", "AsKs v QhQd before the flop, all 1,712,304 boards, warm", Bar(0.00024, "s"))
def known_hands() -> Figures:
    def work() -> gpuodds.EquityResult:
        return gpuodds.equity(["AsKs", "QhQd"], table=False)

    seconds = time_runs(work, 20)
    compared = others.known_hands("AsKs", "QhQd", work().players[0].equity)
    compared += others.eval7_range("AsKs", "QhQd")
    return Figures(seconds, others=compared + others.pokerkit_sampling("AsKs", 1, villain="QhQd"))


@row("made hands", "AsKs v a random hand, with the categories of the final hands", Bar(1.0, "s"))
def made_hands() -> Figures:
    def work() -> gpuodds.EquityResult:
        return gpuodds.equity("AsKs", opponents=1, made_hands=True)

    seconds = time_runs(work, 10)
    outcomes = work().outcomes
    # Both hands are ranked: the categories are of both.
    compared = others.enumerate_outcomes(outcomes, 2)
    return Figures(seconds, others=compared, notes=others.by_outcome(outcomes, "both hands"))


@row("monte carlo", "AsKs v three random hands, deals drawn", Bar(60e6, "hands/s"))
def monte_carlo() -> Figures:
    deals = 10_000 if SMALL else 10_000_000

    def work() -> gpuodds.EquityResult:
        return gpuodds.equity("AsKs", opponents=3, method="monte-carlo", samples=deals)

    seconds = time_runs(work, 5)
    compared = others.pokerkit_sampling("AsKs", 3)
    return Figures(
        seconds, rate=deals / median(seconds), others=compared, notes=["A hand is a deal here."]
    )


@row(
    "monte carlo error",
    f"AsKs v three random hands, to a standard error of {others.FINE}",
    Bar(0.25, "s"),
)
def monte_carlo_to_an_error() -> Figures:
    error = 0.01 if SMALL else others.FINE
    results: list[gpuodds.EquityResult] = []

    def work() -> None:
        asked = gpuodds.equity("AsKs", opponents=3, method="monte-carlo", standard_error=error)
        results.append(asked)

    seconds = time_runs(work, 5)
    notes = [f"{results[-1].outcomes:,} deals in the last run."]
    return Figures(seconds, others=others.draw_deals("AsKs", 3), notes=notes)


@row("all 7-card hands", f"the ranks of all {HANDS:,} hands, one thread", Bar(400e6, "hands/s"))
def all_hands() -> Figures:
    from gpuodds.backends.cpu.arrays.ranks import count_all_seven

    seconds = time_runs(count_all_seven, 5)
    return Figures(seconds, rate=HANDS / median(seconds), others=others.ranking_rates())


@row("drawn 7-card hands", f"rank_hands of {DRAWN:,} drawn hands, one thread")
def drawn_hands() -> Figures:
    hands = others.draw_hands(DRAWN)
    seconds = time_runs(lambda: gpuodds.rank_hands(hands), 10)
    return Figures(seconds, rate=DRAWN / median(seconds), others=others.ranking_rates())
