"""Plot equity graphs: for each player, the equities of the range's hands, best first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gpuodds.plotting import COLORS, new_picture, save_picture, short_name
from gpuodds.results.equity_graph import EquityGraph


def plot_graphs(names: Sequence[str], graphs: Sequence[EquityGraph], out: Path) -> None:
    """Write a plot with a curve per player to a file.

    Args:
        names: The players' names.
        graphs: The players' equity graphs.
        out: The file: .png, .svg or .pdf.

    Raises:
        InputError: matplotlib is not installed, the ending is unknown, or the file cannot be written.
    """
    figure = new_picture(out)
    axes = figure.subplots()
    for place, (name, graph) in enumerate(zip(names, graphs, strict=True)):
        axes.stairs(
            [100 * equity for equity in graph.equity],
            [0.0, *(100 * share for share in graph.share)],
            baseline=None,
            color=COLORS[place % len(COLORS)],
            linewidth=2,
            label=short_name(name),
        )
    axes.set_xlabel("hands of the range, best first, %")
    axes.set_ylabel("equity, %")
    axes.set_xlim(0, 100)
    axes.set_ylim(0, 100)
    axes.grid(alpha=0.3)
    axes.legend()
    axes.set_title("Equity of the hands of each range", fontsize=13)
    save_picture(figure, out)
