"""Two players against a linear program, and against figures that others published."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

import gpuodds
from gpuodds.games.holdem.starting_hands import combinations, starting_hands
from gpuodds.short_stacks.games.deals import two_hands


def value_by_linear_program(stack: float, ante: float) -> float:
    """Return what the small blind gains where both play best, by a linear program of its own."""
    deals = two_hands()
    joint = deals.total / deals.total.sum()
    showdown = stack * (deals.win - deals.win.T) / deals.total.sum()
    fold, steal = -(0.5 + ante), 1 + ante
    hands = len(joint)
    # The small blind's probabilities, and for each hand of the big blind the worse of its two actions.
    base = fold * joint.sum()
    called, folded = showdown - fold * joint, (steal - fold) * joint
    cost = np.concatenate([np.zeros(hands), -np.ones(hands)])
    # Rows are scaled: the solver's tolerances are absolute.
    upper = 1e5 * np.vstack(
        [
            np.hstack([-called.T, np.eye(hands)]),
            np.hstack([-folded.T, np.eye(hands)]),
        ]
    )
    bounds = [(0, 1)] * hands + [(None, None)] * hands
    exactly = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    solved = linprog(cost, upper, np.zeros(2 * hands), bounds=bounds, method="highs", options=exactly)
    return float(base - solved.fun)


@pytest.mark.parametrize("ante", [0, 0.125])
@pytest.mark.parametrize("stack", [1.5, 3, 5, 8, 12, 20])
def test_values_of_a_linear_program(stack: float, ante: float) -> None:
    result = gpuodds.push_fold([stack, stack], ante=ante)
    assert result.exact and result.certificate.share_of_pool < 1e-9
    assert result.values[0] == pytest.approx(value_by_linear_program(stack, ante), abs=1e-9)


def test_known_figures_at_ten_big_blinds() -> None:
    # Exact table and linear program: game value and ranges as published for 10 big blinds, no ante.
    result = gpuodds.push_fold([10, 10])
    assert result.values == pytest.approx((-0.045370753, 0.045370753), abs=1e-9)
    assert result.percent("SB") == pytest.approx(58.28, abs=0.005)
    assert result.percent("BB:SB") == pytest.approx(37.38, abs=0.005)
    assert result.certificate.gain < Fraction(1, 10**6)
    assert sum(result.exact_values or ()) == 0


def test_the_shorter_stack_decides() -> None:
    one, two = gpuodds.push_fold([10, 25]), gpuodds.push_fold([25, 10])
    assert one.values == pytest.approx(gpuodds.push_fold([10, 10]).values, abs=1e-9)
    assert two.values == pytest.approx(one.values, abs=1e-9)


def test_chips_may_be_counted_in_anything() -> None:
    chips = gpuodds.push_fold([6000, 6000], blinds=(300, 600))
    assert chips.values == pytest.approx([600 * value for value in gpuodds.push_fold([10, 10]).values])


def test_prizes_of_two_players_are_chips_in_other_money() -> None:
    chips, prizes = gpuodds.push_fold([8, 12]), gpuodds.push_fold([8, 12], payouts=[70, 30])
    assert prizes.unit == "prize" and prizes.spot.pool == 100
    assert prizes.values == pytest.approx([2 * value for value in chips.values], abs=1e-8)
    for place in ("SB", "BB:SB"):
        assert prizes.percent(place) == pytest.approx(chips.percent(place), abs=0.01)


def test_equal_prizes_leave_nothing_to_win() -> None:
    result = gpuodds.push_fold([8, 12], payouts=[1, 1])
    assert result.values == (0, 0) and result.certificate.gain == 0


@pytest.mark.parametrize("progressive", [False, True])
def test_bounties_widen_the_calls(progressive: bool) -> None:
    plain = gpuodds.push_fold([8, 12], payouts=[70, 30])
    some: dict[str, Any] = {"payouts": [70, 30], "bounties": [20, 20], "progressive": progressive}
    result = gpuodds.push_fold([8, 12], **some)
    assert result.percent("BB:SB") > plain.percent("BB:SB")
    assert result.certificate.share_of_pool < 1e-9 and result.exact


def test_a_locked_range_is_answered() -> None:
    result = gpuodds.push_fold([10, 10], lock={"SB": "100%"})
    assert result.locked == ("SB",) and result.percent("SB") == 100
    assert result.certificate.gain == 0  # each hand of the big blind plays its better action
    deals, wins = two_hands(), []
    for number, hand in enumerate(starting_hands()):
        total = int(deals.total[:, number].sum())
        chips = 10 * Fraction(int(deals.win[number].sum() - deals.win[:, number].sum()), total)
        wins.append(result.chart("BB:SB")[hand] == (1.0 if chips > -1 else 0.0))
    assert all(wins)
    assert result.values[0] < gpuodds.push_fold([10, 10]).values[0]


def test_a_decision_adds_up() -> None:
    result = gpuodds.push_fold([10, 10])
    total = 0.0
    for hand in starting_hands():
        decision = result.explain("SB", hand)
        assert decision.fold == pytest.approx(-0.5)
        assert decision.all_in == pytest.approx(
            sum(ending.chance * ending.value for ending in decision.endings)
        )
        caller = decision.endings[-1]
        assert caller.value == pytest.approx(20 * caller.equity - 10)
        chance = decision.probability
        played = chance * decision.all_in + (1 - chance) * decision.fold
        total += combinations(hand) / 1326 * played
    assert total == pytest.approx(result.values[0], abs=1e-12)
    text = result.explain("BB:SB", "Q6s")
    assert 0 < text.probability < 1 and abs(text.difference) < 1e-6
    assert text.opponents[0].is_all_in and text.opponents[0].percent == result.percent("SB")
