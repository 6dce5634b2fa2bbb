"""``gpuodds ev``: what hand histories say about luck."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpuodds.cli.histories.fit_folds import show_fold_fits
from gpuodds.cli.interrupt import exit_code, stop_on_interrupt
from gpuodds.cli.options import OutputOptions
from gpuodds.cli.output import console, new_table, print_table, progress_bar, read_number, show_notes
from gpuodds.cli.short_stacks.options import read_list
from gpuodds.errors import InputError, excerpt

if TYPE_CHECKING:
    from gpuodds.histories.luck.graph import Series
    from gpuodds.histories.luck.ledger import Ledger
    from gpuodds.histories.luck.row import Row

MOST = 20  # lines of players, of skipped pieces and of hands that are printed


@dataclass(frozen=True)
class CountOptions:
    """Whose hands are counted, and how."""

    player: Annotated[
        str | None, typer.Option(metavar="NAME", help="Count this player's hands alone.")
    ] = None
    by: Annotated[
        str | None,
        typer.Option(
            metavar="WHAT",
            help="Split by day, table, stakes, position, hand, game or site.",
        ),
    ] = None
    unknown: Annotated[
        str | None,
        typer.Option(metavar="RANGE", help="For mucked hands; losers muck, so it overstates them."),
    ] = None
    dead_folds: Annotated[
        bool, typer.Option("--dead-folds", help="Take known cards of folded hands out of the deck.")
    ] = False
    payouts: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="Prizes of a tournament's table, by ICM: 50,30,20."),
    ] = None
    fit_folds: Annotated[
        bool,
        typer.Option(
            "--fit-folds",
            help="Fit how often players, or --player's opponents, fold by the size of the bet.",
        ),
    ] = False
    workers: Annotated[
        str | None, typer.Option(metavar="N", help="Processes. Default: one a core for large files.")
    ] = None


@dataclass(frozen=True)
class PrintOptions(OutputOptions):
    """What is printed and written."""

    hands: Annotated[
        bool, typer.Option("--hands", help="A row a hand; on a terminal the all-ins with most luck.")
    ] = False
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a row a hand and player: .csv, .jsonl or .parquet."),
    ] = None
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw result and all-in EV: .png, .svg or .pdf.")
    ] = None


def ev(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Files, folders or patterns; - is standard input."),
    ],
    *,
    counted: CountOptions,
    output: PrintOptions,
) -> None:
    """Tell luck from play in hand histories: results, and all-in EV by pot and by street.

    Reads PHH and the text of PokerStars, GGPoker, Winamax and 888poker.

    Examples:
      gpuodds ev hands.txt --player Hero
      gpuodds ev histories/ --by position --csv
      gpuodds ev histories/ --player Hero --plot luck.png --out hands.parquet
      gpuodds ev --fit-folds histories/ --player Hero
    """
    output.check()
    if counted.fit_folds:
        _refuse_with_fit(counted, output)
        show_notes()
        show_fold_fits(files, counted.player, output)
        return
    if output.plot is not None:
        from gpuodds.plotting import check_picture

        check_picture(output.plot)
    if output.out is not None:
        from gpuodds.histories.luck.files import check_rows_file

        check_rows_file(output.out)
    workers = None if counted.workers is None else read_number("--workers", counted.workers)
    if workers == 0:
        raise InputError("--workers 0: expected 1 or more")
    from gpuodds.histories.luck.ledger import ledger

    show_notes()
    lucky = _Lucky(counted.player)
    with ExitStack() as stack:
        sinks = list(_sinks(stack, counted, output, lucky))
        series = None
        if output.plot is not None and counted.player is not None:
            from gpuodds.histories.luck.graph import Series

            series = Series(counted.player)
            sinks.append(series.add)
        progress = stack.enter_context(progress_bar("hands"))
        stop = stack.enter_context(stop_on_interrupt())

        def each(row: Row) -> None:
            for sink in sinks:
                sink(row)

        found = ledger(
            files,
            player=counted.player,
            by=counted.by,
            unknown=counted.unknown,
            dead_folds=counted.dead_folds,
            payouts=[] if counted.payouts is None else read_list("--payouts", counted.payouts),
            workers=workers,
            each=each if sinks else None,
            as_json=_needs_json(output),
            progress=progress,
            stop=stop,
        )
    if counted.player is not None and found.hands and not found.totals:
        raise InputError(f"--player {excerpt(counted.player)}: not in any of {found.hands:,} hands")
    if output.plot is not None:
        _plot(files, counted, found, series, output.plot)
    if output.as_json:
        _print_json(found, output.hands)
    elif output.as_csv:
        if not output.hands:
            _print_csv(found)
    else:
        _print_players(found, counted)
        if output.hands:
            lucky.print()
    if counted.unknown is not None:
        print(
            "--unknown: losers muck, so a range overstates the equity of mucked hands", file=sys.stderr
        )
    _report(found, quiet=output.as_json)
    if found.stopped:
        print("gpuodds: interrupted; this is what was counted", file=sys.stderr)
        raise typer.Exit(exit_code())
    if not found.hands and found.skipped:
        raise InputError(f"no hand could be read: {found.skipped[0]}")


def _refuse_with_fit(counted: CountOptions, output: PrintOptions) -> None:
    """Refuse options of the ledger where folds are fitted."""
    given = {
        name: getattr(counted, name) for name in ("by", "unknown", "dead_folds", "payouts", "workers")
    }
    given |= {name: getattr(output, name) for name in ("hands", "out", "plot")}
    for name, value in given.items():
        if value:
            raise InputError(f"--{name.replace('_', '-')}: expected without --fit-folds")


def _needs_json(output: PrintOptions) -> bool:
    is_lines = output.out is not None and output.out.suffix == ".jsonl"
    return is_lines or (output.hands and output.as_json)


def _sinks(
    stack: ExitStack, counted: CountOptions, output: PrintOptions, lucky: _Lucky
) -> Iterator[Callable[[Row], None]]:
    """Yield what takes each row: files, standard output, the graph."""
    if output.out is not None:
        from gpuodds.histories.luck.files import open_rows

        yield stack.enter_context(open_rows(output.out, counted.player))
    if output.hands and output.as_json:
        yield lambda row: print(row.text)
    elif output.hands and output.as_csv:
        from gpuodds.histories.luck.files import COLUMNS, texts

        lines = csv.writer(sys.stdout, lineterminator="\n")
        lines.writerow(COLUMNS)
        yield lambda row: lines.writerows(texts(row, counted.player))
    elif output.hands:
        yield lucky.add


class _Lucky:
    """The all-ins with most luck, and those with least."""

    def __init__(self, player: str | None) -> None:
        self.player = player
        self.rows: list[tuple[float, int, Row, int]] = []
        self.seen = 0

    def add(self, row: Row) -> None:
        """Keep the all-ins of a hand as long as few have more luck, good or bad, in big blinds."""
        for place, luck in enumerate(row.luck or ()):
            if luck is None or (self.player is not None and row.names[place] != self.player):
                continue
            self.seen += 1
            swing = abs(float(sum(luck)) / (row.big_blind or 1))
            heappush(self.rows, (swing, -self.seen, row, place))
            if len(self.rows) > MOST:
                heappop(self.rows)

    def print(self) -> None:
        """Print them, the luckiest first."""
        table = new_table(
            "hand", "player", "cards", "result", "all-in EV", "luck", "flop", "turn", "river"
        )
        kept = [(row, place, row.luck[place]) for _, _, row, place in self.rows if row.luck]
        kept.sort(key=lambda one: -float(sum(one[2] or ())) / (one[0].big_blind or 1))
        for row, place, luck in kept:
            amounts = (row.result[place], row.ev[place], sum(luck or ()), *(luck or ()))
            table.add_row(
                row.number or f"line {row.line}",
                row.names[place],
                row.hands[place],
                *(_money(amount, row.currency) for amount in amounts),
            )
        out = console()
        print_table(out, table, keep=("hand", "player", "result", "all-in EV", "luck"))
        if self.seen > MOST:
            out.print(
                f"the {MOST} with most luck, good or bad, of {self.seen:,} all-ins; --csv has all hands"
            )


def _print_players(found: Ledger, counted: CountOptions) -> None:
    first = counted.by or "player"
    columns = ["hands", "result", "all-in EV", "luck", "bb/100", "EV bb/100", "deviation", "all-ins"]
    names = ["player", counted.by] if counted.by else ["player"]
    has_prizes = any(one.prize is not None for one in found.totals)
    if has_prizes:
        columns += ["prizes", "expected prizes"]
    table = new_table(*names, *columns)
    totals = found.totals
    if counted.by:
        order = sorted({one.group for one in totals})
        totals = sorted(
            totals, key=lambda one: (-_all_hands(found, one.player), one.player, order.index(one.group))
        )
    most = len(totals) if counted.player is not None else MOST
    for one in totals[:most]:
        blinds, expected = (float(value) * 100 / one.hands for value in one.in_big_blinds())
        table.add_row(
            one.player,
            *([one.group] if counted.by else []),
            f"{one.hands:,}",
            _money(one.result, one.currency),
            _money(one.ev, one.currency),
            _money(one.result - one.ev, one.currency),
            f"{blinds:+.1f}",
            f"{expected:+.1f}",
            f"{one.deviation_per_100()[1]:.1f}",
            f"{one.all_ins:,}",
            *([f"{prize:+,.2f}" for prize in one.prize or (0.0, 0.0)] if has_prizes else []),
        )
    out = console()
    print_table(out, table, keep=("player", first, "hands", "result", "all-in EV"))
    if len(totals) > most:
        out.print(f"{len(totals) - most:,} more: --player NAME, --json or --csv")


def _all_hands(found: Ledger, player: str) -> int:
    return sum(one.hands for one in found.totals if one.player == player)


def _money(amount: int | Fraction, currency: str) -> str:
    from gpuodds.histories.chips import PARTS

    chips = float(amount / PARTS) if amount else 0.0
    sign = "-" if chips < -0.005 else "+" if chips > 0.005 else ""
    return f"{sign}{currency}{abs(chips):,.2f}"


def _print_json(found: Ledger, only_skipped: bool) -> None:
    if not only_skipped:
        for one in found.totals:
            print(json.dumps(one.to_dict(), ensure_ascii=False))
    rows = [
        {"file": skipped.file, "line": skipped.line, "reason": skipped.reason}
        for skipped in found.skipped
    ]
    left = sum(found.reasons.values()) - len(rows)
    print(
        json.dumps(
            {"skipped": rows, "again": found.again, "hands": found.hands}
            | ({"more_skipped": left} if left else {}),
            ensure_ascii=False,
        )
    )


def _print_csv(found: Ledger) -> None:
    from gpuodds.histories.chips import chips_text

    lines = csv.writer(sys.stdout, lineterminator="\n")
    lines.writerow(
        ["player", "group", "currency", "hands", "all_ins", "result", "ev"]
        + [f"{street}_luck" for street in ("flop", "turn", "river")]
        + ["result_bb", "ev_bb", "deviation_per_100", "ev_deviation_per_100"]
    )
    for one in found.totals:
        amounts = [chips_text(amount) for amount in (one.result, one.ev, *one.luck)]
        name = (one.player, one.group, one.currency, one.hands, one.all_ins)
        lines.writerow([*name, *amounts, *map(float, one.in_big_blinds()), *one.deviation_per_100()])


def _plot(
    files: list[str], counted: CountOptions, found: Ledger, series: Series | None, out: Path
) -> None:
    """Draw a player's graph; without --player, that of the one with the most hands."""
    from gpuodds.histories.luck.graph import Series, plot_ledger
    from gpuodds.histories.luck.ledger import ledger

    if not found.totals:
        return
    if series is None:
        series = Series(found.totals[0].player)
        ledger(
            files,
            unknown=counted.unknown,
            dead_folds=counted.dead_folds,
            player=series.player,
            each=series.add,
        )
    plot_ledger(series, out)
    print(f"{out}: {series.player}, {series.hands:,} hands", file=sys.stderr)


def _report(found: Ledger, *, quiet: bool) -> None:
    """Print what was read, what was not, and what is not adjusted, to stderr."""
    if not quiet:
        again = f", {found.again:,} of them twice" if found.again else ""
        print(f"{found.hands:,} hand{'' if found.hands == 1 else 's'}{again}", file=sys.stderr)
    for why, number in sorted(found.not_adjusted.items()):
        hands = "hand is" if number == 1 else "hands are"
        print(f"{number:,} all-in {hands} not adjusted: {why}", file=sys.stderr)
    for (what, player, currency), amount in sorted(found.apart.items()):
        if what != "bounty" or not quiet:
            print(
                f"apart from the pots: {what} of {player}: {_money(amount, currency)}", file=sys.stderr
            )
    total = sum(found.reasons.values())
    if total:
        print(f"{total:,} skipped:", file=sys.stderr)
        for skipped in found.skipped[:MOST]:
            print(f"  {skipped}", file=sys.stderr)
        if total > MOST:
            print(f"  and {total - MOST:,} more; --json names them", file=sys.stderr)
