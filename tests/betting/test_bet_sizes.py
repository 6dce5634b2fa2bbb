"""Bets are whole chips that the rules allow; wealth includes chips behind the table."""

from __future__ import annotations

from fractions import Fraction
from math import inf, log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuodds.basics.amounts import read_amount, read_chance, read_fraction, read_whole
from gpuodds.betting.advice import kelly_bet
from gpuodds.betting.kelly import Wager
from gpuodds.betting.odds import Odds
from gpuodds.betting.question import BetOptions, read_spot
from gpuodds.betting.simulation import simulate
from gpuodds.betting.sizes import best_bet, least_bet, whole_chips
from gpuodds.betting.stakes import read_stakes
from gpuodds.betting.standings.outcomes import against_any
from gpuodds.errors import InputError
from gpuodds.games.holdem.game import HOLDEM


def test_the_least_bet_is_a_chip_at_every_bankroll() -> None:
    for bankroll in range(100, 20_001, 7):
        checked = read_stakes(1, bankroll=bankroll, pot=300)
        assert whole_chips(checked, least_bet(checked)) == 1
        # All in for less than the minimum is possible.
        for minimum, chips in [(0, 23), (50, 72), (bankroll, bankroll)]:
            faced = read_stakes(1, bankroll=bankroll, pot=300, to_call=22, minimum=minimum)
            assert whole_chips(faced, least_bet(faced)) == chips


@pytest.mark.slow
@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.weekly)])
def test_a_raise_by_a_chip_is_not_a_call(step: int) -> None:
    # The smallest raise is the best one: 10,383 of these bankrolls rounded it down to the call.
    joint = against_any(
        read_spot("2d7s", 1, "", "", HOLDEM), BetOptions(backend="cpu"), fewer=True
    ).joint
    for bankroll in range(100, 20_001, step):
        stakes = read_stakes(1, bankroll=bankroll, pot=3022, to_call=22, fold=0.3)
        best = best_bet(stakes, stakes.bet(joint))
        assert whole_chips(stakes, best) == 23, bankroll


@pytest.mark.parametrize("bankroll", [100, 4970, 4971, 10_007, 19_999])
def test_the_advice_is_the_best_listed_bet(bankroll: int) -> None:
    found = kelly_bet("2d7s", opponents=1, bankroll=bankroll, pot=3022, to_call=22, fold=0.3)
    assert (found.action, found.bet_chips, found.bet) == ("raise", 23, 23.0)
    assert found.growth == max(option.growth for option in found.options)


def test_the_example_of_a_raise_by_a_chip() -> None:
    found = kelly_bet("2d7s", opponents=1, bankroll=4970, pot=3022, to_call=22, fold=0.3)
    assert found.growth == pytest.approx(0.256555, abs=1e-6)
    assert found.options[1].growth == pytest.approx(0.163013, abs=1e-6)  # the call


@settings(deadline=None)
@given(st.integers(1, 99), st.integers(1, 9), st.fractions(0, 3, max_denominator=100))
def test_bets_of_whole_chips_are_not_a_chip_short(percent: int, opponents: int, pot: Fraction) -> None:
    p = Fraction(percent, 100)
    odds = Odds((p, *[Fraction(0)] * opponents))
    assert Wager.of(odds, pot).best() == max(Fraction(0), p - (1 - p) * (1 + pot) / opponents)


def test_the_minimum_is_compared_with_no_bet() -> None:
    options = {"board": "2s7d9h", "opponents": 1, "bankroll": 1000, "backend": "cpu"}
    free = kelly_bet("QdQs", **options)  # type: ignore[arg-type]
    assert free.bet_chips < 650
    found = kelly_bet("QdQs", minimum=650, **options)  # type: ignore[arg-type]
    assert (found.action, found.bet_chips) == ("bet", 650)
    assert found.growth == pytest.approx(0.216334, abs=1e-6)
    assert [(o.action, o.chips) for o in found.options] == [("check", 0.0), ("bet", 650.0)]
    assert found.standard_error is None
    # The least bet can be worse than none.
    much = kelly_bet("QdQs", minimum=999, **options)  # type: ignore[arg-type]
    assert (much.action, much.bet_chips) == ("check", 0) and much.options[1].growth < 0
    # All in for less than the minimum is a bet like any other: here it can ruin.
    ruin = kelly_bet("QdQs", minimum=5000, **options)  # type: ignore[arg-type]
    assert ruin.action == "check" and ruin.options[1].chips == 1000 and ruin.options[1].growth == -inf
    short = kelly_bet("QdQs", minimum=650, stack=300, **options)  # type: ignore[arg-type]
    assert (short.action, short.bet_chips) == ("bet", 300)


