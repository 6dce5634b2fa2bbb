"""Five-card players: the heuristics' golden numbers, the rules of the table, matches."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpuodds.cards import parse_cards
from gpuodds.errors import InputError
from gpuodds.five_card.bayes import Bayes, chance_to_win, turn_chances
from gpuodds.five_card.bayes_regression import (
    BayesRegression,
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
