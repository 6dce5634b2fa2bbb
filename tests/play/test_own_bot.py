"""Bots of users: classes in files and modules, and how their errors are told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from acpc_dealer import Dealer

from gpuodds.cli.main import run
from gpuodds.errors import InputError
from gpuodds.play import (
    BotError,
    MatchResult,
    Move,
    Observation,
    play_freeze_out,
    play_match,
    play_pairs,
)
from gpuodds.play.bots import Caller

pytest.importorskip("pokerkit")

BOT = """\
from helper import BAR
from gpuodds.play import Move


class PotOdds:
    def __init__(self, draw, *, equities):
        self.draw, self.equities = draw, equities

    def act(self, seen):
        equity = self.equities.equity_of(seen.hand, seen.board, seen.opponents)
        if equity > BAR:
            return seen.raise_by_pot(1.0)
        price = seen.to_call / (seen.winnable + seen.to_call)
        return Move("call" if equity > price else "fold")


class Always:
    def act(self, seen):
        return Move("call")


class FailsLater(Always):
    calls = 0

    def end(self, hand):
        self.calls += 1
        if self.calls == 7:
            self.moves[hand.seat]


class Bad(Always):
    def act(self, seen):
        return 1 / 0


class Text(Always):
    def act(self, seen):
        return "call"


