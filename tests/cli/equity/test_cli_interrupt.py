"""Ctrl-C and SIGTERM in a match: the hands played are shown, written and marked as partial."""

from __future__ import annotations

import builtins
import json
import os
import signal
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from needs import posix

from gpuodds.cli import interrupt
from gpuodds.cli.main import run
from gpuodds.five_card.match import DRAWERS, RandomDrawer
from gpuodds.machine.processes import Execution, Stop, share_out
from gpuodds.play.bots.caller import Caller
from gpuodds.play.history import read_histories
from gpuodds.play.match import BOTS, play_match, play_pairs

pytestmark = pytest.mark.slow

pytest.importorskip("pokerkit")


class Interrupting(Caller):
    """Raises a signal at the end of the tenth deal, which two of them play, a rotation each."""

    hands = 0
    signal = signal.SIGINT

    def end(self, hand: Any) -> None:
        Interrupting.hands += 1
        if Interrupting.hands == 20:
            Interrupting.hands = 0
            signal.raise_signal(Interrupting.signal)


class InterruptingDrawer(RandomDrawer):
    """Presses Ctrl-C when it draws for the tenth time."""

    draws = 0

    def discard(self, hand: tuple[int, ...]) -> list[int]:
        self.draws += 1
        if self.draws == 10:
            signal.raise_signal(signal.SIGINT)
        return super().discard(hand)


@pytest.fixture(autouse=True)
def interrupting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "caller", Interrupting)
    monkeypatch.setitem(DRAWERS, "random-draw", InterruptingDrawer)


def test_a_match(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    phh, chips = tmp_path / "h.phhs", tmp_path / "chips.csv"
    files = ["--history", str(phh), "--csv", str(chips)]
    assert run(["play", "match", "tight", "caller", "--hands", "1000", *files]) == 130
    shown = capsys.readouterr()
    assert "20 hands of 10 deals" in shown.out
    assert "interrupted; the figures are those of what was played" in shown.err
    assert len(read_histories(phh)) == 20 and len(chips.read_text().splitlines()) == 11
    assert run(["play", "match", "tight", "caller", "--hands", "1000", "--json"]) == 130
    found = json.loads(capsys.readouterr().out)
    whole = play_match(["tight", "tight"], hands=1)  # Ctrl-C is as it was
    assert found["deals"] == 10 and whole.deals == 1


@posix
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_other_signals_keep_the_hands_too(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    number = signal.Signals[name]
    monkeypatch.setattr(Interrupting, "signal", number)
    monkeypatch.setattr(interrupt, "_last", signal.SIGINT)
    before = signal.signal(number, lambda *given: None)  # that of a program that embeds the command
    try:
        assert run(["play", "match", "tight", "caller", "--hands", "1000"]) == 128 + number
    finally:
        signal.signal(number, before)
    assert "20 hands of 10 deals" in capsys.readouterr().out


def test_a_tournament(capsys: pytest.CaptureFixture[str]) -> None:
    bots = ["tight", "random", "caller"]
    assert run(["play", "tournament", *bots, "--hands", "50", "--json"]) == 130
    met = {(row["player"], row["against"]) for row in json.loads(capsys.readouterr().out)["results"]}
    assert met == {("tight", "random"), ("random", "tight")}
    assert run(["play", "tournament", *bots, "--hands", "50"]) == 130
    assert "random" in capsys.readouterr().out


def test_a_match_of_five_cards(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["five", "match", "smart-draw", "random-draw", "--hands", "1000"]) == 130
    assert "10 hands" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["play", "table", "--seed", "1"], ["five", "play"]])
def test_a_person(capsys: pytest.CaptureFixture[str], monkeypatch, arguments: list[str]) -> None:
    def press(asked: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(builtins, "input", press)
    assert run(arguments) == 130
    out = capsys.readouterr().out
    assert "this hand is not counted" in out
    assert " hands, " in out.splitlines()[-1] or "you leave with 100 dollars" in out


def play_until_stopped(number: int, stop: Stop) -> int:
    """Play like a job in a process of its own that gets SIGTERM, as timeout(1) sends it to all."""
    os.kill(os.getpid(), signal.SIGTERM)
    while not stop():
        sleep(0.01)
    return number


@posix
def test_processes_that_get_sigterm_return_what_is_done() -> None:
    found: list[int] = []

    def take(number: int, result: int) -> bool:
        found.append(result)
        return False

    share_out(play_until_stopped, [(0,), (1,)], take, Execution(workers=2))
    assert sorted(found) == [0, 1]


def test_processes_stop_together() -> None:
    begin, hands = monotonic(), 100_000
    result = play_match(
        ["tight", "random"], hands=hands, workers=2, stop=lambda: monotonic() - begin > 1.5
    )
    assert result.deals < hands and monotonic() - begin < 60
    if result.deals:
        assert result == play_match(["tight", "random"], hands=result.deals)


def test_pairs_in_processes_stop_together() -> None:
    begin, hands = monotonic(), 100_000
    names = ["tight", "random", "all-in"]
    assert not play_pairs(names, hands=hands, workers=2, stop=lambda: monotonic() - begin > 1)
    assert monotonic() - begin < 60
    # What was finished before is kept.
    fractions: list[float] = []
    found = play_pairs(
        names, hands=5, workers=2, progress=fractions.append, stop=lambda: bool(fractions)
    )
    whole = play_pairs(names, hands=5)
    assert found.items() <= whole.items() and list(whole) == [(0, 1), (0, 2), (1, 2)]
