"""The fold model of the player by regression: its curve, its intervals, what it refuses."""

from __future__ import annotations

import random
from math import exp, log
from typing import Any

import numpy as np
import pytest

from gpuodds.errors import InputError
from gpuodds.five_card.bayes_regression import FoldModel, RegressionSettings, sensible_fold
from gpuodds.five_card.plot import learned


def test_folds_are_learned() -> None:
    model = FoldModel()
    assert [model.p_fold(x) for x in (0.2, 0.5, 0.8)] == [
        pytest.approx(sensible_fold(0.5, x)) for x in (0.2, 0.5, 0.8)
    ]
    for folded in (True, False):
        one_sided = FoldModel()
        for place in range(50):
            one_sided.learn(place / 50, folded)
        assert all((one_sided.p_fold(x) > 0.5) == folded for x in (0.3, 0.5, 0.7))
        assert 0.01 < one_sided.p_fold(0.5) < 0.99
    assert learned(0.25).inflection < 0.4 < 0.6 < learned(0.8).inflection
    # Only the latest hundred turns count.
    changed = learned(0.9)
    for _ in range(100):
        changed.learn(0.5, False)
    assert changed.p_fold(0.5) < 0.2 < 0.5 < learned(0.9).p_fold(0.5)


def fold_model(
    turns: list[tuple[float, bool]], settings: RegressionSettings | None = None
) -> FoldModel:
    model = FoldModel(settings or RegressionSettings())
    for x, folded in turns:
        model.learn(x, folded)
    return model


def penalised(turns: list[tuple[float, bool]], intercept: float, slope: float) -> float:
    """The log-likelihood, with five turns of the sensible curve and the penalty of the slope."""
    rows = [(x, folded, 1.0) for x, folded in turns]
    for x in (0.0, 0.25, 0.5, 0.75, 1.0):
        sensible = 1 / (1 + exp(-5 * (0.5 - x)))
        rows += [(x, True, sensible), (x, False, 1 - sensible)]
    log_likelihood = -(slope**2) / 20
    for x, folded, weight in rows:
        chance = 1 / (1 + exp(-(intercept + slope * x)))
        log_likelihood += weight * log(chance if folded else 1 - chance)
    return log_likelihood


DRAW = random.Random(8)
MIXED = [(x, DRAW.random() < sensible_fold(0.4, x)) for x in (DRAW.random() for _ in range(60))]
SEPARATED = [(place / 20, place < 8) for place in range(20)]


@pytest.mark.parametrize("turns", [MIXED, SEPARATED, [(0.3, True)], [(0.5, False)] * 40])
def test_the_covariance_is_the_inverse_hessian(turns: list[tuple[float, bool]]) -> None:
    model, step = fold_model(turns), 1e-3
    at = np.array(model.curve)
    hessian = np.zeros((2, 2))
    for i, one in enumerate(np.eye(2) * step):
        for j, other in enumerate(np.eye(2) * step):
            corners = [at + one + other, at + one - other, at - one + other, at - one - other]
            values = [penalised(turns, *corner) for corner in corners]
            hessian[i, j] = (values[0] - values[1] - values[2] + values[3]) / (4 * step * step)
    expected = np.linalg.inv(-hessian)
    of_intercept, of_both, of_slope = model.covariance
    found = [[of_intercept, of_both], [of_both, of_slope]]
    assert np.allclose(found, expected, rtol=1e-3)
    # The curve is where that is highest, to the regression's tolerance.
    best = penalised(turns, *at)
    assert all(penalised(turns, *(at + move)) < best for move in np.array([[0.1, 0], [0, 0.1]]))
    low, high = model.p_fold_interval(0.4)
    assert 0 < low < model.p_fold(0.4) < high < 1


