"""``gpuodds abstraction``: put the hands of a street into buckets, and show them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from gpuodds.basics.durations import format_duration
from gpuodds.cards import format_cards
from gpuodds.cli.app import App, Backend, choice
from gpuodds.cli.cluster import Scheduler, TlsCa, TlsCert, TlsKey, Workers, read_cluster
from gpuodds.cli.output import (
    console,
    fold,
    new_table,
    print_json,
    print_table,
    progress_bar,
    show_notes,
)
from gpuodds.errors import InputError, excerpt
from gpuodds.games.shared.rules import STREETS
from gpuodds.tables.files.clustering import DEFAULT_SAMPLE, DISTANCES, MAX_SEED

if TYPE_CHECKING:
    from gpuodds.table_building.kinds.buckets import Buckets
    from gpuodds.tables.buckets import Bucket
    from gpuodds.tables.store import StoredTable

app = App(help="Buckets of like hands, for solvers: build, show.")

UNITS = {"emd": "earth mover's, in equity", "l2": "of histograms", "ochs": "of eight equities"}

Street: TypeAlias = Annotated[str, choice("preflop", *STREETS, help="The street.")]


@app.command()
def build(
    street: Street,
    buckets: Annotated[int, typer.Option(metavar="N", help="How many buckets.")],
    distance: Annotated[str, choice(*DISTANCES, help="What tells hands apart.")] = "emd",
    seed: Annotated[int, typer.Option(metavar="N", help="Same seed, same buckets.")] = 0,
    sample: Annotated[
        int, typer.Option(metavar="N", help="Hands to find the centres from.")
    ] = DEFAULT_SAMPLE,
    over: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|DIR", help="Compare how hands spread over the next street's buckets."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder; by default where it is looked for.")
    ] = None,
    backend: Backend = "auto",
    workers: Workers = 1,
    scheduler: Scheduler = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print time and disk; build nothing.")
    ] = False,
    tls_ca: TlsCa = None,
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
) -> None:
    """Put all hands of a street into buckets, or go on; a build that is killed loses a shard at most.

    emd and l2 compare how strong a hand becomes by the river, as a histogram; ochs its equity against
    eight clusters of opponents' hands.

    Examples:
      gpuodds abstraction build --street flop --buckets 200 --distance emd --seed 1
      gpuodds abstraction build --street flop --buckets 200 --over turn-buckets --out flop-over-turn
    """
    _check_street(street)
    if distance not in DISTANCES:
        raise InputError(f"--distance {excerpt(distance)}: expected {', '.join(DISTANCES)}")
    if sample < 1:
        raise InputError(f"--sample {sample}: expected at least 1")
    if not 0 <= seed <= MAX_SEED:
        raise InputError(f"--seed {seed}: expected 0 to {MAX_SEED}")
    from gpuodds.tables.files.locate import folder_to_build
    from gpuodds.tables.open import locate, need_arrow

    need_arrow()
    from gpuodds.table_building.abstraction import bucket_kind, with_centres
    from gpuodds.table_building.build import build as build_table
    from gpuodds.table_building.clustering import Wanted

    options = read_cluster(workers, scheduler, tls_ca, tls_cert, tls_key)
    kind = bucket_kind(STREETS[street], None if over is None else locate(over))
    wanted = Wanted(distance, buckets, seed, sample)
    folder = out or folder_to_build(kind.name)
    if dry_run:
        print(_takes(kind, wanted))
        return
    show_notes()
    with progress_bar(f"finding {buckets:,} centres") as progress:
        kind = with_centres(kind, wanted, folder, backend, progress)
    with progress_bar(f"building {kind.name}") as progress:
        build_table(kind, folder, 1, backend=backend, progress=progress, **options)
    from gpuodds.tables.store import StoredTable

    found = StoredTable(folder).clustering
    mean = _distance(found.mean_distance, distance)
    print(f"{folder}: {kind.name}, complete: {buckets:,} buckets, mean distance {mean}")


@app.command()
def show(
    hand: Annotated[
        str | None, typer.Argument(metavar="HAND", help="Two cards, AsKs. Default: all buckets.")
    ] = None,
    board: Annotated[str, typer.Option(metavar="CARDS", help="The board; before the flop none.")] = "",
    table: Annotated[
        str | None,
        typer.Option(metavar="NAME|DIR", help="The buckets. Default: those of the board's street."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show the bucket of a hand and those nearest to it; without a hand, how the buckets were made.

    Examples:
      gpuodds abstraction show AsKs --board Td9d8h
      gpuodds abstraction show AsKs
      gpuodds abstraction show --table turn-buckets
    """
    from gpuodds.spots.hands import read_cards
    from gpuodds.tables.hands import read_hand

    if hand is None:
        if table is None:
            raise InputError("abstraction show: expected a hand, or --table")
        _print_clustering(_open(table), as_json)
        return
    named, on_board = read_hand(hand), tuple(read_cards(board))
    from gpuodds.tables.buckets import find_bucket, find_preflop_bucket

    if not on_board and table is None:
        (*others, name) = named.starting_hands()
        if others:
            raise InputError(f"hand {named.name}: expected a starting hand, such as {name}")
        _print_bucket(find_preflop_bucket(name), None, named.name, on_board, as_json)
        return
    names = {size: f"{street}-buckets" for street, size in STREETS.items()}
    if table is None and len(on_board) not in names:
        raise InputError(f"--board {excerpt(board)}: expected 0, 3, 4 or 5 cards")
    opened = _open(table or names[len(on_board)])
    found = find_bucket(opened, named.cards(opened.name), on_board)
    _print_bucket(found, opened, named.name, on_board, as_json)


