"""Plot charts: a grid of starting hands for each position and history."""

from __future__ import annotations

from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from gpuodds.plotting import new_picture, save_picture

if TYPE_CHECKING:
    from gpuodds.short_stacks.result import PushFoldResult
    from gpuodds.short_stacks.tournaments.heads_up import TournamentResult

COLUMNS = 3


def plot_charts(result: PushFoldResult, out: Path) -> None:
    """Write the charts, first in and after one all-in, to a picture.

    Args:
        result: The answer.
        out: The file: .png, .svg or .pdf.

    Raises:
        InputError: matplotlib is not installed, the ending is unknown, or the file cannot be written.
    """
    from gpuodds.games.holdem.starting_hands import grid_names

    places = [place for place in result.places if "," not in place]
    columns = min(COLUMNS, len(places)) or 1
    rows = ceil(len(places) / columns) or 1
    figure = new_picture(out, 4.2 * columns, 4.4 * rows)
    all_axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for axes in all_axes[len(places) :]:
        axes.axis("off")
    for axes, place in zip(all_axes, places, strict=False):
        axes.imshow(result.grid(place), vmin=0, vmax=1.6, cmap="Blues")
        for row, names in enumerate(grid_names()):
            for column, name in enumerate(names):
                axes.text(column, row, name, ha="center", va="center", fontsize=5.5)
        axes.set_xticks([])
        axes.set_yticks([])
        axes.set_title(f"{place}: all-in {result.percent(place):.2f} %", fontsize=10)
    save_picture(figure, out)


def plot_tournament(result: TournamentResult, out: Path) -> None:
    """Write the chances to win a tournament by stack, less the share of the chips, to a picture.

    Args:
        result: The answer.
        out: The file: .png, .svg or .pdf.

    Raises:
        InputError: matplotlib is not installed, the ending is unknown, or the file cannot be written.
    """
    figure = new_picture(out)
    axes = figure.subplots()
    stacks = [state.stack for state in result.states]
    for name, chances in (
        ("posts the small blind", [state.small_blind for state in result.states]),
        ("posts the big blind", [state.big_blind for state in result.states]),
    ):
        more = [
            100 * (chance - stack / result.chips) for chance, stack in zip(chances, stacks, strict=True)
        ]
        axes.plot(stacks, more, linewidth=2, label=name)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_xlabel("chips")
    axes.set_ylabel("chance to win, less the share of all chips, %")
    axes.grid(alpha=0.3)
    axes.legend()
    small, big = result.blinds
    axes.set_title(f"All-in or fold, {result.chips:g} chips, blinds {small:g}/{big:g}", fontsize=13)
    save_picture(figure, out)
