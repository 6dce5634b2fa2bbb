"""The output of ``gpuodds range --presets``: ranges by name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gpuodds.cli.output import console, new_table, print_json, print_table

if TYPE_CHECKING:
    from gpuodds.games.game import Game

TEXTS = 2  # the column of the ranges


def print_presets(game: Game, path: Path | None, as_json: bool) -> None:
    """Print the presets of a game: those that ship, or those of a file."""
    from gpuodds.spots.ranges.presets import describe_presets, range_presets

    presets = describe_presets(range_presets(game, path), game)
    if as_json:
        print_json(presets)
        return
    out = console()
    if not presets["sets"]:
        out.print(f"no presets of {game.name}")
    for preset_set in presets["sets"]:
        out.print(preset_set["title"])
        if preset_set["note"]:
            out.print(preset_set["note"])
        table = new_table("name", "percent", "range")
        table.columns[TEXTS].justify = "left"
        for preset in preset_set["ranges"]:
            table.add_row(preset["name"], f"{preset['percent']:.1f}", preset["text"])
        print_table(out, table, wrap=TEXTS)


def print_toml() -> None:
    """Print the file that ships, of all games."""
    from gpuodds.spots.ranges.presets import SHIPPED

    print(SHIPPED.read_text("utf-8"), end="")
