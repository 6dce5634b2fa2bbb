"""A picture of a bet: how the bankroll grows with what is bet."""

from __future__ import annotations

from math import isinf
from pathlib import Path

from gpuodds.betting.advice import Advice
from gpuodds.betting.kelly import growth
from gpuodds.errors import InputError, excerpt

POINTS = 400


def check_file(out: Path) -> None:
    """Refuse a file whose ending names no picture.

    Raises:
        InputError: It does not end in .png, .svg or .pdf.
    """
    if out.suffix.lower() not in (".png", ".svg", ".pdf"):
        raise InputError(f"{excerpt(str(out))}: expected a file that ends in .png, .svg or .pdf")


def plot_growth(advice: Advice, out: Path) -> None:
    """Draw G(x) with the bet that was advised, where it breaks even, and ruin.

    Raises:
        InputError: matplotlib is not installed, or the file cannot be written.
    """
    check_file(out)
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError("plots: matplotlib is not installed: pip install 'gpuodds[plot]'") from None
    share = float(advice.pot / advice.bankroll)
    bets = [point / POINTS for point in range(POINTS + 1)]
    grows = [growth(advice.odds, bet, share) for bet in bets]
    kept = [(100 * x, g) for x, g in zip(bets, grows, strict=True) if not isinf(g)]
    figure = Figure(figsize=(9, 6), layout="constrained")
    axes = figure.subplots()
    axes.plot([x for x, _ in kept], [g for _, g in kept], color="#3b7ea1")
    axes.axhline(0, color="0.6", lw=0.8)
    best = 100 * advice.fraction
    axes.plot([best], [advice.growth], "o", color="#c44e52")
    axes.annotate(
        f"bet {advice.bet_chips:,} chips, {best:.1f} %",
        (best, advice.growth),
        xytext=(6, 8),
        textcoords="offset points",
        color="#c44e52",
    )
    top = max(g for _, g in kept)
    floor = max(min(g for _, g in kept), top - 4 * max(top, 0.25))
    axes.set_ylim(floor, top + 0.15 * (top - floor))
    losing = [x for x, g in kept if g < 0 and x > best]
    if losing:
        axes.axvline(losing[0], color="#8c6d31", ls="--")
        text = f"no growth from {losing[0]:.0f} % on "
        axes.text(losing[0], floor, text, color="#8c6d31", ha="right", va="bottom")
    if advice.odds.lose:
        axes.axvline(100, color="black", ls=":")
        axes.text(99.5, top, "ruin", ha="right", va="bottom")
    axes.set_xlabel("bet, % of the bankroll")
    axes.set_ylabel("growth of the bankroll, mean logarithm")
    axes.set_xlim(0, 101)
    axes.grid(alpha=0.3)
    where = f" on {advice.board}" if advice.board else ""
    axes.set_title(f"{advice.hand}{where} against {advice.opponents}")
    try:
        figure.savefig(out, dpi=150)
    except OSError as error:
        raise InputError(f"{out}: {error.strerror}") from None
