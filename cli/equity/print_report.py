"""Print a report of ``gpuodds flops`` or ``gpuodds turns``: tables, JSON, CSV, Parquet."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING

from gpuodds.basics.durations import format_duration
from gpuodds.cards import format_cards
from gpuodds.cli.output import console, new_table, print_table
from gpuodds.machine.files import open_output

if TYPE_CHECKING:
    from rich.console import Console

    from gpuodds.results.player_equity import PlayerEquity
    from gpuodds.results.reports.board_report import BoardReport

SHOWN = 20  # rows, unless --limit gives another number


def write_rows(report: BoardReport, form: str, out: str | Path) -> None:
    """Write the rows to a file, whole or not at all, or to standard output.

    Args:
        report: The report.
        form: csv, json (an object per line) or parquet.
        out: The file, or ``-``.
    """
    with open_output(out) as file:
        if form == "parquet":
            import pyarrow.parquet as pq

            pq.write_table(report.to_arrow(), file, compression="zstd")
            return
        text = io.StringIO()
        rows = report.to_dicts()
        if form == "csv":
            writer = csv.DictWriter(text, report.columns, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        else:
            text.writelines(json.dumps(row) + "\n" for row in rows)
        file.write(text.getvalue().encode())


def print_report(report: BoardReport, limit: int | None) -> None:
    """Print the mean equities, those by texture, and the first rows."""
    out, street = console(), report.street
    names = report.spot.names
    known = [("board", report.spot.board), ("dead", report.spot.dead)]
    parts = [f"{name} {format_cards(cards)}" for name, cards in known if cards]
    if parts:
        out.print(", ".join(parts))
    means = new_table("texture", f"{street}s", *names)
    means.add_row("all", _number(report), *_equities(report.players))
    for name, (weight, players) in report.by_texture().items():
        means.add_row(name, f"{weight:,}", *_equities(players))
    print_table(out, means)
    if report.rows:
        _print_rows(out, report, SHOWN if limit is None else limit)
    else:
        out.print(f"no {street} has these textures")
    out.print(f"exact (computed, {report.backend}), {format_duration(report.seconds)}")


def _number(report: BoardReport) -> str:
    return f"{sum(row.weight for row in report.rows):,}"


def _equities(players: tuple[PlayerEquity, ...]) -> list[str]:
    return [f"{100 * player.equity:.4f} %" if player.outcomes else "" for player in players]


def _print_rows(out: Console, report: BoardReport, limit: int) -> None:
    shown = new_table(report.street, "weight", *report.spot.names)
    dealt = [row for row in report.rows if row.outcomes]
    for row in dealt[:limit]:
        shown.add_row(format_cards(row.cards), str(row.weight), *_equities(row.players))
    print_table(out, shown)
    if len(dealt) > limit:
        out.print(f"{limit} of {len(dealt):,} rows: --limit shows more, --csv all")
    impossible = sum(row.weight for row in report.rows if not row.outcomes)
    if impossible:
        out.print(f"{impossible:,} {report.street}s cannot be dealt with these hands")
