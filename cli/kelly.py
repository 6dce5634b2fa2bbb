"""``gpuodds kelly``: how much to bet on a hand."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpuodds.cli.output import console, new_table, print_json, read_number, show_notes
from gpuodds.errors import InputError, excerpt

if TYPE_CHECKING:
    from gpuodds.betting.advice import Advice


def kelly(
    hand: Annotated[list[str], typer.Argument(metavar="HAND...", help="Two cards: AsKs, or 12d 3h.")],
    opponents: Annotated[str, typer.Option("--opponents", "-k", metavar="N", help="1 to 22, all in.")],
    bankroll: Annotated[str, typer.Option(metavar="CHIPS", help="What can be bet.")],
    pot: Annotated[str, typer.Option(metavar="CHIPS", help="What is won beside the bets.")] = "0",
    board: Annotated[str, typer.Option(metavar="CARDS", help="Board, 0 to 5 cards.")] = "",
    dead: Annotated[str, typer.Option(metavar="CARDS", help="Cards out of play.")] = "",
    multiple: Annotated[float, typer.Option(metavar="M", help="Bet M of Kelly's bet, 0 to 1.")] = 1.0,
    minimum: Annotated[str, typer.Option(metavar="CHIPS", help="The least bet there is.")] = "0",
    model: Annotated[str, typer.Option(help="exact, or cassandra as she estimated.")] = "exact",
    backend: Annotated[str, typer.Option(help="auto, cpu, cuda, or cuda:0,2.")] = "auto",
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the growth into a .png, .svg or .pdf.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """How much to bet so that the bankroll grows most: Kelly's bet on exact odds.

    All opponents are taken to call and to see the showdown.
    """
    from gpuodds.betting.advice import kelly_bet
    from gpuodds.betting.plot import check_file, plot_growth

    if plot is not None:
        check_file(plot)
    show_notes()
    advice = kelly_bet(
        "".join(hand),
        opponents=read_number("--opponents", opponents),
        bankroll=_chips("--bankroll", bankroll),
        pot=_chips("--pot", pot),
        board=board,
        dead=dead,
        model=model,
        multiple=multiple,
        minimum=read_number("--minimum", minimum),
        backend=backend,
    )
    if plot is not None:
        plot_growth(advice, plot)
    if as_json:
        print_json(advice.to_dict())
        return
    _print(advice)


def _chips(option: str, text: str) -> Fraction:
    try:
        amount = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise InputError(f"{option} {excerpt(text)}: expected a number of chips") from None
    if "/" in text or len(text) > 30:
        raise InputError(f"{option} {excerpt(text)}: expected a number of chips")
    return amount


def _print(advice: Advice) -> None:
    out = console()
    where = f" on {advice.board}" if advice.board else " before the flop"
    others = "1 opponent" if advice.opponents == 1 else f"{advice.opponents} opponents"
    out.print(f"{advice.hand}{where} against {others}: bet {advice.bet_chips:,} chips")
    table = new_table("", "")
    table.show_header = False
    table.add_row("of the bankroll", f"{100 * advice.fraction:.4f} %")
    table.add_row("win", f"{100 * float(advice.odds.win):.4f} %")
    for others_in, chance in enumerate(advice.odds.split[1:], 1):
        if chance:
            table.add_row(f"split with {others_in}", f"{100 * float(chance):.4f} %")
    table.add_row("lose", f"{100 * float(advice.odds.lose):.4f} %")
    table.add_row("equity", f"{100 * float(advice.odds.equity):.4f} %")
    table.add_row("equity that breaks even", f"{100 * advice.pot_odds:.4f} %")
    table.add_row("expected gain, chips", f"{advice.expected_value:,.2f}")
    table.add_row("growth, mean logarithm", f"{advice.growth:.6f}")
    out.print(table)
    if advice.model != "exact":
        out.print("estimated as Cassandra did")
