"""Rows of tables: how long they take to build, and to look up.

With a table's build one comparison: ranking the hands of all its deals against one random opponent, or
of one deal of hands a row before the flop.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import comb
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import gpuodds
from bench import others
from bench.report import Bar, Comparison, Figures
from bench.rows import Rows, call, command, refuse_small, time_runs

ROWS = Rows()
row = ROWS.row

SITUATIONS = {3: 1_286_792, 4: 13_960_050, 5: 123_156_254}  # by board cards
DRAWN = 1_000_000
HEROES = 13  # a pair, six suited and six offsuit hands: a thirteenth of all 169


def build_table(opponents: int) -> Figures:
    """Time the process that builds the table ``preflop-random``, with compiled functions."""
    refuse_small()
    gpuodds.equity("AsKs", opponents=3, table=False)
    module = [sys.executable, "-m", "gpuodds.table_building.shipped.preflop_random"]

    def work() -> None:
        with TemporaryDirectory() as folder:
            out = str(Path(folder, "table.csv.gz"))
            call([*module, "--opponents", str(opponents), "--out", out])

    seconds = time_runs(work, 1, warm=False)
    outcomes = 169 * gpuodds.equity("AsKs", opponents=1).outcomes
    compared = others.enumerate_outcomes(outcomes, 1)
    return Figures(
        seconds, others=compared, notes=["Compared: k = 1 alone.", *others.by_outcome(outcomes)]
    )


@row("table k=1..9", "169 hands v 1 to 9 random hands, a new process", Bar(8, "s"))
def table_to_nine() -> Figures:
    return build_table(9)


@row("table k=1..22", "169 hands v 1 to 22 random hands, a new process", Bar(25, "s"), slow=True)
def table_to_all() -> Figures:
    return build_table(22)


def build_folder(name: str, deals: int, ranked: int, *options: str) -> Figures:
    """Time the process that builds a table into a folder, with compiled functions.

    Args:
        name: The table's name.
        deals: The deals that a library would go through, ranking ``ranked`` hands in each.
        ranked: The number of hands, one after another.
        options: Further options of the command.
    """
    refuse_small()
    build = command("table", "build", name)
    with TemporaryDirectory() as folder:

        def work(out: str, *options: str) -> None:
            call([*build, "--out", str(Path(folder, out)), *options])

        work("one shard", "--shards", "0")  # compiles
        seconds = time_runs(lambda: work("table", *options), 1, warm=False)
    compared = others.enumerate_outcomes(deals, ranked)
    return Figures(seconds, others=compared, notes=others.by_outcome(deals, "the hands"))


def showdowns(board_cards: int) -> int:
    """Return the deals of a table's situations against one random opponent."""
    return SITUATIONS[board_cards] * comb(50 - board_cards, 5 - board_cards) * comb(45, 2)


@row("build heads-up", "preflop-heads-up: 47,008 pairs of hands, a new process", Bar(60, "s"))
def build_pairs() -> Figures:
    return build_folder("preflop-heads-up", 47_008 * comb(48, 5), 2)


@row("build river", f"river-random: {SITUATIONS[5]:,} situations, a new process", Bar(12, "s"))
def build_rivers() -> Figures:
    return build_folder("river-random", showdowns(5), 1)


@row("build turn", f"turn-random: {SITUATIONS[4]:,} situations, a new process", Bar(600, "s"))
def build_turns() -> Figures:
    return build_folder("turn-random", showdowns(4), 1)


@row("build flop", f"flop-random: {SITUATIONS[3]:,} situations, k = 1..9", Bar(120, "s"), slow=True)
def build_flops() -> Figures:
    return build_folder("flop-random", showdowns(3), 1)


@row(
    "build turn features",
    "turn-features: strength, histogram, clusters; a new process, two shards at a time",
    Bar(30, "s"),
)
def build_turn_features() -> Figures:
    return build_folder("turn-features", showdowns(4), 1, "--workers", "2")


