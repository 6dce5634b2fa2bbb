"""The ``gpuodds`` command: its subcommands, its version, its exit codes."""

from __future__ import annotations

import errno
import io
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer

from gpuodds import __version__
from gpuodds.cli.app import App
from gpuodds.cli.interrupt import INTERRUPTED, end_soon_on_interrupt, say_interrupted
from gpuodds.cli.words import refuse_loose_cards
from gpuodds.client import ServerError
from gpuodds.errors import InputError

ANSWERED, INTERNAL_FAULT, BAD_INPUT = 0, 1, 2

# Each subcommand, in the order of the help: the module in this folder and its function or App.
COMMANDS = {
    "equity": ("equity", "equity"),
    "flops": ("report", "flops"),
    "turns": ("report", "turns"),
    "range": ("range", "show_range"),
    "hits": ("hits", "hits"),
    "rank": ("rank", "rank"),
    "games": ("games", "games"),
    "kelly": ("kelly", "kelly"),
    "advise": ("advise", "advise"),
    "serve": ("serve", "serve"),
    "doctor": ("doctor", "doctor"),
    "table": ("table", "app"),
    "five": ("five", "app"),
    "play": ("play", "app"),
}


def make_app(arguments: Sequence[str] | None = None) -> App:
    """Return the command with every subcommand, or with the one that its arguments begin with.

    Most runs use one subcommand; to import and register the others takes longer than a table look-up.

    Args:
        arguments: The command line, without the name of the program. Default: all subcommands.
    """
    app = App(
        name="gpuodds",
        help="Exact poker equity: hold'em, short deck and Omaha, against any number of opponents.",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    asked = arguments[0] if arguments else None
    for name in [asked] if asked in COMMANDS else COMMANDS:
        module, attribute = COMMANDS[name]
        command = getattr(import_module(f"gpuodds.cli.{module}"), attribute)
        if isinstance(command, App):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    return app


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

    0 answered; 2 bad input, one line on stderr; 3 some rows of a batch failed; 1 an internal fault; 130
    interrupted.
    """
    try:
        words = sys.argv[1:] if arguments is None else arguments
        refuse_loose_cards(words)
        code = make_app(words)(arguments, standalone_mode=False)
    except (InputError, ServerError) as error:
        return _fail(str(error), BAD_INPUT)
    except (KeyboardInterrupt, typer.Abort):
        say_interrupted()
        return INTERRUPTED
    except Exception as error:
        format_message = getattr(error, "format_message", None)  # of a usage error of typer
        if format_message is None:
            raise
        return _fail(format_message(), BAD_INPUT)
    return code if isinstance(code, int) else ANSWERED


def _fail(message: str, code: int) -> int:
    if message:
        print(f"gpuodds: {' '.join(message.split())}", file=sys.stderr)
    return code


def main() -> None:
    """Run the command and end the process with its exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")  # for names outside its encoding
    end_soon_on_interrupt()
    try:
        code = run()
        sys.stdout.flush()
    except OSError as error:
        if not _reader_has_gone(error):
            raise
        sys.stderr.close()  # end without a message
        code = INTERNAL_FAULT
    sys.exit(code)


def _reader_has_gone(error: OSError) -> bool:
    """Return whether an error is that of a write to a pipe without a reader: EINVAL on Windows."""
    is_of_windows = sys.platform == "win32" and error.errno == errno.EINVAL and not error.filename
    return is_of_windows or isinstance(error, BrokenPipeError)
