"""The Kelly bet on a showdown: the share of the bankroll that makes it grow most.

Kelly, "A new interpretation of information rate" (1956), carried to several outcomes. A player with the
bankroll B bets the fraction x of it; n opponents call, all reach the showdown, and the pot P is there
already. With c = P / B and p_j the probability of winning together with exactly j others (p_0 alone), q
that of losing, the bankroll grows by

    G(x) = sum over j of p_j log(1 + ((1 + n) x + c) / (1 + j) - x) + q log(1 - x)

on average, as a logarithm. G is concave, so its maximum on [0, 1] is at 0 if G'(0) <= 0, at 1 if
nothing can be lost, and else at the only root of G' between them. Both ends are decided in rational
numbers. What is in the pot is won without a bet, too: it makes the best bet smaller, not larger.

The probabilities come from the exact engine. The model ``cassandra`` is the algorithm of the program of
that name instead, to the letter: it multiplies one-on-one odds, differentiates as if the net odds did
not depend on x, which they do when the pot is not empty, and searches from 0.001 to 0.999.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import comb, inf, log, log1p

from gpuodds.errors import InputError

MODELS = ("exact", "cassandra")
LOW, HIGH = 0.001, 0.999  # where the model cassandra searches


@dataclass(frozen=True)
class Odds:
    """What can come of a showdown: ``split[j]`` is to win with exactly j others, ``split[0]`` alone.

    The chances are fractions; what is missing to 1 is lost. With n opponents ``split`` has n + 1
    entries.
    """

    split: tuple[Fraction, ...]

    @property
    def opponents(self) -> int:
        """How many opponents there are."""
        return len(self.split) - 1

    @property
    def win(self) -> Fraction:
        """The chance to win alone."""
        return self.split[0]

    @property
    def lose(self) -> Fraction:
        """The chance to lose."""
        return 1 - sum(self.split, Fraction(0))

    @property
    def equity(self) -> Fraction:
        """The mean share of the pot."""
        return sum((chance / (j + 1) for j, chance in enumerate(self.split)), Fraction(0))


def growth(odds: Odds, fraction: float, pot_share: float) -> float:
    """Return G(x): the mean logarithm of what a bet makes of the bankroll; -inf if it can ruin.

    ``pot_share`` is the pot as a share of the bankroll.

    >>> growth(Odds((Fraction(1, 2), Fraction(0))), 0.0, 0.0)
    0.0
    """
    n = odds.opponents
    total = 0.0
    for j, chance in enumerate(odds.split):
        if chance:
            total += float(chance) * log1p(((1 + n) * fraction + pot_share) / (1 + j) - fraction)
    if odds.lose:
        total += -inf if fraction >= 1 else float(odds.lose) * log(1 - fraction)
    return total


def kelly_fraction(odds: Odds, pot_share: Fraction) -> float:
    """Return the share of the bankroll that grows it most, 0 to 1: see the module.

    Where every bet is worth as much, because all that can come of the showdown is a split of all, it is
    0. ``pot_share`` is the pot as a share of the bankroll, at least 0.

    >>> from fractions import Fraction
    >>> round(kelly_fraction(Odds((Fraction(3, 5), Fraction(0))), Fraction(0)), 12)  # 60 % at evens
    0.2
    """
    n = odds.opponents
    # What a chip that is bet gains, beside itself, in each outcome: (1 + n) / (1 + j) - 1.
    gains = [Fraction(1 + n, 1 + j) - 1 for j in range(n + 1)]
    at_zero = -odds.lose
    for j, chance in enumerate(odds.split):
        at_zero += chance * gains[j] / (1 + pot_share / (1 + j))
    if at_zero <= 0:
        return 0.0
    if odds.lose == 0:
        return 1.0
    chances, lose, c = [float(chance) for chance in odds.split], float(odds.lose), float(pot_share)

    def slope(x: float) -> float:
        total = -lose / (1 - x)
        for j, chance in enumerate(chances):
            gain = float(gains[j])
            total += chance * gain / (1 + gain * x + c / (1 + j))
        return total

    # Beyond this the loss weighs more than all gains could.
    most = sum(chance * float(gain) for chance, gain in zip(chances, gains, strict=True))
    return _root(slope, 0.0, 1 - lose / (2 * most + lose))


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    try:
        from scipy.optimize import brentq
    except ImportError:
        raise InputError("betting: SciPy is not installed: pip install 'gpuodds[betting]'") from None
    return float(brentq(function, low, high, xtol=1e-15, rtol=1e-14))


def cassandra_odds(wins: int, splits: int, showdowns: int, opponents: int) -> Odds:
    """Estimate the odds against several opponents from those against one, as Cassandra did.

    ``wins`` and ``splits`` of ``showdowns`` are counts against one opponent. The chance to beat w and
    split with s of them is C(n, s) times the product of (wins - i) / (showdowns - i), i < w, and that
    of (splits - i) / (showdowns - i), i < s. That opponents' cards exclude each other is left out.
    """
    chances = []
    for shared in range(opponents + 1):
        chance = Fraction(comb(opponents, shared))
        for i in range(opponents - shared):
            chance *= Fraction(wins - i, showdowns - i)
        for i in range(shared):
            chance *= Fraction(splits - i, showdowns - i)
        chances.append(max(chance, Fraction(0)))
    return Odds(tuple(chances))


def cassandra_fraction(odds: Odds, pot_share: float) -> float:
    """Return the share of the bankroll that Cassandra bets: 0, 0.999 or a root between.

    The net odds b = n + c / x are put in for each x, and left out of the derivative.
    """
    n = odds.opponents
    chances, lose = [float(chance) for chance in odds.split], float(odds.lose)

    def slope(x: float) -> float:
        net = n + pot_share / x
        total = -lose / (1 - x)
        for shared, chance in enumerate(chances):
            z = (1 + net) / (1 + shared) - 1
            total += chance * z / (1 + z * x)
        return total

    low, high = slope(LOW), slope(HIGH)
    if low < 0 and high < 0:
        return 0.0
    if low > 0 and high > 0:
        return HIGH
    return _root(slope, LOW, HIGH)
