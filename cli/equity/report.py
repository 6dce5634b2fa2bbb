"""``gpuodds flops`` and ``gpuodds turns``: the equities of ranges on every flop, or turn card."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from gpuodds.backends.choice import check_name
from gpuodds.cli.app import Backend, GameName
from gpuodds.cli.arguments import read_range_arguments
from gpuodds.cli.options import Dead, Opponents, OutputOptions
from gpuodds.cli.output import progress_bar, read_number, show_notes
from gpuodds.errors import InputError

if TYPE_CHECKING:
    from gpuodds.results.reports.board_report import BoardReport

Hands: TypeAlias = Annotated[
    list[str],
    typer.Argument(help="Hands, AsKs, and ranges, QQ+,AK:0.5, 15% or @FILE.", metavar="HANDS"),
]


@dataclass(frozen=True)
class RowOptions:
    """Which boards are shown, in which order."""

    texture: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME[,NAME]",
            help="Boards with one of these textures; several times, boards that meet each.",
        ),
    ] = None
    sort: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Column to sort by, such as equity_2, weight or flop."),
    ] = None
    reverse: Annotated[bool, typer.Option("--reverse", help="Sort the other way round.")] = False
    limit: Annotated[
        int | None,
        typer.Option(metavar="N", help="Show N boards. Default: 20 in a table, else all."),
    ] = None

    def check(self, street: str, players: int) -> None:
        """Refuse names that a street's boards or columns do not have."""
        from gpuodds.results.reports.board_report import check_column, check_texture

        for names in self._textures:
            for name in names:
                check_texture(street, name)
        if self.sort is not None:
            check_column(street, players, self.sort)

    def arrange(self, report: BoardReport) -> BoardReport:
        """Return a report's boards of these textures, sorted."""
        return report.select(*self._textures).sorted(self.sort or "equity_1", reverse=self.reverse)

    @property
    def _textures(self) -> list[list[str]]:
        return [[name.strip() for name in names.split(",")] for names in self.texture or ()]


@dataclass(frozen=True)
class RowOutput(OutputOptions):
    """How the rows are printed, or where they are written."""

    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object a row.")] = False
    as_csv: Annotated[bool, typer.Option("--csv", help="Print a line of CSV a row.")] = False
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the rows to FILE: .csv, .json, .jsonl or .parquet."),
    ] = None
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Plot how equities are distributed, and by texture: .png, .svg or .pdf.",
        ),
    ] = None


def flops(
    hands: Hands,
    opponents: Opponents = None,
    dead: Dead = "",
    *,
    rows: RowOptions,
    backend: Backend = "auto",
    game: GameName = "holdem",
    output: RowOutput,
) -> None:
    """Find the exact equities of hands and ranges on every flop.

    A row stands for the flops that differ in suits alone: 1,755 rows, or more
    if a range or a dead card names a suit. Textures: monotone, two-tone,
    rainbow; trips, paired, unpaired; connected, disconnected; A-high to 2-high.

    Examples:
      gpuodds flops "QQ+,AK" "22+,A2s+"
      gpuodds flops 15% 30% --texture monotone,paired --texture A-high --csv
      gpuodds flops AKs 22+ --out flops.parquet --plot flops.png
    """
    _check_outputs(output, rows.limit)
    report = _count_report("flop", hands, opponents, rows, backend, game, dead=dead)
    _show(rows.arrange(report), output, rows.limit)


def turns(
    hands: Hands,
    board: Annotated[str, typer.Option(metavar="CARDS", help="The flop, three cards.")] = "",
    opponents: Opponents = None,
    dead: Dead = "",
    *,
    rows: RowOptions,
    backend: Backend = "auto",
    game: GameName = "holdem",
    output: RowOutput,
) -> None:
    """Find the exact equities of hands and ranges on every turn card of a flop.

    A row stands for the cards that differ in suits alone, where ranges, flop
    and dead cards allow. Textures: pair (pairs the flop), flush (makes one
    possible), four-flush (the fourth of a suit), overcard, blank (none of
    these).

    Examples:
      gpuodds turns "QQ+,AK" "22+,A2s+" --board 2s7d9h
      gpuodds turns AsKs QhQd --board 2s7d9s --texture flush,overcard
    """
    _check_outputs(output, rows.limit)
    report = _count_report("turn", hands, opponents, rows, backend, game, dead=dead, board=board)
    _show(rows.arrange(report), output, rows.limit)


def _check_outputs(output: RowOutput, limit: int | None) -> None:
    """Refuse what could not be written, before the counting."""
    if output.as_json + output.as_csv + (output.out is not None) > 1:
        raise InputError("--json, --csv and --out: expected one of them")
    if limit is not None and limit < 1:
        raise InputError(f"--limit {limit}: expected at least 1")
    if output.out is not None:
        from gpuodds.tables.export import format_of

        if format_of(output.out, None) == "parquet":
            from gpuodds.tables.open import need_arrow

            need_arrow()
    if output.plot is not None:
        from gpuodds.plotting import new_picture

        new_picture(output.plot)


def _count_report(
    street: str,
    hands: list[str],
    opponents: str | None,
    rows: RowOptions,
    backend: str,
    game: str,
    **cards: str,
) -> BoardReport:
    """Check the options, and count the report of a street."""
    import gpuodds
    from gpuodds.games.catalog import find_game
    from gpuodds.spots.hands import read_texts

    show_notes()
    played = find_game(game)
    known = read_texts(read_range_arguments(hands, played), played)
    random_players = None if opponents is None else read_number("--opponents", opponents)
    rows.check(street, len(known))
    count = gpuodds.flop_report if street == "flop" else gpuodds.turn_report
    with progress_bar(f"counting {street}s") as progress:
        return count(
            known,
            opponents=random_players,
            backend=check_name(backend),
            game=played,
            progress=progress,
            **cards,
        )


def _show(report: BoardReport, output: RowOutput, limit: int | None) -> None:
    from gpuodds.cli.equity.print_report import print_report, write_rows

    if output.plot is not None:
        from gpuodds.results.reports.plot_report import plot_report

        plot_report(report, output.plot)
    prints_rows = output.as_json or output.as_csv
    if prints_rows:
        write_rows(report.limited(limit), "json" if output.as_json else "csv", "-")
    elif output.out is not None:
        from gpuodds.tables.export import format_of

        write_rows(report.limited(limit), format_of(output.out, None), output.out)
    else:
        print_report(report, limit)
    for written in (output.plot, output.out):
        if written is not None and not prints_rows:
            print(written)
