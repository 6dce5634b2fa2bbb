"""Options that the commands of ``gpuodds play`` share, and how they are read."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpuodds.cli.app import completion
from gpuodds.cli.output import read_number, read_seed
from gpuodds.errors import InputError, excerpt

if TYPE_CHECKING:
    from gpuodds.play.equities import Equities
    from gpuodds.play.turns import Rules


def bot_names() -> list[str]:
    """Return the names that the shell completes."""
    from gpuodds.play.bots.names import BOTS

    return list(BOTS)


Bots = Annotated[
    list[str],
    typer.Argument(
        metavar="BOT",
        help="2 to 10 of pokerbot, adaptive, simulating, kelly, tight, push-fold, caller, random,"
        " all-in, or classes of your own: FILE.py:CLASS, MODULE:CLASS.",
        autocompletion=completion(bot_names),
    ),
]
Hands = Annotated[
    str, typer.Option(metavar="N", help="Number of deals; duplicate deals are played from all seats.")
]
Seed = Annotated[str, typer.Option(metavar="N", help="Seed of all cards and draws.")]
Blinds = Annotated[str, typer.Option(metavar="S/B", help="Small and big blind.")]
Stack = Annotated[str, typer.Option(metavar="CHIPS", help="Chips of every player at every hand.")]
LuckAdjusted = Annotated[
    bool,
    typer.Option("--luck-adjusted", help="Take the luck of the cards out, too: narrower intervals."),
]
Depth = Annotated[
    str | None,
    typer.Option(
        metavar="D",
        help="How many levels of opponents the bot simulating simulates, 0 to 3. Default: 2.",
    ),
]
Server = Annotated[
    str | None,
    typer.Option(metavar="URL", help="Take the bots' equities from a running gpuodds serve."),
]


@dataclass(frozen=True)
class MatchOptions:
    """The options of all matches."""

    hands: Hands = "1000"
    seed: Seed = "0"
    duplicate: Annotated[
        bool,
        typer.Option("--duplicate/--no-duplicate", help="Replay each deal with the seats rotated."),
    ] = True
    blinds: Blinds = "50/100"
    stack: Stack = "20000"
    workers: Annotated[
        str,
        typer.Option(
            metavar="N", help="Processes that share the rotations, or the games of a freeze-out."
        ),
    ] = "1"
    server: Server = None
    depth: Depth = None

    def read(self) -> dict[str, Any]:
        """Return what matches and freeze-outs share, as arguments of the functions that play them.

        See :func:`gpuodds.play.match.play_match`.
        """
        return {
            "seed": read_seed("--seed", self.seed),
            "duplicate": self.duplicate,
            "workers": read_number("--workers", self.workers),
            "equities": connect(self.server),
        }


def with_depth(bots: Sequence[str], depth: str | None) -> list[str]:
    """Return the bots, those called simulating with a depth.

    Raises:
        InputError: The depth is out of bounds, or none of the bots has one.
    """
    from gpuodds.play.bots.simulating import MAX_DEPTH

    if depth is None:
        return list(bots)
    levels = read_number("--depth", depth)
    if not 0 <= levels <= MAX_DEPTH:
        raise InputError(f"--depth {levels}: expected 0 to {MAX_DEPTH}")
    if "simulating" not in bots:
        raise InputError("--depth: expected with the bot simulating")
    return [f"simulating-{levels}" if bot == "simulating" else bot for bot in bots]


def connect(server: str | None) -> Equities | None:
    """Return the equities of a server that answers; None for those of this process.

    Raises:
        InputError: The address is no http:// or https:// address.
        ServerError: The server does not answer, or refuses the token.
    """
    from gpuodds.play.equities import ServerEquities

    if server is None:
        return None
    equities = ServerEquities(server, token=os.environ.get("GPUODDS_TOKEN") or None)
    equities.check()
    return equities


def read_rules(seats: int, blinds: str, stack: str) -> Rules:
    """Read blinds and stacks.

    Raises:
        InputError: One of them is no number, or they make no game.
    """
    from gpuodds.play.turns import Rules

    small, slash, big = blinds.partition("/")
    if not slash:
        raise InputError(f"--blinds {excerpt(blinds)}: expected two numbers, such as 50/100")
    return Rules(
        seats,
        read_number("--blinds", small),
        read_number("--blinds", big),
        stack=read_number("--stack", stack),
    )
