"""Bots with equities from a running server: the same numbers, moves and results as from the engine."""

from __future__ import annotations

import io
import json
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from acpc_dealer import Dealer
from server_fixture import serving

from gpuodds.betting.question import read_options
from gpuodds.betting.stakes import read_stakes
from gpuodds.cli.main import run
from gpuodds.client import Client, ServerError
from gpuodds.games.shared.combos import COMBOS
from gpuodds.play import strength
from gpuodds.play.equities import ENGINE, ServerEquities
from gpuodds.play.history import read_histories
from gpuodds.play.match import TAKE_EQUITIES, play_match

pytestmark = pytest.mark.slow

pytest.importorskip("pokerkit")

TOKEN = "the-token-of-the-tests"
NOWHERE = "http://127.0.0.1:9"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("serve"), "--workers", "1", GPUODDS_TOKEN=TOKEN) as found:
        yield found


@pytest.fixture(scope="module")
def equities(address: str) -> ServerEquities:
    return ServerEquities(address, token=TOKEN)


@pytest.fixture(autouse=True)
def with_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUODDS_TOKEN", TOKEN)


def failing_after(monkeypatch: pytest.MonkeyPatch, requests: int) -> None:
    """Let the server be busy after ``requests`` answers."""
    ask, asked = Client._ask, [0]

    def busy(self: Client, method: str, path: str, **options: Any) -> dict[str, Any]:
        asked[0] += 1
        if asked[0] > requests:
            raise ServerError({"status": 429, "detail": "the queue is full"})
        return ask(self, method, path, **options)

    monkeypatch.setattr(Client, "_ask", busy)


def test_equities_are_the_same_doubles(equities: ServerEquities) -> None:
    draw = Random(1)
    for cards_on_board in (0, 3, 4, 5, 3, 4, 5):
        cards = draw.sample(range(52), 2 + cards_on_board)
        hand, board = (cards[0], cards[1]), tuple(cards[2:])
        one, other = ENGINE.villain_equity(hand, board), equities.villain_equity(hand, board)
        assert one.tobytes() == other.tobytes()
        for opponents in (1, 4, 9):
            assert ENGINE.equity_of(hand, board, opponents) == equities.equity_of(
                hand, board, opponents
            )
        if board:
            assert ENGINE.against_random(board).tobytes() == equities.against_random(board).tobytes()
            weights = np.array([draw.random() * (draw.random() < 0.8) for _ in range(COMBOS)])
            ranged = ENGINE.against_range(board, weights), equities.against_range(board, weights)
            assert ranged[0].tobytes() == ranged[1].tobytes()
        stakes = read_stakes(2, bankroll=9000, stack=700, pot=300, to_call=100)
        assert ENGINE.bet(hand, board, stakes) == equities.bet(hand, board, stakes)
        stakes = read_stakes(
            2, bankroll=9000, stack=700, pot=300, to_call=100, stacks=[50, 5000], minimum=100
        )
        options = read_options(multiple=0.5, spread=0.05, seed=3, backend="cpu")
        advised = [source.bet(hand, board, stakes, options) for source in (ENGINE, equities)]
        assert advised[0] == advised[1]


def test_matches_are_the_same(equities: ServerEquities) -> None:
    names = list(TAKE_EQUITIES)
    strength.against_random.cache_clear()
    strength.villain_equity.cache_clear()
    local = play_match(names, hands=2, seed=5)
    for workers in (1, 2):
        assert play_match(names, hands=2, seed=5, workers=workers, equities=equities) == local
    # What the server was asked for was not computed here.
    strength.against_random.cache_clear()
    strength.villain_equity.cache_clear()
    duel = play_match(["pokerbot", "adaptive"], hands=4, seed=6, equities=equities)
    assert strength.against_random.cache_info().misses == 0
    assert strength.villain_equity.cache_info().misses == 0
    assert duel == play_match(["pokerbot", "adaptive"], hands=4, seed=6)


@pytest.mark.parametrize(
    "arguments",
    [
        "match kelly pokerbot --hands 4 --json",
        "match tight random caller --hands 4",
        "tournament tight kelly random --hands 3 --workers 2 --json",
        "tournament --freeze-out tight kelly --games 1 --stack 1000 --json",
    ],
)
def test_commands_print_the_same(
    capsys: pytest.CaptureFixture[str], address: str, arguments: str
) -> None:
    found = []
    for more in ([], ["--server", address]):
        assert run(["play", *arguments.split(), "--seed", "2", *more]) == 0
        found.append(capsys.readouterr().out)
    assert found[0] == found[1]


