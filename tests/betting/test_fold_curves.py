"""Folds by the price of the call: against fixed chances at each bet, fits against drawn curves."""

from __future__ import annotations

import json
from math import log
from random import Random
from typing import Any

import pytest

from gpuodds.betting import Advice, FoldCurve, FoldFit, kelly_bet, simulate
from gpuodds.betting.advisor.conversation import Conversation
from gpuodds.betting.advisor.session import Session
from gpuodds.cli.main import run
from gpuodds.errors import InputError

SPOTS: list[dict[str, Any]] = [
    {"hand": "7c6c", "board": "As8d2h", "opponents": 1, "bankroll": 2000, "pot": 100},
    {"hand": "QdQs", "board": "2s7d9h", "opponents": 3, "bankroll": 5000, "pot": 300, "stack": 900},
    {
        **{"hand": "AhKh", "board": "Qh7h2c", "opponents": 3, "bankroll": 2000, "pot": 300},
        **{"to_call": 100, "stacks": [0, 500, None], "side_pots": [(50, 1)]},
    },
    {"hand": "9c8c", "board": "7c6d2h", "opponents": ["QQ+,AK"], "bankroll": 1000, "pot": 200},
]
CURVES = [(-2.0, 6.0), (-6.0, 18.0), (1.0, -4.0)]


def price_of(advice: Advice, chips: float, stack: float | None) -> float:
    """Return the price that an opponent gets for a bet, written out."""
    stakes = advice.stakes
    more = chips - float(stakes.call)
    deepest = max(more if each is None else min(more, float(each)) for each in stakes.stacks)
    call = deepest if stack is None else min(deepest, stack)
    lies = float(stakes.pot + sum(side.chips for side in stakes.side_pots) + stakes.call)
    return call / (lies + deepest + call) if call else 0.0


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("spot", SPOTS)
def test_each_bet_has_the_chances_of_the_curve(
    spot: dict[str, Any], curve: tuple[float, float]
) -> None:
    curved = kelly_bet(**spot, fold_curve=curve, backend="cpu")
    least, most = float(curved.stakes.call) + 1, float(curved.stack)
    for share in (0.0, 0.02, 0.3, 0.77, 1.0):
        chips = least + share * (most - least)
        stacks = spot.get("stacks", [None] * curved.opponents)
        prices = [price_of(curved, chips, stack) for stack in stacks]
        folds = [FoldCurve(*curve).chance(price) for price in prices]
        folds = [0.0 if stack == 0 else fold for fold, stack in zip(folds, stacks, strict=True)]
        fixed = kelly_bet(**spot, fold=folds, backend="cpu").option(chips)
        found = curved.option(chips)
        assert found.expected_value == pytest.approx(fixed.expected_value, rel=1e-9, abs=1e-9)
        assert found.growth == pytest.approx(fixed.growth, rel=1e-9, abs=1e-12)
        assert found.loss == pytest.approx(fixed.loss, rel=1e-9)


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("spot", SPOTS)
def test_no_bet_grows_more(spot: dict[str, Any], curve: tuple[float, float]) -> None:
    curved = kelly_bet(**spot, fold_curve=curve, backend="cpu")
    most = max(option.growth for option in curved.options)
    least = float(curved.stakes.call) + 1
    grid = [least + part / 400 * (float(curved.stack) - least) for part in range(401)]
    assert max(curved.option(chips).growth for chips in grid) <= most + 1e-12
    assert curved.growth == most


def test_a_level_curve_is_a_fixed_chance() -> None:
    for spot in SPOTS:
        fixed = kelly_bet(**spot, fold=0.3, backend="cpu")
        level = kelly_bet(**spot, fold_curve=(log(0.3 / 0.7), 0), backend="cpu")
        assert level.action == fixed.action
        assert level.bet == pytest.approx(fixed.bet, rel=1e-6)
        assert level.growth == pytest.approx(fixed.growth, rel=1e-9)
        assert level.exact == fixed.exact


def test_steeper_curves_get_larger_bluffs() -> None:
    spot = SPOTS[0]
    bets = [
        kelly_bet(**spot, fold_curve=(-slope / 4, slope), backend="cpu").bet for slope in (0, 8, 16)
    ]
    assert bets[0] < bets[1]  # half the pot folds out half of them in both
    advice = kelly_bet(**spot, fold_curve=(-4, 16), backend="cpu")
    assert advice.fold_chances is not None and 0.5 < advice.fold_chances[0] < 1
    answer = advice.to_dict()
    assert answer["fold_curve"] == [-4.0, 16.0] and answer["fold_chances"] == [*advice.fold_chances]
    assert kelly_bet(**spot, backend="cpu").to_dict()["fold_chances"] is None
    json.dumps(answer)
    assert simulate(advice, hands=20, runs=50, seed=1)[0].hands == 20


