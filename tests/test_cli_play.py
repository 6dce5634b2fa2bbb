"""``gpuodds play``: matches, cross-tables, files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpuodds.cli.main import run
from gpuodds.play.history import read_histories


def said(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    capsys.readouterr()
    assert run(["play", *arguments]) == code
    captured = capsys.readouterr()
    return captured.err.splitlines()[-1] if code else captured.out


def test_match(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    phh, chips, picture = (tmp_path / name for name in ("h.phhs", "chips.csv", "match.png"))
    files = ["--history", str(phh), "--csv", str(chips), "--plot", str(picture)]
    text = said(capsys, "match", "tight", "random", "--hands", "20", "--seed", "3", *files)
    assert "40 hands of 20 deals, seed 3" in text and "95 % interval" in text
    assert len(read_histories(phh)) == 40 and len(picture.read_bytes()) > 10_000
    assert len(chips.read_text().splitlines()) == 21
    found = json.loads(said(capsys, "match", "tight", "random", "caller", "--hands", "5", "--json"))
    assert found["hands"] == 15 and len(found["players"]) == 3
    assert sum(player["mbb_per_hand"] for player in found["players"]) == pytest.approx(0, abs=1e-6)
    found = json.loads(
        said(capsys, "match", "caller", "caller", "--no-duplicate", "--hands", "5", "--json")
    )
    assert found["hands"] == 5 and not found["duplicate"]


def test_tournament(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "tournament", "tight", "random", "caller", "--hands", "10")
    assert "mbb a hand against" in text and "mean" in text
    found = json.loads(said(capsys, "tournament", "tight", "caller", "--hands", "10", "--json"))
    one, other = found["results"]
    assert one["mbb_per_hand"] == pytest.approx(-other["mbb_per_hand"])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["match", "me", "caller"], "bot me: expected one of pokerbot"),
        (["match", "caller"], "seats 1: expected 2 to 10"),
        (["match", "caller", "caller", "--blinds", "50"], "--blinds 50: expected two numbers"),
        (["match", "caller", "caller", "--blinds", "100/50"], "blinds 100/50: expected 0 < small"),
        (["match", "caller", "caller", "--hands", "x"], "--hands x: expected a whole number"),
        (["match", "caller", "caller", "--plot", "x.bmp"], "x.bmp: expected a file that ends in"),
        (["tournament", "caller"], "expected two bots at least"),
    ],
)
def test_bad_input(capsys: pytest.CaptureFixture[str], arguments: list[str], says: str) -> None:
    assert says in said(capsys, *arguments, code=2)