def test_a_table_and_a_dealer(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    shown = []
    for more in ([], ["--server", address]):
        monkeypatch.setattr(sys, "stdin", io.StringIO("c\n" * 30))
        seat = ["--seat", "me,pokerbot,tight", "--hints", "--hands", "2", "--seed", "3"]
        assert run(["play", "table", *seat, *more]) == 0
        dealer = Dealer(6, lambda betting, put, level: "c", seed=2)
        assert run(["play", "acpc", "127.0.0.1", str(dealer.port), "--seed", "1", *more]) == 0
        dealer.thread.join(10)
        shown.append((capsys.readouterr().out, dealer.heard, dealer.fault))
    assert shown[0] == shown[1] and shown[0][2] is None and "equity " in shown[0][0]


def test_a_server_that_becomes_busy(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    address: str,
    tmp_path: Path,
) -> None:
    expected = "gpuodds: the queue is full; the figures are those of what was played\n"
    phh = tmp_path / "h.phhs"
    monkeypatch.setattr(sys, "stdin", io.StringIO("c\n" * 100))
    for arguments, requests, shown in (
        (
            ["match", "pokerbot", "random", "--hands", "500", "--history", str(phh)],
            20,
            " deals, seed 0",
        ),
        (["tournament", "caller", "random", "tight", "--hands", "30"], 3, "mbb a hand against"),
        (["tournament", "--freeze-out", "tight", "random", "--games", "50"], 60, " from 2 seatings"),
        (["table", "--seat", "me,tight", "--seed", "1", "--hints", "--hands", "50"], 20, " chips\n"),
    ):
        with monkeypatch.context() as patch:
            failing_after(patch, requests)
            assert run(["play", *arguments, "--server", address]) == 2
        captured = capsys.readouterr()
        assert captured.err.endswith(expected) and "Traceback" not in captured.err
        assert shown in captured.out
    hands = len(read_histories(phh))
    assert 0 < hands < 1000 and hands % 2 == 0
    # The dealer's match: the chips won until then.
    dealer = Dealer(300, lambda betting, put, level: "c", seed=2)
    with monkeypatch.context() as patch:
        failing_after(patch, 10)
        assert run(["play", "acpc", "127.0.0.1", str(dealer.port), "--server", address]) == 2
    captured = capsys.readouterr()
    assert captured.err.endswith(expected) and " hands, " in captured.out


def test_hands_played_before_a_failure_are_kept(
    monkeypatch: pytest.MonkeyPatch, equities: ServerEquities
) -> None:
    fresh = pickle.loads(pickle.dumps(equities))
    with monkeypatch.context() as patch:
        failing_after(patch, 12)
        part = play_match(["pokerbot", "caller"], hands=200, seed=1, equities=fresh)
    assert str(part.failure) == "the queue is full" and 0 < part.deals < 200
    assert part.won == play_match(["pokerbot", "caller"], hands=part.deals, seed=1).won


def test_a_server_that_is_not_there(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    for arguments in (
        ["match", "tight", "pokerbot"],
        ["match", "tight", "pokerbot", "--workers", "2"],
        ["tournament", "tight", "pokerbot"],
    ):
        assert run(["play", *arguments, "--server", NOWHERE]) == 2
        expected = capsys.readouterr()
        assert expected.err.startswith(f"gpuodds: {NOWHERE}: no server answers there (")
        assert expected.err.count("\n") == 1 and not expected.out
    assert run(["play", "match", "tight", "kelly", "--server", "127.0.0.1:9"]) == 2
    assert "expected http://HOST:PORT or https://HOST:PORT" in capsys.readouterr().err
    monkeypatch.setenv("GPUODDS_TOKEN", "another")
    assert run(["play", "match", "tight", "pokerbot", "--server", address]) == 2
    expected = capsys.readouterr()
    assert expected.err.count("\n") == 1 and "token" in expected.err


def test_errors_survive_another_process() -> None:
    error = pickle.loads(pickle.dumps(ServerError({"status": 503, "detail": "stopping"})))
    assert (str(error), error.status) == ("stopping", 503)
    json.dumps(error.problem)
