"""The graph that players know: result and all-in EV, hand by hand, and the luck of the streets."""

from __future__ import annotations

from array import array
from pathlib import Path
from typing import Any

from gpuodds.histories.luck.row import Row


class Series:
    """A player's hands in the order in which they were played: 56 bytes a hand.

    Amounts are in big blinds, since stakes change.

    Example:
        >>> series = Series("Ann")
        >>> series.hands
        0
    """

    def __init__(self, player: str) -> None:
        self.player = player
        self._times = array("d")
        self._amounts = tuple(array("d") for _ in range(5))  # result, ev, luck of the three streets

    @property
    def hands(self) -> int:
        """The number of hands."""
        return len(self._times)

    def add(self, row: Row) -> None:
        """Add the player's part of a hand, if he has one and there are blinds."""
        if self.player not in row.names or not row.big_blind:
            return
        place = row.names.index(self.player)
        self._times.append(row.time.timestamp() if row.time else 0.0)
        luck = (row.luck[place] if row.luck else None) or (0, 0, 0)
        amounts = (row.result[place], row.ev[place], *luck)
        for series, amount in zip(self._amounts, amounts, strict=True):
            series.append(float(amount / row.big_blind))

    def to_dict(self) -> dict[str, list[float]]:
        """Return times in seconds (0 without one) and amounts in big blinds, hand by hand as read."""
        names = ("result", "ev", "flop", "turn", "river")
        found = {
            name: [round(amount, 4) for amount in series]
            for name, series in zip(names, self._amounts, strict=True)
        }
        return {"time": list(self._times)} | found

    def cumulative(self) -> dict[str, Any]:
        """Return running sums by time: arrays of length hands + 1, the first 0, in big blinds."""
        import numpy as np

        order = np.argsort(np.array(self._times), kind="stable")
        found = {}
        for name, series in zip(("result", "ev", "flop", "turn", "river"), self._amounts, strict=True):
            found[name] = np.concatenate([[0.0], np.cumsum(np.array(series)[order])])
        return found


def plot_ledger(series: Series, out: Path) -> None:
    """Draw a player's result and all-in EV, and the luck of the flop, the turn and the river.

    Raises:
        InputError: matplotlib is not installed, or the file cannot be written.
    """
    from gpuodds.plotting import COLORS, new_picture, save_picture, short_name

    figure = new_picture(out, 9, 7)
    top, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    sums = series.cumulative()
    hands = range(series.hands + 1)
    result, ev = sums["result"][-1], sums["ev"][-1]
    top.plot(hands, sums["result"], color=COLORS[2], label=f"result: {result:+,.1f} bb")
    top.plot(hands, sums["ev"], color=COLORS[4], label=f"all-in EV: {ev:+,.1f} bb")
    for at, street in enumerate(("flop", "turn", "river")):
        luck = sums[street]
        below.plot(hands, luck, color=COLORS[at], label=f"{street}: {luck[-1]:+,.1f} bb")
    for axes in (top, below):
        axes.axhline(0, color="0.6", lw=0.8)
        axes.grid(alpha=0.3)
        axes.legend(loc="upper left")
        axes.set_ylabel("big blinds")
    top.set_title(f"{short_name(series.player)}, {series.hands:,} hands")
    below.set_title("luck of the cards that came after the last decision", fontsize="medium")
    below.set_xlabel("hands")
    save_picture(figure, out)
