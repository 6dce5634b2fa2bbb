"""Errors of advice whose odds are sampled, and whether another action would be advised within them."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import log, sqrt
from statistics import stdev
from typing import Any

import pytest

import gpuodds
from gpuodds.betting import Advice, Odds, kelly_bet
from gpuodds.betting.odds import standings
from gpuodds.betting.pots import Joint
from gpuodds.betting.stakes import read_stakes
from gpuodds.betting.standings.uncertainty import find_errors, mixture_of_counts

OMAHA: dict[str, Any] = {"opponents": 3, "board": "2s7d9h", "game": "omaha", "backend": "cpu"}
DRAWN: dict[str, Any] = {
    "opponents": ["60%", "70%"],
    "board": "2s7d9h",
    "time_limit": 0.01,  # all deals are not counted in that
    "samples": 50_000,
    "backend": "cpu",
}
NAMES = {"win", "split", "lose", "equity", "fraction", "growth"}


def test_errors_of_sampled_odds_are_those_of_the_equity() -> None:
    found = kelly_bet("AsAhKsKh", bankroll=1000, pot=0, **OMAHA)
    (player,) = gpuodds.equity(["AsAhKsKh"], **OMAHA).players
    error = found.standard_error
    assert error is not None and set(error) == NAMES and len(error["split"]) == 3
    assert error["equity"] == player.standard_error is not None
    # As of so many independent samples that the equity has its error.
    chances = [float(chance) for chance in (*found.odds.split, found.odds.lose)]
    shares = [1, 1 / 2, 1 / 3, 1 / 4, 0]
    mean = sum(p * share for p, share in zip(chances, shares, strict=True))
    spread = sum(p * (share - mean) ** 2 for p, share in zip(chances, shares, strict=True))
    size = spread / error["equity"] ** 2
    assert error["win"] == pytest.approx(sqrt(chances[0] * (1 - chances[0]) / size))
    assert error["lose"] == pytest.approx(sqrt(chances[4] * (1 - chances[4]) / size))
    assert error["split"][0] == pytest.approx(sqrt(chances[1] * (1 - chances[1]) / size))
    # A result that never came is rarer than the samples, not impossible.
    assert found.odds.split[3] == 0 and error["split"][2] == pytest.approx(2 / player.outcomes)
    # The best bet x solves sum(p s / (1 + s x)) = 0, where a chip gains s: its error follows.
    gains = [4 * share - 1 for share in shares]
    slopes = [s / (1 + s * found.fraction) for s in gains]
    curve = sum(p * slope**2 for p, slope in zip(chances, slopes, strict=True))
    assert error["fraction"] == pytest.approx(1 / sqrt(size * curve), rel=0.2)
    grown = [log(1 + s * found.fraction) for s in gains]
    growth = sum(p * g for p, g in zip(chances, grown, strict=True))
    variance = sum(p * (g - growth) ** 2 for p, g in zip(chances, grown, strict=True))
    assert found.growth == pytest.approx(growth) and error["growth"] == pytest.approx(
        sqrt(variance / size)
    )


@pytest.mark.slow
def test_errors_of_drawn_deals_are_their_spread_from_seed_to_seed() -> None:
    spot = DRAWN | {"pot": 100, "stacks": [200, None], "fold": [0, 0.4], "samples": 8000}
    found = [kelly_bet("JdJs", bankroll=1000, seed=seed, **spot) for seed in range(10)]
    errors = [advice.standard_error for advice in found if advice.standard_error is not None]
    assert len(errors) == 10 and set(errors[0]) == NAMES
    spreads = {
        "win": stdev(float(advice.odds.win) for advice in found),
        "lose": stdev(float(advice.odds.lose) for advice in found),
        "equity": stdev(float(advice.odds.equity) for advice in found),
        "fraction": stdev(advice.options[-1].fraction for advice in found),
        "growth": stdev(advice.option(found[0].bet).growth for advice in found),
    }
    for name, spread in spreads.items():
        stated = sum(error[name] for error in errors) / 10
        assert spread / 2 < stated < 2 * spread, name


def call_of_even_odds(hand: str, spot: dict[str, Any], shift: float) -> Advice:
    """Ask for a call that is all in and breaks even, ``shift`` standard errors below the equity."""
    once = kelly_bet(hand, bankroll=1000, **spot)
    assert once.standard_error is not None
    needed = once.odds.equity - Fraction(shift * once.standard_error["equity"])
    # A bankroll so large that only the mean gain counts.
    chips: dict[str, Any] = {"bankroll": 10**12, "stack": 1000, "to_call": 1000}
    found = kelly_bet(hand, pot=1000 * (1 - needed) / needed, **chips, **spot)
    assert found.pot_odds == pytest.approx(float(needed))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hand", "spot"), [("AsAhKsKh", OMAHA), ("6c5c", DRAWN | {"stacks": [0, None]})]
)
def test_advice_within_the_error_may_be_another(hand: str, spot: dict[str, Any]) -> None:
    near = call_of_even_odds(hand, spot, 0.5)
    assert (near.action, near.advice_changes, near.other_actions) == ("call", True, ("fold",))
    below = call_of_even_odds(hand, spot, -0.5)
    assert (below.action, below.advice_changes, below.other_actions) == ("fold", True, ("call",))
    assert below.standard_error is not None and below.standard_error["growth"] == 0
    far = call_of_even_odds(hand, spot, 5)
    assert (far.action, far.advice_changes, far.other_actions) == ("call", False, ())
    found = near.to_dict()
    assert (found["advice_changes"], found["other_actions"]) == (True, ["fold"])
    assert set(found["standard_error"]) == NAMES
    # The same again, whatever is drawn.
    assert call_of_even_odds(hand, spot, 0.5).to_dict() == found


def test_exact_advice_has_no_errors() -> None:
    found = kelly_bet("QdQs", opponents=2, board="2s7d9h", bankroll=5000, backend="cpu").to_dict()
    assert found["standard_error"] is None and found["advice_changes"] is None
    assert found["other_actions"] == []
    hers = kelly_bet("QdQs", opponents=2, bankroll=5000, model="cassandra", backend="cpu")
    assert not hers.exact and hers.standard_error is None and hers.advice_changes is None


def test_a_few_deals_that_end_alike_prove_nothing() -> None:
    def joint_of(odds: Odds) -> Joint:
        return partial(lambda chain, odds: standings([odds, odds], [1] * len(chain)), odds=odds)

    stakes = read_stakes(1, bankroll=100, pot=10)
    won = Odds((Fraction(1), Fraction(0)))
    for samples, is_sure in ((2, False), (1_000_000, True)):
        mixture = mixture_of_counts(won, min(0.5, 2 / samples), samples, joint_of)

        def decide(stay: Any, wager: Any) -> tuple[str, Fraction]:
            best = wager.best()
            return ("bet" if best else "check"), best

        errors, others = find_errors(stakes, mixture, "bet", Fraction(1, 2), decide)
        assert (others == ()) == is_sure
        assert errors["lose"] == errors["equity"] == min(0.5, 2 / samples)
        assert errors["fraction"] > 0
