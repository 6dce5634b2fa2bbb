"""``gpuodds play match``: bots against each other, with the seats rotated."""

from __future__ import annotations

import csv
import sys
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpuodds.cli.app import choice
from gpuodds.cli.interrupt import end_match, stop_on_interrupt
from gpuodds.cli.options import AsJson
from gpuodds.cli.output import (
    console,
    new_table,
    print_json,
    print_table,
    progress_bar,
    read_number,
    show_notes,
)
from gpuodds.cli.play.options import Bots, LuckAdjusted, MatchOptions, read_rules, with_depth
from gpuodds.machine.files import open_output

if TYPE_CHECKING:
    from gpuodds.play.match import MatchResult


@dataclass(frozen=True)
class FileOptions:
    """The files that a match is written to."""

    history: Annotated[
        Path | None,
        typer.Option("--histories", "--history", metavar="FILE", help="Write the hands as .phhs."),
    ] = None
    csv_file: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the chips won, deal by deal.")
    ] = None
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the running result.")] = None

    def write(self, result: MatchResult, histories: list[Any]) -> None:
        """Write the files that were asked for."""
        if self.history is not None:
            from gpuodds.play.history import write_histories

            write_histories(self.history, histories)
        if self.csv_file is not None:
            _write_csv(self.csv_file, result)
        if self.plot is not None:
            from gpuodds.play.plot import plot_match

            plot_match(result, self.plot)


def match(
    bots: Bots,
    *,
    options: MatchOptions,
    files: FileOptions,
    yardstick: Annotated[
        str | None,
        choice("push-fold", help="Measure the bots where stacks are short, by all-in or fold."),
    ] = None,
    luck_adjusted: LuckAdjusted = False,
    as_json: AsJson = False,
) -> None:
    """Let bots play each deal from all seats; print thousandths of a big blind a hand, with intervals.

    Examples:
      gpuodds play match adaptive pokerbot --hands 500 --workers 2
      gpuodds play match bot.py:PotOdds tight --hands 1000
      gpuodds play match simulating pokerbot --depth 1 --luck-adjusted
      gpuodds play match tight random caller --hands 200 --histories hands.phhs --plot match.png
    """
    from gpuodds.play.match import play_match

    if files.plot is not None:
        from gpuodds.plotting import check_picture

        check_picture(files.plot)
    show_notes()
    bots = with_depth(bots, options.depth)
    deals = read_number("--hands", options.hands)
    rules = read_rules(len(bots), options.blinds, options.stack)
    common = options.read()
    histories: list[Any] = []
    keep = None if files.history is None else histories.append
    with progress_bar(" v ".join(bots)) as progress, stop_on_interrupt() as stop:
        result = play_match(
            bots,
            hands=deals,
            rules=rules,
            **common,
            progress=progress,
            keep=keep,
            stop=stop,
            yardstick=yardstick,  # type: ignore[arg-type]
            luck_adjusted=luck_adjusted,
        )
    if not result.deals:
        raise KeyboardInterrupt
    files.write(result, histories)
    if as_json:
        print_json(result.to_dict())
    else:
        _print_match(result)
    end_match(result.deals < deals, result.failure)


def _write_csv(path: Path, result: MatchResult) -> None:
    text = StringIO(newline="")
    rows = csv.writer(text)
    rows.writerow(["deal", *(f"{name} ({place})" for place, name in enumerate(result.players))])
    rows.writerows([number, *won] for number, won in enumerate(result.won, 1))
    with open_output(path) as file:
        file.write(text.getvalue().encode())
    print(f"{path}: {result.deals:,} deals", file=sys.stderr)


def _print_match(result: MatchResult) -> None:
    table = new_table("player", "chips", "mbb a hand", "95 % interval", "folds", "calls", "raises")
    for place, name in enumerate(result.players):
        low, high = result.interval(place)
        counts = [f"{result.actions[place].get(kind, 0):,}" for kind in ("fold", "call", "raise")]
        chips = f"{result.chips(place):+,}"
        table.add_row(
            name, chips, f"{result.rate(place):+,.1f}", f"{low:+,.1f} to {high:+,.1f}", *counts
        )
    out = console()
    print_table(out, table, keep=("player", "chips", "mbb a hand"))
    if result.luck is not None:
        _print_adjusted(result)
    if result.yardstick is not None:
        _print_yardstick(result)
    hands = result.deals * result.rotations
    out.print(f"{hands:,} hands of {result.deals:,} deals, seed {result.seed}")


def _print_adjusted(result: MatchResult) -> None:
    table = new_table("without luck", "mbb a hand", "95 % interval", "share of hands")
    for place, name in enumerate(result.players):
        low, high = result.adjusted_interval(place)
        table.add_row(
            name,
            f"{result.adjusted_rate(place):+,.1f}",
            f"{low:+,.1f} to {high:+,.1f}",
            f"{100 * result.share_of_hands(place):.1f} %",
        )
    out = console()
    print_table(out, table)
    out.print("share of hands: of those above, as many give an interval of the raw width")


def _print_yardstick(result: MatchResult) -> None:
    table = new_table("short stacks", "decisions", "left", "limps, raises", "cost, bb", "each, bb")
    for name, measured in zip(result.players, result.yardstick or (), strict=True):
        table.add_row(
            name,
            f"{measured.decisions:,}",
            f"{measured.left:,}",
            f"{measured.other:,}",
            f"{measured.cost:.3f}",
            f"{measured.cost_each:.3f}",
        )
    print_table(console(), table)
