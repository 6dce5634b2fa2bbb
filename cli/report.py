"""``gpuodds flops`` and ``gpuodds turns``: the equities of ranges on every flop, or turn card."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from gpuodds.cli.app import Backend, GameName
from gpuodds.cli.equity import Dead, Opponents
from gpuodds.cli.output import progress_bar, read_number, show_notes
from gpuodds.cli.words import read_range_words
from gpuodds.errors import InputError

if TYPE_CHECKING:
    from gpuodds.results.reports.board_report import BoardReport

Hands: TypeAlias = Annotated[
    list[str],
    typer.Argument(help="Hands, AsKs, and ranges, QQ+,AK:0.5, 15% or @FILE.", metavar="HANDS"),
]
Texture: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME[,NAME]",
        help="Boards with one of these textures; several times, boards that meet each.",
    ),
]
Sort: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="Column to sort by, such as equity_2, weight or flop."),
]
Reverse: TypeAlias = Annotated[bool, typer.Option("--reverse", help="Sort the other way round.")]
Limit: TypeAlias = Annotated[
    int | None,
    typer.Option(metavar="N", help="Show N boards. Default: 20 in a table, else all."),
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print a JSON object a row.")]
AsCsv: TypeAlias = Annotated[bool, typer.Option("--csv", help="Print a line of CSV a row.")]
Out: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the rows to FILE: .csv, .json, .jsonl or .parquet."),
]
Plot: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Plot how equities are distributed, and by texture: .png, .svg or .pdf."
    ),
]


def flops(
    hands: Hands,
    opponents: Opponents = None,
    dead: Dead = "",
    texture: Texture = None,
    sort: Sort = None,
    reverse: Reverse = False,
    limit: Limit = None,
    backend: Backend = "auto",
    game: GameName = "holdem",
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    out: Out = None,
    plot: Plot = None,
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
    _check_outputs(as_json, as_csv, limit, out, plot)
    report = _count("flop", hands, opponents, texture, sort, backend, game, dead=dead)
    _show(_arrange(report, texture, sort, reverse), as_json, as_csv, limit, out, plot)


def turns(
    hands: Hands,
    board: Annotated[str, typer.Option(metavar="CARDS", help="The flop, three cards.")] = "",
    opponents: Opponents = None,
    dead: Dead = "",
    texture: Texture = None,
    sort: Sort = None,
    reverse: Reverse = False,
    limit: Limit = None,
    backend: Backend = "auto",
    game: GameName = "holdem",
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    out: Out = None,
    plot: Plot = None,
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
    _check_outputs(as_json, as_csv, limit, out, plot)
    report = _count("turn", hands, opponents, texture, sort, backend, game, dead=dead, board=board)
    _show(_arrange(report, texture, sort, reverse), as_json, as_csv, limit, out, plot)


def _check_outputs(
    as_json: bool, as_csv: bool, limit: int | None, out: Path | None, plot: Path | None
) -> None:
    """Refuse what could not be written, before the counting."""
    if as_json + as_csv + (out is not None) > 1:
        raise InputError("--json, --csv and --out: expected one of them")
    if limit is not None and limit < 1:
        raise InputError(f"--limit {limit}: expected at least 1")
    if out is not None:
        from gpuodds.tables.export import format_of

        if format_of(out, None) == "parquet":
            from gpuodds.tables.open import need_arrow

            need_arrow()
    if plot is not None:
        from gpuodds.plotting import new_picture

        new_picture(plot)


def _count(
    street: str,
    hands: list[str],
    opponents: str | None,
    texture: list[str] | None,
    sort: str | None,
    backend: str,
    game: str,
    **cards: str,
) -> BoardReport:
    """Check the options, and count the report of a street."""
    import gpuodds
    from gpuodds.games.catalog import find_game
    from gpuodds.spots.hands import read_words

    show_notes()
    played = find_game(game)
    known = read_words(read_range_words(hands), played)
    random_players = None if opponents is None else read_number("--opponents", opponents)
    _check_choice(street, len(known), texture, sort)
    count = gpuodds.flop_report if street == "flop" else gpuodds.turn_report
    with progress_bar(f"counting {street}s") as progress:
        return count(
            known,
            opponents=random_players,
            backend=backend,
            game=played,
            progress=progress,
            **cards,
        )


def _check_choice(street: str, players: int, texture: list[str] | None, sort: str | None) -> None:
    from gpuodds.results.reports.board_report import check_column, check_texture

    for choice in texture or ():
        for name in choice.split(","):
            check_texture(street, name.strip())
    if sort is not None:
        check_column(street, players, sort)


def _arrange(
    report: BoardReport, texture: list[str] | None, sort: str | None, reverse: bool
) -> BoardReport:
    chosen = [[name.strip() for name in choice.split(",")] for choice in texture or ()]
    return report.select(*chosen).sorted(sort or "equity_1", reverse=reverse)


def _show(
    report: BoardReport,
    as_json: bool,
    as_csv: bool,
    limit: int | None,
    out: Path | None,
    plot: Path | None,
) -> None:
    from gpuodds.cli.print_report import print_report, write_rows

    if plot is not None:
        from gpuodds.results.reports.plot_report import plot_report

        plot_report(report, plot)
    if as_json or as_csv:
        write_rows(report.limited(limit), "json" if as_json else "csv", "-")
    elif out is not None:
        from gpuodds.tables.export import format_of

        write_rows(report.limited(limit), format_of(out, None), out)
    else:
        print_report(report, limit)
    for written in (plot, out):
        if written is not None and not (as_json or as_csv):
            print(written)
