"""Decisions that face a bet, from each kind of history, and curves fitted to them."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from history_texts import STARS

import gpuodds.histories as histories
from gpuodds.betting import FoldCurve
from gpuodds.cli.main import run
from gpuodds.errors import InputError
from gpuodds.histories import EXAMPLE_HAND, Hand, decisions, fit_folds, read, read_text
from gpuodds.histories.hand import FOLD
from gpuodds.play import Deal, Move, Rules, play_hand, write_histories

pytest.importorskip("pokerkit")


def faced(text: str) -> list[tuple[str, str, float, bool]]:
    (hand,) = read_text(text, moves=True)
    assert isinstance(hand, Hand)
    return [(one.player, one.street, round(one.price, 6), one.folded) for one in decisions(hand)]


def test_decisions_of_a_text() -> None:
    # Ann's missed small blind is dead: 1.50 lie there when Bob is to call 0.50.
    cem, bob = "Cem and is all-in", "Bob: the 2nd"
    assert faced(STARS) == [
        (bob, "before the flop", 0.25, False),
        (cem, "before the flop", round(1.25 / 4.25, 6), True),
        ("Eve", "before the flop", 0.25, False),
        ("Ann", "before the flop", 0.2, False),
        (bob, "flop", round(3 / 11, 6), True),
        ("Eve", "flop", round(3 / 11, 6), False),
        ("Ann", "flop", round(3 / 17, 6), True),
    ]


def test_decisions_of_phh() -> None:
    assert callable(histories.decisions)  # no module has its name
    # A call is at most what is left: Bob needs 58 of his 98 to call 60.
    found = [(player, price, folded) for player, _, price, folded in faced(EXAMPLE_HAND)]
    assert found == [
        ("Cem", 0.4, False),
        ("Ann", round(5 / 14, 6), False),
        ("Bob", round(58 / 126, 6), False),
        ("Cem", round(94 / 260, 6), True),
    ]
    antes = EXAMPLE_HAND.replace("antes = [0, 0, 0]", "antes = [1, 1, 1]")
    antes = antes.replace("[60, 100, 100]", "[61, 101, 101]")
    assert faced(antes)[0][2] == round(2 / 8, 6)


def test_moves_are_kept_where_they_are_asked_for() -> None:
    (hand,) = read_text(STARS)
    assert isinstance(hand, Hand) and hand.moves is None and not list(decisions(hand))
    (hand,) = read_text(STARS, moves=True)
    assert isinstance(hand, Hand) and hand.moves is not None
    put = [sum(move.amount for move in hand.moves if move.place == place) for place in range(4)]
    back = [3 if name == "Eve" else 0 for name in hand.names]  # the bet that was not called
    bets = zip(hand.live, hand.dead, back, strict=True)
    assert put == [live + dead + more * histories.PARTS for live, dead, more in bets]
    assert sum(move.what == FOLD for move in hand.moves) == sum(hand.folded)


class Bettor:
    """Bets a drawn part of the pot on the flop; checks and calls otherwise."""

    def __init__(self, draw: Random) -> None:
        self.draw = draw

    def act(self, seen: Any) -> Move:
        bets = seen.street == 1 and not seen.to_call
        return seen.raise_by_pot(self.draw.uniform(0.1, 3)) if bets else Move("call")

    def end(self, hand: Any) -> None:
        pass


class Folder(Bettor):
    """Folds by a curve of the price; checks and calls otherwise."""

    curve = FoldCurve(-2.0, 7.0)

    def act(self, seen: Any) -> Move:
        price = seen.to_call / (seen.pot + seen.to_call)
        folds = seen.street == 1 and self.draw.random() < self.curve.chance(price)
        return Move("fold" if folds and seen.to_call else "call")


@pytest.fixture(scope="module")
def hands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file of hands whose second player folds by a curve."""
    draw = Random(7)
    played = [
        play_hand([Bettor(draw), Folder(draw)], Rules(), Deal.drawn(2, draw)).history
        for _ in range(400)
    ]
    path = tmp_path_factory.mktemp("hands") / "hands.phhs"
    write_histories(path, played)
    return path


def test_a_curve_that_was_played_is_recovered(hands: Path) -> None:
    found = fit_folds(hands, player="p1")
    assert found.hands == 400 and not found.skipped
    fit = found.fits["flop"]
    assert fit.decisions == 400 and found.fits["flop to river"] == fit
    low, high = fit.level_interval
    assert low < Folder.curve.level < high
    low, high = fit.slope_interval
    assert low < Folder.curve.slope < high
    for price in (0.25, 1 / 3, 0.4):
        low, high = fit.interval(price)
        assert low < Folder.curve.chance(price) < high and high - low < 0.2
    assert found.reasons["river"] == "0 decisions: expected 100 or more"
    # All decisions of the small blind before the flop are calls.
    assert "0 folds of 400 decisions" in found.reasons["before the flop"]
    assert fit_folds(hands, player="p2").reasons["flop"].startswith("0 decisions")


def test_the_command(hands: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["ev", "--fit-folds", str(hands), "--player", "p1"]
    assert run(command) == 0
    shown = capsys.readouterr().out
    assert "opponents of p1, 400 hands" in shown and "--fold-curve=" in shown
    assert run([*command, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["schema"] == "gpuodds.fold-fit/1" and answer["streets"][0]["decisions"] == 400
    curve = fit_folds(hands, player="p1").fits["flop"].curve
    assert answer["streets"][0]["fold_curve"] == [curve.level, curve.slope]
    assert answer["streets"][-1]["fold_curve"] is None
    assert run([*command, "--csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3
    for more, words in (
        (["--hands"], "--hands: expected without --fit-folds"),
        (["--by", "day"], "--by: expected without --fit-folds"),
        (["--workers", "2"], "--workers: expected without --fit-folds"),
    ):
        assert run([*command, *more]) == 2
        assert words in capsys.readouterr().err
    assert run(["ev", "--fit-folds", str(hands), "--player", "Zoe"]) == 2
    assert "--player Zoe: in no hand" in capsys.readouterr().err


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        fit_folds(tmp_path / "none.phh")
    (tmp_path / "bad.phh").write_text("variant = 'NT'\nactions = []\n")
    with pytest.raises(InputError, match="no hand could be read"):
        fit_folds(tmp_path / "bad.phh")
    (tmp_path / "good.phh").write_text(EXAMPLE_HAND)
    found = fit_folds(tmp_path)
    assert found.hands == 1 and len(found.skipped) == 1 and not found.fits
    assert len(list(read(tmp_path))) == 2
