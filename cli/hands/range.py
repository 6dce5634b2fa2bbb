"""``gpuodds range``: the combos of a range."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpuodds.cli.app import GameName, choice, completion, range_names
from gpuodds.cli.arguments import read_range_arguments
from gpuodds.cli.hands.print_presets import print_presets, print_toml
from gpuodds.cli.options import AsJson
from gpuodds.cli.output import console, new_table, print_json, print_table, print_weights, show_notes
from gpuodds.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from gpuodds.spots.ranges.range import Range

MOST_CLASSES = 40  # of ranks and suits in a list


def show_range(
    text: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="RANGE",
            help="A range: QQ+,AK:0.5 or 15% or 22+,-(KK),!AKs; or a name: UTG.",
            autocompletion=completion(range_names),
        ),
    ] = None,
    ranking: Annotated[
        str,
        choice("equity", help="Order of hands for percentages: equity against a random hand."),
    ] = "equity",
    game: GameName = "holdem",
    board: Annotated[str, typer.Option(metavar="CARDS", help="Leave out hands with these cards.")] = "",
    hits: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMES",
            help='Keep what has one of these on the board: "top pair+, flush draw". May be repeated.',
        ),
    ] = None,
    presets: Annotated[
        bool, typer.Option("--presets", help="List ranges by name, such as openings by position.")
    ] = False,
    presets_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="List those of a file of your own.")
    ] = None,
    as_toml: Annotated[
        bool, typer.Option("--toml", help="With --presets: print the file of all games, to edit it.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    r"""Show a range: combos, share of all hands, a grid or list, and its text for other programs.

    Hands: AA, AK, AKs, AKo, AsKh, AX, AXs. All: random, XX.
    The best: 15%, 16%-50%.
    Runs: 22+, ATs+, 66-, A5s-, QQ-88, A9s-A6s, JTs-76s, 8s8h+, 9d8d-6d5d.
    Without: !AKs, -(AA,KK).
    Weights: AK:0.5, AK@50, AK(0.5), 0.5(AK,QQ), 50%(AK), [50]AK\[/50].

    Commas, semicolons or spaces separate items; a later item replaces an
    earlier one. Items that programs read differently (87-JTs, 76s-, Ax) are
    refused; 76s+ is 76s alone and AK@0.5 half a percent, with a note.

    A line of a solver's script is a range: set_range_oop AA,KK:0.5. @FILE is
    the range in a file, "#UTG#" that of UTG.txt in the folder $GPUODDS_RANGES.

    Omaha has a syntax of its own, with any cards where none are named: AA,
    AAKK, AwKwQxJx, [A-T][A-T]98, KK-99, 15%. AA:$ds is double-suited aces,
    AA!AAA is without three aces, AA@50 has a weight in percent. A list by
    ranks and suits stands in place of the grid.

    --hits takes the names of `gpuodds hits`: "set+" is a set or better, "!flush
    draw" leaves out what has one, "flop: gutshot" asks about the flop. A hand
    must pass each --hits.

    Examples:
      gpuodds range "22+,-(KK),AK:0.5,A5s-A2s"
      gpuodds range 15% --json
      gpuodds range 'AA:$ds,KKQQ@50' --game omaha
      gpuodds range 15% --board 2s7dKh --hits "top pair+, flush draw"
      gpuodds range --presets
    """
    from gpuodds.games.catalog import find_game
    from gpuodds.spots.ranges.range import Range

    played = find_game(game)
    if as_toml and (not presets or presets_file or as_json):
        raise InputError("--toml: expected --presets beside it, and no --presets-file or --json")
    if presets or presets_file:
        if text or board or hits:
            given = "RANGE" if text else "--board" if board else "--hits"
            raise InputError(f"{given} and --presets: expected one of them")
        if as_toml:
            print_toml()
        else:
            print_presets(played, presets_file, as_json)
        return
    if not text:
        raise InputError("expected a RANGE, or --presets")
    show_notes()
    between = " " if played.grid_ranks else ","  # in ranges of Omaha spaces separate nothing
    hand_range = Range(between.join(read_range_arguments(text, played)), ranking=ranking, game=played)
    if board or hits:
        hand_range = _on_board(hand_range, board, hits or [])
    if as_json:
        print_json(hand_range.to_dict())
        return
    out = console()
    share = f"{hand_range.percent:.4g} % of {played.dealt_combos:,}"
    out.print(f"{hand_range.weight:,.10g} combos of {hand_range.num_combos:,} hands, {share}")
    if played.grid_ranks:
        _print_weights(hand_range, out)
    else:
        _print_classes(hand_range, out)
    out.print()
    for dialect in hand_range.dialects:  # unwrapped, to copy each in one piece
        out.print(f"{dialect:<6} {hand_range.to_string(dialect)}", soft_wrap=True)


def _on_board(hand_range: Range, board: str, filters: list[str]) -> Range:
    import gpuodds

    if not filters:
        return hand_range.without(board)
    if not board:
        raise InputError("--hits: expected --board with three to five cards")
    return gpuodds.range_hits(hand_range, board=board, game=hand_range.game).filter(*filters)


def _print_classes(hand_range: Range, out: Console) -> None:
    rows = hand_range.by_class()
    table = new_table("hands", "suits", "combos", "weight")
    for row in rows[:MOST_CLASSES]:
        table.add_row(row.ranks, row.suits, f"{row.combos:,}", f"{row.mean:.3g}")
    print_table(out, table)
    if len(rows) > MOST_CLASSES:
        out.print(f"and {len(rows) - MOST_CLASSES:,} more; --json has every hand")


def _print_weights(hand_range: Range, out: Console) -> None:
    from gpuodds.games.holdem.starting_hands import grid_names

    names = chain.from_iterable(grid_names())
    weights = dict(zip(names, hand_range.grid().ravel().tolist(), strict=True))
    print_weights(out, weights, hand_range.game.grid_ranks)
