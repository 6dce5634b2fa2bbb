"""What chips are worth in a tournament, and prizes by place."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor

import numpy as np
import numpy.typing as npt

from gpuodds.short_stacks.icm import float_values

Floats = npt.NDArray[np.float64]

STEP = 1e-5  # of all chips, by which a stack is moved to see what that is worth


def worth_of_chips(stacks: Sequence[int], payouts: Sequence[Fraction]) -> Floats:
    """Return what one more chip of each player is worth to each.

    Without prizes it is a share of all chips, which is the chance to win among equals; with prizes the
    slope of the independent chip model at these stacks.

    Args:
        stacks: The chips of each player; 0 for those who are out.
        payouts: The prizes from the first place on, or none.

    Returns:
        Shape (players, players): a row for whom it is worth that, a column for whose chip it is.

    Example:
        >>> worth_of_chips([60, 40], ())
        array([[0.01, 0.  ],
               [0.  , 0.01]])
        >>> worth_of_chips([50, 30, 20], [Fraction(70), Fraction(30)]).round(2).tolist()[0]
        [0.31, -0.28, -0.36]
    """
    players, total = len(stacks), sum(stacks)
    if not payouts:
        return np.eye(players) / total
    left = [place for place, chips in enumerate(stacks) if chips]
    step = Fraction(total) * Fraction(STEP)
    worth = np.zeros((players, players))
    chips = [Fraction(stacks[place]) for place in left]
    for column, place in enumerate(left):
        ends = []
        for sign in (1, -1):
            moved = list(chips)
            moved[column] += sign * step
            ends.append(np.array(float_values(moved, payouts[: len(left)])))
        worth[left, place] = (ends[0] - ends[1]) / float(2 * step)
    return worth


def prize_of(place: float, payouts: Sequence[Fraction]) -> float:
    """Return the prize of a place, or the mean of the prizes of places that are shared.

    Args:
        place: 1 for the winner; the mean of places that are shared by two or more.
        payouts: The prizes from the first place on.

    Example:
        >>> prize_of(1, [Fraction(70), Fraction(30)]), prize_of(1.5, [Fraction(70), Fraction(30)])
        (70.0, 50.0)
    """
    low, high = floor(place), ceil(place)
    prizes = [float(payouts[at - 1]) if at <= len(payouts) else 0.0 for at in (low, high)]
    return sum(prizes) / 2
