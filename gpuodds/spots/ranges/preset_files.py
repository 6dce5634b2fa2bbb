"""Files of ranges by name: their form, checked; what their ranges mean is not read here."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from gpuodds.basics.arguments import shown
from gpuodds.errors import InputError, excerpt
from gpuodds.games.catalog import find_game
from gpuodds.games.game import Game
from gpuodds.machine.files import read_text

SHIPPED = Path(__file__).parent / "data" / "presets.toml"
MAX_BYTES = 1_000_000  # of a file
MAX_LINE = 300  # characters of a title, a note or a name
KEYS = ("title", "game", "note", "ranges", "short")


class PresetSet(NamedTuple):
    """A set of a file."""

    game: Game
    title: str
    note: str
    ranges: dict[str, str]
    """Texts by name."""
    short: dict[str, tuple[str, ...]]
    """Further names of a range, by its name."""


def read_preset_sets(path: Path) -> Iterator[PresetSet]:
    """Yield the sets of a file, each checked.

    Raises:
        InputError: The file cannot be read, or a set is wrong; the message does not name the file.
    """
    document = _load(path)
    _refuse_other_keys(document, ("sets",))
    sets = document.get("sets")
    if not isinstance(sets, list) or not sets or not all(isinstance(entry, dict) for entry in sets):
        raise InputError("expected sets of ranges, each under [[sets]]")
    seen: set[tuple[Game, str]] = set()
    for number, entry in enumerate(sets, 1):
        try:
            found = _form(entry)
            if (found.game, found.title) in seen:
                raise InputError(f"expected one set of this title in {found.game.name}")
        except InputError as error:
            raw_title = entry.get("title")
            where = excerpt(raw_title) if isinstance(raw_title, str) else number
            raise InputError(f"set {where}: {error}") from None
        seen.add((found.game, found.title))
        yield found


def _load(path: Path) -> dict[str, Any]:
    text = read_text(path, MAX_BYTES, "presets")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise InputError("expected TOML, found brackets within brackets") from None
    except ValueError as error:  # a number of thousands of digits is one that is no TOMLDecodeError
        raise InputError(f"expected TOML: {excerpt(str(error), 200)}") from None


def _form(entry: dict[str, Any]) -> PresetSet:
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
    return PresetSet(played, title, note, by_name, _short(entry.get("short", {}), by_name))


def _short(names: object, ranges: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the short names of each range, from ``short = { "UTG/9" = "UTG" }``."""
    if not isinstance(names, dict):
        raise InputError(f"short {shown(names)}: expected names of ranges by short name")
    short: dict[str, tuple[str, ...]] = {}
    for key, name in names.items():
        alias = _line(key, "short name")
        if name not in ranges:
            raise InputError(f"short name {excerpt(alias)}: expected the name of a range of this set")
        short[name] = (*short.get(name, ()), alias)
    return short


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
