"""Search the best bet where opponents reply by its size: the growth may have several peaks.

The growth is computed on a grid of bets, denser near the least one, with all edges on it. Around its
best place the peak is found by Brent's method, with SciPy.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from gpuodds.betting.kelly import find_root
from gpuodds.errors import InputError

if TYPE_CHECKING:
    from gpuodds.betting.folding import Replies
    from gpuodds.betting.kelly import Wager

Floats = npt.NDArray[np.float64]

PLACES = 513
AT_ONCE = 1 << 20  # outcomes times bets
TOLERANCE = 1e-12


class Growth:
    """The growth by bets of a wager to which opponents reply, many at a time.

    Args:
        wager: The wager.
        replies: How opponents answer it.
    """

    def __init__(self, wager: Wager, replies: Replies) -> None:
        self._replies, self._edges = replies, [float(edge) for edge in wager.edges]
        self._starts = np.array([float(outcome.start) for outcome in wager.outcomes])
        self._slopes = np.array([[float(s) for s in outcome.slopes] for outcome in wager.outcomes])
        self._chances = np.array([float(outcome.chance) for outcome in wager.outcomes])
        self._callers = list(dict.fromkeys(outcome.callers for outcome in wager.outcomes))
        places = {callers: place for place, callers in enumerate(self._callers)}
        self._of = np.array([places[outcome.callers] for outcome in wager.outcomes])

    def __call__(self, bets: Floats) -> Floats:
        """Return the mean logarithm of the bankroll after each bet; -inf where it can be 0.

        Args:
            bets: The bets, as shares of the bankroll.
        """
        step = max(1, AT_ONCE // len(self._starts))
        parts = [self._of_few(bets[begin : begin + step]) for begin in range(0, len(bets), step)]
        return np.concatenate(parts)

    def of(self, bet: float) -> float:
        """Return the growth by one bet.

        Args:
            bet: The bet, as a share of the bankroll.
        """
        return float(self._of_few(np.array([bet]))[0])

    def _of_few(self, bets: Floats) -> Floats:
        spans = [np.clip(bets - low, 0.0, high - low) for low, high in pairwise(self._edges)]
        ends = self._starts[:, None] + self._slopes @ np.stack(spans)
        folds = self._replies.fold_chances(bets)
        callers = [self._replies.chance(callers, folds) for callers in self._callers]
        chances = np.stack([np.broadcast_to(chance, bets.shape) for chance in callers])[self._of]
        chances = chances * self._chances[:, None]
        with np.errstate(divide="ignore"):
            logs = np.log(np.maximum(ends, 0.0))
        grown: Floats = (chances * np.where(chances > 0, logs, 0.0)).sum(axis=0)
        return grown


def search_bet(wager: Wager, replies: Replies, least: Fraction) -> Fraction:
    """Return the bet that makes the bankroll grow most, the smallest of equals.

    Args:
        wager: A bet of any size.
        replies: How opponents answer it.
        least: The least bet, as a share of the bankroll.

    Raises:
        InputError: SciPy is not installed.
    """
    bets, growth = _grid(wager, float(least)), Growth(wager, replies)
    grown = growth(bets)
    best = int(np.argmax(grown))
    low, high = bets[max(best - 1, 0)], bets[min(best + 1, len(bets) - 1)]
    found = bets[best]
    if high > low:
        try:
            from scipy.optimize import minimize_scalar
        except ImportError:
            raise InputError(
                "betting: SciPy is not installed: pip install 'gpuodds[betting]'"
            ) from None
        peak = minimize_scalar(
            lambda bet: -growth.of(float(bet)),
            bounds=(low, high),
            method="bounded",
            options={"xatol": TOLERANCE * max(float(wager.most), TOLERANCE)},
        )
        if -peak.fun > grown[best]:
            found = peak.x
    return min(max(_near(wager, Fraction(float(found)), least), least), max(wager.most, least))


def search_as_good(wager: Wager, replies: Replies, bet: float, growth: float) -> float:
    """Return the least bet from which on, up to ``bet``, the bankroll grows as much as ``growth``.

    Args:
        wager: A bet of any size.
        replies: How opponents answer it.
        bet: The largest bet.
        growth: A mean logarithm, at most that of ``bet``.
    """
    bets, grows = np.linspace(0.0, bet, PLACES), Growth(wager, replies)
    less = np.flatnonzero(grows(bets) < growth)
    if not len(less):
        return 0.0
    below = int(less[-1])
    if below == PLACES - 1:
        return bet
    return find_root(lambda x: grows.of(x) - growth, float(bets[below]), float(bets[below + 1]))


def _grid(wager: Wager, least: float) -> Floats:
    most = max(float(wager.most), least)
    even = np.linspace(least, most, PLACES)
    dense = least + (most - least) * np.geomspace(1e-6, 1.0, PLACES)
    edges = [float(edge) for edge in wager.edges if least <= edge <= most]
    return np.unique(np.concatenate([even, dense, edges]))


def _near(wager: Wager, bet: Fraction, least: Fraction) -> Fraction:
    """Return an end of a stretch, or the least bet, if a bet is one but for rounding."""
    for edge in (*wager.edges, least):
        if abs(edge - bet) < TOLERANCE:
            return edge
    return bet
