"""The output of ``gpuodds range --presets``: ranges by name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gpuodds.cli.output import console, new_table, print_json, print_table

if TYPE_CHECKING:
    from gpuodds.games.game import Game


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
        has_short = any(preset["short"] for preset in preset_set["ranges"])
        table = new_table("name", *["also"] * has_short, "percent", "range")
        table.columns[has_short].justify = table.columns[-1].justify = "left"
        for preset in preset_set["ranges"]:
            also = [next(iter(preset["short"]), "")] * has_short
            table.add_row(preset["name"], *also, f"{preset['percent']:.1f}", preset["text"])
        print_table(out, table, wrap=len(table.columns) - 1)


def print_toml() -> None:
    """Print the file that ships, of all games."""
    from gpuodds.spots.ranges.preset_files import SHIPPED

    print(SHIPPED.read_text("utf-8"), end="")
