"""A logistic regression of two parameters, by Newton's method."""

from __future__ import annotations

from math import exp

import numpy as np
import numpy.typing as npt

MAX_STEPS = 100  # 400 players drawn took 3 to 6; more only where the intercept has no finite best value

Floats = npt.NDArray[np.float64]
Rows = list[tuple[float, bool, float]]
"""Of each observation x, whether it happened, and its weight."""


def logistic(x: float) -> float:
    """Return 1 / (1 + e^-x).

    >>> logistic(0)
    0.5
    """
    return 1 / (1 + exp(-x)) if x >= 0 else exp(x) / (1 + exp(x))


def fit_logistic(rows: Rows, looseness: float) -> tuple[float, float]:
    """Return intercept and slope of the logistic regression of what happened on x.

    They minimise the weighted negative log-likelihood plus slope^2 / (2 looseness), by Newton's method
    (C. M. Bishop, "Pattern Recognition and Machine Learning", 2006, section 4.3.3). A step that would
    increase the sum is halved. The intercept is not penalised.

    Args:
        rows: Of each observation x, whether it happened, and its weight.
        looseness: The inverse regularisation.

    Example:
        >>> intercept, slope = fit_logistic([(0.0, True, 3.0), (0.0, False, 1.0)], 10.0)
        >>> round(intercept, 6), slope  # the odds are 3 to 1
        (1.098612, 0.0)
    """
    x, happened, weight = np.array(rows, dtype=np.float64).T
    design = np.column_stack([np.ones_like(x), x])
    penalty = np.array([0.0, 1 / looseness])

    def objective(curve: Floats) -> float:
        z = design @ curve
        return float(weight @ (np.logaddexp(0, z) - happened * z) + penalty @ curve**2 / 2)

    curve = np.zeros(2)
    for _ in range(MAX_STEPS):
        chance = np.exp(-np.logaddexp(0, -(design @ curve)))
        gradient = design.T @ (weight * (chance - happened)) + penalty * curve
        if np.abs(gradient).max() <= 1e-12 * max(1.0, weight.sum()):
            break
        hessian = (design.T * (weight * chance * (1 - chance))) @ design + np.diag(penalty)
        step = np.linalg.solve(hessian, gradient)
        best = objective(curve)
        while objective(curve - step) > best + 1e-12 * abs(best):
            step /= 2
        curve = curve - step
    return float(curve[0]), float(curve[1])


def covariance(rows: Rows, curve: tuple[float, float], looseness: float) -> tuple[float, float, float]:
    """Return the variance of the intercept, the covariance with the slope, and the slope's variance.

    They are the inverse of the Hessian of what :func:`fit_logistic` minimises.

    Args:
        rows: Of each observation x, whether it happened, and its weight.
        curve: Intercept and slope.
        looseness: The inverse regularisation.
    """
    intercept, slope = curve
    h00, h01, h11 = 0.0, 0.0, 1 / looseness  # the intercept is not penalised
    for x, _, weight in rows:
        chance = logistic(intercept + slope * x)
        information = weight * chance * (1 - chance)
        h00 += information
        h01 += information * x
        h11 += information * x * x
    determinant = h00 * h11 - h01 * h01
    return h11 / determinant, -h01 / determinant, h00 / determinant
