"""Words of the command line: cards after an option, ranges in files and under names."""

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


def refuse_loose_cards(words: Sequence[str]) -> None:
    """Refuse a single card after the cards of an option: ``--board 2s 7d 9h``.

    An option takes one word, so the cards after it would be hands, which few users mean.

    Args:
        words: The command line, without the name of the program.

    Raises:
        InputError: There is a loose card; the message shows how to write either.
    """
    words = words[: words.index("--")] if "--" in words else words
    for place, word in enumerate(words):
        option, equals, value = word.partition("=")
        if option not in CARD_OPTIONS:
            continue
        loose = place + (1 if equals else 2)
        last = loose
        while last < len(words) and _is_card(words[last]):
            last += 1
        if last > loose:
            cards = [value if equals else words[place + 1], *words[loose:last]]
            apart = excerpt(" ".join(cards))
            raise InputError(
                f'{option} {apart}: expected the cards in one word: {option} "{apart}" or {option} '
                f"{excerpt(''.join(cards))} (and a hand after it in one piece, such as AsKs)"
            )


def _is_card(word: str) -> bool:
    try:
        return len(parse_cards(word)) == 1
    except InputError:
        return False


def read_range_words(words: Sequence[str]) -> list[str]:
    """Replace words by the texts that they name: ``@FILE``, and ``#NAME#`` in a range.

    A file's lines are items of one range. A name stands for the file NAME.txt, or NAME, in the folder
    that the environment variable GPUODDS_RANGES names.

    Args:
        words: Hands and ranges from the command line.

    Raises:
        InputError: A file cannot be read, or is too long for a range.
    """
    return [_read_word(word) for word in words]


def _read_word(word: str) -> str:
    if word.startswith("@"):
        return _read_file(Path(word[1:]), word)
    whole = NAME.fullmatch(word)
    if whole:
        return _read_named(whole[1])
    return NAME.sub(lambda found: f"({_read_named(found[1])})", word)


def _read_named(name: str) -> str:
    shown = excerpt(f"#{name}#")
    folder = os.environ.get(FOLDER)
    if not folder:
        raise InputError(f"{shown}: expected {FOLDER} to name the folder of ranges")
    if not re.fullmatch(r"\w[\w.+-]*", name):
        raise InputError(f"{shown}: expected a name of letters, digits, _, ., + and -")
    path = Path(folder) / f"{name}.txt"
    return _read_file(path if os.path.isfile(path) else path.with_name(name), shown)


def _read_file(path: Path, word: str) -> str:
    shown = excerpt(word)
    try:
        text = read_text(path, MAX_BYTES, "a range")
    except InputError as error:
        raise InputError(f"{shown}: {excerpt(str(path), 200)}: {error}") from None
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise InputError(f"{shown}: the file is empty: expected a range")
    return ",".join(lines)
