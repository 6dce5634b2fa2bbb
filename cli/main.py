"""The ``gpuodds`` command: its subcommands, its version, its exit codes."""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer

from gpuodds import __version__
from gpuodds.cli.advise import advise
from gpuodds.cli.app import App
from gpuodds.cli.doctor import doctor
from gpuodds.cli.equity import equity
from gpuodds.cli.five import app as five
from gpuodds.cli.interrupt import INTERRUPTED
from gpuodds.cli.kelly import kelly
from gpuodds.cli.play import app as play
from gpuodds.cli.range import show_range
from gpuodds.cli.rank import rank
from gpuodds.cli.report import flops, turns
from gpuodds.cli.serve import serve
from gpuodds.cli.table import app as table
from gpuodds.cli.words import refuse_loose_cards
from gpuodds.client import ServerError
from gpuodds.errors import InputError

ANSWERED, INTERNAL_FAULT, BAD_INPUT = 0, 1, 2

app = App(
    name="gpuodds",
    help="Exact Texas hold'em equity: any hand against any number of opponents.",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(equity)
app.command()(flops)
app.command()(turns)
app.command("range")(show_range)
app.command()(rank)
app.command()(kelly)
app.command()(advise)
app.add_typer(table, name="table")
app.add_typer(five, name="five")
app.add_typer(play, name="play")
app.command()(serve)
app.command()(doctor)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"gpuodds {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    pass


def run(arguments: list[str] | None = None) -> int:
    """Run the command on ``arguments`` (default: the process's own); return its exit code.

    0 answered; 2 bad input, one line on stderr; 1 an internal fault; 130 interrupted.
    """
    try:
        refuse_loose_cards(sys.argv[1:] if arguments is None else arguments)
        code = app(arguments, standalone_mode=False)
    except (InputError, ServerError) as error:
        return _fail(str(error), BAD_INPUT)
    except (KeyboardInterrupt, typer.Abort):
        return _fail("interrupted", INTERRUPTED)
    except Exception as error:
        if hasattr(error, "format_message"):  # a usage error of typer
            return _fail(error.format_message(), BAD_INPUT)
        raise
    return code if isinstance(code, int) else ANSWERED


def _fail(message: str, code: int) -> int:
    if message:
        print(f"gpuodds: {' '.join(message.split())}", file=sys.stderr)
    return code


def main() -> None:
    """Run the command and end the process with its exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")  # for names outside its encoding
    try:
        code = run()
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of stdout has gone: end without a message.
        sys.stderr.close()
        code = INTERNAL_FAULT
    sys.exit(code)
