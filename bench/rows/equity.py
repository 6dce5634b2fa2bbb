"""Rows of hands: against random hands, against each other, sampled; ranks of hands."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from statistics import median

import gpuodds
from bench import others
from bench.report import Bar, Figures
from bench.rows import SMALL, Rows, one_thread, time_runs

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


def rank_drawn(kind: str, *, threads: bool = False) -> Figures:
    """Time ``rank_hands`` of drawn hands in an array of a dtype."""
    hands = others.draw_hands(DRAWN).astype(kind)

    def work() -> None:
        gpuodds.rank_hands(hands)

    with nullcontext() if threads else one_thread():
        seconds = time_runs(work, 10)
    return Figures(seconds, rate=DRAWN / median(seconds), others=others.ranking_rates())


@row(
    "drawn 7-card hands",
    f"rank_hands of {DRAWN:,} drawn hands, uint8, one thread",
    Bar(190e6, "hands/s"),
)
def drawn_hands() -> Figures:
    return rank_drawn("uint8")


@row("drawn hands int64", f"rank_hands of {DRAWN:,} drawn hands, int64, one thread")
def drawn_integers() -> Figures:
    return rank_drawn("int64")


@row("drawn hands threads", f"rank_hands of {DRAWN:,} drawn hands, uint8")
def drawn_in_threads() -> Figures:
    return rank_drawn("uint8", threads=True)


def call_once(hands: list[str], board: str) -> Figures:
    """Time one call of :func:`gpuodds.equity`, text read and checked."""

    def work() -> gpuodds.EquityResult:
        return gpuodds.equity(hands, board=board)

    seconds = time_runs(work, 2000)
    shares = [player.equity for player in work().players]
    return Figures(seconds, others=others.exact_call(hands, board, shares))


KNOWN = ["AsKs", "QhQd", "JcTc", "8c8d", "Ah5h", "Kd4d"]


@row("call 2 hands", "AsKs v QhQd on 2s7d9h, one call", Bar(35e-6, "s"))
def call_two_hands() -> Figures:
    return call_once(KNOWN[:2], "2s7d9h")


@row("call 4 hands", f"{' v '.join(KNOWN[:4])} on 2s7d9h, one call", Bar(35e-6, "s"))
def call_four_hands() -> Figures:
    return call_once(KNOWN[:4], "2s7d9h")


@row("call 6 hands", f"{' v '.join(KNOWN)} on 2s7d9h, one call", Bar(35e-6, "s"))
def call_six_hands() -> Figures:
    return call_once(KNOWN, "2s7d9h")


@row("call ranges river", "22+,A2s+,KTs+ v QQ+,AK,T9s on 2s7d9hQcJd, one call", Bar(35e-6, "s"))
def call_ranges() -> Figures:
    def work() -> gpuodds.EquityResult:
        return gpuodds.equity(["22+,A2s+,KTs+", "QQ+,AK,T9s"], board="2s7d9hQcJd")

    return Figures(time_runs(work, 2000))


FOUR_RANGES = ["QQ+,AK", "22+,A2s+,KTs+", "T9s,98s,87s,76s,JTs,QJs", "AJo+,KQo,A2s+"]


def draw_four_ranges(board: str) -> Figures:
    """Time four ranges that are drawn, to a standard error."""
    error = 0.01 if SMALL else others.FINE
    results: list[gpuodds.EquityResult] = []

    def work() -> None:
        results.append(
            gpuodds.equity(FOUR_RANGES, board=board, method="monte-carlo", standard_error=error)
        )

    seconds = time_runs(work, 3)
    return Figures(seconds, notes=[f"{results[-1].outcomes:,} deals in the last run."])


@row(
    "four ranges drawn",
    f"{' v '.join(FOUR_RANGES)}, to a standard error of {others.FINE}",
    Bar(0.55, "s"),
)
def four_ranges_drawn() -> Figures:
    return draw_four_ranges("")


@row("four ranges flop", f"the same on 2s7d9h, to a standard error of {others.FINE}", Bar(0.55, "s"))
def four_ranges_drawn_on_a_flop() -> Figures:
    return draw_four_ranges("2s7d9h")


def number_situations(street: int, *, back: bool = False, recall: bool = False) -> Figures:
    """Time the rows of drawn situations, or the situations of their rows, in one thread."""
    drawn = others.draw_hands(DRAWN)
    hands, boards = drawn[:, :2].copy(), drawn[:, 2 : 2 + street].copy()
    rows = gpuodds.canonical_rows(hands, boards, perfect_recall=recall)

    def work() -> None:
        if back:
            gpuodds.canonical_cards(rows, street, perfect_recall=recall)
        else:
            gpuodds.canonical_rows(hands, boards, perfect_recall=recall)

    with one_thread():
        seconds = time_runs(work, 5)
    return Figures(seconds, rate=DRAWN / median(seconds))


for _cards, _street in ((3, "flop"), (4, "turn"), (5, "river")):
    row(f"index {_street}", f"canonical_rows of {DRAWN:,} drawn {_street}s, one thread")(
        partial(number_situations, _cards)
    )
    row(f"unindex {_street}", f"canonical_cards of {DRAWN:,} drawn rows of {_street}s, one thread")(
        partial(number_situations, _cards, back=True)
    )
for _cards, _street in ((4, "turn"), (5, "river")):
    row(
        f"recall {_street}", f"canonical_rows of {DRAWN:,} drawn {_street}s, perfect recall, one thread"
    )(partial(number_situations, _cards, recall=True))
    row(f"unrecall {_street}", f"canonical_cards of {DRAWN:,} such rows of {_street}s, one thread")(
        partial(number_situations, _cards, back=True, recall=True)
    )