@st.composite
def bet_options(draw: st.DrawFn) -> dict[str, object]:
    bankroll = draw(st.integers(1, 3000))
    to_call = draw(st.sampled_from([0, 0, 1, 22, 400]))
    found: dict[str, object] = {
        "bankroll": bankroll,
        "stack": draw(st.none() | st.integers(1, bankroll)),
        "to_call": to_call,
        "pot": to_call + draw(st.integers(0, 500)),
        "minimum": draw(st.sampled_from([0, 1, 10, 333, 2000])),
        "multiple": draw(st.sampled_from([0, 0.01, 0.3, 0.5, 1])),
        "spread": draw(st.sampled_from([0.0, 0.05, 0.9])),
        "seed": draw(st.integers(0, 99)),
    }
    if draw(st.booleans()):
        found["fold"] = draw(st.sampled_from([0.1, 0.3, 0.9]))
    stack = found["stack"] or bankroll
    if to_call < stack and draw(st.booleans()):  # type: ignore[operator]
        found["stacks"] = [draw(st.sampled_from([0, 5, 300, None]))]
    return found


@settings(deadline=None, max_examples=150)
@given(bet_options(), st.sampled_from(["AhQd", "KdKh", "2c3d"]))
def test_every_advised_or_listed_bet_is_legal(asked: dict[str, object], hand: str) -> None:
    found = kelly_bet(hand, board="Kc7s7h4dQs", opponents=1, backend="cpu", **asked)  # type: ignore[arg-type]
    stack, minimum = int(found.stack), int(asked["minimum"])  # type: ignore[call-overload]
    call = min(int(found.stakes.to_call), stack)
    names = [option.action for option in found.options]
    assert names[: 1 + (call > 0)] == (["fold", "call"] if call else ["check"])
    for option in found.options:
        if option.action in ("bet", "raise"):
            more = option.chips - call
            assert stack > call and asked.get("stacks") != [0]
            assert option.chips == stack or (more >= minimum and more > 0 and option.chips <= stack)
    advised = found.bet_chips
    assert found.action in names
    if found.action in ("bet", "raise"):
        assert advised == stack or (advised - call >= max(minimum, 1) and advised < stack)
        assert 0 <= found.bet - advised < 1
        assert found.growth > max(o.growth for o in found.options[:-1])
    else:
        assert advised == {"fold": 0, "check": 0, "call": call}[found.action]


def test_no_bet_against_opponents_without_chips() -> None:
    found = kelly_bet("AhQd", opponents=2, bankroll=100, pot=50, stacks=[0, 0], fold=0.5)
    assert [option.action for option in found.options] == ["check"]


def test_a_multiple_of_zero_bets_nothing() -> None:
    found = kelly_bet("2d7s", opponents=1, bankroll=4970, pot=3022, fold=0.3, multiple=0)
    assert (found.action, found.bet_chips) == ("check", 0)


def test_a_bet_beyond_every_stack_breaks_even_like_the_deepest() -> None:
    found = kelly_bet("AhQd", board="Kc7s7h4dQs", opponents=1, bankroll=1000, pot=100, stacks=[300])
    assert found.option(650).pot_odds == found.option(300).pot_odds == pytest.approx(300 / 700)
    assert found.option(650).growth == found.option(300).growth


def test_cassandra_is_kept_to_whole_chips_and_to_the_stack() -> None:
    nuts = {"board": "AhAdAc2c3d", "opponents": 1, "bankroll": 5000, "model": "cassandra"}
    assert kelly_bet("AsKs", **nuts).bet_chips == 4995  # type: ignore[arg-type]
    assert kelly_bet("AsKs", stack=900, **nuts).bet_chips == 900  # type: ignore[arg-type]


def growth_of_a_call(chips: int, wealth: int, pot: int, win: float) -> float:
    return win * log(1 + pot / wealth) + (1 - win) * log(1 - chips / wealth)


