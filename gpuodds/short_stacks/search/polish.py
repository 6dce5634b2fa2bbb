"""Sharpen a strategy that is near an equilibrium, by Newton's method on proximal steps.

A strategy x is an equilibrium if x = clip(x + D(x), 0, 1), where D are the advantages of all decisions,
in any positive units. A proximal step solves y = clip(x + t D(y), 0, 1) for y; in a game of two players
with a constant sum each step comes nearer to an equilibrium, and the larger t, the faster. Few entries
of y are strictly between 0 and 1: Newton's method is a small linear system for these. (R. T.
Rockafellar, "Monotone operators and the proximal point algorithm", SIAM J. Control Optim. 14, 1976; L.
Qi, J. Sun, "A nonsmooth version of Newton's method", Math. Programming 58, 1993.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
import numpy.typing as npt

from gpuodds.short_stacks.search.solver import DecisionGame, Floats, Found, Strategy, gain_of

Bools = npt.NDArray[np.bool_]

STEPS = 40
NEWTON_STEPS = 8


class SmoothGame(DecisionGame, Protocol):
    """A game that knows its derivatives."""

    @property
    def hand_chances(self) -> Floats:
        """The chance of each hand, (hands,)."""
        ...

    def slopes(self, strategy: Strategy) -> Floats:
        """Return the derivatives of all advantages by all probabilities: a square matrix."""
        ...


def polish(
    game: SmoothGame,
    found: Found,
    free: Bools,
    target: float,
    unit: float,
    stopped: Callable[[Found], bool],
) -> Found:
    """Return a strategy with a smaller gain, or the one that was given.

    Args:
        game: The game.
        found: A strategy near an equilibrium.
        free: Which rows may change, (rows,).
        target: The gain that is small enough.
        unit: A value that is large in the game, such as a big blind.
        stopped: Called with the best so far; True ends the search.
    """
    best, strategy = found, found.strategy.copy()
    moves = np.repeat(free, game.shape[1])
    scale = np.tile(game.hand_chances, game.shape[0]) * unit
    step = 30.0
    for _ in range(STEPS):
        if best.gain <= target or stopped(best):
            break
        after, solved = _proximal_step(game, strategy, moves, step / scale)
        gain = gain_of(game, after, free)
        if gain < best.gain:
            best = Found(after, gain)
        if solved:
            strategy = after
        step *= 2 if solved else 0.25
    return best


def _proximal_step(
    game: SmoothGame, start: Strategy, moves: Bools, rates: Floats
) -> tuple[Strategy, bool]:
    """Return the strategy after a step, and whether it solves the step."""
    begin, now = start.ravel(), start.ravel().copy()
    for _ in range(NEWTON_STEPS):
        strategy = now.reshape(start.shape)
        advantages = np.vstack(
            [game.advantages(strategy, turn) for turn in range(len(game.turns))]
        ).ravel()
        wanted = begin + rates * advantages
        bounded = np.clip(wanted, 0, 1)
        off = np.where(moves, bounded - now, 0)
        if np.abs(off).max() < 1e-9:
            return strategy, True
        inside = np.flatnonzero(moves & (wanted > 0) & (wanted < 1))
        slopes = game.slopes(strategy)[inside]
        fixed = off.copy()
        fixed[inside] = 0
        right = off[inside] + rates[inside] * (slopes @ fixed)
        left = np.eye(len(inside)) - rates[inside, None] * slopes[:, inside]
        fixed[inside] = np.linalg.solve(left, right)
        now = np.clip(now + fixed, 0, 1)
    return now.reshape(start.shape), False
