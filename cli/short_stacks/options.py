"""Options of a hand that is played all-in or fold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

import typer

from gpuodds.errors import InputError, excerpt

Payouts: TypeAlias = Annotated[
    str, typer.Option(metavar="LIST", help="Prizes from the first place on: 50,30,20.")
]


@dataclass(frozen=True)
class StakeOptions:
    """What is posted and what can be won."""

    blinds: Annotated[str, typer.Option(metavar="SMALL/BIG", help="The blinds.")] = "0.5/1"
    ante: Annotated[str, typer.Option(metavar="CHIPS", help="An ante of each player.")] = "0"
    bb_ante: Annotated[
        str, typer.Option(metavar="CHIPS", help="An ante of the big blind alone, for all.")
    ] = "0"
    payouts: Payouts = ""
    bounties: Annotated[
        str, typer.Option(metavar="LIST", help="Prize money on each player's head: 5,5,10.")
    ] = ""
    progressive: Annotated[
        bool, typer.Option("--progressive", help="Half of a bounty goes on the winner's own head.")
    ] = False

    def read(self) -> dict[str, Any]:
        """Return the arguments of :func:`gpuodds.push_fold`.

        Raises:
            InputError: A list cannot be read.
        """
        return {
            "blinds": read_blinds(self.blinds),
            "ante": self.ante,
            "bb_ante": self.bb_ante,
            "payouts": read_list("--payouts", self.payouts) if self.payouts else None,
            "bounties": read_list("--bounties", self.bounties) if self.bounties else None,
            "progressive": self.progressive,
        }


def read_blinds(text: str) -> list[str]:
    """Return the small and the big blind of a text such as ``300/600``.

    Raises:
        InputError: It is not two numbers with a slash between them.
    """
    blinds = text.split("/")
    if len(blinds) != 2:
        raise InputError(f"--blinds {excerpt(text)}: expected SMALL/BIG, such as 300/600")
    return blinds


def read_list(option: str, text: str) -> list[str]:
    """Return the items between the commas of an option.

    Raises:
        InputError: One is empty.
    """
    items = [item.strip() for item in text.split(",")]
    if not all(items):
        raise InputError(f"{option} {excerpt(text)}: expected numbers between commas")
    return items


def share_text(share: float) -> str:
    """Return a small share as text: what is below a billionth is rounding."""
    return f"{share:.1e}" if share >= 1e-9 else "less than 1e-9"
