"""Ranges by name: the sets that ship in ``data/presets.toml``, or those of a file in its format."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from os import PathLike
from pathlib import Path
from typing import Any

from gpuodds.basics.arguments import shown
from gpuodds.errors import InputError, excerpt
from gpuodds.games.catalog import find_game
from gpuodds.games.game import Game
from gpuodds.machine.files import read_text
from gpuodds.spots.ranges.range import Range

SHIPPED = Path(__file__).parent / "data" / "presets.toml"
MAX_BYTES = 1_000_000  # of a file
MAX_LINE = 300  # characters of a title, a note or a name
KEYS = ("title", "game", "note", "ranges")


@dataclass(frozen=True)
class RangePreset:
    """A range with a name, of a set.

    Attributes:
        game: The name of the game.
        title: The title of the set.
        note: What the set's ranges are, or an empty text.
        name: The name in the set, such as a position.
        text: What :class:`gpuodds.Range` reads.
        percent: The sum of the weights in percent of the combos of the game's deck.
    """

    game: str
    title: str
    note: str
    name: str
    text: str
    percent: float


def range_presets(
    game: str | Game | None = "holdem", path: str | PathLike[str] | None = None
) -> tuple[RangePreset, ...]:
    """Return ranges by name, each checked, in the order of the file.

    Args:
        game: The game, or its name; None for all games.
        path: A file to read in place of the one that ships: see ``gpuodds range --presets --toml``.

    Returns:
        A preset for each range.

    Raises:
        InputError: The file cannot be read, or a set or a range in it is wrong. The message names the
            file, the set and the range.

    Example:
        >>> found = {(preset.title, preset.name): preset for preset in range_presets()}
        >>> found["Opening raises, 6 players", "UTG"].text
        '55+,A2s+,K9s+,QTs+,JTs,T9s,ATo+,KJo+'
    """
    played = None if game is None else find_game(game)
    try:
        file = SHIPPED if path is None else Path(path)
    except TypeError:
        raise InputError(f"path {shown(path)}: expected the name of a file") from None
    try:
        return tuple(_read(_load(file), played))
    except InputError as error:
        raise InputError(f"{excerpt(str(file), 200)}: {error}") from None


def describe_presets(presets: Iterable[RangePreset], game: Game) -> dict[str, Any]:
    """Return the object that ``gpuodds range --presets --json`` prints, of the presets of a game."""
    sets = [
        {
            "title": title,
            "note": note,
            "ranges": [
                {"name": member.name, "text": member.text, "percent": member.percent}
                for member in members
            ],
        }
        for (title, note), members in groupby(presets, lambda preset: (preset.title, preset.note))
    ]
    return {"schema": "gpuodds.presets/1", "game": game.name, "sets": sets}


def _load(path: Path) -> dict[str, Any]:
    text = read_text(path, MAX_BYTES, "presets")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise InputError("expected TOML, found brackets within brackets") from None
    except ValueError as error:  # a number of thousands of digits is one that is no TOMLDecodeError
        raise InputError(f"expected TOML: {excerpt(str(error), 200)}") from None


def _read(document: dict[str, Any], game: Game | None) -> Iterator[RangePreset]:
    """Yield the presets of a game, or of all if it is None; check the form of all sets."""
    _refuse_other_keys(document, ("sets",))
    sets = document.get("sets")
    if not isinstance(sets, list) or not sets or not all(isinstance(entry, dict) for entry in sets):
        raise InputError("expected sets of ranges, each under [[sets]]")
    seen: set[tuple[Game, str]] = set()
    for number, entry in enumerate(sets, 1):
        raw_title = entry.get("title")
        try:
            played, title, note, ranges = _form(entry)
            if (played, title) in seen:
                raise InputError(f"expected one set of this title in {played.name}")
            seen.add((played, title))
            if game in (None, played):
                for name, text in ranges.items():
                    percent = _percent(name, text, played)
                    yield RangePreset(played.name, title, note, name, text, percent)
        except InputError as error:
            where = excerpt(raw_title) if isinstance(raw_title, str) else number
            raise InputError(f"set {where}: {error}") from None


def _form(entry: dict[str, Any]) -> tuple[Game, str, str, dict[str, str]]:
    """Return the game, the title, the note and the ranges of a set."""
    _refuse_other_keys(entry, KEYS)
    title, played = _line(entry.get("title"), "title"), find_game(_line(entry.get("game"), "game"))
    note = _line(entry["note"], "note") if "note" in entry else ""
    ranges = entry.get("ranges")
    if not isinstance(ranges, dict) or not ranges:
        raise InputError("expected ranges by name under [sets.ranges]")
    by_name: dict[str, str] = {}
    for key, text in ranges.items():
        name = _line(key, "name")
        if name in by_name:
            raise InputError(f"range {excerpt(name)}: expected one range of this name")
        by_name[name] = _items(name, text)
    return played, title, note, by_name


def _percent(name: str, text: str, game: Game) -> float:
    try:
        return Range(text, game=game).percent
    except InputError as error:
        raise InputError(f"range {excerpt(name)}: {error}") from None


def _refuse_other_keys(table: dict[str, Any], known: tuple[str, ...]) -> None:
    for key in table:
        if key not in known:
            raise InputError(f"key {excerpt(key)}: expected {', '.join(known)}")


def _line(value: object, what: str) -> str:
    text = value.strip() if isinstance(value, str) else ""
    if not text or not text.isprintable() or len(text) > MAX_LINE:
        value_text = "" if value is None else f" {shown(value)}"
        raise InputError(f"{what}{value_text}: expected a line of 1 to {MAX_LINE} characters")
    return text


def _items(name: str, text: object) -> str:
    """Return the text of a range in one line."""
    if not isinstance(text, str):
        raise InputError(f"range {excerpt(name)}: {shown(text)}: expected a text, such as 'QQ+,AK'")
    lines = (line.strip().rstrip(",;") for line in text.splitlines())
    return ",".join(line for line in lines if line)
