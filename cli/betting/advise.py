"""``gpuodds advise``: a session of suggestions, hand after hand."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpuodds.cli.app import Backend, Explain, choice
from gpuodds.cli.betting.kelly import read_curve
from gpuodds.cli.output import ask, read_number, show_notes
from gpuodds.errors import InputError, excerpt
from gpuodds.machine.files import is_stream, open_output, read_text

if TYPE_CHECKING:
    from gpuodds.betting.advisor.conversation import Conversation
    from gpuodds.betting.advisor.session import Session

LEAVE, UNDO, HELP = ("q", "quit"), ("u", "undo"), ("?", "help")
HEADER = "# gpuodds advise"
MAX_BYTES = 10_000_000  # of a transcript


@dataclass(frozen=True)
class SessionOptions:
    """The options that a transcript keeps; those not given are the transcript's, or by default."""

    model: Annotated[
        str | None, choice("exact", "cassandra", help="How odds are found. Default: exact.")
    ] = None
    pot_mode: Annotated[
        str | None,
        choice("full", "cassandra", help="full, the default, tracks the bet to call; or Cassandra's."),
    ] = None
    multiple: Annotated[
        str | None, typer.Option(metavar="M", help="Suggest M of Kelly's bet, 0 to 1.")
    ] = None
    minimum: Annotated[str | None, typer.Option(metavar="CHIPS", help="The least bet or raise.")] = None
    fold_curve: Annotated[
        str | None,
        typer.Option(metavar="A,B", help="Opponents fold by the price of a call, as in gpuodds kelly."),
    ] = None
    stack: Annotated[
        str | None,
        typer.Option(metavar="CHIPS", help="Chips at the table, if less than all: asked at each hand."),
    ] = None

    def given(self) -> dict[str, str]:
        """Return the options on the command line, by their names without the dashes."""
        values = asdict(self).items()
        return {name.replace("_", "-"): value for name, value in values if value is not None}


def advise(
    *,
    session: SessionOptions,
    replay: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Take the answers from a transcript.")
    ] = None,
    go_on: Annotated[bool, typer.Option("--go-on", help="... and then ask for more.")] = False,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep a transcript, written at each answer.")
    ] = None,
    backend: Backend = "auto",
    explain: Explain = False,
) -> None:
    """Advise through whole hands: cards and bets as they come, a suggestion at each turn.

    At any question, ? explains it, u takes the last answer back, q or Ctrl-D leaves.

    Examples:
      gpuodds advise --save session.txt
      gpuodds advise --replay session.txt --go-on
      gpuodds advise --stack 1000 --multiple 0.5
    """
    from gpuodds.betting.advisor.conversation import Conversation

    transcript, options = ("", {}) if replay is None else _read(replay)
    options.update(session.given())
    talk = _new_session(options, backend, explain).talk
    show_notes()
    conversation = Conversation(talk)
    if replay is not None:
        _follow(conversation, replay, transcript)
    shown = len(conversation.lines) if replay is not None else 0
    header = [HEADER, *(f"--{name} {shlex.quote(value)}" for name, value in options.items())]
    with _keep(save, " ".join(header), conversation) as keep:
        if replay is not None:
            keep()
        if replay is None or go_on:
            _converse(conversation, keep, shown)


def _new_session(options: dict[str, str], backend: str, explain: bool) -> Session:
    from gpuodds.betting.advisor.session import Session

    by_model = "cassandra" if options.get("model") == "cassandra" else "full"
    return Session(
        model=options.get("model", "exact"),
        pot_mode=options.get("pot-mode", by_model),
        multiple=_share(options.get("multiple", "1")),
        minimum=read_number("--minimum", options.get("minimum", "0")),
        stack=read_number("--stack", options["stack"]) if "stack" in options else None,
        fold_curve=read_curve(options["fold-curve"]) if "fold-curve" in options else None,
        backend=backend,
        explain=explain,
    )


def _follow(conversation: Conversation, path: Path, transcript: str) -> None:
    """Take the answers from a transcript, show the lines, and report figures that differ now."""
    from gpuodds.betting.advisor.session import KEPT

    try:
        differences = conversation.follow(transcript, KEPT)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    finally:
        _show(conversation.lines)
    for difference in differences:
        print(f"gpuodds: {path}: {difference}", file=sys.stderr)


@contextmanager
def _keep(path: Path | None, header: str, conversation: Conversation) -> Iterator[Callable[[], None]]:
    """Give a function that writes the transcript, to call at each answer.

    A pipe or a device cannot be written again: it gets the transcript at the end.
    """
    at_end = False
    with suppress(OSError):
        at_end = path is not None and is_stream(path)

    def write() -> None:
        if path is not None:
            with open_output(path) as file:
                file.write("\n".join([header, *conversation.lines, ""]).encode())

    try:
        yield (lambda: None) if at_end else write
    finally:
        if at_end:
            write()


def _converse(conversation: Conversation, keep: Callable[[], None], shown: int) -> None:
    _show(conversation.lines[shown:])
    while True:
        question = conversation.question
        try:
            answer = ask(f"{question.text} ")
        except EOFError:
            return
        word = answer.lower()
        if word in LEAVE:
            return
        if word in HELP:
            print(f"  {question.help or 'chips'}; u takes the last answer back, q leaves")
        elif word in UNDO:
            print("  taken back" if conversation.undo() else "  nothing to take back")
            keep()
        else:
            try:
                _show(conversation.answer(answer))
            except InputError as error:
                print(f"  {error}")
                continue
            keep()


def _show(lines: list[str]) -> None:
    for line in lines:
        print(line)


def _read(path: Path) -> tuple[str, dict[str, str]]:
    """Return a transcript, and the options that it was made with."""
    try:
        transcript = read_text(path, MAX_BYTES, "a transcript")
        return transcript, _options_of(transcript)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _options_of(transcript: str) -> dict[str, str]:
    """Read the options that a transcript was made with from its first line."""
    first = (transcript.splitlines() or [""])[0]
    if not first.startswith(HEADER):
        return {}
    text = first.removeprefix(HEADER)
    try:
        arguments = shlex.split(text)
    except ValueError:
        raise InputError(f"line 1: {excerpt(text.strip())}: expected its quotes to be closed") from None
    names = tuple(f"--{field.name.replace('_', '-')}" for field in fields(SessionOptions))
    options = arguments[::2]
    if len(arguments) % 2 or any(name not in names for name in options):
        raise InputError(f"line 1: expected {HEADER} and some of {', '.join(names)}, each with a value")
    return {
        name.removeprefix("--"): value for name, value in zip(options, arguments[1::2], strict=True)
    }


def _share(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"--multiple {excerpt(text)}: expected 0 to 1") from None
