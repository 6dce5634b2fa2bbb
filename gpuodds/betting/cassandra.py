"""The bet of the program Cassandra, to the letter, for comparison.

The program multiplies one-on-one odds. It differentiates as if the net odds did not depend on the bet,
which they do when the pot is not empty, and searches from 0.001 to 0.999 of the bankroll. So it bets
too much on an opening pot: with an even chance against one opponent, no splits and a pot of a tenth of
the bankroll it bets 0.179 of it, where the best bet is 0.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from gpuodds.betting.kelly import find_root
from gpuodds.betting.odds import Odds

LOW, HIGH = 0.001, 0.999  # the bounds of the search


def cassandra_odds(wins: int, splits: int, showdowns: int, opponents: int) -> Odds:
    """Estimate the odds against several opponents from those against one, as Cassandra does.

    The chance to beat w and split with s of n opponents is C(n, s) times the product of
    (wins - i) / (showdowns - i), i < w, and that of (splits - i) / (showdowns - i), i < s. It ignores
    that opponents' cards exclude each other.

    Args:
        wins: The showdowns that are won against one opponent.
        splits: The showdowns that are split with one opponent.
        showdowns: All showdowns with one opponent.
        opponents: The number of opponents, n.
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
    return find_root(slope, LOW, HIGH)
