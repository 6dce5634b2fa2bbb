"""``gpuodds equity``: the equity of hands and ranges against each other and random opponents."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from gpuodds.api import equities_by_next_card
from gpuodds.api import equity as find_equity
from gpuodds.cli.app import Backend, choice
from gpuodds.cli.output import (
    AS_NEEDED,
    console,
    fold,
    new_table,
    print_grid,
    print_json,
    print_table,
    progress_bar,
    read_number,
    show_notes,
)
from gpuodds.cli.words import read_range_words
from gpuodds.durations import format_duration
from gpuodds.errors import InputError
from gpuodds.spots.players import read_words

if TYPE_CHECKING:
    from rich.table import Table

    from gpuodds.results.result import EquityResult, PlayerEquity

SAMPLING = "Sampled answers"
WIDEST_COUNTS = 240  # columns of the counts of all players side by side


def equity(
    hands: Annotated[
        list[str],
        typer.Argument(
            help="Hands, AsKs QhQd or single cards 1s 13s, and ranges, QQ+,AK:0.5, 15% or @FILE.",
            metavar="HANDS",
        ),
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
    method: Annotated[
        str,
        choice(
            "auto", "exact", "monte-carlo", help="auto counts exactly where that takes some seconds."
        ),
    ] = "auto",
    no_table: Annotated[
        bool, typer.Option("--no-table", help="Compute what the shipped table holds, too.")
    ] = False,
    backend: Backend = "auto",
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
    by_hand: Annotated[
        bool, typer.Option("--by-hand", help="Show the equity of each hand of each range.")
    ] = False,
    made_hands: Annotated[
        bool, typer.Option("--made-hands", help="Show the categories of the final hands.")
    ] = False,
    by_next_card: Annotated[
        bool, typer.Option("--by-next-card", help="Show the equities after each next board card.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print a line of CSV per player.")] = False,
) -> None:
    """Find the equity of hands and ranges, exactly when feasible.

    Cards are rank and suit: As Td 10d 9c, or the ranks 1 (ace) to 13 (king): 1s 13s.
    See gpuodds range --help for the syntax of ranges.

    Examples:
      gpuodds equity 1s 13s --opponents 3
      gpuodds equity AsKs QhQd --board 2s7d9h
      gpuodds equity "QQ+,AK" "22+,A2s+" --by-hand
      gpuodds equity 15% 30% 60% random --standard-error 0.001 --seed 1
    """
    if as_json and as_csv:
        raise InputError("--json and --csv: expected one of them")
    if seed is not None and time_limit is not None:
        raise InputError(
            "--seed with --time-limit: how many deals fit into it differs from run to run; use "
            "--samples or --standard-error with a seed"
        )
    show_notes()
    known = read_words(read_range_words(hands))
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
            by_hand=by_hand,
            made_hands=made_hands,
            progress=progress,
        )
        after = None
        if by_next_card:
            after = equities_by_next_card(
                known,
                opponents=random_players,
                board=board,
                dead=dead,
                backend=backend,
                progress=progress,
            )
    if as_json:
        answer = result.to_dict()
        if after is not None:
            answer["by_next_card"] = [
                {"card": card, "equities": [player.equity for player in next_result.players]}
                for card, next_result in after.items()
            ]
        print_json(answer)
    elif as_csv and after is not None:
        _print_next_cards_csv(after)
    elif as_csv:
        _print_hands_csv(result) if result.by_hand else _print_csv(result)
    else:
        _print_table(result)
        if result.by_hand:
            _print_hands(result)
        if result.made_hands is not None:
            _print_made_hands(result)
        if after is not None:
            _print_next_cards(after)


def _print_csv(result: EquityResult) -> None:
    import csv

    answer = result.to_dict()
    shared = {key: answer[key] for key in ("opponents", "board", "dead", "method", "exact", "backend")}
    rows = []
    for player in answer["players"]:
        ties = player.pop("tie_outcomes")
        if result.exact:
            player.pop("standard_error")
        row = {"hand": player.pop("hand"), **shared, "outcomes": answer["outcomes"], **player}
        rows.append(row | {f"tie_{others}": count for others, count in enumerate(ties, 1)})
    writer = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def _print_made_hands(result: EquityResult) -> None:
    from gpuodds.games.holdem.hand_names import CATEGORIES

    out = console()
    for player, made in zip(result.players, result.made_hands or (), strict=True):
        out.print(f"{player.hand}: final hands, % of all outcomes, of those won, of those split")
        table = new_table("hand", "all", "win", "tie")
        for name in CATEGORIES[::-1]:
            if name in made:
                hand = made[name]
                table.add_row(name, *(f"{100 * share:.4f}" for share in (hand.all, hand.win, hand.tie)))
        print_table(out, table, keep=("hand", "all"))


def _print_next_cards(after: dict[str, EquityResult]) -> None:
    """Print the equities after each card, a row a rank and a column a suit, one table a player."""
    from gpuodds.cards import RANKS, SUITS

    out = console()
    players = next(iter(after.values())).players
    for place, player in enumerate(players):
        out.print(f"{player.hand}: equity after the next card, %")
        table = new_table("", *SUITS[::-1])
        for rank in RANKS[::-1]:
            cells = []
            for suit in SUITS[::-1]:
                found = after.get(rank + suit)
                cells.append("" if found is None else f"{100 * found.players[place].equity:.2f}")
            table.add_row(rank, *cells)
        print_table(out, table)


def _print_next_cards_csv(after: dict[str, EquityResult]) -> None:
    import csv

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["card", "player", "equity"])
    for card, result in after.items():
        for player in result.players:
            writer.writerow([card, player.hand, player.equity])


def _print_hands_csv(result: EquityResult) -> None:
    import csv

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["player", "hand", "weight", "equity", "win", "tie"])
    for player, hands in zip(result.players, result.by_hand or (), strict=True):
        for hand in hands:
            writer.writerow([player.hand, *hand.to_dict().values()])


def _print_hands(result: EquityResult) -> None:
    """Print each range as a 13 x 13 grid of the mean equity of its starting hands."""
    out = console()
    for place, player in enumerate(result.players):
        figures = {}
        for name, share in result.equity_grid(place).items():
            shade = "red" if share < 0.4 else "green" if share > 0.6 else "yellow"
            figures[name] = f"{100 * share:5.1f}", shade
        out.print(fold(f"{player.hand}: equity by starting hand, %", out.width))
        print_grid(out, figures, " ")


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
    sampled = not result.exact
    shares = new_table("hand", "equity", *["+/-"] * sampled, "win", "tie", "lose")
    for player in result.players:
        figures = [player.equity, player.win, player.tie, player.lose]
        if player.standard_error is not None:
            figures.insert(1, player.standard_error)
        shares.add_row(player.hand, *(f"{100 * share:.4f} %" for share in figures))
    if result.random_equity is not None:
        who = "random opponent" if spot.opponents == 1 else f"each of {spot.opponents} random"
        shares.add_row(who, f"{100 * result.random_equity:.4f} %", *[""] * (3 + sampled))
    print_table(out, shares, keep=("hand", "equity"), wrap=0)
    counts = _counts_table(result, result.players)
    whole = out.measure(counts, options=out.options.update(max_width=AS_NEEDED)).maximum
    if whole <= min(out.width, WIDEST_COUNTS):
        print_table(out, counts)
    else:
        for player in result.players:
            out.print(fold(player.hand, out.width))
            print_table(out, _counts_table(result, (player,)))
    how = "from the shipped table" if result.method == "table" else f"computed, {result.backend}"
    kind = f"exact ({how})" if result.exact else f"sampled, {result.backend}; +/- is one standard error"
    out.print(f"{kind}, {format_duration(result.seconds)}")


def _counts_table(result: EquityResult, players: tuple[PlayerEquity, ...]) -> Table:
    what, names = "outcomes" if result.exact else "samples", [player.hand for player in players]
    counts = new_table(what, *(names if len(names) == len(result.players) else [""]))
    counts.add_row("win", *(f"{player.win_outcomes:,}" for player in players))
    for others in range(1, result.spot.players):
        row = [player.tie_outcomes[others - 1] for player in players]
        if any(row):
            counts.add_row(f"split with {others}", *(f"{count:,}" for count in row))
    counts.add_row("all", *(f"{result.outcomes:,}" for _ in players))
    return counts
