"""Ranges by name: positions and presets, such as ``UTG`` or ``BTN@15bb``, and those of the user.

A text that is no range is looked up as a name. Capital and small letters are alike, and blanks,
hyphens, underlines and plus signs do not count: ``bb 3bet`` is ``BB 3-bet``. A user's own ranges come
first, then those that ship, in the order of the file: the first of a name is meant.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from gpuodds.errors import InputError, excerpt
from gpuodds.games.game import Game
from gpuodds.machine.files import read_text
from gpuodds.spots.ranges.preset_files import SHIPPED, PresetSet, read_preset_sets

FOLDER = "GPUODDS_RANGES"
"""The environment variable that names a file of presets, or a folder of a file per range."""
MAX_BYTES = 400_000  # of a file of one range: four per character of the longest
MAX_FILES = 10_000  # of a folder
MAX_NAME = 80  # characters of a name that is looked up
_FILE_NAME = re.compile(r"\w[\w.+-]*")
_NO_MATTER = re.compile(r"[\s_+-]+")


class NamedRange(NamedTuple):
    """A range with a name."""

    name: str
    """Its name, as the file has it."""
    text: str
    """What it means."""
    source: str
    """The title of its set, with the name in the set if it is another; or the name of its file."""
    path: Path | None = None
    """The file that has its text, if it has one of its own: it is read when it is asked for."""

    @property
    def note(self) -> str:
        """How the name is read, in a line."""
        return f"{self.name} is read as {excerpt(self.text, 200)} ({self.source})"


def find_named(text: str, game: Game) -> NamedRange | None:
    """Return the range that a name stands for in a game; None if there is none.

    Raises:
        InputError: A file of the user's own ranges is wrong.

    >>> from gpuodds.games.holdem.game import HOLDEM
    >>> find_named("utg/9", HOLDEM).text[:18]
    '77+,ATs+,A5s-A4s,K'
    """
    key = _key(text)
    if not key or len(text) > MAX_NAME:
        return None
    own = own_ranges()
    if own is not None and (found := _by_key(own, _state(own), game).get(key)):
        if found.path is not None:
            try:
                return found._replace(text=read_range_file(found.path))
            except InputError as error:
                raise InputError(f"{excerpt(str(found.path), 200)}: {error}") from None
        return found
    return _by_key(SHIPPED, None, game).get(key)


def range_names(game: Game) -> list[str]:
    """Return all names of a game's ranges, the user's own first, each once."""
    own = own_ranges()
    found = {} if own is None else dict(_by_key(own, _state(own), game))
    for key, named in _by_key(SHIPPED, None, game).items():
        found.setdefault(key, named)
    return [named.name for named in found.values()]


def nearest_name(text: str, game: Game) -> str:
    """Return the name that is most like a text, or an empty text."""
    names = {_key(name): name for name in range_names(game)}
    found = get_close_matches(_key(text[:MAX_NAME]), list(names), 1, 0.7)
    return names[found[0]] if found else ""


def own_ranges() -> Path | None:
    """Return the file or folder of the user's own ranges; None if there is none.

    It is what the environment variable GPUODDS_RANGES names, else ``gpuodds/ranges.toml`` in the
    folder of the user's settings: XDG_CONFIG_HOME, or ``~/.config``.
    """
    named = os.environ.get(FOLDER)
    if named:
        return Path(named)
    settings = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    path = Path(settings, "gpuodds", "ranges.toml")
    return path if path.is_file() else None


def read_range_file(path: Path) -> str:
    """Return the range in a file, each line an item.

    Raises:
        InputError: It cannot be read, or is empty or too long; the message does not name it.
    """
    lines = [line.strip() for line in read_text(path, MAX_BYTES, "a range").splitlines()]
    if not any(lines):
        raise InputError("the file is empty: expected a range")
    return ",".join(filter(None, lines))


def own_sets(path: Path) -> Iterator[PresetSet]:
    """Yield the sets of a user's own file; none of a folder, whose files have no titles."""
    if not path.is_dir():
        yield from read_preset_sets(path)


def _key(name: str) -> str:
    return _NO_MATTER.sub("", name).casefold()


def _state(path: Path) -> tuple[int, int] | None:
    """Return what changes when a file or a folder does."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


@lru_cache(maxsize=32)
def _by_key(path: Path, state: tuple[int, int] | None, game: Game) -> dict[str, NamedRange]:
    """Return the ranges of a game in a file or a folder; ``state`` tells when to read them again."""
    found: dict[str, NamedRange] = {}
    try:
        for named, aliases in _listed(path, game):
            found.setdefault(_key(named.name), named)
            for name in aliases:
                source = f"{named.source}: {named.name}"
                found.setdefault(_key(name), named._replace(name=name, source=source))
    except InputError as error:
        raise InputError(f"{excerpt(str(path), 200)}: {error}") from None
    return found


def _listed(path: Path, game: Game) -> Iterator[tuple[NamedRange, tuple[str, ...]]]:
    if not path.is_dir():
        for each in read_preset_sets(path):
            if each.game is game:
                for name, text in each.ranges.items():
                    yield NamedRange(name, text, each.title), each.short.get(name, ())
    else:
        files = sorted(path.iterdir(), key=lambda file: (file.suffix != ".txt", file.name))
        for file in files[:MAX_FILES]:
            name = file.name.removesuffix(".txt")
            if _FILE_NAME.fullmatch(name) and file.is_file():
                yield NamedRange(name, "", file.name, file), ()
