"""``gpuodds play``: matches, cross-tables, files."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from gpuodds.cli.main import run
from gpuodds.play.history import read_histories

pytest.importorskip("pokerkit")


def output_of(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    capsys.readouterr()
    assert run(["play", *arguments]) == code
    captured = capsys.readouterr()
    return captured.err.splitlines()[-1] if code else captured.out


def test_match(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    phh, chips, plot = (tmp_path / name for name in ("h.phhs", "chips.csv", "match.svg"))
    files = ["--history", str(phh), "--csv", str(chips), "--plot", str(plot)]
    text = output_of(capsys, "match", "tight", "random", "--hands", "20", "--seed", "3", *files)
    assert "40 hands of 20 deals, seed 3" in text and "95 % interval" in text
    assert len(read_histories(phh)) == 40
    won = [list(map(int, row.split(",")[1:])) for row in chips.read_text().splitlines()[1:]]
    assert len(won) == 20 and all(one == -other for one, other in won)
    rate = 1000 * sum(one for one, _ in won) / 100 / 40
    assert f" {rate:+,.1f} " in text
    drawn = plot.read_text("utf-8")  # matplotlib writes each text as a comment, too
    for name, shown in (("tight", rate), ("random", -rate)):
        assert f"<!-- {name}: {shown:+.0f} (" in drawn
    found = json.loads(
        output_of(capsys, "match", "tight", "random", "caller", "--hands", "5", "--json")
    )
    assert found["hands"] == 15 and len(found["players"]) == 3
    assert sum(player["mbb_per_hand"] for player in found["players"]) == pytest.approx(0, abs=1e-6)
    found = json.loads(
        output_of(capsys, "match", "caller", "caller", "--no-duplicate", "--hands", "5", "--json")
    )
    assert found["hands"] == 5 and not found["duplicate"]


def test_tournament(capsys: pytest.CaptureFixture[str]) -> None:
    text = output_of(capsys, "tournament", "tight", "random", "caller", "--hands", "10")
    lines = [line.split() for line in text.splitlines() if line.strip()]
    assert lines[0] == ["mbb", "a", "hand", "against", "tight", "random", "caller", "mean"]
    assert [line[0] for line in lines[2:]] == ["tight", "random", "caller"]
    found = json.loads(output_of(capsys, "tournament", "tight", "caller", "--hands", "10", "--json"))
    one, other = found["results"]
    assert one["mbb_per_hand"] == pytest.approx(-other["mbb_per_hand"])


@pytest.mark.slow
def test_any_number_of_workers_gives_the_same_bytes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    texts, written = [], []
    for workers in ("1", "2"):
        names = [f"{workers}{ending}" for ending in (".phhs", ".csv", ".svg")]
        phh, chips, svg = paths = [tmp_path / name for name in names]
        match = ["match", "pokerbot", "random", "--hands", "5", "--workers", workers]
        files = ["--history", str(phh), "--csv", str(chips), "--plot", str(svg)]
        meet = ["tournament", "all-in", "random", "caller", "--hands", "4", "--workers", workers]
        texts.append([output_of(capsys, *match, *files, "--json"), output_of(capsys, *meet, "--json")])
        written.append([path.read_bytes() for path in paths])
    assert texts[0] == texts[1] and written[0] == written[1]
    assert '"actions": {"fold": ' in texts[0][0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["match", "me", "caller"], "bot me: expected one of pokerbot"),
        (["match", "caller"], "seats 1: expected 2 to 10"),
        (["match", "caller", "caller", "--blinds", "50"], "--blinds 50: expected two numbers"),
        (["match", "caller", "caller", "--blinds", "100/50"], "blinds 100/50: expected 0 < small"),
        (["match", "caller", "caller", "--hands", "x"], "--hands x: expected a whole number"),
        (["match", "caller", "caller", "--plot", "x.bmp"], "x.bmp: expected a file that ends in"),
        (["match", "caller", "caller", "--seed", "-1"], "--seed -1: expected 0 or more"),
        (["table", "--hands", "-1"], "--hands -1: expected 1 or more"),
        (["tournament", "caller"], "expected two bots at least"),
        (["tournament", "caller", "tight", "me"], "bot me: expected one of pokerbot"),
        (["tournament", "caller", "tight", "--workers", "0"], "workers 0: expected 1 or more"),
        (["tournament", "caller", "tight", "--hands", "0"], "hands 0: expected 1 to 10,000,000"),
        (["acpc", "localhost", "9", "--timeout", "-1"], "timeout -1: expected more than 0"),
        (["table", "--bankroll", "5"], "--bankroll 5: expected at least the stack, 10000"),
    ],
)
def test_bad_input(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert message in output_of(capsys, *arguments, code=2)


def test_a_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def sit(typed: str, *arguments: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        return output_of(capsys, "table", "--seed", "2", *arguments)

    phh = tmp_path / "hands.phhs"
    text = sit("c\n" * 60, "--hands", "3", "--hints", "--history", str(phh))
    for line in (
        "hand 1: me, pokerbot; the last has the button",
        "equity ",
        "Kelly: ",
        "board ",
        "shows",
    ):
        assert line in text
    assert "\n3 hands, " in text and len(read_histories(phh)) == 3
    assert text == sit("c\n" * 60, "--hands", "3", "--hints")
    text = sit("x\nr 5\nr 300\nq\n", "--seat", "caller,me,tight", "--hands", "1")
    assert "x: expected" in text and "r 5: expected" in text
    assert "this hand is not counted\n0 hands, +0 chips" in text
    assert "0 hands, +0 chips" in sit("")
    # With nothing behind, an all-in can ruin; with wealth, aces call it.
    alone, rich = (
        sit("c\n", "--seat", "me,all-in", "--seed", "6", "--hands", "1", "--hints", "--bankroll", chips)
        for chips in ("10000", "1000000")
    )
    assert "Kelly: fold" in alone and "Kelly: call 9,900" in rich
    # Until nothing is left.
    text = sit("r 10000\n" * 40, "--seat", "me,caller", "--stack", "10000")
    assert "you have no chips left\n1 hands, -10,000 chips" in text
    assert output_of(capsys, "table", "--seat", "pokerbot,tight", code=2).endswith(
        "expected me once, and bots"
    )
    assert "bot you: expected one of" in output_of(capsys, "table", "--seat", "me,you", code=2)
