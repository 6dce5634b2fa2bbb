"""``gpuodds advise``: a session of suggestions, hand after hand."""

from __future__ import annotations

import shlex
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpuodds.cli.app import Backend, choice
from gpuodds.cli.output import read_number, show_notes
from gpuodds.errors import InputError, excerpt
from gpuodds.files import is_stream, open_output

if TYPE_CHECKING:
    from gpuodds.betting.conversation import Conversation

LEAVE, UNDO, HELP = ("q", "quit"), ("u", "undo"), ("?", "help")
HEADER = "# gpuodds advise"


def advise(
    model: Annotated[
        str | None, choice("exact", "cassandra", help="How odds are found. Default: exact.")
    ] = None,
    pot_mode: Annotated[
        str | None,
        choice("full", "cassandra", help="full, the default, tracks the bet to call; or Cassandra's."),
    ] = None,
    multiple: Annotated[
        str | None, typer.Option(metavar="M", help="Suggest M of Kelly's bet, 0 to 1.")
    ] = None,
    minimum: Annotated[
        str | None, typer.Option(metavar="CHIPS", help="The least bet or raise.")
    ] = None,
    stack: Annotated[
        str | None,
        typer.Option(metavar="CHIPS", help="Chips at the table, if less than all: asked at each hand."),
    ] = None,
    replay: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Take the answers from a transcript.")
    ] = None,
    go_on: Annotated[bool, typer.Option("--go-on", help="... and then ask for more.")] = False,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep a transcript, written at each answer.")
    ] = None,
    backend: Backend = "auto",
) -> None:
    """Advise through whole hands: cards and bets as they come, a suggestion at each turn.

    At any question, ? explains it, u takes the last answer back, q or Ctrl-D leaves.

    Examples:
      gpuodds advise --save session.txt
      gpuodds advise --replay session.txt --go-on
      gpuodds advise --stack 1000 --multiple 0.5
    """
    from gpuodds.betting.conversation import Conversation
    from gpuodds.betting.session import KEPT, Session

    options = {
        "model": model,
        "pot-mode": pot_mode,
        "multiple": multiple,
        "minimum": minimum,
        "stack": stack,
    }
    chosen = {name: value for name, value in options.items() if value is not None}
    transcript = "" if replay is None else _read(replay)
    chosen = {**_options_of(transcript), **chosen}
    by_model = "cassandra" if chosen.get("model") == "cassandra" else "full"
    session = Session(
        model=chosen.get("model", "exact"),
        pot_mode=chosen.get("pot-mode", by_model),
        multiple=_share(chosen.get("multiple", "1")),
        minimum=read_number("--minimum", chosen.get("minimum", "0")),
        stack=read_number("--stack", chosen["stack"]) if "stack" in chosen else None,
        backend=backend,
    )
    show_notes()
    conversation = Conversation(session.talk)
    header = " ".join([HEADER, *(f"--{name} {shlex.quote(value)}" for name, value in chosen.items())])
    shown = 0
    if replay is not None:
        try:
            differences = conversation.follow(transcript, KEPT)
        except InputError as error:
            raise InputError(f"{replay}: {error}") from None
        finally:
            _show(conversation.lines)
        for difference in differences:
            print(f"gpuodds: {replay}: {difference}", file=sys.stderr)
        shown = len(conversation.lines)
    # A pipe or a device cannot be written again at each answer: it gets the transcript at the end.
    at_end = False
    with suppress(OSError):
        at_end = save is not None and is_stream(save)
    try:
        if replay is not None:
            _save(None if at_end else save, header, conversation)
        if replay is None or go_on:
            _converse(conversation, None if at_end else save, header, shown)
    finally:
        if at_end:
            _save(save, header, conversation)


def _converse(conversation: Conversation, save: Path | None, header: str, shown: int) -> None:
    _show(conversation.lines[shown:])
    while True:
        question = conversation.question
        try:
            answer = input(f"{question.text} ").strip()
        except EOFError:
            print()
            return
        if not sys.stdin.isatty():
            print(answer)
        word = answer.lower()
        if word in LEAVE:
            return
        if word in HELP:
            print(f"  {question.help or 'chips'}; u takes the last answer back, q leaves")
        elif word in UNDO:
            print("  taken back" if conversation.undo() else "  nothing to take back")
            _save(save, header, conversation)
        else:
            try:
                _show(conversation.answer(answer))
            except InputError as error:
                print(f"  {error}")
                continue
            _save(save, header, conversation)


def _show(lines: list[str]) -> None:
    for line in lines:
        print(line)


def _save(path: Path | None, header: str, conversation: Conversation) -> None:
    if path is None:
        return
    with open_output(path) as file:
        file.write("\n".join([header, *conversation.lines, ""]).encode())


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: expected text") from None


def _options_of(transcript: str) -> dict[str, str]:
    """Read the options that a transcript was made with from its first line."""
    first = transcript.partition("\n")[0]
    if not first.startswith(HEADER):
        return {}
    words = shlex.split(first.removeprefix(HEADER))
    names = ("--model", "--pot-mode", "--multiple", "--minimum", "--stack")
    if len(words) % 2 or any(name not in names for name in words[::2]):
        raise InputError(f"line 1: expected {HEADER} and some of {', '.join(names)}, each with a value")
    return {name.removeprefix("--"): value for name, value in zip(words[::2], words[1::2], strict=True)}


def _share(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"--multiple {excerpt(text)}: expected 0 to 1") from None
