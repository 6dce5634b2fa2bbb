"""``gpuodds hits``: the made hands and draws of a range, by street."""

from __future__ import annotations

import csv
import sys
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from gpuodds.cards import format_cards
from gpuodds.cli.app import GameName
from gpuodds.cli.arguments import read_range_arguments
from gpuodds.cli.options import Dead, OutputOptions
from gpuodds.cli.output import console, fold, new_table, print_json, print_table, show_notes
from gpuodds.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from gpuodds.results.reports.range_hits import Hit, RangeHits, StreetHits

BY_STREET = ("street", "board", "kind", "name", "combos", "share")
MOST_HANDS = 1326  # in a table: those of hold'em
BY_HAND = ("street", "board", "hand", "weight", "made", "draws")


@dataclass(frozen=True)
class NameOutput(OutputOptions):
    """How the counts are printed."""

    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print a line of CSV per name, or per hand, of each street.")
    ] = False


def hits(
    text: Annotated[
        list[str],
        typer.Argument(metavar="RANGE", help="A range, QQ+,AK:0.5, 15% or @FILE, or a hand, AsKs."),
    ],
    board: Annotated[
        str, typer.Option(metavar="CARDS", help="Three to five cards. Default: all flops.")
    ] = "",
    dead: Dead = "",
    game: GameName = "holdem",
    *,
    by_hand: Annotated[
        bool, typer.Option("--by-hand", help="Show what each hand has on the last street.")
    ] = False,
    output: NameOutput,
) -> None:
    """Count the made hands and draws of a range, on each street of a board.

    Each combo has one made hand, and on the flop and turn any number of draws.
    Combos with a board or dead card are left out. Omaha needs a board.

    Examples:
      gpuodds hits "22+,A2s+,KTs+" --board 2s7dKh
      gpuodds hits 15% --board 2s7dKhTh3h --by-hand
      gpuodds hits 15% --json
      gpuodds hits AAxx --board 2s7dKh --game omaha
    """
    import gpuodds
    from gpuodds.games.catalog import find_game

    output.check()
    played = find_game(game)
    show_notes()
    hand_range = gpuodds.Range(",".join(read_range_arguments(text, played)), game=played)
    range_hits = gpuodds.range_hits(hand_range, board=board, dead=dead, game=played)
    if by_hand and not range_hits.board:
        raise InputError("--by-hand: expected --board with three to five cards")
    if output.as_json:
        print_json(range_hits.to_dict(by_hand))
    elif output.as_csv:
        _write_rows(range_hits, by_hand)
    else:
        out = console()
        _print_head(out, range_hits)
        if by_hand:
            _print_hands(out, range_hits)
        else:
            _print_names(out, range_hits)


def _write_rows(hits: RangeHits, by_hand: bool) -> None:
    columns = BY_HAND if by_hand else BY_STREET
    rows: csv.DictWriter[str] = csv.DictWriter(sys.stdout, columns, lineterminator="\n")
    rows.writeheader()
    for street in hits.to_dict(by_hand)["streets"]:
        place = {"street": street["street"], "board": street["board"]}
        if by_hand:
            for row in street["by_hand"]:
                rows.writerow({**place, **row, "draws": ", ".join(row["draws"])})
            continue
        for kind, name in (("made", "made"), ("draws", "draw")):
            rows.writerows({**place, "kind": name, **row} for row in street[kind])


def _print_head(out: Console, hits: RangeHits) -> None:
    known = [("board", hits.board), ("dead", hits.dead)]
    parts = [f"{name} {format_cards(cards)}" for name, cards in known if cards]
    if parts:
        out.print(", ".join(parts))
    flops = "" if hits.board else f", each on the {hits.streets[0].boards:,} flops without its cards"
    combos = "combo" if hits.combos == 1 else "combos"
    out.print(fold(f"{hits.range}: {hits.combos:,.10g} {combos}{flops}", out.width))


def _print_names(out: Console, hits: RangeHits) -> None:
    """Print made hands, then draws: combos (of all flops the mean) and percent on each street."""
    made = [street.made for street in hits.streets]
    draws = [street.draws for street in hits.streets if street.draws]
    for title, parts in (("made hand", made), ("draw", draws)):
        shown = hits.streets[: len(parts)]
        shares = [f"{street.street} %" for street in shown]
        columns = zip((street.street for street in shown), shares, strict=True)
        table = new_table(title, *chain.from_iterable(columns))
        for name in parts[0]:
            cells = []
            for street, part in zip(shown, parts, strict=True):
                cells += [_combos(part[name], street), f"{100 * part[name].share:.2f}"]
            table.add_row(name, *cells)
        print_table(out, table, keep=(title, *shares))


def _combos(hit: Hit, street: StreetHits) -> str:
    if street.board:
        return f"{hit.combos:,}" if isinstance(hit.combos, int) else f"{hit.combos:,.2f}"
    return f"{hit.combos / street.boards:,.3f}"


def _print_hands(out: Console, hits: RangeHits) -> None:
    """Print what each hand has on the last street."""
    table = new_table("hand", "weight", "made hand", "draws")
    rows = hits.streets[-1].by_hand
    for row in rows[:MOST_HANDS]:
        table.add_row(row.hand, f"{row.weight:.3g}", row.made, ", ".join(row.draws))
    table.columns[2].justify = table.columns[3].justify = "left"
    print_table(out, table, keep=("hand", "weight", "made hand", "draws"), wrap=3)
    if len(rows) > MOST_HANDS:
        out.print(f"and {len(rows) - MOST_HANDS:,} more; --csv has every hand")
