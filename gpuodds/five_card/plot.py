"""Plots of five-card poker: running results of matches, and what the regression learns of players."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from gpuodds.errors import InputError, excerpt
from gpuodds.five_card.bayes_regression import FoldModel, posterior, sensible_fold
from gpuodds.five_card.match import MatchResult, running_mean
from gpuodds.plotting import new_picture, save_picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = ("#8c6d31", "#3b7ea1", "#55803b", "#c44e52")
# Players, and the pot probability at which they fold half the time.
PLAYERS = {"reckless": 0.05, "aggressive": 0.3, "sensible": 0.5, "conservative": 0.8}
KINDS = ("fold", "posterior")


def plot_match(result: MatchResult, out: Path) -> None:
    """Draw how the mean result went, deal by deal.

    Raises:
        InputError: matplotlib is not installed, or the file cannot be written.
    """
    figure, axes = _axes(out)
    axes.plot(range(1, result.deals + 1), running_mean(result.won), color=COLOURS[1])
    low, high = result.interval
    axes.axhspan(low, high, color=COLOURS[1], alpha=0.15, label="95 % interval at the end")
    axes.axhline(0, color="0.5", lw=0.8)
    margin = max(high - low, 0.1)
    axes.set_ylim(min(low - 2 * margin, -margin), max(high + 2 * margin, margin))
    axes.set_xlabel("deals, each played from both seats")
    axes.set_ylabel(f"{result.first}: dollars a hand")
    axes.set_title(f"{result.first} against {result.second}: {result.mean:+.3f} dollars a hand")
    axes.legend()
    save_picture(figure, out)


def plot_regression(kind: str, out: Path) -> None:
    """Draw what the opponent bayes-regression learns of players.

    Each player is simulated for a hundred turns.

    Args:
        kind: "fold" for the fold curves, or "posterior" for the chance that a player who stays in wins.
        out: A .png, .svg or .pdf file.

    Raises:
        InputError: No plot has the kind, matplotlib is not installed, or the file cannot be written.
    """
    if kind not in KINDS:
        raise InputError(f"{excerpt(kind)}: expected one of {', '.join(KINDS)}")
    figure, axes = _axes(out)
    (_draw_folds if kind == "fold" else _draw_posteriors)(axes)
    axes.set_xlabel("pot probability")
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.legend()
    save_picture(figure, out)


GRID = [place / 200 for place in range(1, 200)]


def _draw_folds(axes: Any) -> None:
    for colour, (name, inflection) in zip(COLOURS, PLAYERS.items(), strict=True):
        model = learned(inflection)
        axes.plot(GRID, [model.p_fold(x) for x in GRID], color=colour, label=_label(name, model))
        lows, highs = zip(*map(model.p_fold_interval, GRID), strict=True)
        axes.fill_between(GRID, lows, highs, color=colour, alpha=0.15, lw=0)
    axes.plot(GRID, [sensible_fold(0.5, x) for x in GRID], color="0.3", ls="--", label="sensible")
    axes.set_ylabel("chance to fold")
    axes.set_title("How often players fold, with 95 % intervals")


def _draw_posteriors(axes: Any) -> None:
    for colour, (name, inflection) in zip(COLOURS, PLAYERS.items(), strict=True):
        model = learned(inflection)
        chances = [posterior(x, model.p_fold(x)) for x in GRID]
        axes.plot(GRID, chances, color=colour, label=_label(name, model))
    axes.plot(GRID, [1 - x for x in GRID], color="0.3", ls="--", label="before the turn is seen")
    axes.set_ylabel("chance that a player who stays in wins")
    axes.set_title("What staying in tells")


def _label(name: str, model: FoldModel) -> str:
    return f"{name} player (folds half the time at {model.inflection:.2f})"


def learned(inflection: float, turns: int = 100) -> FoldModel:
    """Return what a simulated player teaches who folds every second time at a pot probability."""
    draw, model = Random(2), FoldModel()
    for _ in range(turns):
        p_pot = draw.random()
        model.learn(p_pot, draw.random() < sensible_fold(inflection, p_pot))
    return model


def _axes(out: Path) -> tuple[Figure, Any]:
    figure = new_picture(out)
    axes = figure.subplots()
    axes.grid(alpha=0.3)
    return figure, axes
