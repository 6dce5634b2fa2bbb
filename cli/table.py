"""``gpuodds table``: build, verify, show, plot and export tables of the whole game."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from gpuodds.basics.durations import format_duration
from gpuodds.cli.app import App, Backend, choice, completion
from gpuodds.cli.cluster import Scheduler, TlsCa, TlsCert, TlsKey, Workers, read_cluster
from gpuodds.cli.output import (
    console,
    new_table,
    print_json,
    print_table,
    progress_bar,
    read_number,
    show_notes,
)
from gpuodds.errors import InputError, excerpt

if TYPE_CHECKING:
    from gpuodds.table_building.kinds.kind import Kind

app = App(help="Tables of the whole game: build, verify, show, plot, export.")


def _readable() -> list[str]:
    from gpuodds.tables.open import SHIPPED

    return [*SHIPPED, *_built()]


def _built() -> list[str]:
    from gpuodds.tables.files.locate import built_tables

    return list(built_tables())


def _known() -> list[str]:
    from gpuodds.tables.layouts.catalog import layouts

    return list(layouts())


Table: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="NAME|DIR",
        help="A table that ships or was built, or a folder of one.",
        autocompletion=completion(_readable),
    ),
]
BuiltTable: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="NAME|DIR",
        help="A table that was built, or its folder.",
        autocompletion=completion(_built),
    ),
]
NewTable: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="A name from gpuodds table list.", autocompletion=completion(_known)
    ),
]
Format: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="csv|json|parquet",
        help="By default as FILE ends, or csv.",
        autocompletion=completion(lambda: ("csv", "json", "parquet")),
    ),
]


@app.command("list")
def list_tables() -> None:
    """List all tables and how long they take to build; show which are built, and where.

    Examples:
      gpuodds table list
    """
    from gpuodds.tables.files.locate import built_tables
    from gpuodds.tables.open import SHIPPED

    shown = new_table("table", "rows", "builds in", "what it is")
    for kind in _kinds().values():
        layout, k = kind.layout, kind.layout.default_opponents
        takes = f"about {format_duration(kind.seconds(k))}"
        shown.add_row(layout.name, f"{layout.row_count(k):,}", takes, layout.about)
    shown.columns[-1].justify = "left"
    out = console()
    print_table(out, shown, keep=("table", "rows"), wrap=3)
    *names, last = SHIPPED
    out.print(f"{', '.join(names)} and {last} ship with gpuodds.")
    for name, folder in built_tables().items():
        out.print(f"{name} is built: {folder}", soft_wrap=True, markup=False)


@app.command()
def build(
    name: NewTable,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder; by default where NAME is looked for.")
    ] = None,
    opponents: Annotated[
        str | None, typer.Option(metavar="K", help="Random opponents, 1 to K, where it has them.")
    ] = None,
    backend: Backend = "auto",
    workers: Workers = 1,
    scheduler: Scheduler = None,
    shards: Annotated[
        str | None, typer.Option(metavar="A-B", help="Build these shards only, such as 0-9.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print time, disk and memory; build nothing.")
    ] = False,
    tls_ca: TlsCa = None,
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
) -> None:
    """Build a table, go on with one, or mend one; a build that is killed loses a shard at most.

    Examples:
      gpuodds table build flop-random --opponents 3 --dry-run
      gpuodds table build preflop-three-way --out three-way
    """
    kind = _find(name)
    from gpuodds.tables.files.locate import folder_to_build
    from gpuodds.tables.layouts.catalog import check_opponents

    k = check_opponents(kind.layout, _opponents(opponents))
    only = None if shards is None else _shards(shards, len(kind.layout.shards(k)))
    options = read_cluster(workers, scheduler, tls_ca, tls_cert, tls_key)
    folder = out or folder_to_build(kind.name)
    if dry_run:
        print(_takes(kind, folder, k, only, workers))
        return
    show_notes()
    from gpuodds.table_building.build import build as build_table

    with progress_bar(f"building {kind.name}") as progress:
        complete = build_table(
            kind, folder, k, backend=backend, only=only, progress=progress, **options
        )
    state = "complete" if complete else "in part: build again without --shards for the rest"
    print(f"{folder}: {kind.name}, {state}")


@app.command()
def verify(
    name: BuiltTable,
    rows: Annotated[int, typer.Option(metavar="N", help="Rows to count again.")] = 20,
    seed: Annotated[int, typer.Option(metavar="N", help="Same seed, same rows.")] = 0,
    finer: Annotated[
        str | None,
        typer.Option(metavar="NAME|DIR", help="The table of the next street, to compare with."),
    ] = None,
) -> None:
    """Check a table's bytes, drawn rows by another method, and the invariants of the whole.

    Examples:
      gpuodds table verify flop-random --rows 100
      gpuodds table verify flop-random --finer turn-random
    """
    from gpuodds.tables.open import locate, need_arrow

    need_arrow()
    from gpuodds.table_building.verify import verify as verify_table

    if rows < 0:
        raise InputError(f"--rows {rows}: expected at least 0")
    folder, next_street = locate(name), None if finer is None else locate(finer)
    with progress_bar(f"checking {folder}") as progress:
        lines = verify_table(folder, rows=rows, seed=seed, finer=next_street, progress=progress)
    for line in lines:
        print(f"holds: {line}")


@app.command()
def show(
    name: Table,
    hands: Annotated[
        list[str] | None, typer.Argument(metavar="HAND", help="Such as AKs, or AsKs QhQd.")
    ] = None,
    board: Annotated[str, typer.Option(metavar="CARDS", help="The board, for tables of streets.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object a row.")] = False,
) -> None:
    """Show the rows of a hand; without a hand, the size of the table.

    Examples:
      gpuodds table show preflop-random AKs
      gpuodds table show preflop-heads-up AKs QQ
      gpuodds table show omaha-preflop-random "AAKK ds"
      gpuodds table show flop-random AsKs --board 2s7d9h
    """
    from gpuodds.tables.open import table

    opened = table(name)
    if not hands:
        about: dict[str, Any] = {
            "table": opened.name,
            "rows": len(opened),
            "opponents": opened.opponents,
        }
        if as_json:
            print_json(about)
        else:
            against = f", 1 to {opened.opponents} opponents" if opened.opponents > 1 else ""
            console().print(f"{opened.name}: {len(opened):,} rows{against}")
        return
    rows = opened.lookup(*hands, board=board)
    if as_json:
        for row in rows:
            print_json({key: _json(value) for key, value in row.items()})
        return
    out = console()
    if len(rows) == 1:
        shown = new_table("", "")
        for key, value in {**rows[0], **_equities(rows[0])}.items():
            shown.add_row(key, _cell(key, value))
        shown.show_header = False
        print_table(out, shown, wrap=1)
    else:
        # Ties with two or more others do not fit a line.
        columns = [name for name in rows[-1] if not name.startswith("tie_") or name == "tie_1"]
        shown = new_table(*columns)
        for row in rows:
            shown.add_row(*(_cell(key, row.get(key, "")) for key in columns))
        print_table(out, shown, keep=("hand", "opponents", "equity"))


@app.command()
def plot(
    name: Table,
    hands: Annotated[
        list[str] | None, typer.Argument(metavar="HAND", help="Hands to plot, if any.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File to write: .png, .svg or .pdf.")
    ] = None,
    opponents: Annotated[
        str | None, typer.Option(metavar="K[,K]", help="Random opponents; two for the difference.")
    ] = None,
    board: Annotated[str, typer.Option(metavar="CARDS", help="The flop, for flop-random.")] = "",
) -> None:
    """Plot a table: 13 x 13 heat maps, equity by opponents, equities on a flop.

    Examples:
      gpuodds table plot preflop-random --opponents 3 --out three.png
      gpuodds table plot preflop-random AKs QQ 72o --out hands.svg
    """
    from gpuodds.tables.open import need_arrow, table

    if out is None:
        raise InputError("--out: expected a file to write, such as table.png")
    counts = [read_number("--opponents", text) for text in (opponents or "").split(",") if text]
    opened = table(name)
    need_arrow()
    from gpuodds.tables.plot import plot as draw

    draw(opened, out, hands=hands or (), opponents=counts, board=board)
    print(out)


@app.command()
def export(
    name: Table,
    form: Format = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File to write; by default, or as -, stdout.")
    ] = None,
    view: Annotated[
        str | None, choice("classes", "canonical", help="Rows of preflop-heads-up. Default: classes.")
    ] = None,
) -> None:
    """Export a whole table for other programs.

    Examples:
      gpuodds table export preflop-random --out preflop.csv
      gpuodds table export preflop-heads-up --view canonical --out pairs.parquet
    """
    from gpuodds.tables.open import need_arrow, table

    opened = table(name)
    need_arrow()
    from gpuodds.machine.files import STDOUT
    from gpuodds.tables.export import export_to_file

    out = out or Path(STDOUT)
    if form == "parquet" and str(out) == STDOUT and sys.stdout.isatty():
        raise InputError("--format parquet: expected --out FILE, not a terminal")
    export_to_file(opened, form, out, view)


def _kinds() -> dict[str, Kind]:
    from gpuodds.tables.open import need_arrow

    need_arrow()
    from gpuodds.table_building.kinds.catalog import kinds

    return kinds()


def _find(name: str) -> Kind:
    from gpuodds.tables.open import need_arrow

    need_arrow()
    from gpuodds.table_building.kinds.catalog import find_kind

    return find_kind(name)


def _opponents(text: str | None) -> int | None:
    if text is None:
        return None
    # 1-9 and 9 mean the same: a table has all numbers from 1.
    return read_number("--opponents", text.removeprefix("1-"))


def _shards(text: str, whole: int) -> range:
    first, _, last = text.partition("-")
    begin = read_number("--shards", first)
    end = read_number("--shards", last) if last else begin
    if not 0 <= begin <= end < whole:
        raise InputError(f"--shards {excerpt(text)}: expected numbers from 0 to {whole - 1}")
    return range(begin, end + 1)


def _takes(kind: Kind, folder: Path, opponents: int, only: range | None, workers: int) -> str:
    from gpuodds.table_building.build import find_missing

    missing, pieces, arrays = find_missing(kind, folder, opponents, only)
    spans = kind.layout.shards(opponents)
    wanted = len(spans) if only is None else len(only)
    rows, parts = sum(len(spans[number]) for number in missing), len(missing) * kind.parts
    share = rows / kind.layout.row_count(opponents) * len(pieces) / (parts or 1)
    there = f"{wanted - len(missing)} of {wanted} shards are there; " if len(missing) < wanted else ""
    there += f"{parts - len(pieces)} of {parts} parts are there; " if len(pieces) < parts else ""
    if arrays and not missing:
        return f"{kind.name}: {there}plain arrays will be written from them, nothing counted"
    takes = format_duration(kind.seconds(opponents) * share)
    return (
        f"{kind.name}: {there}{rows:,} rows in {len(missing)} shards, about {takes} on two cores of a "
        f"CPU, {_size(rows * kind.disk_per_row(opponents))} of disk, "
        f"{_size(1e9 * kind.memory * workers)} of memory"
    )


def _size(count: float) -> str:
    if count >= 0.5e9:
        return f"{count / 1e9:.1f} GB"
    megabytes = float(f"{count / 1e6:.2g}")  # an estimate has two digits
    return f"{max(megabytes, 1):.0f} MB"


def _equities(row: dict[str, Any]) -> dict[str, float]:
    """Return the equities of two hands from their counts, if a row has counts alone."""
    from gpuodds.tables.equities import equity_of

    if "win_a" not in row:
        return {}
    outcomes = row["win_a"] + row["win_b"] + row["tie"]
    return {f"equity_{hand}": equity_of([row[f"win_{hand}"], row["tie"]], outcomes) for hand in "ab"}


def _json(value: Any) -> Any:
    return str(value) if isinstance(value, int) and abs(value) > 1 << 53 else value


def _cell(key: str, value: Any) -> str:
    if key.startswith("equity") and isinstance(value, float):
        return f"{100 * value:.4f} %"
    if isinstance(value, float):
        return f"{value:.6f}"
    if isinstance(value, list):
        return " ".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) else str(value)