def test_wealth_behind_the_stack_makes_an_all_in_playable() -> None:
    facing = {"board": "2s7d9h4c", "opponents": ["KK"], "pot": 1050, "to_call": 1000}
    alone = kelly_bet("AhAd", bankroll=1000, **facing)  # type: ignore[arg-type]
    assert alone.action == "fold" and alone.options[1].growth == -inf and alone.stack == 1000
    found = kelly_bet("AhAd", bankroll=5000, stack=1000, **facing)  # type: ignore[arg-type]
    assert (found.action, found.bet_chips) == ("call", 1000)
    assert found.bankroll == 5000 and found.stack == 1000 and found.fraction == 0.2
    win = float(found.odds.win)
    assert found.growth == pytest.approx(growth_of_a_call(1000, 5000, 1050, win), abs=1e-12)
    data = found.to_dict()
    assert data["bankroll"] == 5000.0 and data["stack"] == 1000.0
    assert alone.to_dict()["stack"] == 1000.0


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 1000), st.integers(0, 300))
def test_a_stack_only_limits_the_bet(stack: int, pot: int) -> None:
    options = {"board": "2s7d9h", "opponents": 2, "bankroll": 1000, "pot": pot, "backend": "cpu"}
    free = kelly_bet("QdQs", **options)  # type: ignore[arg-type]
    found = kelly_bet("QdQs", stack=stack, **options)  # type: ignore[arg-type]
    assert found.bet_chips == min(free.bet_chips, stack)  # G is concave here
    for chips in (0, stack // 2, stack):
        assert found.option(chips) == free.option(chips)
    with pytest.raises(InputError, match=f"expected 0 to {stack}"):
        found.option(stack + 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"stack": 0}, "stack 0: expected more than 0"),
        ({"stack": 101}, "stack 101: more than the bankroll 100"),
        ({"stack": float("inf")}, "stack inf: expected a number of chips"),
        ({"to_call": 50}, "to_call 50: more than the pot 0, which holds the bet that is faced"),
        ({"to_call": 51, "pot": 50.5}, "to_call 51: more than the pot 50.5"),
        ({"stack": 20, "to_call": 50, "pot": 20}, "pot 20: expected what 1 opponents bet in it"),
        ({"stack": 20, "to_call": 50, "pot": 40}, "to_call 50: more than the pot 40"),
        ({"stack": 20, "to_call": 50, "pot": 90, "stacks": [5]}, "to_call 50: more than the stack 20"),
        ({"bankroll": float("inf")}, "bankroll inf: expected a number of chips"),
        ({"bankroll": "1e999999999"}, "bankroll 1e999999999: expected a number of chips"),
        ({"bankroll": 10**400}, "bankroll 1000000000000000000000000000000000000000...: expected 1,000"),
        (
            {"bankroll": 10**5000},
            "bankroll of thousands of digits: expected 1,000,000,000,000,000 chips",
        ),
        ({"bankroll": 1e-300}, "bankroll 1e-300: expected 0, or a billionth of a chip at least"),
        ({"pot": 1e300}, "pot 1e+300: expected 1,000,000,000,000,000 chips at most"),
        ({"minimum": float("nan")}, "minimum nan: expected a number of chips"),
        ({"stacks": [1e300]}, "stacks 1e+300: expected 1,000,000,000,000,000 chips at most"),
        ({"fold": float("nan")}, "fold nan: expected a chance, 0 to 1"),
        ({"multiple": float("nan")}, "multiple nan: expected 0 to 1"),
        ({"spread": float("inf")}, "spread inf: expected at least 0 and less than 1"),
        ({"samples": float("inf")}, "samples inf: expected a whole number"),
        ({"opponents": 2.5}, "opponents 2.5: expected a whole number"),
        ({"opponents": 10**9}, "1000000001 players"),
        ({"opponents": 10**5000}, "opponents of thousands of digits: expected at most 1,000,000,000"),
        ({"callers": 1.5}, "callers 1.5: expected a whole number"),
        ({"opponents": None}, "opponents None: expected a whole number"),
        ({"side_pots": [(5, 10**5000)]}, "side_pots of thousands of digits: expected at most"),
        ({"side_pots": [(5, 0.5)]}, "side_pots 0.5: expected a whole number"),
        ({"seed": -1}, "seed -1: expected 0 or more"),
    ],
)
def test_bad_input(options: dict[str, object], message: str) -> None:
    given = {"hand": "QdQs", "opponents": 1, "bankroll": 100, "backend": "cpu", **options}
    with pytest.raises(InputError) as caught:
        kelly_bet(**given)  # type: ignore[arg-type]
    assert (
        message in str(caught.value) and "\n" not in str(caught.value) and len(str(caught.value)) < 200
    )


@pytest.mark.parametrize("number", [pytest.param(10**5000, id="long"), inf, "1e999999999", 1.5, 0])
def test_runs_out_of_bounds(number: int) -> None:
    found = kelly_bet("QdQs", opponents=1, bankroll=100, board="2s7d9h", backend="cpu")
    for options in ({"hands": number}, {"hands": 5, "runs": number}):
        with pytest.raises(InputError, match="expected"):
            simulate(found, **options)


def test_numbers_with_one_meaning_are_equal() -> None:
    plain = kelly_bet("QdQs", opponents=2, bankroll=1000, pot=50, board="2s7d9h", backend="cpu")
    same = kelly_bet("QdQs", opponents=2.0, bankroll="1e3", pot="50.0", board="2s7d9h", backend="cpu")  # type: ignore[arg-type]
    assert same.to_dict() == plain.to_dict()
    assert read_amount("pot", "2.5") == read_amount("pot", 2.5) == Fraction(5, 2)
    assert read_chance("fold", 0.1) == Fraction(1, 10) and read_whole("samples", 5.0) == 5
    assert read_fraction("x", Fraction(1, 3), "") == Fraction(1, 3)
