"""Five-card players: the heuristics' golden numbers, the rules of the table, matches."""

from __future__ import annotations

import random
from math import exp, log
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpuodds.cards import parse_cards
from gpuodds.errors import InputError
from gpuodds.five_card.bayes import Bayes, chance_to_win, turn_chances
from gpuodds.five_card.bayes_regression import (
    BayesRegression,
    FoldModel,
    RegressionSettings,
    computer_wins,
    final_chance,
    posterior,
    pot_probability,
    raise_frequency,
    sensible_fold,
    share_ahead,
)
from gpuodds.five_card.decks import count_hands, deck_without
from gpuodds.five_card.game import RandomBettor, Shoe, Showdown, Table, Turn, View
from gpuodds.five_card.match import BETTORS, play_match
from gpuodds.five_card.plot import learned, plot_regression
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.methods.hands.evaluate import rank_hand

KINGS = parse_cards("KsKh7d4c2c")


def figures(bettor: Any) -> Any:
    return bettor.explanation


def view(hand: tuple[int, ...] = KINGS, **changes: Any) -> View:
    given: dict[str, Any] = {
        "hand": hand,
        "seen": frozenset(hand),
        "pot": 10,
        "bet": 5,
        "to_call": 0,
        "most": 95,
        "money": 95,
    }
    return View(**{**given, **changes})


def test_the_golden_numbers() -> None:
    # Computer Ks Kh 7d 4c 2c, pot 20, previous bet 5, bet 5, a player who folds one time in five.
    p_pot, p_ahead = pot_probability(20, 5, 5), share_ahead(KINGS)
    assert p_pot == 0.6 and p_ahead == 179081 / 1533939
    p_post = posterior(p_pot, 0.2)
    p_final = final_chance(p_post, p_ahead)
    p_win = computer_wins(p_final, 0.2)
    assert p_post == pytest.approx(0.700360, abs=5e-7)
    assert p_final == pytest.approx(0.342030, abs=5e-7)
    assert p_win == pytest.approx(0.726376, abs=5e-7)
    assert p_pot / (1 - p_win) == pytest.approx(2.19279, abs=5e-6)
    assert sensible_fold(p_final, p_pot) == pytest.approx(0.215879, abs=5e-7)
    assert raise_frequency(0.5) == pytest.approx(0.437823, abs=5e-7)


def test_seen_cards_count() -> None:
    aces = parse_cards("AsAhAdAc2d")
    assert share_ahead(KINGS, aces) < share_ahead(KINGS)


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
    found = -(slope**2) / 20
    for x, folded, weight in rows:
        chance = 1 / (1 + exp(-(intercept + slope * x)))
        found += weight * log(chance if folded else 1 - chance)
    return found


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
    odd = fold_model([(place / 100, place > 30) for place in range(100)])
    assert odd.curve[1] > 0 and odd.verdict == "no verdict yet" and odd.inflection_interval is None
    # A player who never folds is aggressive at any inflection.
    assert fold_model([(0.5, False)] * 60).verdict == "aggressive"
    assert fold_model([(0.5, True)] * 60).verdict == "conservative"


def test_the_explanation_has_the_verdict() -> None:
    bettor = BayesRegression(random.Random(1))
    bettor.act(view())
    first = figures(bettor)
    assert (first["moves"], first["verdict"]) == (0, "no verdict yet")
    assert first["inflection"] == 0.5 and first["inflection_low"] < 0 < 1 < first["inflection_high"]
    for _ in range(40):
        for pot in (10, 20, 40):
            bettor.watch(Turn("call"), view((), pot=pot, to_call=5))
    bettor.act(view())
    found = figures(bettor)
    assert found["moves"] == 100 and found["verdict"] == "aggressive"
    assert found["p_fold_low"] < found["p_fold"] < found["p_fold_high"] < 0.5


def test_the_curves_have_bands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    drawn: list[Any] = []
    monkeypatch.setattr("gpuodds.five_card.plot.save_picture", lambda figure, out: drawn.append(figure))
    plot_regression("fold", tmp_path / "fold.png")
    bands = drawn[0].axes[0].collections
    assert len(bands) == 4
    model = learned(0.3)
    corners = bands[1].get_paths()[0].vertices
    for x in (0.25, 0.75):
        low, high = model.p_fold_interval(x)
        there = corners[np.isclose(corners[:, 0], x), 1]
        assert there.min() == pytest.approx(low) and there.max() == pytest.approx(high)


