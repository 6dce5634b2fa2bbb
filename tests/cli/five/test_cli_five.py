"""``gpuodds five``: odds, draws, matches, plots and a table at the terminal."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from gpuodds.cli.main import run


def output_of(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    capsys.readouterr()
    assert run(["five", *arguments]) == code
    captured = capsys.readouterr()
    return captured.err.splitlines()[-1] if code else captured.out


def test_odds(capsys: pytest.CaptureFixture[str]) -> None:
    text = output_of(capsys, "odds", "Ks", "Kh", "7d", "4c", "2c", "--banner")
    assert "|K .  | _____" in text and "pair of kings, seven four two kickers" in text
    assert "190,117" in text and "three of a kind" in text
    found = json.loads(output_of(capsys, "odds", "KsKh7d4c2c", "--json"))
    assert found["schema"] == "gpuodds.five_odds/1"
    assert (found["beat"], found["tie"], found["outcomes"]) == (190117, 27, 1533939)
    assert found["categories"]["straight_flush"] == 27 and found["categories"]["high_card"] == 764893
    seen = json.loads(output_of(capsys, "odds", "KsKh7d4c2c", "--seen", "AsAhAdAc", "--json"))
    assert seen["outcomes"] == 962598 and seen["beat"] < found["beat"]


@pytest.mark.slow
def test_draw(capsys: pytest.CaptureFixture[str]) -> None:
    text = output_of(capsys, "draw", "4h", "9d", "4c", "7d", "Qs")
    assert text.startswith("4h9d4c7dQs: discard 9d7dQs, win 69.0913 %, tie 0.0015 %")
    assert text.endswith("against a pat hand, exact\n") and "12,166" not in text
    short = ["draw", "4h9d4c7dQs", "--max-discards", "3", "-v"]
    rows = output_of(capsys, *short, "1").splitlines()
    assert sum(line.count("%") == 4 for line in rows) == 26 and "12,166" not in "".join(rows)
    assert "12,166,721,175" in output_of(capsys, *short, "2")
    found = json.loads(output_of(capsys, "draw", "4h9d4c7dQs", "--max-discards", "3", "--json"))
    assert found["schema"] == "gpuodds.five_draw/1" and found["exact"] and len(found["draws"]) == 26
    assert found["draws"][0] == {
        "discard": "9d7dQs",
        "win_outcomes": "12166721175",
        "tie_outcomes": "256500",
        "outcomes": "17609619720",
        "equity": pytest.approx(0.690921, abs=1e-6),
    }
    text = output_of(capsys, "draw", "TsJsQsKsAs")
    assert "TsJsQsKsAs: stand pat" in text


def test_sampled_draws(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--method", "monte-carlo", "-n", "5000", "--seed", "1", "-v", "1"]
    text = output_of(capsys, "draw", "4h9d4c7dQs", *options)
    assert " ± " in text and "sampled, 5,000 deals" in text
    assert text == output_of(capsys, "draw", "4h9d4c7dQs", *options)
    text = output_of(capsys, "draw", "4h9d4c7dQs", "--opponent", "draws", "-n", "20000", "--seed", "1")
    assert "an opponent who draws what is best for it, sampled" in text
    text = output_of(capsys, "draw", "4h9d4c7dQs", "-n", "1000", "--ranking", "draw-chooser")
    assert "ranked as the draw chooser does" in text


def test_match(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "match.svg"
    text = output_of(
        capsys,
        "match",
        "smart-draw",
        "random-draw",
        "--hands",
        "200",
        "--seed",
        "2",
        "--plot",
        str(out),
    )
    assert "95 % interval" in text and "400 hands, seed 2" in text
    first, dollars = text.splitlines()[0].split(": ")
    assert first == "smart-draw against random-draw" and dollars.endswith(" dollars a hand")
    drawn = out.read_text()
    assert f"{first}: {float(dollars.split()[0]):+.3f} dollars a hand" in drawn
    found = json.loads(output_of(capsys, "match", "bayes", "random", "--hands", "50", "--json"))
    assert found["schema"] == "gpuodds.five_match/1" and found["hands"] == 100
    assert found["interval"][0] < found["money_per_hand"] < found["interval"][1]


@pytest.mark.parametrize(
    ("kind", "axis"),
    [("fold", "chance to fold"), ("posterior", "chance that a player who stays in wins")],
)
def test_plots(capsys: pytest.CaptureFixture[str], tmp_path: Path, kind: str, axis: str) -> None:
    out = tmp_path / f"{kind}.svg"
    assert output_of(capsys, "plot", kind, "--out", str(out)) == f"{out}: drawn\n"
    text = out.read_text()
    for label in ("pot probability", axis, "aggressive player", "conservative player"):
        assert label in text


def test_play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def table(typed: str, *arguments: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        return output_of(capsys, "play", "--seed", "1", *arguments)

    text = table("r5\nc\nx\nq\n", "--explain")
    for line in (
        "hand 1: you have 100",
        "p_complose",
        "p_compwin",
        "p_fold_low       0.",
        "inflection       0.",
        "verdict          no verdict yet",
        "opponent shows",
        "expected c check",
    ):
        assert line in text
    assert text == table("r5\nc\nx\nq\n", "--explain")
    assert "this hand is not counted\nyou leave with 100 dollars" in table("")
    assert "|" in table("c\n", "--banner", "--opponent", "bayes")
    # Until one of the two is broke.
    text = table("r99\nr95\nr95\nc\n" * 200)
    assert "you leave with" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["draw", "4h9d4c7d"], "expected five cards, found 4"),
        (["draw", "4h9d4c7dQsQs"], "Qs"),
        (["draw", "4h9d4c7dQs", "--seen", "4h"], "4h: the same card is in the hand"),
        (["draw", "4h9d4c7dQs", "--max-discards", "9"], "max discards 9: expected 0 to 5"),
        (["draw", "4h9d4c7dQs", "-v", "3"], "--verbose 3: expected 0, 1 or 2"),
        (["draw", "4h9d4c7dQs", "-n", "x"], "--runs x: expected a whole number"),
        (["odds", "4h9d4c7dQx"], "4h9d4c7dQx: column 10"),
        (["match", "me", "you"], "player me: expected one of bayes-regression"),
        (["match", "bayes", "random", "--plot", "x.bmp"], "x.bmp: expected a file that ends in"),
        (["play", "--opponent", "me"], "opponent me: expected one of bayes-regression, bayes, random"),
        (["plot", "fold", "--out", "x.bmp"], "x.bmp: expected a file that ends in"),
    ],
)
def test_bad_input(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert message in output_of(capsys, *arguments, code=2)
