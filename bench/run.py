"""Measure gpuodds on this machine, next to alternative libraries.

Run ``python bench/run.py`` with gpuodds installed, and for the comparisons eval7, phevaluator,
treys and pokerkit (``pip install '.[bench]'``). It prints a table and writes
``bench/results/cpu.json``; with ``--backend cuda`` it measures the first GPU instead and writes
``bench/results/<its name>.json``:

    machine: cpu, cores, threads, os, python, packages {name: version or null}, date; on a GPU also
           devices, driver (the CUDA version that it serves) and state (clocks and the driver's version)
    rows: [name, measures, seconds {median, min, runs}, rate (hands/s) or null, peak_bytes or null,
           bar {value, unit, within} or null,
           others [name, how, seconds, rate, note, ratio], notes]
    not_measured: {name: reason}, if there is any

``report.py`` defines the fields. A bar is a target on two cores; a row that misses it is shown, and is
no error.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console

# Behind the installed packages: gpuodds is measured as it is installed.
sys.path.append(str(Path(__file__).resolve().parent.parent))

import gpuodds
from bench import others
from bench.report import Bar, Comparison, Figures, machine, print_table, row_record, write_json
from bench.rows import NotMeasuredError, Rows, call, command, time_runs

RESULTS = Path(__file__).resolve().parent / "results"
HANDS = 133_784_560  # seven cards of 52
DRAWN = 1_000_000
FLOP = "2c7d9h"
RANGE_FLOP = "2s7d9h"
OFFSUIT = ["AsKh", "QdJc", "Th9s", "8c7d"]  # no two suits alike: no work is saved
# Prints the peak resident memory of a command, in the kB of Linux or the bytes of macOS. A process
# of its own, because a child starts with the peak of the process that it is split from.
PEAK = (
    "import resource, subprocess, sys;"
    "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL);"
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
)


ROWS = Rows()
row = ROWS.row


def by_outcome(outcomes: int) -> list[str]:
    """Return the notes of a row whose alternatives all take too long to run to the end."""
    return [
        "None of the libraries answers this exactly in one call.",
        f"Extrapolated: ranking the random hands of all {outcomes:,} outcomes, and nothing else.",
    ]


@row("cold command", "gpuodds equity 1s 13s --opponents 3, a new process", Bar(0.25, "s"))
def cold_command() -> Figures:
    seconds = time_runs(lambda: call(command("equity", "1s", "13s", "--opponents", "3")), 10)
    baseline = time_runs(lambda: call([sys.executable, "-c", "import typer"]), 10)
    return Figures(
        seconds, others=[Comparison("python -c 'import typer'", "measured", median(baseline))]
    )


@row("k=1..9", "AsKs v each of 1 to 9 random hands at once, computed, warm", Bar(0.15, "s"))
def all_opponents() -> Figures:
    def work() -> list[gpuodds.EquityResult]:
        return gpuodds.equities_by_opponents("AsKs", opponents=9)

    seconds = time_runs(work, 10)
    outcomes = work()[-1].outcomes
    compared = others.pokerkit_sampling("AsKs", 9) + others.enumerate_outcomes(outcomes, 9)
    return Figures(seconds, others=compared, notes=["Compared: k = 9 alone.", *by_outcome(outcomes)])


@row("first call", "the first computed answer after installing, compiling included", Bar(15, "s"))
def first_call() -> Figures:
    arguments = command("equity", "1s", "13s", "--opponents", "3", "--no-table")
    with TemporaryDirectory() as folder:
        return Figures(time_runs(lambda: call(arguments, NUMBA_CACHE_DIR=folder), 1, warm=False))


@row("flop k=9", f"AsKs on {FLOP} v 9 random hands, warm", Bar(0.02, "s"))
def flop() -> Figures:
    def work() -> gpuodds.EquityResult:
        return gpuodds.equity("AsKs", opponents=9, board=FLOP)

    seconds = time_runs(work, 50)
    outcomes = work().outcomes
    compared = others.pokerkit_sampling("AsKs", 9, board=FLOP) + others.enumerate_outcomes(outcomes, 9)
    return Figures(seconds, others=compared, notes=by_outcome(outcomes))


@row("preflop k=1", "AsKs v a random hand, computed, warm", Bar(0.01, "s"))
def one_opponent() -> Figures:
    def work() -> gpuodds.EquityResult:
        return gpuodds.equity("AsKs", opponents=1, table=False)

    seconds = time_runs(work, 50)
    outcomes = work().outcomes
    compared = others.eval7_range("AsKs", "random") + others.pokerkit_sampling("AsKs", 1)
    compared += others.enumerate_outcomes(outcomes, 1)
    return Figures(seconds, others=compared, notes=by_outcome(outcomes))


@row("preflop k=2", "AsKs v two random hands, computed, warm", Bar(0.03, "s"))
def two_opponents() -> Figures:
    def work() -> gpuodds.EquityResult:
        return gpuodds.equity("AsKs", opponents=2, table=False)

    seconds = time_runs(work, 20)
    outcomes = work().outcomes
    compared = others.pokerkit_sampling("AsKs", 2) + others.enumerate_outcomes(outcomes, 2)
    return Figures(seconds, others=compared, notes=by_outcome(outcomes))


@row("known hands", "AsKs v QhQd before the flop, all 1,712,304 boards, warm", Bar(0.002, "s"))
def known_hands() -> Figures:
    def work() -> gpuodds.EquityResult:
        return gpuodds.equity(["AsKs", "QhQd"], table=False)

    seconds = time_runs(work, 20)
    compared = others.known_hands("AsKs", "QhQd", work().players[0].equity)
    compared += others.eval7_range("AsKs", "QhQd")
    return Figures(seconds, others=compared + others.pokerkit_sampling("AsKs", 1, villain="QhQd"))


RANGES = ("QQ+,AK", "22+,A2s+")


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


@row("ranges preflop", "QQ+,AK v 22+,A2s+ before the flop, counted")
def ranges_before_the_flop() -> Figures:
    return ask_ranges(RANGES, 10, table=False)


@row("ranges flop", f"QQ+,AK v 22+,A2s+ on {RANGE_FLOP}", Bar(0.003, "s"))
def ranges_on_a_flop() -> Figures:
    return ask_ranges(RANGES, 50, board=RANGE_FLOP)


@row("three ranges flop", f"QQ+,AK v 22+,A2s+ v random on {RANGE_FLOP}", Bar(0.1, "s"))
def three_ranges_on_a_flop() -> Figures:
    return ask_ranges((*RANGES, "random"), 10, board=RANGE_FLOP)


@row("random v random", "before the flop, counted, with every hand's equity", Bar(2.0, "s"))
def random_against_random() -> Figures:
    return ask_ranges(("random", "random"), 3, table=False, by_hand=True)


@row("four ranges turn", "99+,AcKs v T9s,22 v random v A2s+ on 5c6c7c8c", Bar(0.05, "s"))
def four_ranges_on_a_turn() -> Figures:
    return ask_ranges(("99+,AcKs", "T9s,22", "random", "A2s+"), 10, board="5c6c7c8c")


@row(
    "wide preflop",
    "15% v 30% v random before the flop, with every hand's equity",
    Bar(60.0, "s"),
    slow=True,
)
def wide_ranges_before_the_flop() -> Figures:
    return ask_ranges(("15%", "30%", "random"), 1, by_hand=True)


@row("wide flop", f"15% v 30% v 60% v random on {RANGE_FLOP}", Bar(60.0, "s"), slow=True)
def wide_ranges_on_a_flop() -> Figures:
    return ask_ranges(("15%", "30%", "60%", "random"), 1, board=RANGE_FLOP)


@row("monte carlo", "AsKs v three random hands, deals drawn", Bar(60e6, "hands/s"))
def monte_carlo() -> Figures:
    deals = 10_000_000

    def work() -> gpuodds.EquityResult:
        return gpuodds.equity("AsKs", opponents=3, method="monte-carlo", samples=deals)

    seconds = time_runs(work, 5)
    compared = others.pokerkit_sampling("AsKs", 3)
    return Figures(
        seconds, rate=deals / median(seconds), others=compared, notes=["A hand is a deal here."]
    )


def build_table(opponents: int) -> Figures:
    """Time the process that builds the table ``preflop-random``, with compiled functions."""
    gpuodds.equity("AsKs", opponents=3, table=False)
    module = [sys.executable, "-m", "gpuodds.tables.shipped.build_preflop_random"]

    def work() -> None:
        with TemporaryDirectory() as folder:
            out = str(Path(folder, "table.csv.gz"))
            call([*module, "--opponents", str(opponents), "--out", out])

    seconds = time_runs(work, 1, warm=False)
    outcomes = 169 * gpuodds.equity("AsKs", opponents=1).outcomes
    compared = others.enumerate_outcomes(outcomes, 1)
    return Figures(seconds, others=compared, notes=["Compared: k = 1 alone.", *by_outcome(outcomes)])


@row("table k=1..9", "169 hands v 1 to 9 random hands, a new process", Bar(20, "s"))
def table_to_nine() -> Figures:
    return build_table(9)


@row("table k=1..22", "169 hands v 1 to 22 random hands, a new process", Bar(300, "s"), slow=True)
def table_to_all() -> Figures:
    return build_table(22)


def build_folder(name: str, *options: str) -> Figures:
    """Time the process that builds a table into a folder, with compiled functions."""
    with TemporaryDirectory() as folder:

        def work() -> None:
            call(command("table", "build", name, "--out", str(Path(folder, "table")), *options))

        return Figures(time_runs(work, 1, warm=False))


@row("build heads-up", "preflop-heads-up: 47,008 pairs of hands, a new process", Bar(60, "s"))
def build_pairs() -> Figures:
    gpuodds.heads_up_matrix("2s7d9hTc")
    return build_folder("preflop-heads-up")


@row("build river", "river-random: 123,156,254 situations, a new process", Bar(300, "s"))
def build_rivers() -> Figures:
    return build_folder("river-random")


@row("build turn", "turn-random: 13,960,050 situations, a new process", Bar(600, "s"))
def build_turns() -> Figures:
    return build_folder("turn-random")


@row("build flop", "flop-random: 1,286,792 situations, k = 1..9", Bar(1200, "s"), slow=True)
def build_flops() -> Figures:
    return build_folder("flop-random")


# A pair, six suited and six offsuit hands: a thirteenth of all 169.
@row("build three-way", "preflop-three-way: 13 heroes of 169", Bar(1800 / 13, "s"), slow=True)
def build_three_way() -> Figures:
    return build_folder("preflop-three-way", "--shards", "0-12")


@row("look-up", "a row of flop-random (k = 1), hand and board as text, table open", Bar(50e-6, "s"))
def look_up() -> Figures:
    with TemporaryDirectory() as folder:
        out = str(Path(folder, "flops"))
        call(command("table", "build", "flop-random", "--opponents", "1", "--out", out))
        table = gpuodds.table(out)
        seconds = time_runs(lambda: table.lookup("AsKs", board="2s7d9h"), 1000)
    return Figures(seconds)


@row("all 7-card hands", f"the ranks of all {HANDS:,} hands, one thread", Bar(400e6, "hands/s"))
def all_hands() -> Figures:
    from gpuodds.backends.cpu.ranks import count_all_seven

    seconds = time_runs(count_all_seven, 5)
    return Figures(seconds, rate=HANDS / median(seconds), others=others.ranking_rates())


@row("drawn 7-card hands", f"rank_hands of {DRAWN:,} drawn hands, one thread")
def drawn_hands() -> Figures:
    hands = others.draw_hands(DRAWN)
    seconds = time_runs(lambda: gpuodds.rank_hands(hands), 10)
    return Figures(seconds, rate=DRAWN / median(seconds), others=others.ranking_rates())


def peak_memory(*arguments: str) -> Figures:
    """Measure the peak resident memory of a process that runs the command."""
    peaks: list[int] = []
    scale = 1 if sys.platform == "darwin" else 1024

    def work() -> None:
        output = call([sys.executable, "-c", PEAK, *command("equity", *arguments, "--no-table")])
        peaks.append(int(output) * scale)

    seconds = time_runs(work, 3)
    return Figures(seconds, peak_bytes=max(peaks))


@row("memory k=22", "peak of AsKd v 22 random hands, computed, a new process", Bar(1e9, "bytes"))
def memory_max_opponents() -> Figures:
    return peak_memory("AsKd", "--opponents", "22")


@row("memory 4 known", "peak of four known hands v 15 random, a new process", Bar(1e9, "bytes"))
def memory_known_hands() -> Figures:
    return peak_memory(*OFFSUIT, "--opponents", "15")


@row("kelly flop", "the bet of a drawn hand on a drawn flop v 9 who may fold, warm", Bar(0.1, "s"))
def kelly_on_flops() -> Figures:
    from gpuodds.betting.advice import kelly_bet

    draw = random.Random(1)
    spots = iter([draw.sample(range(52), 5) for _ in range(101)])

    def work() -> object:
        cards = next(spots)
        return kelly_bet(
            cards[:2], board=cards[2:], opponents=9, bankroll=5000, pot=100, fold=0.3, backend="cpu"
        )

    return Figures(time_runs(work, 100))


@row("kelly preflop", "the bet of AsKs v 9 before the flop, from the table, warm", Bar(0.1, "s"))
def kelly_before_the_flop() -> Figures:
    from gpuodds.betting.advice import kelly_bet

    def work() -> object:
        return kelly_bet("AsKs", opponents=9, bankroll=5000, pot=100, fold=0.3)

    return Figures(time_runs(work, 50))


@row("five draw", "all 32 discards of drawn five-card hands v a pat hand, exact, warm", Bar(1, "s"))
def five_card_draws() -> Figures:
    from gpuodds.five_card import best_draw

    draw = random.Random(1)
    hands = iter([draw.sample(range(52), 5) for _ in range(11)])
    return Figures(time_runs(lambda: best_draw(next(hands)), 10))


@row("five ranks", "hands of each rank in drawn decks, 100 at once, warm", Bar(0.005, "s"))
def five_card_ranks() -> Figures:
    from gpuodds.five_card import count_hands

    draw = random.Random(1)
    decks = [sum(1 << card for card in draw.sample(range(52), 47)) for _ in range(100)]
    return Figures(time_runs(lambda: count_hands(decks), 50))


@row("bots", "1,000 hands of pokerbot v caller, 500 deals from both seats", Bar(60, "s"), slow=True)
def bots() -> Figures:
    from gpuodds.play.match import play_match

    return Figures(time_runs(lambda: play_match(["pokerbot", "caller"], hands=500), 1, warm=False))


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
    small = bool(os.environ.get("BENCH_SMALL"))  # see gpu.py
    bars = {entry.name: None if small else entry.bar for entry in rows}
    records, left_out = [], {}
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
            if small:
                figures = Figures(figures.seconds, notes=["A small part, to try the row: no figure."])
            records.append(row_record(entry.name, entry.measures, bars[entry.name], figures))
    report = {"machine": about, "rows": records}
    if left_out:
        report["not_measured"] = left_out
    print_table(report, bars)
    for row_name, reason in left_out.items():
        print(f"{row_name}: not measured: {reason}")
    write_json(report, options.out or RESULTS / f"{name}.json")


def describe(backend: str) -> tuple[Rows, dict[str, Any], str]:
    """Return the rows of a backend, the device it runs on, and that device's name for a file."""
    if backend == "cpu":
        from gpuodds.backends.cpu.threads import thread_count

        return ROWS, machine(thread_count(), others.LIBRARIES), "cpu"
    from bench import gpu

    return gpu.ROWS, *gpu.describe()


if __name__ == "__main__":
    try:
        main()
    except gpuodds.InputError as error:
        sys.exit(str(error))
