"""The independent chip model against its definition: all orders of finish, one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpuodds
from gpuodds.errors import InputError
from gpuodds.short_stacks.icm import exact_values, float_values

chips = st.integers(1, 10_000)


@st.composite
def tournaments(draw: st.DrawFn, most: int = 6) -> tuple[list[int], list[int]]:
    stacks = draw(st.lists(chips, min_size=1, max_size=most))
    prizes = draw(st.lists(st.integers(0, 100), min_size=1, max_size=len(stacks)))
    return stacks, sorted([max(1, prizes[0]), *prizes[1:]], reverse=True)


@settings(max_examples=40, deadline=None)
@given(tournaments())
def test_all_orders_of_finish(given_: tuple[list[int], list[int]]) -> None:
    stacks, prizes = given_
    expected = [Fraction(0)] * len(stacks)
    for order in permutations(range(len(stacks))):
        chance, left = Fraction(1), sum(stacks)
        for place, player in enumerate(order):
            chance *= Fraction(stacks[player], left)
            left -= stacks[player]
            if place == len(stacks) - 1:
                break
        for place, player in enumerate(order[: len(prizes)]):
            expected[player] += chance * prizes[place]
    assert list(gpuodds.icm(stacks, prizes)) == expected


@settings(max_examples=60, deadline=None)
@given(tournaments(10))
def test_values_are_the_prizes_and_follow_the_stacks(given_: tuple[list[int], list[int]]) -> None:
    stacks, prizes = given_
    values = gpuodds.icm(stacks, prizes)
    assert sum(values) == sum(prizes)
    ranked = sorted(zip(stacks, map(float, values), strict=True))
    assert all(one[1] <= two[1] + 1e-12 for one, two in pairwise(ranked))
    floats = float_values([Fraction(stack) for stack in stacks], [Fraction(prize) for prize in prizes])
    assert floats == pytest.approx([float(value) for value in values], rel=1e-12)


def test_a_longer_stack_is_never_worth_less() -> None:
    prizes = [Fraction(5), Fraction(3), Fraction(2)]
    worth = [exact_values([Fraction(n), Fraction(7), Fraction(4)], prizes)[0] for n in range(1, 40)]
    assert worth == sorted(worth) and len(set(worth)) == len(worth)


def test_known_figures() -> None:
    # One prize is worth the share of the chips; equal stacks share all prizes.
    assert gpuodds.icm([1, 2, 7], [10]) == (1, 2, 7)
    assert gpuodds.icm(["2.5"] * 4, [50, 30, 20]) == (25, 25, 25, 25)
    assert gpuodds.icm([5000, 3000, 2000], [50, 30, 20]) == (
        Fraction(1075, 28),
        Fraction(131, 4),
        Fraction(202, 7),
    )


def test_up_to_twenty_players() -> None:
    stacks = [100 + 37 * player for player in range(20)]
    values = gpuodds.icm(stacks, [40, 25, 15, 10, 6, 4])
    assert isinstance(values[0], float) and sum(values) == pytest.approx(100, rel=1e-12)
    assert list(values) == sorted(values)


@pytest.mark.parametrize(
    ("stacks", "payouts", "message"),
    [
        ([1, 0], [1], "stack 2 0: expected above 0"),
        ([1, -1], [1], "stack 2 -1: expected at least 0"),
        ([1, float("nan")], [1], "stack 2 nan: expected a number of chips"),
        ([1, float("inf")], [1], "stack 2 inf: expected a number of chips"),
        ([1, "x"], [1], "stack 2 x: expected a number of chips"),
        ("12", [1], "stacks 12: expected 1 to 20 stacks"),
        ([1] * 21, [1], "stacks: expected 1 to 20 stacks, found 21"),
        ([], [1], "stacks: expected 1 to 20 stacks, found 0"),
        ([1, 2], [1, 2], "payout 2 2: expected at most 1, the prize of place 1"),
        ([1, 2], [3, 2, 1], "payouts: expected 2 at most, one a player, found 3"),
        ([1, 2], [0], "payouts: expected a prize above 0 for the first place"),
        ([1, 2], [], "payouts: expected a prize above 0 for the first place"),
        ([1, 2], [True], "payout 1 True: expected a number of chips"),
    ],
)
def test_bad_input(stacks: Any, payouts: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        gpuodds.icm(stacks, payouts)
