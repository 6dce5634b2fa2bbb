"""Whole tournaments of two players: values by iteration, bounds, symmetry, what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

import gpuodds
from gpuodds.errors import InputError
from gpuodds.games.holdem.starting_hands import starting_hands
from gpuodds.short_stacks import heads_up_tournament
from gpuodds.short_stacks.games.deals import two_hands
from gpuodds.short_stacks.push_fold import push_fold


@pytest.fixture(scope="module")
def small() -> Any:
    return heads_up_tournament(8, (0.5, 1))


def test_the_bounds_are_near(small: Any) -> None:
    assert 0 <= small.gap < 1e-8
    assert [state.stack for state in small.states] == [number / 2 for number in range(1, 16)]


def test_both_positions_share_the_tournament(small: Any) -> None:
    by_stack = {state.stack: state for state in small.states}
    for stack, state in by_stack.items():
        assert state.small_blind + by_stack[8 - stack].big_blind == pytest.approx(1, abs=1e-12)
        assert 0 < state.small_blind < 1
    chances = [state.small_blind for state in small.states]
    assert chances == sorted(chances)


@pytest.mark.slow
def test_chances_are_those_of_one_hand_more(small: Any) -> None:
    """Value iteration: a hand whose prizes are the chances after it is worth the chance before it."""
    chance = {0.0: 0.0, 8.0: 1.0} | {state.stack: state.big_blind for state in small.states}
    for state in small.states[2:14]:
        stack, other = state.stack, 8 - state.stack
        chart, calls = small.charts[stack], small.calls[stack]
        deals, names = two_hands(), list(starting_hands())
        total, covered = float(deals.total.sum()), min(stack, other)
        worth = 0.0
        for i, one in enumerate(names):
            for j, two in enumerate(names):
                both = chart[one] * calls[two]
                worth += deals.total[i, j] * (1 - chart[one]) * chance[stack - 0.5]
                worth += deals.total[i, j] * chart[one] * (1 - calls[two]) * chance[stack + 1]
                worth += both * deals.win[i, j] * chance[stack + covered]
                worth += both * deals.win[j, i] * chance[stack - covered]
                worth += both * deals.tie[i, j] * chance[stack]
        assert worth / total == pytest.approx(state.small_blind, abs=1e-9)
        if state.stack > 2.5:
            break


@pytest.mark.slow
def test_deep_stacks_play_as_for_chips() -> None:
    # The chances are nearly linear in the chips, so a hand is nearly one for chips.
    result = heads_up_tournament(20, (0.5, 1))
    middle = next(state for state in result.states if state.stack == 10)
    hand = push_fold([10, 10])
    assert middle.all_in == pytest.approx(hand.percent("SB"), abs=1.5)
    assert middle.call == pytest.approx(hand.percent("BB:SB"), abs=1.5)


@pytest.mark.slow
def test_miltersen_and_sorensen_s_tournament() -> None:
    # 8,000 chips, blinds of 300 and 600: their curve is within a percent of the share of the chips.
    result = heads_up_tournament(8000, (300, 600))
    assert len(result.states) == 79 and result.gap < 1e-8
    assert all(abs(state.small_blind - state.stack / 8000) < 0.012 for state in result.states)
    answer = json.loads(json.dumps(result.to_dict()))
    assert answer["schema"] == "gpuodds.push-fold-tournament/1"
    assert answer["certificate"]["exact"] and answer["certificate"]["gap_float"] < 1e-8


@pytest.mark.parametrize(
    ("chips", "blinds", "options", "message"),
    [
        (8, (0.5, 1), {"step": 0.3}, "step 0.3: expected a number that divides chips and blinds"),
        (8, (0.5, 1), {"step": 0}, "step 0: expected a number that divides chips and blinds"),
        (8, (1, 0.5), {}, "small blind 1: expected above 0, and at most the big blind"),
        (8, (0, 1), {}, "small blind 0: expected above 0"),
        (8, (2, 5), {}, "big blind 5: expected half of the 8 chips at most"),
        (8, (1,), {}, "blinds: expected two, the small and the big one, found 1"),
        ("x", (1, 2), {}, "chips x: expected a number of chips"),
        (10_007, (300, 600), {}, "step 1: 10,006 stacks, expected 1,000 at most"),
    ],
)
def test_bad_input(chips: Any, blinds: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        heads_up_tournament(chips, blinds, **options)


def test_it_is_public() -> None:
    assert gpuodds.short_stacks.heads_up_tournament is heads_up_tournament
