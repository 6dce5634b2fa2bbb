"""Find an equilibrium of a game of two-way decisions by counterfactual regret minimisation (CFR+).

A game has rows: a decision of a player, with a probability of the second action for each of his hands.
What it must tell is how much more the second action is worth than the first, given all rows.

CFR+ adds up, for each action, by how much it would have been better, never below zero, and plays each
action in proportion; players take turns. Averages are weighted by the square of the iteration. (O.
Tammelin, N. Burch, M. Johanson, M. Bowling, "Solving heads-up limit Texas hold'em", IJCAI 2015.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Strategy = Floats
"""Probabilities of the second action, (rows, hands)."""


class DecisionGame(Protocol):
    """A game of two-way decisions."""

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows and of hands."""
        ...

    @property
    def turns(self) -> Sequence[slice]:
        """The rows of each player, who learn in turn."""
        ...

    def advantages(self, strategy: Strategy, turn: int) -> Floats:
        """Return how much more the second action is worth than the first, for the rows of a player.

        Weighted with the chance of the hand and of what the others do, as all values of a game tree
        from outside are.
        """
        ...

    def reach(self, strategy: Strategy, turn: int) -> Floats | None:
        """Return the chance that the player himself plays to each of his rows; None for certainly."""
        ...


@dataclass(frozen=True)
class Found:
    """A strategy, and how much less than a best response it wins, added up over the players."""

    strategy: Strategy
    gain: float


def gain_of(game: DecisionGame, strategy: Strategy, free: npt.NDArray[np.bool_] | None = None) -> float:
    """Return what best responses gain against a strategy, added up over rows; none in locked rows.

    That is the players' gain where each acts once at most in a hand.
    """
    total = 0.0
    for turn, rows in enumerate(game.turns):
        advantages = game.advantages(strategy, turn)
        gains = np.maximum(advantages, 0) - strategy[rows] * advantages
        total += float(gains[free[rows]].sum() if free is not None else gains.sum())
    return total


def iterate(
    game: DecisionGame,
    start: Strategy,
    *,
    iterations: int,
    every: int,
    free: npt.NDArray[np.bool_],
    stop: Callable[[int, Found], bool],
) -> Found:
    """Iterate until ``stop``; return the best of the averages and last iterates that were looked at.

    Args:
        game: The game.
        start: Where to begin; locked rows stay as they are.
        iterations: At most this many.
        every: After how many iterations to look at the gain.
        free: Which rows are not locked, (rows,).
        stop: Called with the iterations done and the best strategy so far; True ends the search.
    """
    strategy = start.copy()
    regrets = np.zeros((2, *game.shape))
    sums, weights = np.zeros(game.shape), np.zeros(game.shape)
    best = Found(start, gain_of(game, start, free))
    if stop(0, best):
        return best
    for number in range(1, iterations + 1):
        for turn, rows in enumerate(game.turns):
            if not free[rows].any():
                continue
            advantages = game.advantages(strategy, turn)
            now = strategy[rows]
            reach = game.reach(strategy, turn)
            weight = number**2 if reach is None else number**2 * reach
            regrets[0, rows] = np.maximum(regrets[0, rows] - now * advantages, 0)
            regrets[1, rows] = np.maximum(regrets[1, rows] + (1 - now) * advantages, 0)
            both = regrets[0, rows] + regrets[1, rows]
            moved = np.where(both > 0, regrets[1, rows] / np.where(both > 0, both, 1), now)
            strategy[rows] = np.where(free[rows, None], moved, now)
            sums[rows] += weight * strategy[rows]
            weights[rows] += weight
        if number % every == 0 or number == iterations:
            average = np.where(weights > 0, sums / np.where(weights > 0, weights, 1), strategy)
            for candidate in (average, strategy):
                gain = gain_of(game, candidate, free)
                if gain < best.gain:
                    best = Found(candidate.copy(), gain)
            if stop(number, best):
                break
    return best
