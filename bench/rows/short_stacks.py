"""Rows of short stacks: all-in or fold, whole tournaments, prize money."""

from __future__ import annotations

import random
from functools import cache
from math import comb
from pathlib import Path
from tempfile import TemporaryDirectory

import gpuodds
from bench import others
from bench.report import Bar, Figures
from bench.rows import SMALL, Rows, call, command, peak_memory, refuse_small, time_runs
from gpuodds.short_stacks.tables import NAMES

ROWS = Rows()
row = ROWS.row


@cache
def folder() -> TemporaryDirectory[str]:
    """The folder of this run's tables."""
    return TemporaryDirectory()


@cache
def build(name: str) -> float:
    """Build a table of three hands into the folder of this run; return the seconds of the process."""
    refuse_small()
    with TemporaryDirectory() as other:  # compiles
        call(command("table", "build", name, "--out", str(Path(other, "table")), "--shards", "168"))
    asked = command("table", "build", name, "--out", str(Path(folder().name, name)))
    return time_runs(lambda: call(asked), 1, warm=False)[0]


def tables() -> str:
    """Return the folder of both tables of three hands, built."""
    for name in NAMES:
        build(name)
    return folder().name


@row(
    "build folded",
    "preflop-heads-up-folded: 14,365 pairs of hands with 169 folded ones, a new process",
    Bar(180, "s"),
    slow=True,
)
def build_folded() -> Figures:
    deals = 14_365 * 169 * comb(46, 5)  # one deal of hands a row
    notes = [
        f"preflop-three-way, all of it: {build('preflop-three-way'):.0f} s.",
        *others.by_outcome(deals, "the hands"),
    ]
    return Figures(
        [build("preflop-heads-up-folded")], others=others.enumerate_outcomes(deals, 2), notes=notes
    )


@row(
    "push-fold 2",
    "all-in or fold, 2 players with drawn stacks to 20 bb, for chips, warm",
    Bar(0.05, "s"),
)
def two_players() -> Figures:
    draw = random.Random(1)
    spots = iter([[round(draw.uniform(1.5, 20), 1) for _ in range(2)] for _ in range(21)])
    gains: list[float] = []

    def work() -> None:
        gains.append(gpuodds.push_fold(next(spots)).certificate.share_of_pool)

    return Figures(
        time_runs(work, 20), notes=[f"Best responses gain at most {max(gains):.1g} of the pool."]
    )


def by_command(*arguments: str) -> Figures:
    """Time the command of all-in or fold in a new process with built tables and compiled functions."""
    asked, there = command("push-fold", *arguments), tables()
    call([*asked, "--time-limit", "1"], GPUODDS_TABLES=there)
    said: list[str] = []
    seconds = time_runs(lambda: said.append(call(asked, GPUODDS_TABLES=there)), 1, warm=False)
    gain = next(line for line in said[0].splitlines() if line.startswith("best responses"))
    return Figures(seconds, notes=[f"{gain.capitalize()}."])


@row("push-fold 3", "3 players with 10 bb each, for chips, a new process", Bar(15, "s"), slow=True)
def three_players() -> Figures:
    return by_command("10", "10", "10")


@row(
    "push-fold 3 prizes",
    "3 players with 15, 10 and 8 bb, prizes 50, 30, 20, a new process",
    Bar(15, "s"),
    slow=True,
)
def three_players_for_prizes() -> Figures:
    return by_command("15", "10", "8", "--payouts", "50,30,20")


@row("push-fold 6", "6 players with 10 bb each, for chips, a new process", Bar(90, "s"), slow=True)
def six_players() -> Figures:
    return by_command(*["10"] * 6)


NINE = [*["10"] * 9, "--ante", "0.1", "--payouts", "50,30,20"]


@row(
    "push-fold 9",
    "9 players with 10 bb, antes, prizes 50, 30, 20, a new process",
    Bar(300, "s"),
    slow=True,
)
def nine_players() -> Figures:
    return by_command(*NINE)


@row("push-fold memory", "peak of the same, in its first minute", Bar(2e9, "bytes"), slow=True)
def memory_of_nine() -> Figures:
    asked, there = command("push-fold", *NINE, "--time-limit", "60"), tables()
    peaks: list[int] = []
    seconds = time_runs(lambda: peaks.append(peak_memory(asked, GPUODDS_TABLES=there)), 1, warm=False)
    return Figures(seconds, peak_bytes=max(peaks))


@row(
    "push-fold tournament",
    "8,000 chips, blinds 300/600: the charts of all 79 stacks, a new process",
    Bar(60, "s"),
)
def tournament() -> Figures:
    chips = "8" if SMALL else "8000"
    asked = command(
        "push-fold", "tournament", "--chips", chips, "--blinds", "0.5/1" if SMALL else "300/600"
    )
    return Figures(time_runs(lambda: call(asked), 3))


def value_stacks(players: int) -> Figures:
    """Time the prize money of drawn stacks, as many prizes as players."""
    draw = random.Random(players)
    drawn = iter([[draw.randint(1, 20_000) for _ in range(players)] for _ in range(21)])
    prizes = [float(players - place) for place in range(players)]
    valued: list[tuple[list[int], list[float]]] = []

    def work() -> None:
        stacks = next(drawn)
        valued.append((stacks, [float(worth) for worth in gpuodds.icm(stacks, prizes)]))

    seconds = time_runs(work, 20)
    stacks, worth = valued[-1]
    compared = others.pokerkit_icm(stacks, prizes, worth) if players <= 10 else []
    return Figures(seconds, others=compared)


@row("icm 10", "prize money of 10 drawn stacks, 10 prizes, in fractions, warm", Bar(0.05, "s"))
def icm_of_ten() -> Figures:
    return value_stacks(10)


@row("icm 20", "prize money of 20 drawn stacks, 20 prizes, in floats, warm", Bar(1, "s"))
def icm_of_twenty() -> Figures:
    return value_stacks(20)
