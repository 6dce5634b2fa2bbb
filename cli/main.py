"""The ``gpuodds`` command: its subcommands, its version, its exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer

from gpuodds import __version__
from gpuodds.cli.app import App
from gpuodds.cli.arguments import refuse_loose_cards
from gpuodds.cli.interrupt import (
    end_soon_on_interrupt,
    exit_code,
    forget_interrupt,
    say_interrupted,
)
from gpuodds.cli.streams import OutputFailed, set_up_streams
from gpuodds.errors import InputError, ServerError, escaped

COMPLETION = "_GPUODDS_COMPLETE"  # set where a shell asks for words
ANSWERED, BAD_INPUT = 0, 2  # and 1 for a fault of the program, which has a traceback

# Each subcommand, in the order of the help: the module in this folder, its function or App, and its
# line in the list, which begins its own help.
COMMANDS = {
    "equity": (
        "equity.equity",
        "equity",
        "Find the equity of hands and ranges, exactly when feasible.",
    ),
    "flops": ("equity.report", "flops", "Find the exact equities of hands and ranges on every flop."),
    "turns": (
        "equity.report",
        "turns",
        "Find the exact equities of hands and ranges on every turn card of a flop.",
    ),
    "range": (
        "hands.range",
        "show_range",
        "Show a range: combos, share of all hands, a grid or list, and its text for other programs.",
    ),
    "hits": (
        "equity.hits",
        "hits",
        "Count the made hands and draws of a range, on each street of a board.",
    ),
    "rank": (
        "hands.rank",
        "rank",
        "Name the best hand in some cards, with its rank: 1 is the lowest. In hi-lo also the low.",
    ),
    "games": ("hands.games", "games", "List the games that the option --game takes, with their rules."),
    "kelly": (
        "betting.kelly",
        "kelly",
        "Find how much to bet so that the bankroll grows most: Kelly's bet on exact odds.",
    ),
    "advise": (
        "betting.advise",
        "advise",
        "Advise through whole hands: cards and bets as they come, a suggestion at each turn.",
    ),
    "push-fold": (
        "short_stacks.app",
        "app",
        "Solve all-in or fold before the flop: charts, prizes, bounties, with a certificate.",
    ),
    "ev": (
        "histories.ev",
        "ev",
        "Tell luck from play in hand histories: results, and all-in EV by pot and by street.",
    ),
    "icm": ("short_stacks.icm", "icm", "Find what stacks are worth in prize money (ICM)."),
    "serve": (
        "serve",
        "serve",
        "Serve equity over HTTP and WebSocket, with a page, at http://127.0.0.1:8000.",
    ),
    "doctor": (
        "doctor",
        "doctor",
        "Show versions, backends, threads, caches and tables of this installation.",
    ),
    "table": ("table", "app", "Tables of the whole game: build, verify, show, plot, export."),
    "abstraction": ("abstraction", "app", "Buckets of like hands, for solvers: build, show."),
    "five": ("five.five", "app", "Five-card poker: odds on any deck, the best draw, matches, play."),
    "play": ("play.play", "app", "No-limit hold'em: bots, matches, tournaments."),
}


def make_app(arguments: Sequence[str] | None = None) -> App:
    """Return the command with every subcommand, or with the one that its arguments begin with.

    Most runs use one subcommand, or show the list: to import and register the others, and to draw boxes
    around them, takes longer than a table look-up.

    Args:
        arguments: The command line, without the name of the program. Default: all subcommands.
    """
    asked = arguments[0] if arguments else None
    is_list = arguments is not None and asked not in COMMANDS and COMPLETION not in os.environ
    app = App(
        name="gpuodds",
        help="Exact poker equity: hold'em, short deck and Omaha, against any number of opponents.",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        **({"rich_markup_mode": None} if is_list else {}),
    )
    app.callback()(_options)
    for name in [asked] if asked in COMMANDS else COMMANDS:
        module, attribute, summary = COMMANDS[name]
        if is_list:
            app.command(name, short_help=summary)(_never_run)
            continue
        command = getattr(import_module(f"gpuodds.cli.{module}"), attribute)
        if isinstance(command, App):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    return app


def _never_run() -> None:
    """Stand for a command in the list of commands."""


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"gpuodds {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    pass


def run(arguments: list[str] | None = None) -> int:
    """Run the command on ``arguments`` (default: the process's own); return its exit code.

    0 answered; 2 bad input or output that cannot be written, one line on stderr; 3 some rows of a batch
    failed; 1 an internal fault; 130 or 143 interrupted; 141 the reader of the output has gone.
    """
    own_arguments = sys.argv[1:] if arguments is None else arguments
    try:
        refuse_loose_cards(own_arguments)
        code = make_app(own_arguments)(arguments, standalone_mode=False)
    except InputError as error:
        return _fail(_with_hint(str(error), own_arguments), BAD_INPUT)
    except ServerError as error:
        return _fail(str(error), BAD_INPUT)
    except OutputFailed as error:
        return _fail(str(error), error.code)
    except (KeyboardInterrupt, typer.Abort):
        say_interrupted()
        return exit_code()
    except Exception as error:
        if not hasattr(error, "format_message"):  # as a usage error of typer has
            raise
        from gpuodds.cli.mistakes import describe_usage_error

        message = describe_usage_error(error, own_arguments)
        return _fail(_with_hint(message, own_arguments, getattr(error, "ctx", None)), BAD_INPUT)
    return code if isinstance(code, int) else ANSWERED


def _with_hint(message: str, arguments: Sequence[str], context: Any = None) -> str:
    """Return a message with the command that is probably meant at its end."""
    from gpuodds.cli.mistakes import probably_meant

    parameters = context.command.params if context is not None else ()
    known = {
        option: not getattr(parameter, "is_flag", False)
        for parameter in parameters
        for option in (*parameter.opts, *parameter.secondary_opts)
    }
    meant = probably_meant(arguments, list(COMMANDS), known) if message else ""
    return f"{message}; is this meant? {meant}" if meant else message


def _fail(message: str, code: int) -> int:
    if message:
        # Names of files and typer's quotes come as they were given: escapes must not reach a terminal.
        print(f"gpuodds: {escaped(' '.join(message.split()))}", file=sys.stderr)
    return code


def main() -> None:
    """Run the command and end the process with its exit code."""
    set_up_streams()
    end_soon_on_interrupt()
    code: Any = ANSWERED
    try:
        try:
            code = run()
        except SystemExit as ended:  # of a completion of the shell
            code = ended.code
        sys.stdout.flush()
    except OutputFailed as error:
        code = _fail(str(error), error.code)
    forget_interrupt()
    sys.exit(code)
