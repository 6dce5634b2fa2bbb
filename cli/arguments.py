"""Arguments of the command line: cards after an option, ranges in files and under names."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from gpuodds.cards import parse_cards
from gpuodds.errors import InputError, excerpt
from gpuodds.machine.files import read_text

CARD_OPTIONS = ("--board", "--dead", "--seen")
FOLDER = "GPUODDS_RANGES"
MAX_BYTES = 400_000  # of a file: four per character of the longest range
NAME = re.compile(r"#([^#\s,;(){}\[\]]+)#")


def refuse_loose_cards(arguments: Sequence[str]) -> None:
    """Refuse a single card after the cards of an option: ``--board 2s 7d 9h``.

    An option takes one argument, so the cards after it would be hands, which few users mean.

    Args:
        arguments: The command line, without the name of the program.

    Raises:
        InputError: There is a loose card; the message shows how to write either.
    """
    arguments = arguments[: arguments.index("--")] if "--" in arguments else arguments
    for place, argument in enumerate(arguments):
        option, equals, value = argument.partition("=")
        if option not in CARD_OPTIONS:
            continue
        loose = place + (1 if equals else 2)
        last = loose
        while last < len(arguments) and _is_card(arguments[last]):
            last += 1
        if last > loose:
            cards = [value if equals else arguments[place + 1], *arguments[loose:last]]
            apart = excerpt(" ".join(cards))
            raise InputError(
                f'{option} {apart}: expected the cards in one word: {option} "{apart}" or {option} '
                f"{excerpt(''.join(cards))} (and a hand after it in one piece, such as AsKs)"
            )


def _is_card(argument: str) -> bool:
    try:
        return len(parse_cards(argument)) == 1
    except InputError:
        return False


def read_range_arguments(arguments: Sequence[str]) -> list[str]:
    """Replace arguments by the texts that they name: ``@FILE``, and ``#NAME#`` in a range.

    A file's lines are items of one range. A name stands for the file NAME.txt, or NAME, in the folder
    that the environment variable GPUODDS_RANGES names.

    Args:
        arguments: Hands and ranges from the command line.

    Raises:
        InputError: A file cannot be read, or is too long for a range.
    """
    return [_read_argument(argument) for argument in arguments]


def _read_argument(argument: str) -> str:
    if argument.startswith("@"):
        return _read_file(Path(argument[1:]), argument)
    whole = NAME.fullmatch(argument)
    if whole:
        return _read_named(whole[1])
    return NAME.sub(lambda match: f"({_read_named(match[1])})", argument)


def _read_named(name: str) -> str:
    shown = excerpt(f"#{name}#")
    folder = os.environ.get(FOLDER)
    if not folder:
        raise InputError(f"{shown}: expected {FOLDER} to name the folder of ranges")
    if not re.fullmatch(r"\w[\w.+-]*", name):
        raise InputError(f"{shown}: expected a name of letters, digits, _, ., + and -")
    path = Path(folder) / f"{name}.txt"
    return _read_file(path if os.path.isfile(path) else path.with_name(name), shown)


def _read_file(path: Path, argument: str) -> str:
    shown = excerpt(argument)
    try:
        text = read_text(path, MAX_BYTES, "a range")
    except InputError as error:
        raise InputError(f"{shown}: {excerpt(str(path), 200)}: {error}") from None
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise InputError(f"{shown}: the file is empty: expected a range")
    return ",".join(lines)