def _check_street(street: str) -> None:
    if street == "preflop":
        raise InputError(
            "--street preflop: each of the 169 starting hands is a bucket: there is nothing to build"
        )
    if street not in STREETS:
        raise InputError(f"--street {excerpt(street)}: expected {', '.join(STREETS)}")


def _open(name: str) -> StoredTable:
    from gpuodds.tables.open import locate, open_table

    return open_table(locate(name), name)


def _takes(kind: Buckets, wanted: Any) -> str:
    from gpuodds.table_building.abstraction import estimate

    seconds, disk, memory = estimate(kind, wanted)
    return (
        f"{kind.name}: {wanted.buckets:,} buckets, about {format_duration(seconds)} on two cores of a "
        f"CPU, {disk / 1e6:,.0f} MB of disk, {memory / 1e9:.1f} GB of memory"
    )


def _distance(value: float, distance: str) -> str:
    return f"{value:.4f} ({UNITS[distance]})"


def _print_clustering(table: StoredTable, as_json: bool) -> None:
    found = table.clustering
    table.check_complete()
    about: dict[str, Any] = {
        "schema": "gpuodds.buckets/1",
        "table": table.name,
        "buckets": found.buckets,
        "distance": found.distance,
        "seed": found.seed,
        "sample": found.sample,
        "over": found.over or None,
        "iterations": found.iterations,
        "mean_distance": found.mean_distance,
    }
    if as_json:
        print_json(
            about
            | {
                "shares": found.shares.tolist(),
                "equities": [None if value != value else value for value in found.equities.tolist()],
                "mean_distances": found.mean_distances,
            }
        )
        return
    rows = new_table("", "")
    rows.show_header = False
    for name, value in about.items():
        if name == "mean_distance":
            rows.add_row("mean distance", _distance(found.mean_distance, found.distance))
        elif value is not None and name != "schema":
            rows.add_row(
                name, f"{value:,}" if isinstance(value, int) and name != "seed" else str(value)
            )
    smallest, largest = found.shares.min(), found.shares.max()
    rows.add_row("share of the deals", f"{100 * smallest:.4f} % to {100 * largest:.4f} %")
    print_table(console(), rows, wrap=1)


def _print_bucket(
    bucket: Bucket, table: StoredTable | None, hand: str, board: Any, as_json: bool
) -> None:
    alike = [format_cards(reversed(combo)) for combo in bucket.combos]
    if as_json:
        print_json(
            {
                "schema": "gpuodds.bucket/1",
                "hand": hand,
                "board": format_cards(board),
                "table": None if table is None else table.name,
                "bucket": bucket.number,
                "buckets": bucket.buckets,
                "share": bucket.share,
                "equity": bucket.equity,
                "mean_distance": bucket.mean_distance,
                "neighbours": [each._asdict() for each in bucket.neighbours],
                "combos": alike,
            }
        )
        return
    out = console()
    where = f" on {format_cards(board)}" if board else ""
    out.print(f"{hand}{where}: bucket {bucket.number} of {bucket.buckets:,}", soft_wrap=True)
    if table is None:
        out.print(
            f"equity {100 * bucket.equity:.2f} %; before the flop every starting hand is a bucket"
        )
    else:
        found = table.clustering
        rows = new_table("bucket", "share", "equity", "distance")
        rows.add_row(*_cells(found, bucket.number), f"{bucket.mean_distance:.4f} of its own hands")
        for near, distance in bucket.neighbours:
            rows.add_row(*_cells(found, near), f"{distance:.4f}")
        print_table(out, rows)
        out.print(f"distance: {UNITS[found.distance]}")
    out.print(fold(f"in the same bucket: {' '.join(alike)}", out.width), soft_wrap=True)


def _cells(found: Any, number: int) -> tuple[str, str, str]:
    share, equity = found.shares[number], found.equities[number]
    return str(number), f"{100 * share:.4f} %", f"{100 * equity:.2f} %"
