"""``gpuodds play acpc``: a bot at a dealer of the Annual Computer Poker Competition's protocol."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpuodds.cli.app import completion
from gpuodds.cli.interrupt import end_match
from gpuodds.cli.output import read_number, read_seed, show_notes
from gpuodds.cli.play.options import Depth, Seed, Server, bot_names, connect, read_rules, with_depth
from gpuodds.errors import InputError
from gpuodds.machine.files import read_text

if TYPE_CHECKING:
    from gpuodds.play.turns import Rules

Host = Annotated[str, typer.Argument(metavar="HOST", help="The dealer's host.")]
Port = Annotated[str, typer.Argument(metavar="PORT", help="The dealer's port for this player.")]
Bot = Annotated[
    str,
    typer.Option(
        metavar="BOT",
        help="pokerbot, adaptive, simulating, kelly, tight, push-fold, caller, random, all-in, "
        "FILE.py:CLASS or MODULE:CLASS.",
        autocompletion=completion(bot_names),
    ),
]
Definition = Annotated[
    Path | None, typer.Option(metavar="FILE", help="The dealer's game definition file.")
]
Blinds = Annotated[
    str | None,
    typer.Option(metavar="S/B", help="The dealer's small and big blind. Default: 50/100."),
]
Stack = Annotated[
    str | None,
    typer.Option(metavar="CHIPS", help="The dealer's stacks at every hand. Default: 20000."),
]
Timeout = Annotated[str, typer.Option(metavar="S", help="Seconds to wait for the dealer.")]


def acpc(
    host: Host,
    port: Port,
    bot: Bot = "pokerbot",
    definition: Definition = None,
    blinds: Blinds = None,
    stack: Stack = None,
    seed: Seed = "0",
    timeout: Timeout = "600",
    server: Server = None,
    depth: Depth = None,
) -> None:
    """Play heads-up no-limit for a dealer of the Annual Computer Poker Competition's protocol.

    The dealer never sends its blinds and stacks: give its file, or both options.

    Examples:
      gpuodds play acpc localhost 18791 --bot adaptive
      gpuodds play acpc localhost 18791 --definition holdem.nolimit.2p.reverse_blinds.game
      gpuodds play acpc localhost 18791 --blinds 25/50 --stack 10000
    """
    from random import Random

    from gpuodds.play.acpc.client import play_acpc
    from gpuodds.play.bots.names import find_bot
    from gpuodds.play.failure import FAILURES

    show_notes()
    rules = _read_game(definition, blinds, stack)
    (bot,) = with_depth([bot], depth)
    player = find_bot(bot, connect(server))(Random(read_seed("--seed", seed)))
    number = _read_port(port)
    seconds = float(read_number("--timeout", timeout))
    hands, chips, stopped, failure = 0, 0, False, None

    def report(played: int, won: int) -> None:
        nonlocal hands, chips
        hands, chips = played, won
        if sys.stderr.isatty():
            print(f"\r{hands:,} hands, {chips:+,} chips ", end="", file=sys.stderr)

    try:
        hands, chips = play_acpc(host, number, player, rules=rules, timeout=seconds, report=report)
    except KeyboardInterrupt:
        stopped = True
    except FAILURES as error:
        failure = error
    rate = f", {1000 * chips / rules.big_blind / hands:+,.1f} mbb a hand" if hands else ""
    print(f"{hands:,} hands, {chips:+,} chips{rate}")
    end_match(stopped, failure)


def _read_port(text: str) -> int:
    port = read_number("PORT", text)
    if not 0 < port < 1 << 16:
        raise InputError(f"PORT {text}: expected 1 to 65535")
    return port


def _read_game(definition: Path | None, blinds: str | None, stack: str | None) -> Rules:
    """Return the dealer's rules, from its file or from options."""
    if definition is None:
        return read_rules(
            2, "50/100" if blinds is None else blinds, "20000" if stack is None else stack
        )
    if blinds is not None or stack is not None:
        raise InputError("--definition and --blinds or --stack: expected one of them")
    return _read_definition(definition)


def _read_definition(path: Path) -> Rules:
    from gpuodds.play.acpc.definition import MAX_FILE_BYTES, read_definition

    try:
        return read_definition(read_text(path, MAX_FILE_BYTES, "a game definition"))
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
