"""What the predicted rates of kernels mean for the rows of ``gpu.py``, and the tables in the docs."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import comb
from pathlib import Path
from typing import Any

from bench.kernel_model import H100, SCHEDULERS
from bench.report import Bar, in_rate, in_time

BEGIN, END = "<!-- predictions -->", "<!-- end of predictions -->"
BOARDS, TURNS, FLOPS = 134_459, 16_432, 1_755  # that differ by more than the names of the suits
COMBOS = 1326
HEROES_QUADS = 13 * 2 + 78 * 1 + 78 * 3  # words of four combos, of all starting hands as heroes


@dataclass(frozen=True)
class Forecast:
    """The work of a row: amounts of kernels' units, or a launcher's count of warp instructions.

    ``least`` marks a prediction of a part of the work: the row takes longer.
    """

    row: str
    parts: tuple[tuple[str, float], ...] = ()
    instructions: Callable[[], float] | None = None
    least: bool = False
    note: str = ""


def count_instructions(*hands: str, board: str = "") -> float:
    """Return the warp instructions that the launcher of range showdowns expects, every hand counted."""
    from gpuodds.backends.cuda.showdowns import Question
    from gpuodds.games.holdem.symmetry import weighted_boards
    from gpuodds.spots.spot import Spot

    spot = Spot.of(list(hands), board=board)
    boards, times = weighted_boards(spot.board, spot.dead, spot.suit_group)
    return Question(spot.all_weights, boards, times, tuple(range(len(hands))), False).work


def products(tiles: int) -> float:
    """Return the instructions that multiply the lower numbers of all heroes on all boards."""
    return float(HEROES_QUADS * BOARDS * tiles * 4 * 4)


LAUNCHER = "The launcher's count of warp instructions, one a clock and scheduler."
SHOWDOWNS = "Comparisons alone."
FORECASTS = (
    Forecast("all 7-card hands", (("rank_all_hands", comb(52, 7)),)),
    Forecast("drawn 7-card hands", (("rank_hands", 64 << 20),)),
    Forecast("plain heads-up", (("enumerate_heads_up", comb(50, 5) * comb(45, 2)),)),
    Forecast(
        "all pairs", (("compare_combos", BOARDS * COMBOS**2), ("rank_combos", BOARDS * COMBOS)),
        note="Without the host's part.",
    ),
    Forecast("monte carlo", (("sample_deals", 1 << 30),)),
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
    Forecast("all rivers", (("against_random", BOARDS * COMBOS**2),), least=True, note=SHOWDOWNS),
    Forecast("all turns", (("against_random", TURNS * 48 * COMBOS**2),), least=True, note=SHOWDOWNS),
    Forecast(
        "all flops", (("against_random", FLOPS * comb(49, 2) * COMBOS**2),), least=True,
        note=SHOWDOWNS,
    ),
    Forecast(
        "flop table", (("against_random", FLOPS * comb(49, 2) * COMBOS**2),), least=True,
        note="Comparisons against one opponent alone.",
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
        if forecast.instructions is not None:
            seconds += forecast.instructions() / (SCHEDULERS * H100.processors * H100.clock)
        found[forecast.row] = {
            "seconds": seconds,
            "rate": forecast.parts[0][1] / seconds if forecast.parts else None,
            "least": forecast.least,
            "note": forecast.note,
        }
    return found


def render(report: dict[str, Any], bars: dict[str, Bar | None], runs: list[dict[str, Any]]) -> str:
    """Return the tables of the docs, markers included.

    Args:
        report: What ``sass.py`` wrote.
        bars: The bars of the rows of a run on a GPU, by name.
        runs: Reports of runs on devices, as ``run.py`` writes them.
    """
    lines = [BEGIN, "", *_kernel_table(report["kernels"]), "", *_row_table(report["rows"], bars, runs)]
    if not runs:
        lines += ["", "No device has run them yet: every figure of both tables is a prediction."]
    return "\n".join([*lines, "", END])


def _kernel_table(kernels: list[dict[str, Any]]) -> list[str]:
    lines = [
        "| kernel | unit | instructions | registers | shared memory | blocks x threads "
        "| predicted | bound |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in kernels:
        if not row["loop"]:
            continue
        loop, predicted = row["loop"], row["predictions"][H100.name]
        lines.append(
            f"| `{row['kernel']}` | {row['unit']} | {loop['instructions'] / loop['units']:.3g} "
            f"| {row['registers']} | {row['shared'] + row['dynamic_shared']:,} "
            f"| {row['blocks']} x {row['threads']} | {predicted['rate'] / 1e9:,.3g} G/s "
            f"| {predicted['bound']} |"
        )
    return lines


def _row_table(
    rows: dict[str, dict[str, Any]], bars: dict[str, Bar | None], runs: list[dict[str, Any]]
) -> list[str]:
    names = [run["machine"]["devices"][0].partition(",")[0] for run in runs]
    lines = ["| row | bar | predicted |" + "".join(f" measured, {name} |" for name in names)]
    lines.append("| --- | --- | --- |" + " --- |" * len(runs))
    measured = [{row["name"]: row for row in run["rows"]} for run in runs]
    for name, bar in bars.items():
        if bar is None:
            continue
        cells = [name, str(bar), _predicted(rows.get(name), bar)]
        for run in measured:
            row = run.get(name)
            cells.append("" if row is None else _figure(row["seconds"]["median"], row["rate"], bar))
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _predicted(row: dict[str, Any] | None, bar: Bar) -> str:
    if row is None:
        return "none"
    figure = _figure(row["seconds"], row["rate"], bar)
    return f"{'more than ' if row['least'] else ''}{figure}{'. ' + row['note'] if row['note'] else ''}"


def _figure(seconds: float, rate: float | None, bar: Bar) -> str:
    return in_rate(rate) if bar.unit == "hands/s" and rate is not None else in_time(seconds)


def read_runs(folder: Path) -> list[dict[str, Any]]:
    """Return the reports of runs on devices in a folder."""
    reports = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))]
    return [report for report in reports if "devices" in report.get("machine", {})]


def replace_tables(page: str, tables: str) -> str:
    """Return a page with the tables between the markers replaced.

    >>> replace_tables(f"a {BEGIN} old {END} b", f"{BEGIN} new {END}")
    'a <!-- predictions --> new <!-- end of predictions --> b'
    """
    before, _, rest = page.partition(BEGIN)
    return before + tables + rest.partition(END)[2]
