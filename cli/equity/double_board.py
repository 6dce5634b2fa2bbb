"""How ``gpuodds equity --board2`` prints an answer on two boards."""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gpuodds.basics.durations import format_duration
from gpuodds.cards import format_cards
from gpuodds.cli.arguments import read_range_arguments
from gpuodds.cli.output import console, new_table, print_json, print_table, progress_bar
from gpuodds.errors import InputError

if TYPE_CHECKING:
    from gpuodds.cli.options import OutputOptions
    from gpuodds.results.double_board import DoubleBoardResult


ONE_BOARD = {"--method", "--backend"}  # options of one board that two boards have, too


def refuse_with_two_boards(given: Mapping[str, Any]) -> None:
    """Refuse options that have no meaning on two boards.

    Args:
        given: The options as fields; those that are None, False or empty were not given.

    Raises:
        InputError: One was given.
    """
    for field, value in given.items():
        name = f"--{field.replace('_', '-')}"
        if value and name not in ONE_BOARD:
            raise InputError(f"{name}: expected with one board, without --board2")


def count_double_board(
    hands: Sequence[str], spot: Mapping[str, Any], board2: str, options: Mapping[str, Any]
) -> DoubleBoardResult:
    """Answer a spot with two boards.

    Args:
        hands: The hands and ranges.
        spot: The spot, as arguments of :func:`gpuodds.equity`.
        board2: The second board.
        options: Further arguments of :func:`gpuodds.double_board`.

    Raises:
        InputError: The spot makes no sense, or has players who have folded.
    """
    import gpuodds
    from gpuodds.spots.hands import read_texts

    refuse_with_two_boards({"folded": spot["folded"]})
    game = spot["game"]
    known: Any = read_texts(read_range_arguments([*hands], game), game)
    if spot["opponents"] is not None:
        known = [*known, *["random"] * spot["opponents"]]
    with progress_bar("computing") as progress:
        return gpuodds.double_board(
            known,
            board=spot["board"],
            board2=board2,
            dead=spot["dead"],
            game=game,
            progress=progress,
            **options,
        )


def print_double_board(result: DoubleBoardResult, output: OutputOptions) -> None:
    """Print the answer: tables, JSON, or a line of CSV per player."""
    if output.as_json:
        print_json(result.to_dict())
    elif output.as_csv:
        _print_csv(result)
    else:
        _print_tables(result)


def _print_csv(result: DoubleBoardResult) -> None:
    answer = result.to_dict()
    rows = []
    for player in answer["players"]:
        first, second = player.pop("boards")
        player.pop("pot_shares")
        row = {"hand": player.pop("hand"), "board_1": answer["boards"][0]}
        row |= {"board_2": answer["boards"][1], "method": answer["method"], **player}
        rows.append(row | {"equity_1": first["equity"], "equity_2": second["equity"]})
    writer = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def _print_tables(result: DoubleBoardResult) -> None:
    out = console()
    boards = [format_cards(board) or "no card" for board in result.spot.boards]
    dead = f", dead {format_cards(result.spot.dead)}" if result.spot.dead else ""
    out.print(f"boards {boards[0]} and {boards[1]}{dead}")
    is_sampled, has_error = result.method != "exact", not result.has_exact_equities
    columns = ["hand", "equity", *["+/-"] * has_error, "board 1", "board 2"]
    shares = new_table(*columns, "scoop", *["+/-"] * is_sampled, "part", "lose")
    for player in result.players:
        errors = [player.standard_error or 0.0] * has_error
        figures = [player.equity, *errors, *(board.equity for board in player.boards), player.scoop]
        figures += [player.scoop_error or 0.0] * is_sampled
        figures += [player.part, player.lose]
        shares.add_row(player.hand, *(f"{100 * figure:.4f} %" for figure in figures))
    print_table(out, shares, keep=("hand", "equity"), wrap=0)
    parts = sorted({share for player in result.players for share in player.pot_shares()}, reverse=True)
    counts = new_table("share of the pot", *(player.hand for player in result.players))
    by_share = [player.pot_shares() for player in result.players]
    for share in parts:
        counts.add_row(str(share), *(f"{of.get(share, 0):,}" for of in by_share))
    counts.add_row("all", *(f"{player.outcomes:,}" for player in result.players))
    print_table(out, counts)
    out.print(f"{_how(result)}, {format_duration(result.seconds)}")


def _how(result: DoubleBoardResult) -> str:
    if result.exact:
        return f"exact (computed, {result.backend})"
    exact = ", equities exact" if result.has_exact_equities else ""
    return f"sampled, {result.backend}{exact}; +/- is one standard error"
