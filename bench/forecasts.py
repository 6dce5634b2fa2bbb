"""What the predicted rates of kernels mean for the rows of ``gpu.py``, and the tables of both."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from bench.kernel_model import H100, SCHEDULERS, WARP
from bench.report import Bar, in_digits, in_markdown, in_rate, in_time
from gpuodds.games.holdem.game import HOLDEM

BOARDS = 134_459  # that differ by more than the names of the suits
COMBOS = 1326
RANKS, FLOP_ROWS = 13, 1_286_792
PREFLOP, FLOP = comb(RANKS + 4, 5), comb(RANKS + 1, 2)  # rank multisets that complete a board
NOT_MEASURED = "not measured yet"
LAUNCH = 10e-6  # seconds of a launch or a copy of few bytes: an assumption
HEROES_QUADS = 13 * 2 + 78 * 1 + 78 * 3  # words of four combos, of all starting hands as heroes


@dataclass(frozen=True)
class Forecast:
    """The work of a row: amounts of kernels' units, or a launcher's count of warp instructions.

    ``least`` marks a prediction of a part of the work: the row takes longer. ``launches`` counts
    those and copies, where they matter.
    """

    row: str
    parts: tuple[tuple[str, float], ...] = ()
    instructions: Callable[[], float] | None = None
    least: bool = False
    note: str = ""
    launches: int = 0


def count_instructions(*hands: str, board: str = "") -> float:
    """Return the warp instructions that the launcher of range showdowns expects, every hand counted."""
    from gpuodds.backends.cuda.ranges.showdowns import ShowdownTask
    from gpuodds.games.shared.symmetry import weighted_boards
    from gpuodds.spots.spot import Spot

    spot = Spot.of(list(hands), board=board)
    boards, times = weighted_boards(spot.board, spot.dead, spot.suit_group)
    return ShowdownTask(
        spot.all_weights, boards, times, tuple(range(len(hands))), False, game=HOLDEM
    ).work


def products(tiles: int) -> float:
    """Return the instructions that multiply the lower numbers of all heroes on all boards."""
    return float(HEROES_QUADS * BOARDS * tiles * 4 * 4)


def comparisons(size: int) -> tuple[tuple[str, float], ...]:
    """Return what ``against_random`` compares on all boards of ``size`` cards, on every runout of each.

    Its threads, in warps, take a pair of types each and compare it with all: 13 types make 91 pairs,
    the 26 types of a board with three cards of a suit 351.
    """
    from gpuodds.games.shared.boards import canonical_boards

    boards, _ = canonical_boards(size)
    suits = ((boards & 3)[..., None] == np.arange(4)).sum(axis=1)
    kinds, times = np.unique(suits, axis=0, return_counts=True)
    flushes = sum(
        n * count_flushes(kind) for kind, n in zip(kinds.tolist(), times.tolist(), strict=True)
    )
    plain = len(boards) * comb(52 - size, 5 - size) - flushes
    few, many = comb(RANKS + 1, 2), comb(2 * RANKS + 1, 2)
    return (("against_random", plain * _in_warps(few) * few + flushes * _in_warps(many) * many),)


def count_flushes(suits: list[int]) -> int:
    """Count the runouts of a board on which a flush is possible, from its cards of each suit.

    >>> [count_flushes(suits) for suits in ([3, 1, 1, 0], [2, 2, 1, 0], [2, 1, 1, 0], [1, 1, 1, 0])]
    [1, 0, 11, 198]
    """
    size = sum(suits)
    to_come = 5 - size
    return sum(
        comb(RANKS - cards, more) * comb(39 - size + cards, to_come - more)
        for cards in suits
        for more in range(max(0, 3 - cards), to_come + 1)
    )


def _in_warps(threads: int) -> int:
    return -(-threads // WARP) * WARP


def classify(items: float, classes: float) -> tuple[tuple[str, float], ...]:
    """Return what finds the graphs of ``classes`` board classes of ``items`` rank multisets."""
    kernels = "find_graphs", "find_slots", "adopt_graphs", "read_slots"
    return (
        *(("count_classes", items), ("list_classes", items)),
        *((kernel, classes) for kernel in kernels),
    )


def add_up(classes: float, most: int) -> tuple[tuple[str, float], ...]:
    """Return what sums the matchings of classes, as if each had all numbers of edges and ties."""
    return (("add_classes", classes * _in_warps((most + 1) ** 2)),)


def solve_table(most: int) -> tuple[tuple[str, float], ...]:
    """Return what counts the table before the flop against 1 to ``most`` opponents."""
    found = SWEEPS["most"][str(most)]
    return (
        ("solve_graphs", found["write_slots"] + found["merge_slots"]),
        ("find_orders", SWEEPS["graphs"]),
        *classify(169 * PREFLOP, SWEEPS["classes"]),
        *add_up(SWEEPS["classes"], most),
    )


def solve_flops(flops: int, classes: float) -> tuple[tuple[str, float], ...]:
    """Return what finds and sums the graphs of hands on flops with ``classes`` board classes each."""
    return (*classify(flops * FLOP, flops * classes), *add_up(flops * classes, 9))


SWEEPS = json.loads((Path(__file__).resolve().parent / "results" / "sweeps.json").read_text("utf-8"))
TABLE = (
    "Without sorting, closing the sums, and the host; merges at the rate of steps, "
    "sums as if every graph had all edges."
)
UNSOLVED = (
    "Without solving the graphs, sorting, and closing the sums; sums as if every graph had all edges."
)
LAUNCHER = "The launcher's count of warp instructions, one a clock and scheduler."
SHOWDOWNS = "Comparisons of pairs of types alone, without the pass over the combos."
FORECASTS = (
    Forecast("all 7-card hands", (("rank_all_hands", comb(52, 7)),)),
    Forecast("drawn 7-card hands", (("rank_hands", 64 << 20),)),
    Forecast("plain heads-up", (("enumerate_heads_up", comb(50, 5) * comb(45, 2)),)),
    Forecast(
        "clever heads-up",
        (("sum_pairs", SWEEPS["heads_up_classes"]),), launches=4,
        least=True,
        note="Four launches and copies, taken to be 10 µs each. Without the host's part.",
    ),
    Forecast(
        "all pairs",
        (
            ("compare_combos", BOARDS * COMBOS**2), ("rank_combos", BOARDS * COMBOS),
            ("split_wins", COMBOS**2 * 24),
        ),
        note="Without the host's part.",
    ),
    Forecast("monte carlo", (("sample_pairs", 1 << 30),)),
    Forecast("random v random", (), partial(count_instructions, "random", "random"), note=LAUNCHER),
    Forecast(
        "wide preflop", (), partial(count_instructions, "15%", "30%", "random"), note=LAUNCHER
    ),
    Forecast(
        "wide flop", (), partial(count_instructions, "15%", "30%", "60%", "random", board="2s7d9h"),
        note=LAUNCHER,
    ),
    Forecast(
        "three-way",
        (("multiply_classes", products(44 * 44)), ("multiply_kinds", products(13 * 4 * 7 * 7))),
        least=True, note="Products of lower numbers alone.",
    ),
    Forecast(
        "omaha preflop", (("count_omaha_four", 3 * BOARDS * comb(52 - 5, 4)),), least=True,
        note="Look-ups alone: hands are ranked, sorted and added, too.",
    ),
    Forecast("table k=1..9", solve_table(9), least=True, note=TABLE),
    Forecast("table k=1..22", solve_table(22), least=True, note=TABLE),
    Forecast(
        "a million flops", solve_flops(1_000_000, SWEEPS["drawn_flop_classes"]), least=True,
        note=UNSOLVED,
    ),
    Forecast("all rivers", comparisons(5), least=True, note=SHOWDOWNS),
    Forecast("all turns", comparisons(4), least=True, note=SHOWDOWNS),
    Forecast("all flops", comparisons(3), least=True, note=SHOWDOWNS),
    Forecast(
        "flop table",
        (*comparisons(3), *solve_flops(FLOP_ROWS, SWEEPS["flop_table_classes"])), least=True,
        note=f"{UNSOLVED} Against one opponent comparisons alone.",
    ),
)  # fmt: skip


def predict_rows(kernels: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return, by row, the predicted seconds and the rate of its first kernel's units."""
    rates = {row["kernel"]: row["predictions"] for row in kernels if row["loop"]}
    found = {}
    for forecast in FORECASTS:
        if any(kernel not in rates for kernel, _ in forecast.parts):
            continue
        seconds = sum(amount / rates[kernel][H100.name]["rate"] for kernel, amount in forecast.parts)
        seconds += forecast.launches * LAUNCH
        if forecast.instructions is not None:
            seconds += forecast.instructions() / (SCHEDULERS * H100.processors * H100.clock)
        found[forecast.row] = {
            "seconds": seconds,
            "rate": forecast.parts[0][1] / seconds if forecast.parts else None,
            "least": forecast.least,
            "note": forecast.note,
        }
    return found