def test_two_places_have_the_textbook_errors() -> None:
    # 80 of 100 folds at 0, 30 of 100 at 1, and no prior: logits, with variances 1 / (n p q).
    turns = [(0.0, n < 80) for n in range(100)] + [(1.0, n < 30) for n in range(100)]
    model = fold_model(turns, RegressionSettings(memory=200, prior=0.0, looseness=1e9))
    first, second = log(80 / 20), log(30 / 70)
    assert model.curve == pytest.approx((first, second - first), abs=2e-3)
    one, other = 1 / (100 * 0.8 * 0.2), 1 / (100 * 0.3 * 0.7)
    assert model.covariance == pytest.approx((one, -one, one + other), rel=2e-3)
    assert model.inflection == pytest.approx(first / (first - second), abs=1e-3)
    low, high = model.p_fold_interval(1.0)
    reach = 1.959964 * other**0.5
    assert (low, high) == pytest.approx(
        (1 / (1 + exp(reach - second)), 1 / (1 + exp(-reach - second))), abs=1e-3
    )


@pytest.mark.parametrize("turns", [MIXED, SEPARATED])
def test_the_interval_of_the_inflection_is_where_the_band_holds_a_half(
    turns: list[tuple[float, bool]],
) -> None:
    model = fold_model(turns)
    intercept, slope = model.curve
    assert model.inflection == -intercept / slope
    assert model.p_fold(model.inflection) == pytest.approx(0.5)
    assert model.inflection_interval is not None
    low, high = model.inflection_interval
    assert low < model.inflection < high
    assert model.p_fold_interval(low)[0] == pytest.approx(0.5)
    assert model.p_fold_interval(high)[1] == pytest.approx(0.5)


@pytest.mark.weekly
def test_intervals_hold_the_truth() -> None:
    draw, players = random.Random(1), 300
    for inflection in (0.35, 0.6):
        held, bounded, around = 0, 0, 0
        for _ in range(players):
            xs = [draw.random() for _ in range(100)]
            model = fold_model([(x, draw.random() < sensible_fold(inflection, x)) for x in xs])
            low, high = model.p_fold_interval(0.45)
            held += low <= sensible_fold(inflection, 0.45) <= high
            between = model.inflection_interval
            bounded += between is not None
            around += between is not None and between[0] <= inflection <= between[1]
        assert 0.92 < held / players < 0.99 and bounded > 0.95 * players
        assert 0.92 < around / bounded < 0.99


def test_verdicts() -> None:
    assert learned(0.25).verdict == "aggressive" and learned(0.8).verdict == "conservative"
    assert learned(0.5).verdict == "no verdict yet"
    # Too few turns, and a slope of the wrong sign.
    for few in (0, 1, 3):
        assert fold_model([(0.5, True)] * few).verdict == "no verdict yet"
        assert fold_model([(0.5, False)] * few).verdict == "no verdict yet"
    rising = fold_model([(place / 100, place > 30) for place in range(100)])
    assert rising.curve[1] > 0
    assert rising.verdict == "no verdict yet"
    assert rising.inflection_interval is None
    # A player who never folds is aggressive at any inflection.
    assert fold_model([(0.5, False)] * 60).verdict == "aggressive"
    assert fold_model([(0.5, True)] * 60).verdict == "conservative"


def test_logistic_is_stable() -> None:
    assert sensible_fold(1000.0, 0.0) == 1.0 and sensible_fold(-1000.0, 0.0) == 0.0
    assert sensible_fold(0.7, 0.5) == pytest.approx(1 / (1 + exp(-1)))


@pytest.mark.parametrize("p_pot", [float("nan"), float("inf"), -0.1, 1.5, "x"])
def test_what_is_no_probability_of_the_pot_is_refused(p_pot: Any) -> None:
    model = FoldModel()
    with pytest.raises(InputError, match=r"^p_pot .*: expected a number"):
        model.learn(p_pot, True)
    assert model.turns == 0


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_settings_without_a_finite_curve_are_refused() -> None:
    model = FoldModel(RegressionSettings(steepness=float("nan")))
    model.learn(0.5, True)
    with pytest.raises(InputError, match="no fold curve fits"):
        model.inflection  # noqa: B018
