"""Results less what luck explains of them: control variates with coefficients from other deals.

The luck of a deal has expected value zero, so any multiple of it that is fixed without the deal may be
taken from its result: the mean stays unbiased. (B. L. Nelson, "Control variate remedies", Operations
Research 38, 1990; coefficients from the deals themselves would bias it.)
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

PRIOR_DEALS = 20.0
"""Deals of a match that its first coefficients weigh as much as."""

PRIOR_GAMES = 2.0
FOLDS = 10


def without_luck(won: Floats, luck: Floats) -> Floats:
    """Return the results of deals less the part of them that luck explains.

    Each deal's coefficients are those of a ridge regression on the deals before it, since players may
    learn; the first ones are 1 for the luck of the board, which is in chips, and 0 for hole cards.

    Args:
        won: By deal, shape (deals,).
        luck: By deal and kind, shape (deals, 4), as of :class:`gpuodds.play.luck.LuckSum`.

    Returns:
        Shape (deals,).

    Example:
        >>> draw = np.random.default_rng(1)
        >>> luck = draw.normal(size=(2000, 4))
        >>> won = 3 * luck[:, 1] + draw.normal(size=2000)
        >>> bool(without_luck(won, luck).var() < 1.2 < won.var())
        True
    """
    deals, kinds = luck.shape
    first = np.ones(kinds)
    first[0] = 0.0
    left = np.empty(deals)
    begin = 0
    while begin < deals:
        coefficients = _coefficients(won[:begin], luck[:begin], first, PRIOR_DEALS)
        end = min(begin + max(begin // 50, 1), deals)
        left[begin:end] = won[begin:end] - luck[begin:end] @ coefficients
        begin = end
    return left


def without_luck_of_games(won: Floats, luck: Floats) -> Floats:
    """Return the results of games less the part of them that luck explains.

    Games are independent, so each has the coefficients of a ridge regression on all games outside its
    tenth of them. With few games they are near 0: what chips are worth depends on the players' skill.

    Args:
        won: By game, shape (games,).
        luck: By game and kind, shape (games, 4).

    Returns:
        Shape (games,).

    Example:
        >>> draw = np.random.default_rng(1)
        >>> luck = draw.normal(size=(100, 4))
        >>> won = 3 * luck[:, 1] + draw.normal(size=100)
        >>> bool(without_luck_of_games(won, luck).var() < 1.5 < won.var())
        True
    """
    games, kinds = luck.shape
    fold = np.arange(games) % FOLDS
    left = np.empty(games)
    for number in range(min(FOLDS, games)):
        others = fold != number
        coefficients = _coefficients(won[others], luck[others], np.zeros(kinds), PRIOR_GAMES)
        left[~others] = won[~others] - luck[~others] @ coefficients
    return left


def _coefficients(won: Floats, luck: Floats, first: Floats, weight: float) -> Floats:
    """Return the coefficients of a ridge regression that pulls towards the first ones."""
    count = max(len(won), 1)
    prior = weight * (luck**2).sum(0) / count + 1e-12
    centred = won - won.mean() if len(won) else won
    return np.asarray(np.linalg.solve(luck.T @ luck + np.diag(prior), luck.T @ centred + prior * first))