def kernel_table(kernels: list[dict[str, Any]]) -> list[str]:
    """Return the lines of the table of kernels, from what ``sass.py`` wrote about them."""
    rows = []
    for row in kernels:
        if not row["loop"]:
            continue
        loop, predicted = row["loop"], row["predictions"][H100.name]
        rows.append(
            (
                f"`{row['kernel']}`",
                row["unit"],
                in_digits(loop["instructions"] / loop["units"]),
                str(row["registers"]),
                f"{row['shared'] + row['dynamic_shared']:,}",
                f"{row['blocks']} x {row['threads']}",
                f"{in_digits(predicted['rate'] / 1e9)} G/s",
                predicted["bound"],
            )
        )
    titles = "kernel", "unit", "instructions", "registers", "shared memory", "blocks x threads"
    return in_markdown([*titles, "predicted", "bound"], rows)


def row_table(
    rows: dict[str, dict[str, Any]], bars: dict[str, Bar | None], runs: list[dict[str, Any]]
) -> list[str]:
    """Return the lines of the table of a run on a GPU: predicted, and measured by each device.

    Args:
        rows: The predictions that ``sass.py`` wrote.
        bars: The bars of the rows, by name; a row without bar and prediction is left out.
        runs: Reports of runs on devices, as ``run.py`` writes them.
    """
    names = [run["machine"]["devices"][0].partition(",")[0] for run in runs]
    measured = [{row["name"]: row for row in run["rows"]} for run in runs] or [{}]
    lines = []
    for name, bar in bars.items():
        if bar is None and name not in rows:
            continue
        found = [run.get(name) for run in measured]
        figures = [
            NOT_MEASURED if row is None else _figure(row["seconds"]["median"], row["rate"], bar)
            for row in found
        ]
        note = rows[name]["note"] if name in rows else ""
        lines.append([name, str(bar or ""), _predicted(rows.get(name), bar), *figures, note])
    measured_on = [f"measured, {name}" for name in names] or ["measured"]
    return in_markdown(["row", "bar", "predicted", *measured_on, "of the prediction"], lines)


def _predicted(row: dict[str, Any] | None, bar: Bar | None) -> str:
    if row is None:
        return "none"
    figure = _figure(row["seconds"], row["rate"], bar)
    return f"more than {figure}" if row["least"] else figure


def _figure(seconds: float, rate: float | None, bar: Bar | None) -> str:
    in_hands = bar is not None and bar.unit == "hands/s"
    return in_rate(rate) if in_hands and rate is not None else in_time(seconds)


def read_runs(folder: Path) -> list[dict[str, Any]]:
    """Return the reports of runs on devices in a folder."""
    reports = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))]
    return [report for report in reports if "devices" in report.get("machine", {})]