class NeverMade(Always):
    def __init__(self, draw):
        raise SystemExit("no")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "bot.py").write_text(BOT)
    (tmp_path / "helper.py").write_text("BAR = 0.7\n")
    (tmp_path / "broken.py").write_text("x = 1\nclass A:\n  act = (\n")
    (tmp_path / "raising.py").write_text("x = 1\nx.y\n")
    monkeypatch.chdir(tmp_path)
    # Pages of the docs have a bot.py, too, and their tests may have left it behind.
    others = [entry for entry in sys.path if not Path(entry, "bot.py").exists()]
    monkeypatch.setattr(sys, "path", others)
    sys.modules.pop("bot", None)
    yield tmp_path
    for name in ("bot", "helper"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("name", ["bot.py:PotOdds", "bot:PotOdds"])
def test_a_match_against_a_bot_of_ones_own(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["play", "match", name, "tight", "--hands", "4", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [player["name"] for player in found["players"]] == [name, "tight"]
    assert sum(player["chips"] for player in found["players"]) == 0
    assert play_match([name, "tight"], hands=4).to_dict() == found


def test_it_plays_as_the_same_bot_of_the_house(folder: Path) -> None:
    """Two bots that make the same moves win the same, whoever wrote them."""
    bots: list[Any] = ["bot.py:Always", Caller, "caller"]
    results = [play_match([bot, "random"], hands=6, seed=2) for bot in bots]
    assert results[0].won == results[1].won == results[2].won
    assert [result.players[0] for result in results] == ["bot.py:Always", "Caller", "caller"]
    games = [play_freeze_out([bot, "all-in"], games=3) for bot in bots]
    assert games[0].won == games[1].won == games[2].won


@pytest.mark.slow
def test_processes_share_a_match_of_a_bot_of_ones_own(folder: Path) -> None:
    names = ["bot.py:PotOdds", "tight"]
    assert play_match(names, hands=3, workers=2) == play_match(names, hands=3)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("bot.py:Bad", "bot bot.py, line 33, in act: ZeroDivisionError: division by zero"),
        ("bot:Bad", "bot.py, line 33, in act: ZeroDivisionError: division by zero"),
        ("bot.py:Text", "bot bot.py:Text, line 37, in act: expected a Move of fold, call or raise, "),
        ("bot.py:NeverMade", "bot bot.py, line 43, in __init__: SystemExit: no"),
        ("broken.py:A", "bot broken.py, line 3: SyntaxError: '(' was never closed"),
        ("raising.py:A", "bot raising.py, line 2: AttributeError: 'int' object has no attribute 'y'"),
        ("bot.py", "bot bot.py: expected bot.py:PotOdds, bot.py:Always, bot.py:FailsLater, bot.py:Bad"),
        ("bot.py:Nobody", "bot bot.py:Nobody: expected bot.py:PotOdds, bot.py:Always, bot.py:"),
        ("bot.py:Move", "bot bot.py:Move: expected a class with a method act"),
        ("nobody.py:A", "bot nobody.py:A: there is no file nobody.py"),
        ("nobody:A", "bot nobody:A: there is no module nobody; a file is FILE.py:CLASS"),
        (":A", "bot :A: expected FILE.py:CLASS or MODULE:CLASS"),
        ("potodds", "bot potodds: expected one of pokerbot, adaptive, simulating, "),
    ],
)
@pytest.mark.parametrize("command", ["match", "tournament", "tournament --freeze-out"])
def test_a_bot_at_fault_is_named_with_its_line(
    command: str, name: str, expected: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["play", *command.split(), "caller", name]) == 2
    out, err = capsys.readouterr()
    assert out == "" and expected in err.splitlines()[-1] and err.count("\n") == 1


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_ends_the_match_with_the_hands_so_far(
    workers: int, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ["bot.py:FailsLater", "caller"]
    try:
        result = play_match(names, hands=20, workers=workers)
    except BotError:  # the other process had not finished a deal
        assert workers == 2
    else:
        assert isinstance(result.failure, BotError)
        assert result.deals == 6 or (workers == 2 and 0 < result.deals < 6)
        assert result.won == play_match(names, hands=result.deals).won
    if workers == 2:
        return
    assert run(["play", "match", *names, "--hands", "20"]) == 2
    out, err = capsys.readouterr()
    assert "12 hands of 6 deals" in out
    expected = "AttributeError: 'FailsLater' object has no attribute 'moves'"
    assert f"bot bot.py, line 28, in end: {expected}; the figures are those of what was played" in err


def test_other_pairs_are_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    failures: list[Exception] = []
    found = play_pairs(["caller", "tight", "bot.py:Bad"], hands=2, failed=failures.append)
    assert list(found) == [(0, 1)] and len(failures) == 1


def test_a_table_against_a_bot_of_ones_own(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import io

    for bot, code in (("Always", 0), ("FailsLater", 2)):
        monkeypatch.setattr(sys, "stdin", io.StringIO("c\n" * 100))
        assert run(["play", "table", "--seat", f"me,bot.py:{bot}", "--hands", "9"]) == code
        out, err = capsys.readouterr()
        assert out.splitlines()[-1].startswith("6 hands" if code else "9 hands")
        assert ("line 28, in end" in err) == bool(code)


def test_a_dealer_elsewhere(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dealer = Dealer(5, lambda *seen: "c")
    assert run(["play", "acpc", "127.0.0.1", str(dealer.port), "--bot", "bot.py:Bad"]) == 2
    assert "line 33, in act: ZeroDivisionError" in capsys.readouterr().err


def test_a_file_that_changed_is_read_again(folder: Path) -> None:
    before = play_match(["bot.py:Always", "all-in"], hands=3).won
    (folder / "bot.py").write_text(BOT.replace('Move("call")', 'Move("fold")'))
    os.utime(folder / "bot.py", (1, 1))
    assert play_match(["bot.py:Always", "all-in"], hands=3).won != before


class Folder:
    def act(self, seen: Observation) -> Move:
        return Move("fold")


@pytest.mark.slow
def test_a_class_is_a_bot_in_python() -> None:
    result = play_match([Folder, "all-in"], hands=10, workers=2)
    assert result.chips(0) == -1500 and result.failure is None

    class Local(Folder):
        pass

    assert play_match([Local, "all-in"], hands=10).chips(1) == 1500
    with pytest.raises(InputError, match=r"bot Local, workers 2: expected a class of a file"):
        play_match([Local, "all-in"], hands=10, workers=2)
    with pytest.raises(InputError, match="bot int: expected a class with a method act"):
        play_match([int, "all-in"], hands=10)


@pytest.mark.slow
def test_a_script_that_holds_its_bot_shares_it_with_processes(tmp_path: Path) -> None:
    script = """\
from gpuodds.play import Move, play_match


class Folder:
    def act(self, seen):
        return Move("fold")


if __name__ == "__main__":
    print(play_match([Folder, "all-in"], hands=10, workers=2))
"""
    (tmp_path / "script.py").write_text(script)
    found = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert found.stdout.splitlines()[:2] == [
        "player   chips  mbb a hand     95 % interval",
        "Folder  -1,500      -750.0  -750.0 to -750.0",
    ]


def test_results_print_as_tables() -> None:
    result = play_match(["all-in", "caller"], hands=5, seed=1)
    lines = str(result).splitlines()
    assert lines[0].split() == ["player", "chips", "mbb", "a", "hand", "95", "%", "interval"]
    assert lines[1].split()[:2] == ["all-in", f"{result.chips(0):+,}"]
    assert lines[-1] == "10 hands of 5 deals, seed 1"
    assert str(MatchResult(("a", "b"), result.rules, 0, 2, (), ({}, {}))).count("\n") == 1
    games = play_freeze_out(["all-in", "caller"], games=4)
    assert "games won" in str(games) and str(games).endswith("4 games from 2 seatings each, seed 0")
