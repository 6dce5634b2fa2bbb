"""Which bets can be made: whole chips, from the least bet up to all in.

Sizes are what is added beyond a call, as exact shares of the bankroll.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from random import Random

from gpuodds.betting.kelly import Wager
from gpuodds.betting.pots import Stakes


def least_bet(stakes: Stakes) -> Fraction:
    """Return the smallest bet or raise of whole chips, a chip at least; all in where less is left.

    Returns:
        The share of the bankroll to add beyond a call; 0 where nothing is left to bet.
    """
    whole = ceil(stakes.call + max(stakes.minimum, Fraction(1)))
    return (min(Fraction(whole), stakes.stack) - stakes.call) / stakes.bankroll


def best_bet(stakes: Stakes, wager: Wager) -> Fraction:
    """Return the bet or raise that grows the bankroll most among those that can be made; 0 for none.

    Returns:
        The share of the bankroll to add beyond a call.

    Raises:
        InputError: SciPy is not installed.
    """
    if not (stakes.can_act and stakes.left):
        return Fraction(0)
    least = least_bet(stakes)
    if stakes.some_fold:  # even the smallest does more than a check
        return wager.best(least)
    best = wager.best()
    return wager.best(least) if stakes.minimum and 0 < best < least else best


def whole_chips(stakes: Stakes, more: Fraction) -> int:
    """Return the whole chips that such a bet puts in, a call included, rounded down.

    >>> from gpuodds.betting.stakes import read_stakes
    >>> stakes = read_stakes(1, bankroll=4970, pot=3022, to_call=22)
    >>> whole_chips(stakes, least_bet(stakes))
    23
    """
    return floor(stakes.call + more * stakes.bankroll)


def draw_bet(
    wager: Wager, most: Fraction, least: Fraction, without: float, spread: float, seed: int | None
) -> Fraction:
    """Draw a bet, from ``least`` up to ``most``, that gives up at most a share of the growth.

    Args:
        wager: The bet of any size.
        most: The bet that grows the bankroll most.
        least: The smallest bet that can be made.
        without: The growth without a bet.
        spread: The share of the growth, 0 to 1.
        seed: Makes the draw repeatable.
    """
    enough = without + (1 - spread) * (wager.growth(most) - without)
    low = max(wager.as_good_from(float(most), enough), float(least))
    drawn = Fraction(Random(seed).uniform(low, float(most)))
    return min(max(drawn, least), most)