def test_the_rules_of_raising() -> None:
    bettor = BayesRegression(random.Random(1))
    royal, nothing = parse_cards("AsKsQsJsTs"), parse_cards("2c3d4h5s7c")
    assert bettor.act(view(royal)) == Turn("raise", 10)
    assert figures(bettor)["ratio"] > 6
    assert bettor.act(view(royal, most=7)) == Turn("raise", 7)
    assert bettor.act(view(royal, most=0, to_call=5)) == Turn("call")
    # The worst hand folds to a bet, and checks where that costs nothing.
    bettor = BayesRegression(random.Random(1))
    for _ in range(30):
        bettor.watch(Turn("raise", 10), view((), pot=10, to_call=5))
    assert bettor.act(view(nothing, to_call=10, pot=20)) == Turn("fold")
    assert bettor.act(view(nothing)).action in ("call", "raise")
    # Between: two to six times raises by five.
    bettor = BayesRegression(random.Random(1), RegressionSettings(small_ratio=0.0, large_ratio=1e9))
    assert bettor.act(view(nothing)) == Turn("raise", 5)
    assert set(figures(bettor)) >= {"p_complose", "p_pot", "p_fold", "p_compwin", "p_compfold"}


def test_showdowns_make_raises_more_frequent() -> None:
    bettor = BayesRegression(random.Random(1))
    bettor.act(view())
    before = figures(bettor)["raise_frequency"]
    for _ in range(4):
        bettor.end(Showdown(5, KINGS, parse_cards("2c3d4h5s7c")))
    bettor.end(Showdown(5, KINGS, None))  # a fold is no showdown
    bettor.act(view())
    assert bettor.showdowns == 4 and figures(bettor)["raise_frequency"] > before


def test_chances_count_the_unseen_cards() -> None:
    wins = chance_to_win(view())
    counts = count_hands([deck_without(KINGS)])[0]
    rank = rank_hand(KINGS, HOLDEM)
    equity = (counts[:rank].sum() + counts[rank] / 2) / counts.sum()
    assert wins.mean() == pytest.approx(float(equity), abs=1e-12)
    assert (abs(wins[:-6] - 1) < 1e-9).all() and wins[-1] == 0


def test_turns_add_up() -> None:
    for can_fold in (True, False):
        for can_raise in (True, False):
            fold, call, raised = turn_chances(0.4, can_fold, can_raise)
            assert ((fold >= 0) & (call > 0) & (raised >= 0)).all()
            assert (abs(fold + call + raised - 1) < 1e-12).all()
            assert can_fold or (fold == 0).all()
            assert can_raise or (raised == 0).all()


def test_bayes_learns_how_a_player_plays() -> None:
    rock, maniac = Bayes(random.Random(1)), Bayes(random.Random(1))
    weak, strong = parse_cards("2c3d4h5s7c"), parse_cards("AsAhAdKcKd")
    for _ in range(40):
        maniac.act(view())
        maniac.watch(Turn("raise", 10), view(()))
        maniac.end(Showdown(5, KINGS, weak))
        rock.act(view())
        rock.watch(Turn("fold"), view((), to_call=10, pot=20))
        rock.end(Showdown(5, KINGS, None))
    for bettor in (rock, maniac):
        bettor.act(view(strong))
    assert figures(maniac)["raises_from"] < figures(rock)["raises_from"]
    assert figures(maniac)["readiness"] > figures(rock)["readiness"]
    # A raise of the maniac tells less.
    for bettor in (rock, maniac):
        bettor.watch(Turn("raise", 10), view((), pot=10))
        bettor.act(view(pot=20, to_call=10))
    assert figures(maniac)["ahead"] > figures(rock)["ahead"]


class Watcher:
    """Plays at random and records every observation."""

    def __init__(self, draw: random.Random) -> None:
        self.inner, self.ends, self.hands = RandomBettor(draw), [], []

    def act(self, seen: View) -> Turn:
        assert len(seen.hand) == 5 and set(seen.hand) <= seen.seen
        assert 0 <= seen.most <= 95 and seen.bet >= 5
        self.hands.append(seen)
        return self.inner.act(seen)

    def watch(self, turn: Turn, seen: View) -> None:
        assert seen.hand == () and seen.seen == frozenset()

    def end(self, showdown: Showdown) -> None:
        self.ends.append(showdown)


