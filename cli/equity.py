"""``gpuodds equity``: the equity of known hands against each other and random opponents."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from gpuodds.cards import read_hands
from gpuodds.cli.output import console, new_table, print_json, progress_bar, read_number, show_notes
from gpuodds.engine import equity as find_equity
from gpuodds.errors import InputError

if TYPE_CHECKING:
    from rich.table import Table

    from gpuodds.result import EquityResult, PlayerEquity

SAMPLING = "Sampled answers (exact ones, all of this version, are not affected)"


def equity(
    hands: Annotated[
        list[str],
        typer.Argument(help="Hands: AsKs QhQd, or single cards, 1s 13s.", metavar="HANDS..."),
    ],
    opponents: Annotated[
        str | None,
        typer.Option(
            "--opponents",
            "-k",
            metavar="K",
            help="Players with random cards, 0 to 22; one, if there is one hand and nothing is said.",
        ),
    ] = None,
    board: Annotated[str, typer.Option(metavar="CARDS", help="Board, 0 to 5 cards.")] = "",
    dead: Annotated[str, typer.Option(metavar="CARDS", help="Cards out of play.")] = "",
    method: Annotated[str, typer.Option(help="auto or exact.")] = "auto",
    no_table: Annotated[
        bool, typer.Option("--no-table", help="Compute what the shipped table holds, too.")
    ] = False,
    backend: Annotated[
        str,
        typer.Option(help="auto (a GPU if there is one), cpu, cuda, or cuda:0,2 for those devices."),
    ] = "auto",
    samples: Annotated[
        int | None, typer.Option(metavar="N", help="Most samples.", rich_help_panel=SAMPLING)
    ] = None,
    standard_error: Annotated[
        float | None,
        typer.Option(metavar="E", help="Sample to this error.", rich_help_panel=SAMPLING),
    ] = None,
    time_limit: Annotated[
        float | None, typer.Option(metavar="S", help="Most seconds.", rich_help_panel=SAMPLING)
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Same seed, same draws.", rich_help_panel=SAMPLING)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print a line of CSV per player.")] = False,
) -> None:
    """Equity of known hands, exactly.

    Cards are rank and suit: As Td 10d 9c, or the ranks 1 (ace) to 13 (king): 1s 13s.
    """
    if as_json and as_csv:
        raise InputError("--json and --csv: expected one of them")
    show_notes()
    known = read_hands(hands)
    random_players = None if opponents is None else read_number("--opponents", opponents)
    with progress_bar("computing") as progress:
        result = find_equity(
            known,
            opponents=random_players,
            board=board,
            dead=dead,
            method=method,
            table=not no_table,
            backend=backend,
            samples=samples,
            standard_error=standard_error,
            time_limit=time_limit,
            seed=seed,
            progress=progress,
        )
    if as_json:
        print_json(result.to_dict())
    elif as_csv:
        _print_csv(result)
    else:
        _print_table(result)


def _print_csv(result: EquityResult) -> None:
    import csv

    answer = result.to_dict()
    shared = {key: answer[key] for key in ("opponents", "board", "dead", "method", "exact", "backend")}
    rows = []
    for player in answer["players"]:
        ties = player.pop("tie_outcomes")
        player.pop("standard_error")
        row = {"hand": player.pop("hand"), **shared, "outcomes": answer["outcomes"], **player}
        rows.append(row | {f"tie_{others}": count for others, count in enumerate(ties, 1)})
    writer = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def _print_table(result: EquityResult) -> None:
    out = console()
    spot = result.spot
    answer = result.to_dict()
    parts = [
        f"board {answer['board']}" if spot.board else "",
        f"dead {answer['dead']}" if spot.dead else "",
    ]
    title = ", ".join(filter(None, parts))
    if title:
        out.print(title)
    shares = new_table("hand", "equity", "win", "tie", "lose")
    for player in result.players:
        figures = (player.equity, player.win, player.tie, player.lose)
        shares.add_row(player.hand, *(f"{100 * share:.4f} %" for share in figures))
    if result.random_equity is not None:
        who = "random opponent" if spot.opponents == 1 else f"each of {spot.opponents} random"
        shares.add_row(who, f"{100 * result.random_equity:.4f} %", "", "", "")
    out.print(shares)
    counts = _counts_table(result, result.players)
    whole = out.measure(counts, options=out.options.update(max_width=10_000)).maximum
    if whole <= out.width:
        out.print(counts)
    else:
        for player in result.players:
            out.print(_counts_table(result, (player,)))
    how = "from the shipped table" if result.method == "table" else f"computed, {result.backend}"
    out.print(f"exact ({how}), {_duration(result.seconds)}")


def _counts_table(result: EquityResult, players: tuple[PlayerEquity, ...]) -> Table:
    counts = new_table("outcomes", *(player.hand for player in players))
    counts.add_row("win", *(f"{player.win_outcomes:,}" for player in players))
    for others in range(1, result.spot.players):
        row = [player.tie_outcomes[others - 1] for player in players]
        if any(row):
            counts.add_row(f"split with {others}", *(f"{count:,}" for count in row))
    counts.add_row("all", *(f"{result.outcomes:,}" for _ in players))
    return counts


def _duration(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.1f} ms"
