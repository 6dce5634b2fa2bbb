"""``gpuodds push-fold tournament``: the chance to win from every stack."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Annotated

import typer

from gpuodds.basics.durations import format_duration
from gpuodds.cli.options import OutputOptions
from gpuodds.cli.output import console, new_table, print_json, print_table, progress_bar, show_notes
from gpuodds.cli.short_stacks.options import read_blinds

MAX_ROWS = 40


def tournament(
    *,
    chips: Annotated[str, typer.Option(metavar="CHIPS", help="All chips in play.")],
    blinds: Annotated[str, typer.Option(metavar="SMALL/BIG", help="The blinds.")],
    step: Annotated[
        str | None,
        typer.Option(metavar="CHIPS", help="Stacks are multiples; by default of what divides all."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the curve: .png, .svg or .pdf.")
    ] = None,
    output: OutputOptions,
) -> None:
    """Solve a whole tournament of two players, all-in or fold: the chance to win from every stack.

    Examples:
      gpuodds push-fold tournament --chips 8000 --blinds 300/600
      gpuodds push-fold tournament --chips 40 --blinds 0.5/1 --csv
    """
    from gpuodds.short_stacks.tournaments.heads_up import heads_up_tournament

    output.check()
    if plot is not None:
        from gpuodds.plotting import check_picture

        check_picture(plot)
    small, big = read_blinds(blinds)
    show_notes()
    with progress_bar("solving all stacks") as progress:
        result = heads_up_tournament(chips, (small, big), step=step, progress=progress)
    if plot is not None:
        result.plot(plot)
    if output.as_json:
        print_json(result.to_dict())
        return
    if output.as_csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(["stack", "small_blind", "big_blind", "all_in", "call"])
        writer.writerows(state.to_dict().values() for state in result.states)
        return
    out = console()
    every = -(-len(result.states) // MAX_ROWS)
    table = new_table("chips", "of all", "wins from SB", "wins from BB", "SB all-in", "BB calls")
    for state in result.states[every - 1 :: every]:
        table.add_row(
            f"{state.stack:g}",
            f"{100 * state.stack / result.chips:.2f} %",
            f"{100 * state.small_blind:.4f} %",
            f"{100 * state.big_blind:.4f} %",
            f"{state.all_in:.2f} %",
            f"{state.call:.2f} %",
        )
    print_table(out, table)
    if every > 1:
        out.print(f"one of {every} stacks; --csv has all {len(result.states)}")
    apart = "less than 1e-8" if result.gap < 1e-8 else f"at most {float(result.gap):.1e}"
    out.print(f"the bounds of a chance are {apart} apart")
    out.print(f"exact (all deals counted), {format_duration(result.seconds)}")