def test_money_and_cards_are_kept() -> None:
    draw = random.Random(3)
    players = [Watcher(draw), Watcher(draw)]
    table, shoe, total, dealt = Table(players), Shoe(draw), 0, []
    for deal in range(500):
        hands = shoe.deal()
        assert not set(hands[0]) & set(hands[1])
        if shoe.shuffled:
            dealt = []
        assert not set(dealt) & {*hands[0], *hands[1]}
        dealt += [*hands[0], *hands[1]]
        result = table.play(hands, deal % 2, shuffled=shoe.shuffled)
        total += result.won
        assert result.turns[0][0] == deal % 2
        one, other = (player.ends[-1] for player in players)
        assert one.won == -other.won == result.won and abs(result.won) <= 100
        assert (one.shown == hands[1] and other.shown == hands[0]) == result.shown
        ranks = [rank_hand(hand, HOLDEM) for hand in hands]
        if result.shown:
            assert (result.won > 0) == (ranks[0] > ranks[1])
        # What has been seen: own hands, and those that were shown, since the shuffle.
        assert set(hands[0]) <= table.seen[0] and table.seen[0] <= set(dealt)
        assert (set(hands[1]) <= table.seen[0]) == result.shown
    assert total == sum(showdown.won for showdown in players[0].ends)


@pytest.mark.parametrize("name", ["bayes-regression", "bayes"])
def test_a_player_sees_no_hidden_card(name: str) -> None:
    # The turns do not depend on the opponent's cards: a player sees its own and the shown ones only.
    def turns(theirs: tuple[int, ...]) -> list[Turn]:
        player = BETTORS[name](random.Random(1))
        done = []

        class Script:
            def act(self, seen: View) -> Turn:
                return Turn("raise", 5) if seen.to_call < 5 and seen.most >= 5 else Turn("call")

            def watch(self, turn: Turn, seen: View) -> None:
                done.append(turn)

            def end(self, showdown: Showdown) -> None:
                pass

        Table([Script(), player]).play((theirs, KINGS), 0)
        return done

    first = turns(parse_cards("2h3h4h5h7h"))
    assert first == turns(parse_cards("AsAhAdAcQd")) and first


def test_matches_follow_from_their_seed() -> None:
    one = play_match("bayes", "random", hands=60, seed=4)
    assert one == play_match("bayes", "random", hands=60, seed=4)
    assert one != play_match("bayes", "random", hands=60, seed=5)
    turned = play_match("random", "bayes", hands=60, seed=4)
    assert turned.deals == 60 and turned.to_dict()["hands"] == 120


def test_the_smart_draw_beats_the_random_one() -> None:
    result = play_match("smart-draw", "random-draw", hands=5000, seed=1)  # 10,000 hands
    low, high = result.interval
    assert 1.5 < low < result.mean < high < 2.5
    assert play_match("smart-draw", "smart-draw", hands=50).mean == 0


def test_a_counting_player_beats_one_that_does_not() -> None:
    assert play_match("bayes", "random", hands=150, seed=1).mean > 0
    assert play_match("bayes-regression", "random", hands=75, seed=1).mean > 0


@pytest.mark.weekly
def test_a_counting_player_beats_one_that_does_not_by_far() -> None:
    assert play_match("bayes", "random", hands=300, seed=1).interval[0] > 5


@pytest.mark.parametrize(
    ("first", "second", "hands", "message"),
    [
        (
            "bayes-regression",
            "me",
            10,
            "player me: expected one of bayes-regression, bayes, random, smart-draw",
        ),
        (
            "bayes-regression",
            "smart-draw",
            10,
            "bayes-regression and smart-draw: expected two who bet or two who draw",
        ),
        ("bayes", "random", 0, "hands 0: expected 1 to 10,000,000"),
    ],
)
def test_bad_input(first: str, second: str, hands: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        play_match(first, second, hands=hands)
    assert message in str(caught.value)


def test_impossible_turns_are_refused() -> None:
    class Cheat(RandomBettor):
        def act(self, view: View) -> Turn:
            return Turn("raise", 1000)

    table = Table([Cheat(random.Random(1)), RandomBettor(random.Random(1))])
    with pytest.raises(ValueError, match="raise is 95 at most"):
        table.play((KINGS, parse_cards("2h3h4h5h7h")), 0)


def test_logistic_is_stable() -> None:
    assert sensible_fold(1000.0, 0.0) == 1.0 and sensible_fold(-1000.0, 0.0) == 0.0
    assert sensible_fold(0.7, 0.5) == pytest.approx(1 / (1 + exp(-1)))


@pytest.mark.parametrize("p_pot", [float("nan"), float("inf"), -0.1, 1.5, "x"])
def test_a_pot_probability_that_is_none_is_refused(p_pot: Any) -> None:
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