@row("build river features", "river-features: strength, clusters; a new process", slow=True)
def build_river_features() -> Figures:
    return build_folder("river-features", showdowns(5), 1)


@row("build flop features", "flop-features: strength, histograms, clusters; a new process", slow=True)
def build_flop_features() -> Figures:
    return build_folder("flop-features", showdowns(3), 1)


@row("build three-way", f"preflop-three-way: {HEROES} heroes of 169", Bar(540 / 13, "s"), slow=True)
def build_three_way() -> Figures:
    deals = HEROES * comb(170, 2) * comb(46, 5)  # one deal of hands a row
    return build_folder("preflop-three-way", deals, 3, "--shards", f"0-{HEROES - 1}")


@contextmanager
def street_table(name: str, *options: str) -> Iterator[Any]:
    """Build a table into a folder, and open it."""
    refuse_small()
    with TemporaryDirectory() as folder:
        out = str(Path(folder, "table"))
        call(command("table", "build", name, "--out", out, *options))
        yield gpuodds.table(out)


@row("look-up", "a row of flop-random (k = 1), hand and board as text, table open", Bar(50e-6, "s"))
def look_up() -> Figures:
    with street_table("flop-random", "--opponents", "1") as table:
        seconds = time_runs(lambda: table.lookup("AsKs", board="2s7d9h"), 1000)
    compared = others.enumerate_outcomes(comb(47, 2) * comb(45, 2), 1)
    return Figures(seconds, others=compared, notes=["Extrapolated: ranking the random hands."])


def take(name: str, board_cards: int, column: str, *options: str) -> Figures:
    """Measure of how many drawn situations a second a table of a street gives a column."""
    drawn = others.draw_hands(DRAWN)
    hands, boards = drawn[:, :2], drawn[:, 2 : 2 + board_cards]
    with street_table(name, *options) as table:
        seconds = time_runs(lambda: table.take(hands, boards, columns=[column]), 5)
        places = np.random.default_rng(7).integers(SITUATIONS[board_cards], size=DRAWN)
        by_number = time_runs(lambda: table.take_rows(places, columns=[column]), 5)
        some = list(zip(hands[:50].tolist(), boards[:50].tolist(), strict=True))
        # Each once: a table keeps what it read last.
        one_by_one = time_runs(
            lambda: [table.lookup(hand, board=board) for hand, board in some], 1, warm=False
        )
    outcomes = comb(50 - board_cards, 5 - board_cards) * comb(45, 2)
    compared = [
        Comparison("take_rows with row numbers", "measured", rate=DRAWN / median(by_number)),
        Comparison("lookup, one by one", "measured", rate=len(some) / median(one_by_one)),
    ]
    for other in others.ranking_rates():
        if other.rate is not None:
            other = Comparison(other.name, "extrapolated", rate=other.rate / outcomes)
        compared.append(other)
    notes = ["Extrapolated: ranking the random hands of each situation, and nothing else."]
    return Figures(seconds, rate=DRAWN / median(seconds), others=compared, notes=notes)


@row(
    "take flop",
    f"flop-random (k = 1): equities of {DRAWN:,} drawn hands on drawn flops",
    Bar(2e6, "rows/s"),
    slow=True,
)
def take_flops() -> Figures:
    return take("flop-random", 3, "equity_1", "--opponents", "1")


@row(
    "take turn",
    f"turn-random: equities of {DRAWN:,} drawn hands on drawn turns",
    Bar(2e6, "rows/s"),
    slow=True,
)
def take_turns() -> Figures:
    return take("turn-random", 4, "equity")


@row(
    "take river",
    f"river-random: strengths of {DRAWN:,} drawn hands on drawn rivers",
    Bar(2e6, "rows/s"),
    slow=True,
)
def take_rivers() -> Figures:
    return take("river-random", 5, "strength")
