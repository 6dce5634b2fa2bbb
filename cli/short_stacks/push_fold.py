"""``gpuodds push-fold``: all-in or fold before the flop."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpuodds.basics.durations import format_duration
from gpuodds.cards import RANKS
from gpuodds.cli.interrupt import exit_code, stop_on_interrupt
from gpuodds.cli.options import OutputOptions
from gpuodds.cli.output import (
    console,
    new_table,
    print_json,
    print_table,
    print_weights,
    progress_bar,
    show_notes,
)
from gpuodds.cli.short_stacks.options import StakeOptions, share_text
from gpuodds.errors import InputError, excerpt

if TYPE_CHECKING:
    from gpuodds.short_stacks.decision import Decision
    from gpuodds.short_stacks.result import PushFoldResult
    from gpuodds.short_stacks.solving import SearchState
    from gpuodds.short_stacks.spot import PushFoldSpot

FEW = 3  # players, up to whom all grids are shown


@dataclass(frozen=True)
class AskOptions:
    """What is asked besides the charts, and what is given."""

    lock: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLACE=RANGE", help="A range that is given, the others answer: BTN=20%, BB:SB=A2+."
        ),
    ] = None
    hand: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[PLACE=]HAND",
            help="Explain a decision: SB=A5s, BB:BTN,SB=QQ; A5s: where first in.",
        ),
    ] = None
    charts: Annotated[
        bool, typer.Option("--charts", help="Print the grid of every position and history.")
    ] = False
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the charts: .png, .svg or .pdf.")
    ] = None
    time_limit: Annotated[
        str | None, typer.Option(metavar="SECONDS", help="Then show the best so far.")
    ] = None


def hand(
    stacks: Annotated[
        list[str],
        typer.Argument(
            metavar="STACK...", help="Chips of 2 to 9 players in order of action, the blinds last."
        ),
    ],
    *,
    stakes: StakeOptions,
    asked: AskOptions,
    output: OutputOptions,
) -> None:
    """Solve a hand that is played all-in or fold, and certify the answer.

    Each position has a chart for each history: first in, or after others went all-in.
    A place is a position, with those all-in before: BTN, BB:SB, BB:BTN,SB.

    Examples:
      gpuodds push-fold 10 10
      gpuodds push-fold 15 10 8 --payouts 50,30,20 --hand SB:BTN=A9s
      gpuodds push-fold 4000 9000 6000 --blinds 300/600 --ante 75
      gpuodds push-fold 12 12 --lock SB=100%
      gpuodds push-fold tournament --chips 8000 --blinds 300/600
    """
    from gpuodds.short_stacks.push_fold import MANY_TARGET, TARGETS, push_fold, read_locks
    from gpuodds.short_stacks.spot import read_spot

    output.check()
    if asked.plot is not None:
        from gpuodds.plotting import check_picture

        check_picture(asked.plot)
    settings = stakes.read()
    spot = read_spot(stacks, **settings)
    locks = dict(_read_lock(text) for text in asked.lock or [])
    read_locks(spot, locks)
    decisions = [_read_decision(text, spot) for text in asked.hand or []]
    seconds = None if asked.time_limit is None else _read_seconds(asked.time_limit)
    show_notes()
    if spot.players > 2:
        from gpuodds.short_stacks.tables import build_tables

        with progress_bar("building tables") as progress:
            build_tables(progress)
    target = TARGETS.get(spot.players, MANY_TARGET)
    with _certificate_bar(target) as report, stop_on_interrupt() as stop:
        result = push_fold(
            stacks, **settings, lock=locks, time_limit=seconds, progress=report, stop=stop
        )
        stopped = stop()
    explained = [result.explain(place, name) for places, name in decisions for place in places]
    if asked.plot is not None:
        result.plot(asked.plot)
    if output.as_json:
        more = {"decisions": [decision.to_dict() for decision in explained]} if explained else {}
        print_json(result.to_dict() | more)
    elif output.as_csv:
        _print_csv(result)
    else:
        _print_result(result, explained, asked.charts)
    if stopped:
        print("gpuodds: interrupted; this is the best so far", file=sys.stderr)
        raise typer.Exit(exit_code())


def _read_lock(text: str) -> tuple[str, str]:
    place, equals, given = text.partition("=")
    if not (equals and place.strip() and given.strip()):
        raise InputError(f"--lock {excerpt(text)}: expected PLACE=RANGE, such as BTN=20%")
    return place.strip(), given


def _read_decision(text: str, spot: PushFoldSpot) -> tuple[list[str], str]:
    """Return the places and the hand of an option such as ``BB:SB=A5s`` or ``A5s``."""
    from gpuodds.short_stacks.push_fold import read_decision

    first_in = [spot.describe(*place) for place in spot.histories if not place[1]]
    where = text if "=" in text else f"{spot.positions[0]}={text}"
    place, hand = read_decision(spot, where)
    return [place] if "=" in text else first_in, hand


def _read_seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"--time-limit {excerpt(text)}: expected seconds") from None


@contextmanager
def _certificate_bar(target: float) -> Iterator[Callable[[SearchState], None] | None]:
    """Yield a function that shows how the certificate falls; None if stderr is no terminal."""
    first = 0.0
    with progress_bar("solving") as update:
        if update is None:
            yield None
            return

        def show(state: SearchState) -> None:
            nonlocal first
            share = max(state.share_of_pool, target / 10)
            first = first or max(share, 10 * target)
            done = min(log(first / share) / log(first / target), 1.0)
            gain = f"best responses gain {state.share_of_pool:.1e} of the pool"
            update(done, f"{state.iterations} iterations, {gain}")

        yield show


def _print_csv(result: PushFoldResult) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["position", "history", "hand", "all_in"])
    for position, charts in result.strategies.items():
        for history, chart in charts.items():
            writer.writerows([position, history, name, share] for name, share in chart.items())


def _print_result(result: PushFoldResult, explained: list[Decision], charts: bool) -> None:
    out = console()
    spot, prize = result.spot, result.unit == "prize"
    table = new_table("position", "chips", "gains in prizes" if prize else "gains", "first in")
    for player, (position, stack) in enumerate(zip(result.positions, spot.stacks, strict=True)):
        first = f"{result.percent(position):.2f} %" if "" in result.strategies[position] else ""
        table.add_row(position, f"{float(stack):g}", f"{result.values[player]:+.6f}", first)
    print_table(out, table)
    few = spot.players <= FEW and not explained
    listed = [place for place in result.places if charts or spot.players <= FEW or "," not in place]
    if charts or few:
        for place in listed:
            out.print(f"{_said(place)}: all-in with {result.percent(place):.2f} %")
            print_weights(out, result.chart(place), len(RANKS))
            out.print()
    ranges = new_table("place", "all-in", "hands")
    ranges.columns[2].justify = "left"
    for place in listed:
        ranges.add_row(place, f"{result.percent(place):.2f} %", str(result.range(place)) or "-")
    print_table(out, ranges, wrap=2)
    for decision in explained:
        _print_decision(out, decision)
    if result.locked:
        out.print(f"given: {', '.join(result.locked)}")
    out.print(f"best responses gain {share_text(result.certificate.share_of_pool)} of the pool")
    how = "exact (all deals counted)" if result.exact else "sampled, pots of four hands and more"
    out.print(f"{how}, {format_duration(result.seconds)}")


def _said(place: str) -> str:
    position, _, history = place.partition(":")
    if not history:
        return f"{position}, first in"
    return f"{position} after {history.replace(',', ' and ')}"


def _print_decision(out: Any, decision: Decision) -> None:
    unit = "prize money" if decision.unit == "prize" else "chips"
    out.print(
        f"{decision.hand} at {decision.place}: all-in {decision.all_in:+.6f}, "
        f"fold {decision.fold:+.6f} "
        f"{unit}: {decision.difference:+.6f}"
    )
    table = new_table("if called by", "chance", "equity", "worth")
    for ending in decision.endings:
        table.add_row(
            ending.callers,
            f"{100 * ending.chance:.2f} %",
            f"{100 * ending.equity:.2f} %",
            f"{ending.value:+.6f}",
        )
    print_table(out, table)
    for opponent in decision.opponents:
        what = "is all-in" if opponent.is_all_in else "calls"
        out.print(f"{opponent.position} {what} with {opponent.percent:.2f} %: {opponent.hands or '-'}")
    out.print()
