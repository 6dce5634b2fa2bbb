"""A plot of a bet: how the bankroll grows with its size."""

from __future__ import annotations

from math import isinf
from pathlib import Path

from gpuodds.betting.result import Advice
from gpuodds.plotting import new_picture, save_picture

POINTS = 400
RED = "#c44e52"


def plot_growth(advice: Advice, out: Path) -> None:
    """Plot G(x) with the best bet, the advised bet, where growth ends, and ruin.

    Raises:
        InputError: matplotlib is not installed, or the file cannot be written.
    """
    figure = new_picture(out)
    most = float(advice.wager.most)
    call = float(advice.stakes.call / advice.bankroll)
    table = float(advice.stack / advice.bankroll)
    bets = [call + most * point / POINTS for point in range(POINTS + 1)]
    grows = [advice.wager.growth(bet - call) for bet in bets]
    kept = [(100 * x, g) for x, g in zip(bets, grows, strict=True) if not isinf(g)]
    axes = figure.subplots()
    axes.plot([x for x, _ in kept], [g for _, g in kept], color="#3b7ea1")
    axes.axhline(0, color="0.6", lw=0.8)
    best = max(advice.options, key=lambda option: option.growth)
    marked = [(best, "none", f"best: {best.action}"), (advice.advised, RED, _said(advice))]
    for place, (option, filled, text) in enumerate(marked):
        spot = 100 * option.fraction, option.growth
        axes.plot(*[[at] for at in spot], "o", mec=RED, mfc=filled, ms=9 - 3 * place)
        if place or option != advice.advised:
            away = (6, 8 - 22 * place) if len({o.fraction for o, _, _ in marked}) > 1 else (6, 8)
            side = "right" if option.fraction > 0.7 * table else "left"  # of the mark, inside the axes
            away = (-8, away[1]) if side == "right" else away
            axes.annotate(text, spot, xytext=away, textcoords="offset points", color=RED, ha=side)
    top = max([best.growth, *(g for _, g in kept)])
    floor = max(min([0.0, *(g for _, g in kept)]), top - 4 * max(top, 0.25))
    axes.set_ylim(floor, top + 0.15 * (top - floor or 1))
    losing = [x for x, g in kept if g < 0 and x > 100 * best.fraction]
    if losing and best.growth > 0:
        axes.axvline(losing[0], color="#8c6d31", ls="--")
        text = f"no growth from {losing[0]:.0f} % on "
        axes.text(losing[0], floor, text, color="#8c6d31", ha="right", va="bottom")
    if advice.stakes.stack == advice.bankroll and isinf(advice.wager.growth(advice.wager.most)):
        axes.axvline(100, color="black", ls=":")
        axes.text(99.5, top, "ruin", ha="right", va="bottom")
    if advice.stack < advice.bankroll:
        axes.axvline(100 * table, color="black", ls=":")
        axes.text(99.5 * table, floor, "all in", ha="right", va="bottom")
    axes.set_xlabel("bet, % of the bankroll")
    axes.set_ylabel("growth of the bankroll, mean logarithm")
    axes.set_xlim(0, 101 * table)
    axes.grid(alpha=0.3)
    where = f" on {advice.board}" if advice.board else ""
    against = ", ".join(advice.against) or str(advice.opponents)
    axes.set_title(f"{advice.hand}{where} against {against}")
    save_picture(figure, out)


def _said(advice: Advice) -> str:
    if not advice.bet_chips:
        return advice.action
    return f"{advice.action} {advice.bet_chips:,} chips, {100 * advice.fraction:.1f} %"
