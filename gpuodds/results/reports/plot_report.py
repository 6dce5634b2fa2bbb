"""Plot a report: how equities are distributed over boards, and their means by texture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gpuodds.errors import InputError
from gpuodds.plotting import COLORS, new_picture, save_picture, short_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gpuodds.results.reports.board_report import BoardReport

BIN = 2  # percent


def plot_report(report: BoardReport, out: Path) -> None:
    """Write a plot of a report to a file.

    Args:
        report: The report.
        out: The file: .png, .svg or .pdf.

    Raises:
        InputError: No board of the report can be dealt, matplotlib is not installed, the ending is
            unknown, or the file cannot be written.
    """
    if not report.outcomes:
        raise InputError(f"{out}: nothing to draw: the report has no {report.street} that can be dealt")
    figure = new_picture(out, 11, 6)
    distribution, textures = figure.subplots(1, 2)
    _distribution(distribution, report)
    _textures(textures, report)
    save_picture(figure, out)


def _distribution(axes: Axes, report: BoardReport) -> None:
    dealt = [row for row in report.rows if row.outcomes]
    weights = np.array([float(row.outcomes) for row in dealt])
    for place, name in enumerate(report.spot.names):
        equities = np.array([100 * row.players[place].equity for row in dealt])
        axes.hist(
            equities,
            bins=range(0, 100 + BIN, BIN),
            weights=100 * weights / weights.sum(),
            color=COLORS[place % len(COLORS)],
            alpha=0.6,
            label=short_name(name),
        )
    axes.set_xlabel("equity, %")
    axes.set_ylabel(f"{report.street}s, %")
    axes.set_xlim(0, 100)
    axes.legend()
    axes.set_title(f"Equity by {report.street}", fontsize=13)


def _textures(axes: Axes, report: BoardReport) -> None:
    means = {"all": report.players} | {
        name: players for name, (_, players) in report.by_texture().items() if players[0].outcomes
    }
    players = len(report.spot.names)
    height = 0.8 / players
    for place, name in enumerate(report.spot.names):
        places = np.arange(len(means)) + (place - (players - 1) / 2) * height
        equities = [100 * of_texture[place].equity for of_texture in means.values()]
        axes.barh(places, equities, height, color=COLORS[place % len(COLORS)], label=short_name(name))
    axes.set_yticks(range(len(means)), list(means))
    axes.invert_yaxis()
    axes.set_xlabel("equity, %")
    axes.set_xlim(0, 100)
    axes.grid(axis="x", alpha=0.3)
    axes.set_title("Mean equity by texture", fontsize=13)
