"""``gpuodds equity --board2``: tables, JSON, CSV, and what it refuses."""

from __future__ import annotations

import csv
import io
import json

import pytest

from gpuodds import double_board
from gpuodds.cli.main import run

COMMAND = ["equity", "AsKs", "QhQd", "--board", "2s7d9h", "--board2", "KcTd3c"]


def test_output(capsys: pytest.CaptureFixture[str]) -> None:
    wanted = double_board(["AsKs", "QhQd"], board="2s7d9h", board2="KcTd3c", backend="cpu")
    assert run(COMMAND) == 0
    shown = capsys.readouterr().out
    assert "boards 2s7d9h and KcTd3c" in shown and "23.4578 %" in shown and "exact (" in shown
    assert run([*COMMAND, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer | {"seconds": 0} == wanted.to_dict() | {"seconds": 0}
    assert run([*COMMAND, "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["hand"] for row in rows] == ["AsKs", "QhQd"]
    assert float(rows[0]["scoop"]) == wanted.players[0].scoop
    assert rows[0]["equity_exact"] == "496/861"


def test_no_board_and_random_opponents(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--board2", "", "--samples", "2000", "--seed", "1"]
    assert run(["equity", "AsKs", "--opponents", "1", *given]) == 0
    shown = capsys.readouterr().out
    assert "boards no card and no card" in shown and "67.0446 %" in shown
    assert "sampled, cpu, equities exact" in shown
    assert run(["equity", "20%", "30%", *given, "--method", "monte-carlo"]) == 0
    assert "sampled, cpu; +/- is one standard error" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--by-hand"], "--by-hand: expected with one board, without --board2"),
        (["--made-hands"], "--made-hands: expected with one board"),
        (["--folded", "22+"], "--folded: expected with one board"),
        (["--pot", "100", "--to-call", "50"], "expected with one board"),
        (["--no-table"], "--no-table: expected with one board"),
        (["--explain"], "--explain: expected with one board"),
        (["--dead", "Kc"], "Kc: on the second board and dead"),
        (["--opponents", "2"], "two boards: expected two players where one has a range, found 4"),
    ],
)
def test_refused(more: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*COMMAND, *more]) == 2
    found = capsys.readouterr()
    assert words in found.err and not found.out and found.err.count("\n") == 1


def test_an_empty_board_is_no_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["equity", "AsKs", "--opponents", "2", "--board2", ""]) == 2
    assert "is this meant" not in capsys.readouterr().err