def test_spread_and_sampled_odds() -> None:
    spot = SPOTS[0]
    best = kelly_bet(**spot, fold_curve=(-3, 12), backend="cpu")
    drawn = kelly_bet(**spot, fold_curve=(-3, 12), spread=0.2, seed=2, backend="cpu")
    without = best.options[0].growth
    assert drawn.bet < best.bet
    assert drawn.growth >= without + 0.8 * (best.growth - without) - 1e-9
    sampled = kelly_bet(
        "AhKh", board="Qh7h2c", opponents=["QQ+,AK", "random"], bankroll=2000, pot=300,
        stacks=[500, None], fold_curve=(-2, 6), samples=4000, seed=1, time_limit=1e-6, backend="cpu",
    )  # fmt: skip
    assert sampled.standard_error is not None and sampled.standard_error["fraction"] >= 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"fold_curve": (1,)}, r"fold_curve \(1,\): expected two numbers, A and B"),
        ({"fold_curve": 3}, "fold_curve 3: expected two numbers, A and B"),
        ({"fold_curve": (1, float("nan"))}, "fold_curve"),
        ({"fold_curve": (1, 2000)}, "expected numbers from -1000 to 1000"),
        ({"fold_curve": (1, 2), "fold": 0.3}, "fold_curve, fold and callers: expected one of them"),
        ({"fold_curve": (1, 2), "callers": 1}, "fold_curve, fold and callers: expected one of them"),
        ({"fold_curve": (1, 2), "model": "cassandra"}, "model cassandra: expected no ranges, folds"),
    ],
)
def test_bad_input(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        kelly_bet("QdQs", board="2s7d9h", opponents=2, bankroll=5000, pot=100, **given)


def drawn_decisions(curve: FoldCurve, count: int, seed: int) -> tuple[list[float], list[bool]]:
    draw = Random(seed)
    prices = [draw.uniform(0.05, 0.45) for _ in range(count)]
    return prices, [draw.random() < curve.chance(price) for price in prices]


@pytest.mark.parametrize("curve", [FoldCurve(-2, 6), FoldCurve(0.5, 1), FoldCurve(-3, 12)])
def test_fits_recover_drawn_curves_within_their_intervals(curve: FoldCurve) -> None:
    hits = {"level": 0, "slope": 0, "chance": 0}
    runs = 100
    for seed in range(runs):
        fit = FoldFit.of(*drawn_decisions(curve, 400, seed))
        low, high = fit.level_interval
        hits["level"] += low < curve.level < high
        low, high = fit.slope_interval
        hits["slope"] += low < curve.slope < high
        low, high = fit.interval(1 / 3)
        hits["chance"] += low < curve.chance(1 / 3) < high
    # 95 of 100; fewer than 88 by chance once in a few hundred.
    assert all(88 <= count <= runs for count in hits.values()), hits


def test_too_few_decisions() -> None:
    prices, folded = drawn_decisions(FoldCurve(-2, 6), 99, 1)
    with pytest.raises(InputError, match="99 decisions: expected 100 or more"):
        FoldFit.of(prices, folded)
    with pytest.raises(InputError, match="200 folds of 200 decisions: expected some of both"):
        FoldFit.of([0.3] * 200, [True] * 200)


def test_the_command_and_the_session(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["kelly", "7c6c", "--board", "As8d2h", "-k", "1", "--bankroll", "2000", "--pot", "100"]
    assert run([*command, "--fold-curve=-4,16", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    wanted = kelly_bet(**SPOTS[0], fold_curve=(-4, 16))
    assert answer["bet_chips"] == wanted.bet_chips and answer["action"] == "bet"
    assert run([*command, "--fold-curve", "-4,16"]) == 0
    assert "chance that an opponent folds" in capsys.readouterr().out
    for text, words in (("-4", "expected two numbers, A,B"), ("x,1", "expected a number")):
        assert run([*command, "--fold-curve", text]) == 2
        assert words in capsys.readouterr().err
    session = Session(backend="cpu", fold_curve=(-4, 16))
    found = Conversation(session.talk)
    for said in ("2000", "100", "7c", "6c", "0", "As", "8d", "2h", "1"):
        found.answer(said)
    assert f"You should bet: {wanted.bet_chips}" in found.lines
