"""Rows of ranges, and of players who have folded."""

from __future__ import annotations

from typing import Any

import gpuodds
from bench import others
from bench.report import Bar, Figures, in_time
from bench.rows import SMALL, Rows, time_runs

ROWS = Rows()
row = ROWS.row
RANGES = ("QQ+,AK", "22+,A2s+")
FLOP = "2s7d9h"


def ask_ranges(hands: tuple[str, ...], runs: int, **options: Any) -> Figures:
    """Time a spot of ranges, and estimate the time to rank the hands of all its deals."""

    def work() -> gpuodds.EquityResult:
        return gpuodds.equity(list(hands), method="exact", **options)

    seconds = time_runs(work, runs)
    outcomes = work().outcomes
    compared = others.enumerate_outcomes(outcomes, len(hands))
    note = f"Extrapolated: ranking the hands of all {outcomes:,} outcomes, and nothing else."
    return Figures(seconds, others=compared, notes=[note])


@row("ranges table", "QQ+,AK v 22+,A2s+ before the flop, from the shipped table", Bar(0.005, "s"))
def ranges_from_the_table() -> Figures:
    return ask_ranges(RANGES, 50)


@row("ranges preflop", "QQ+,AK v 22+,A2s+ before the flop, counted", Bar(0.03, "s"))
def ranges_before_the_flop() -> Figures:
    return ask_ranges(RANGES, 10, table=False)


@row("ranges flop", f"QQ+,AK v 22+,A2s+ on {FLOP}", Bar(0.00028, "s"))
def ranges_on_a_flop() -> Figures:
    return ask_ranges(RANGES, 50, board=FLOP)


@row("three ranges flop", f"QQ+,AK v 22+,A2s+ v random on {FLOP}", Bar(0.02, "s"))
def three_ranges_on_a_flop() -> Figures:
    return ask_ranges((*RANGES, "random"), 10, board=FLOP)


@row("range v random flop", f"QQ+,AK v random on {FLOP}")
def a_range_against_random_on_a_flop() -> Figures:
    return ask_ranges((RANGES[0], "random"), 20, board=FLOP)


@row("random v random", "before the flop, counted, with every hand's equity", Bar(0.4, "s"))
def random_against_random() -> Figures:
    return ask_ranges(("random", "random"), 3, table=False, by_hand=True)


@row("four ranges turn", "99+,AcKs v T9s,22 v random v A2s+ on 5c6c7c8c", Bar(0.005, "s"))
def four_ranges_on_a_turn() -> Figures:
    return ask_ranges(("99+,AcKs", "T9s,22", "random", "A2s+"), 10, board="5c6c7c8c")


@row(
    "wide preflop",
    "15% v 30% v random before the flop, with every hand's equity",
    Bar(5.0, "s"),
    slow=True,
)
def wide_ranges_before_the_flop() -> Figures:
    return ask_ranges(("15%", "30%", "random"), 1, by_hand=True)


@row("wide flop", f"15% v 30% v 60% v random on {FLOP}", Bar(3.0, "s"), slow=True)
def wide_ranges_on_a_flop() -> Figures:
    return ask_ranges(("15%", "30%", "60%", "random"), 1, board=FLOP)


TURN, RIVER = f"{FLOP}Tc", f"{FLOP}TcJc"


def widths(first: int, last: int, players: int) -> tuple[str, ...]:
    """Return a range for each player: the best hands, from the first percentage to the last."""
    return tuple(f"{round(first + (last - first) * x / (players - 1))}%" for x in range(players))


@row("four preflop", "14 % to 17 %, four players before the flop", Bar(22.0, "s"), slow=True)
def four_before_the_flop() -> Figures:
    return ask_ranges(widths(14, 17, 4), 1)


@row("four wider", "29 % to 32 %, four players before the flop", Bar(45.0, "s"), slow=True)
def four_wider_before_the_flop() -> Figures:
    return ask_ranges(widths(29, 32, 4), 1)


@row("four wide", "90 % to 96 %, four players before the flop", Bar(150.0, "s"), slow=True)
def four_wide_before_the_flop() -> Figures:
    return ask_ranges(widths(90, 96, 4), 1)


