"""Sets of ranges by name: a user's own and those that ship in ``data/presets.toml``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from os import PathLike
from pathlib import Path
from typing import Any

from gpuodds.basics.arguments import shown
from gpuodds.basics.choices import GameName
from gpuodds.errors import InputError, excerpt
from gpuodds.games.catalog import find_game
from gpuodds.games.game import Game
from gpuodds.spots.ranges.names import own_ranges, own_sets
from gpuodds.spots.ranges.preset_files import SHIPPED, PresetSet, read_preset_sets
from gpuodds.spots.ranges.range import Range


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
        short: Further names, such as ``UTG/9``, that :class:`gpuodds.Range` reads.
    """

    game: GameName
    title: str
    note: str
    name: str
    text: str
    percent: float
    short: tuple[str, ...] = ()


def range_presets(
    game: GameName | Game | None = "holdem", path: str | PathLike[str] | None = None
) -> tuple[RangePreset, ...]:
    """Return ranges by name, each checked: a user's own, then those that ship.

    :class:`gpuodds.Range` reads the names. A user's own are those of the file that the environment
    variable GPUODDS_RANGES names, else of ``~/.config/gpuodds/ranges.toml``.

    Args:
        game: The game, or its name; None for all games.
        path: A file to read in place of them: see ``gpuodds range --presets --toml``.

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
        files = [Path(path)] if path is not None else [*filter(None, [own_ranges()]), SHIPPED]
    except TypeError:
        raise InputError(f"path {shown(path)}: expected the name of a file") from None
    presets: list[RangePreset] = []
    for file in files:
        read_sets = read_preset_sets if path is not None else own_sets
        try:
            presets += _read(read_sets(file), played)
        except InputError as error:
            raise InputError(f"{excerpt(str(file), 200)}: {error}") from None
    return tuple(presets)


def describe_presets(presets: Iterable[RangePreset], game: Game) -> dict[str, Any]:
    """Return the object that ``gpuodds range --presets --json`` prints, of the presets of a game."""
    sets = [
        {
            "title": title,
            "note": note,
            "ranges": [
                {
                    "name": member.name,
                    "short": list(member.short),
                    "text": member.text,
                    "percent": member.percent,
                }
                for member in members
            ],
        }
        for (title, note), members in groupby(presets, lambda preset: (preset.title, preset.note))
    ]
    return {"schema": "gpuodds.presets/1", "game": game.name, "sets": sets}


def _read(sets: Iterable[PresetSet], game: Game | None) -> Iterator[RangePreset]:
    """Yield the presets of a game, or of all if it is None."""
    for each in sets:
        if game not in (None, each.game):
            continue
        for name, text in each.ranges.items():
            try:
                percent = Range(text, game=each.game).percent
            except InputError as error:
                raise InputError(f"set {excerpt(each.title)}: range {excerpt(name)}: {error}") from None
            short = each.short.get(name, ())
            yield RangePreset(each.game.name, each.title, each.note, name, text, percent, short)
