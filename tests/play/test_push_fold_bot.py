"""The bot of short stacks, and bots measured by the equilibrium of all-in or fold."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import gpuodds
from gpuodds.cards import parse_cards
from gpuodds.cli.main import run
from gpuodds.games.holdem.starting_hands import example_combo
from gpuodds.play.bots import PushFold, Tight
from gpuodds.play.game import Deal, Ended, play_hand
from gpuodds.play.match import play_match
from gpuodds.play.push_fold import spots
from gpuodds.play.push_fold.yardstick import Measured, Yardstick
from gpuodds.play.turns import Move, Observation, Rules

SHORT = Rules(stack=1000)  # ten big blinds


class Scripted:
    """Makes given moves, then calls; keeps what it sees."""

    def __init__(self, *moves: Move) -> None:
        self.moves = list(moves)
        self.seen: list[Observation] = []

    def act(self, seen: Observation) -> Move:
        self.seen.append(seen)
        return self.moves.pop(0) if self.moves else Move("call")

    def end(self, hand: Ended) -> None:
        pass


def seen_by(seat: int, hand: str, *before: Move, rules: Rules = SHORT) -> Observation:
    """What a seat sees at its first turn, after the moves of the seats before it."""
    hands: list[Any] = [parse_cards(text) for text in ("2c2d", "3c3d", "4c4d")[: rules.seats]]
    hands[seat] = example_combo(hand)
    deal = Deal(tuple(map(tuple, hands)), parse_cards("9s8s5d6cKh"))
    left = list(before)
    players = [Scripted() for _ in range(rules.seats)]
    order = spots.in_order(rules.seats)
    for other in order:
        if other != seat and left:
            players[other] = Scripted(left.pop(0))
    play_hand(players, rules, deal)
    return players[seat].seen[0]


ALL_IN = Move("raise", 1000)


@pytest.mark.parametrize("hand", ["AA", "K2o", "Q7s", "T5o", "32s", "72o"])
def test_it_plays_the_charts_of_two_players(hand: str) -> None:
    result = gpuodds.push_fold([1000, 1000], blinds=(50, 100))
    for seat, place, before in ((1, "SB", ()), (0, "BB:SB", (ALL_IN,))):
        chance = result.chart(place)[hand]
        assert chance in (0, 1)
        move = PushFold(Random(1)).act(seen_by(seat, hand, *before))
        assert (move.kind != "fold") == chance
        if seat == 1 and chance:
            assert move == ALL_IN


def test_mixed_hands_are_drawn() -> None:
    mixed = next(
        hand
        for hand, chance in gpuodds.push_fold([1000, 1000], blinds=(50, 100)).chart("BB:SB").items()
        if 0.1 < chance < 0.9
    )
    seen = seen_by(0, mixed, ALL_IN)
    moves = {PushFold(Random(seed)).act(seen).kind for seed in range(40)}
    assert moves == {"fold", "call"}


def test_deep_stacks_limps_and_many_players_are_left_to_tight() -> None:
    deep = seen_by(1, "72o", rules=Rules(stack=1600))
    assert spots.find_short_spot(deep) is None
    assert spots.find_short_spot(seen_by(1, "72o", rules=Rules(stack=1500))) is not None
    # After a limp the big blind has no all-in to answer.
    limped = seen_by(0, "72o", Move("call"))
    assert spots.find_short_spot(limped) is None
    four = play_match(["push-fold", "tight", "tight", "tight"], hands=8, rules=Rules(4, stack=1000))
    assert four.won == play_match(["tight"] * 4, hands=8, rules=Rules(4, stack=1000)).won
    assert isinstance(Tight(Random(1)).act(deep), Move)


def test_three_players_need_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules(3, stack=1000)
    seen = seen_by(0, "A5s", Move("call"), rules=rules)
    monkeypatch.setattr(spots, "_lacks_tables", lambda: True)
    assert spots.find_short_spot(seen) is None
    monkeypatch.setattr(spots, "_lacks_tables", lambda: False)
    limped = spots.find_short_spot(seen)
    assert limped is not None and limped.place == "SB" and not limped.is_pure
    folded = spots.find_short_spot(seen_by(0, "A5s", Move("fold"), rules=rules))
    assert folded is not None and folded.place == "SB" and folded.is_pure
    all_in = spots.find_short_spot(seen_by(1, "A5s", ALL_IN, Move("call"), rules=rules))
    assert all_in is not None and all_in.place == "BB:BTN,SB" and all_in.is_pure
    assert all_in.stacks == (1000, 1000, 1000) and all_in.hand == "A5s"


@pytest.mark.slow
def test_the_yardstick() -> None:
    result = play_match(["push-fold", "all-in"], hands=60, rules=SHORT, seed=1, yardstick="push-fold")
    assert result.yardstick is not None
    ours, theirs = result.yardstick
    assert ours.decisions == 120 and ours.left == 0 and ours.cost == 0
    assert 0 < theirs.left < theirs.decisions < 120 and theirs.other == 0
    assert theirs.cost_each == pytest.approx(theirs.cost / theirs.left) and theirs.cost_each > 0.3
    again = play_match(
        ["push-fold", "all-in"], hands=60, rules=SHORT, seed=1, yardstick="push-fold", workers=2
    )
    assert again.yardstick == result.yardstick and again.won == result.won
    plain = play_match(["push-fold", "all-in"], hands=60, rules=SHORT, seed=1)
    assert plain.yardstick is None and plain.won == result.won
    assert "yardstick" not in plain.to_dict()["players"][0]
    assert result.to_dict()["players"][1]["yardstick"]["left"] == theirs.left


def test_limps_leave_the_equilibrium_at_a_cost_that_is_not_known() -> None:
    result = play_match(["caller", "caller"], hands=5, rules=SHORT, yardstick="push-fold")
    assert result.yardstick == (Yardstick(5, 5, 5), Yardstick(5, 5, 5))
    deep = play_match(["caller", "caller"], hands=5, yardstick="push-fold")
    assert deep.yardstick == (Yardstick(), Yardstick())


def test_what_a_fold_costs() -> None:
    answer = gpuodds.push_fold([1000, 1000], blinds=(50, 100))
    for hand in ("AA", "K5s", "72o"):
        measured = Measured(Scripted(Move("fold")))
        deal = Deal((tuple(parse_cards("3c3d")), tuple(example_combo(hand))), parse_cards("9s8s5d6cKh"))  # type: ignore[arg-type]
        play_hand([Scripted(), measured], SHORT, deal)
        worth = answer.explain("SB", hand).difference / 100
        found = measured.take()
        assert (found.decisions, found.left, found.other) == (1, int(worth > 0), 0)
        assert found.cost == pytest.approx(max(worth, 0), abs=1e-4)
        assert measured.take() == Yardstick()


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "play",
        "match",
        "push-fold",
        "random",
        "--stack",
        "1000",
        "--hands",
        "20",
        "--yardstick",
        "push-fold",
    ]
    assert run(words) == 0
    assert "short stacks" in capsys.readouterr().out
    assert run([*words[:-1], "other"]) == 2
    assert "yardstick other: expected one of push-fold" in capsys.readouterr().err