@row("four flop", f"27 % to 33 %, four players on {FLOP}", Bar(0.5, "s"))
def four_on_a_flop() -> Figures:
    return ask_ranges(widths(27, 33, 4), 3, board=FLOP)


@row("four wide flop", f"90 % to 96 %, four players on {FLOP}", Bar(1.5, "s"))
def four_wide_on_a_flop() -> Figures:
    return ask_ranges(widths(90, 96, 4), 3, board=FLOP)


@row("five flop", f"13 % to 17 %, five players on {FLOP}", Bar(10.0, "s"), slow=True)
def five_on_a_flop() -> Figures:
    return ask_ranges(widths(13, 17, 5), 1, board=FLOP)


@row("five wider flop", f"28 % to 32 %, five players on {FLOP}", Bar(45.0, "s"), slow=True)
def five_wider_on_a_flop() -> Figures:
    return ask_ranges(widths(28, 32, 5), 1, board=FLOP)


@row("five turn", f"13 % to 17 %, five players on {TURN}", Bar(0.5, "s"))
def five_on_a_turn() -> Figures:
    return ask_ranges(widths(13, 17, 5), 5, board=TURN)


@row("five river", f"90 % to 98 %, five players on {RIVER}", Bar(0.4, "s"))
def five_wide_on_a_river() -> Figures:
    return ask_ranges(widths(90, 98, 5), 5, board=RIVER)


@row("six river", f"12 % to 17 %, six players on {RIVER}", Bar(0.8, "s"))
def six_on_a_river() -> Figures:
    return ask_ranges(widths(12, 17, 6), 5, board=RIVER)


@row("folded", "AsKs v QhQd before the flop, one player folded 22+,A2s+, exact")
def one_folded() -> Figures:
    return ask_ranges(("AsKs", "QhQd"), 20, folded=["22+,A2s+"])


@row("four folded", "AsKs v QhQd before the flop, four players folded 22+,A2s+, sampled")
def four_folded() -> Figures:
    """Time the answer to the default standard error, and once to a fine one."""

    def work(error: float | None = None) -> gpuodds.EquityResult:
        return gpuodds.equity(["AsKs", "QhQd"], folded=["22+,A2s+"] * 4, standard_error=error)

    seconds = time_runs(work, 5)
    result, fine = work(), 0.002 if SMALL else others.FINE
    (finely,) = time_runs(lambda: work(fine), 1)
    error = result.players[0].standard_error or 0.0
    notes = [
        f"To a standard error of {error:.4f}, the default, in {result.outcomes:,} deals.",
        f"To {fine}: {in_time(finely)}.",
        "Extrapolated: ranking both hands of as many deals, and nothing else.",
        "None of the libraries takes players who have folded.",
    ]
    compared = others.enumerate_outcomes(result.outcomes, 2)
    return Figures(seconds, others=compared, notes=notes)


@row(
    "double board",
    "AsKs v QhQd on two boards before the flop, won and shared together, exact, warm",
    Bar(2, "s"),
)
def two_boards_before_the_flop() -> Figures:
    return Figures(time_runs(lambda: gpuodds.double_board(["AsKs", "QhQd"]), 5))


@row(
    "double board ranges",
    f"random v random on {FLOP} and KcTd3c, won and shared together, exact, warm",
    Bar(3, "s"),
)
def two_boards_of_ranges() -> Figures:
    spot: dict[str, Any] = {"board": FLOP, "board2": "KcTd3c"}
    return Figures(time_runs(lambda: gpuodds.double_board(["random", "random"], **spot), 5))


@row(
    "blockers",
    f"what every hand blocks, random v random on {FLOP}TcJc, the equities of hands included, warm",
    Bar(0.1, "s"),
)
def blockers_on_a_river() -> Figures:
    def work() -> object:
        hands = ["random", "random"]
        return gpuodds.equity(hands, board=f"{FLOP}TcJc", by_hand=True).blockers()

    return Figures(time_runs(work, 20))
