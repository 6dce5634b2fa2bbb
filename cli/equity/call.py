"""Options of ``gpuodds equity`` on a call: its price, and the hands that call; how both are printed."""

from __future__ import annotations

import csv
import re
import sys
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from gpuodds.cli.output import console, fold, new_table, plus_minus, print_table
from gpuodds.errors import InputError, excerpt

if TYPE_CHECKING:
    from gpuodds.results.call_value import CallValue
    from gpuodds.results.result import EquityResult
    from gpuodds.spots.price import Price
    from gpuodds.spots.ranges.range import Range

POT_ODDS = "pot-odds"  # what --above may be besides a number
PANEL = "A call"
_SHARE = re.compile(r"(\d{1,3}(?:\.\d{0,15})?|\.\d{1,15})\s*(%?)", re.ASCII)


class HandsAbove(NamedTuple):
    """The part of the first player's range with at least an equity."""

    equity: float
    hands: Range

    def to_dict(self) -> dict[str, Any]:
        """Return the part ``"above"`` of the JSON object."""
        return {
            "equity": self.equity,
            "range": self.hands.to_string(),
            "combos": self.hands.weight,
            "percent": self.hands.percent,
        }


@dataclass(frozen=True)
class CallOptions:
    """What a call costs, and which hands to name."""

    pot: Annotated[
        str | None,
        typer.Option(
            metavar="CHIPS",
            help="Chips in the pot, with the bet that is called: show what a call is worth.",
            rich_help_panel=PANEL,
        ),
    ] = None
    to_call: Annotated[
        str | None,
        typer.Option(
            metavar="CHIPS", help="Chips that the first player's call takes.", rich_help_panel=PANEL
        ),
    ] = None
    above: Annotated[
        str | None,
        typer.Option(
            metavar="EQUITY",
            help="Write which hands of the first range have this equity: 47.6%, or pot-odds.",
            rich_help_panel=PANEL,
        ),
    ] = None

    def read_price(self) -> Price | None:
        """Return the price of the call; None if there is none.

        Raises:
            InputError: A number is wrong, or one is missing.
        """
        from gpuodds.spots.price import Price

        try:
            return Price.read(self.pot, self.to_call)
        except InputError as error:
            text = str(error).replace("to_call", "--to-call").replace("pot,", "--pot,")
            raise InputError(f"--{text}" if text.startswith("pot ") else text) from None

    def read_above(self) -> float | None:
        """Return the equity of ``--above``, 0 to 1; None if it is not given.

        Raises:
            InputError: It is no share, or the pot odds of no call.
        """
        if self.above is None:
            return None
        if self.above.strip().lower() == POT_ODDS:
            price = self.read_price()
            if price is None:
                raise InputError(f"--above {POT_ODDS}: expected --pot and --to-call, too")
            return float(price.pot_odds)
        match = _SHARE.fullmatch(self.above.strip())
        number = Decimal(match[1]) if match else Decimal(-1)
        share = number / 100 if match and (match[2] or number > 1) else number
        if not 0 <= share <= 1:
            raise InputError(
                f"--above {excerpt(self.above)}: expected an equity, such as 47.6%, or {POT_ODDS}"
            )
        return float(share)


def hands_above(result: EquityResult, equity: float) -> HandsAbove:
    """Return the first player's hands with at least an equity."""
    return HandsAbove(equity, result.hands_above(equity))


def print_call(call: CallValue) -> None:
    """Print the equity that breaks even, and what the call is worth."""
    table = new_table("", "")
    table.show_header = False
    table.add_row("equity that breaks even", f"{100 * float(call.pot_odds):.4f} %")
    error = call.standard_error
    sampled = "" if error is None else f" {plus_minus()} {error:,.2f}"
    value = f"{call.expected_value:+,.2f}{sampled} chips"
    table.add_row("expected value of the call", value)
    print_table(console(), table)


def print_above(above: HandsAbove) -> None:
    """Print the hands as the text of a range, under a line that says what they are."""
    out, hands = console(), above.hands
    share = f"{hands.weight:,g} combos, {hands.percent:.2f} % of all hands"
    out.print(f"at least {100 * above.equity:.4f} %: {share}")
    out.print(fold(hands.to_string(), out.width))


def print_above_csv(above: HandsAbove) -> None:
    """Print the hands as a row of CSV."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    row = above.to_dict()
    writer.writerow(row)
    writer.writerow(row.values())
