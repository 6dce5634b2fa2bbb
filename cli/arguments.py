"""Arguments of the command line: cards after an option, ranges in files and under names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gpuodds.cards import parse_cards
from gpuodds.errors import InputError, excerpt

if TYPE_CHECKING:
    from gpuodds.games.game import Game

CARD_OPTIONS = ("--board", "--dead", "--seen")
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


def read_range_arguments(arguments: Sequence[str], game: Game) -> list[str]:
    """Replace arguments by the texts that they name: ``@FILE``, and ``#NAME#`` in a range.

    A file's lines are items of one range. Names are those that ranges have without the signs.

    Args:
        arguments: Hands and ranges from the command line.
        game: The game, which has names of its own.

    Raises:
        InputError: A file cannot be read, or is too long for a range, or there is no such name.
    """
    return [_read_argument(argument, game) for argument in arguments]


def _read_argument(argument: str, game: Game) -> str:
    if argument.startswith("@"):
        return _read_file(Path(argument[1:]), argument)
    whole = NAME.fullmatch(argument)
    if whole:
        return _read_named(whole[1], game)
    return NAME.sub(lambda match: f"({_read_named(match[1], game)})", argument)


def _read_named(name: str, game: Game) -> str:
    from gpuodds.spots.ranges.names import FOLDER, find_named, nearest_name

    shown = excerpt(f"#{name}#")
    try:
        found = find_named(name, game)
    except InputError as error:
        raise InputError(f"{shown}: {error}") from None
    if found is None:
        near = nearest_name(name, game)
        hint = f"; is #{near}# meant?" if near else ""
        raise InputError(
            f"{shown}: expected a name that gpuodds range --presets lists, or a file of the folder "
            f"{FOLDER}{hint}"
        )
    return found.text


def _read_file(path: Path, argument: str) -> str:
    from gpuodds.spots.ranges.names import read_range_file

    try:
        return read_range_file(path)
    except InputError as error:
        raise InputError(f"{excerpt(argument)}: {excerpt(str(path), 200)}: {error}") from None
