"""Explanations of advice: they name the method that found the odds, and change nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gpuodds.betting.advice import kelly_bet
from gpuodds.cli.main import run
from gpuodds.errors import InputError

SIX = Path(__file__).parents[1] / "transcripts" / "example-6.txt"
SHORT: dict[str, Any] = {"stacks": [0, 500], "fold": 0.3, "samples": 1000, "seed": 1}


@pytest.mark.parametrize(
    ("asked", "chosen", "reason"),
    [
        ({"opponents": 2}, "table", "preflop-random"),
        ({"opponents": 2, "board": "2s7d9h"}, "known hands", "always counted"),
        ({"opponents": 2, "fold": 0.3}, "table", "preflop-random"),
        ({"opponents": 2, "fold": 0.3, "board": "2s7d9h"}, "known hands", "one pass counts every"),
        ({"opponents": ["22+,AK"], "board": "2s7d9h"}, "showdowns", "the cheapest that counts"),
        ({"opponents": ["22+", "60%"], "board": "2s7d9h", **SHORT}, "exact", "all deals are counted"),
        ({"opponents": ["22+", "60%"], **SHORT}, "monte-carlo", "1,000 deals are"),
        ({"opponents": 3, "board": "2s7d9h", "model": "cassandra"}, "known hands", "always counted"),
    ],
)
def test_the_method_of_the_odds(asked: dict[str, Any], chosen: str, reason: str) -> None:
    plain = kelly_bet("QdQs", bankroll=5000, pot=100, backend="cpu", **asked)
    found = kelly_bet("QdQs", bankroll=5000, pot=100, backend="cpu", explain=True, **asked)
    assert plain.explanation is None and found.explanation is not None
    (method,) = (one for one in found.explanation.methods if one.chosen)
    assert method.method == chosen and reason in method.reason
    assert method.seconds is not None and method.seconds > 0
    lines = found.explanation.lines()
    assert sum(line.startswith(f"* {chosen}, about ") for line in lines) == 1
    answer = found.to_dict()
    assert {name: answer.pop(name) for name in ("explanation", "assumed")} == {
        "explanation": [vars(one) for one in found.explanation.methods],
        "assumed": list(found.explanation.assumed),
    }
    assert answer == plain.to_dict()


def test_explain_is_a_flag() -> None:
    with pytest.raises(InputError, match="explain"):
        kelly_bet("QdQs", opponents=1, bankroll=100, explain="yes")  # type: ignore[arg-type]


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["kelly", "QdQs", "-k", "2", "--bankroll", "5000", "--board", "2s7d9h", "--explain"]
    assert run(words) == 0
    shown = capsys.readouterr().out
    assert "methods, with about how long each takes" in shown and "*   known hands" in shown
    assert run([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["method"] for one in found["explanation"] if one["chosen"]] == ["known hands"]


def test_a_session_and_its_transcript(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    kept = tmp_path / "session.txt"
    assert run(["advise", "--replay", str(SIX), "--explain", "--save", str(kept)]) == 0
    explained = capsys.readouterr()
    assert "  * known hands, about " in explained.out
    assert run(["advise", "--replay", str(SIX)]) == 0
    plain = capsys.readouterr().out.splitlines()
    rest = iter(explained.out.splitlines())
    assert all(line in rest for line in plain)  # in order
    assert run(["advise", "--replay", str(kept)]) == 0
    again = capsys.readouterr()
    assert again.out.splitlines() == plain and again.err == explained.err
