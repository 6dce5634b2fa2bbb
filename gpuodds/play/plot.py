"""A plot of the running result of a match."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gpuodds.play.match import MatchResult
from gpuodds.plotting import new_picture, save_picture


def plot_match(result: MatchResult, out: Path) -> None:
    """Draw the chips that each player won, deal by deal, in big blinds.

    Raises:
        InputError: matplotlib is not installed, or the file cannot be written.
    """
    figure = new_picture(out)
    axes = figure.subplots()
    totals = np.cumsum(np.array(result.won), axis=0) / result.rules.big_blind / result.rotations
    for place, name in enumerate(result.players):
        low, high = result.interval(place)
        label = f"{name}: {result.rate(place):+.0f} ({low:+.0f} to {high:+.0f}) mbb a hand"
        axes.plot(range(1, result.deals + 1), totals[:, place], label=label)
    axes.axhline(0, color="0.6", lw=0.8)
    axes.set_xlabel("deals" + (", each with the seats rotated" if result.rotations > 1 else ""))
    axes.set_ylabel("big blinds won")
    axes.set_title(", ".join(result.players))
    axes.grid(alpha=0.3)
    axes.legend()
    save_picture(figure, out)
