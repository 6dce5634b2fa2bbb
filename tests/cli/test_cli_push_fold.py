"""``gpuodds push-fold`` and ``gpuodds icm``: text, JSON, CSV, pictures, what is refused."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from gpuodds.cli.main import run
from gpuodds.games.holdem.starting_hands import starting_hands


def answer(capsys: Any, *words: str) -> dict[str, Any]:
    assert run([*words, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_charts_of_two_players(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["push-fold", "10", "10"]) == 0
    text = capsys.readouterr().out
    assert "SB, first in: all-in with 58.28 %" in text
    assert "BB after SB: all-in with 37.38 %" in text
    assert "best responses gain less than 1e-9 of the pool" in text
    assert "exact (all deals counted)" in text


def test_the_object(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "push-fold", "3000", "6000", "--blinds", "300/600", "--ante", "75")
    assert found["schema"] == "gpuodds.push-fold/1" and found["exact"]
    assert found["blinds"] == [300, 600] and found["ante"] == 75 and found["unit"] == "chips"
    named = answer(capsys, "push-fold", "hand", "3000", "6000", "--blinds", "300/600", "--ante", "75")
    assert named["strategies"] == found["strategies"]


def test_prizes_bounties_locks_and_decisions(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["push-fold", "8", "12", "--payouts", "60,40", "--bounties", "10,5", "--progressive"]
    found = answer(capsys, *words, "--lock", "SB=40%", "--hand", "BB:SB=a5S", "--hand", "KJo")
    assert found["unit"] == "prize" and found["locked"] == ["SB"] and found["progressive"]
    first, second = found["decisions"]
    assert first["place"] == "BB:SB" and first["hand"] == "A5s"
    assert first["opponents"][0]["percent"] == pytest.approx(40, abs=1)
    assert second["place"] == "SB" and second["hand"] == "KJo"
    assert run([*words, "--hand", "BB:SB=A5s"]) == 0
    text = capsys.readouterr().out
    assert "A5s at BB:SB: all-in" in text and "prize money" in text and "SB, first in" not in text


def test_rows_of_csv(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["push-fold", "10", "10", "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 2 * 169
    assert [row["hand"] for row in rows if row["history"] == "SB"] == list(starting_hands())
    assert rows[0] == {"position": "SB", "history": "", "hand": "AA", "all_in": "1.0"}


@pytest.mark.slow
def test_pictures(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for words in (
        ["push-fold", "10", "10"],
        ["push-fold", "tournament", "--chips", "4", "--blinds", "1/1"],
    ):
        picture = tmp_path / f"{len(words)}.svg"
        assert run([*words, "--plot", str(picture)]) == 0
        assert picture.read_text("utf-8").startswith("<?xml")
    assert run(["push-fold", "10", "10", "--plot", "chart.txt"]) == 2
    assert "expected a file that ends in .png" in capsys.readouterr().err


@pytest.mark.slow
def test_a_tournament(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["push-fold", "tournament", "--chips", "8", "--blinds", "0.5/1"]
    found = answer(capsys, *words)
    assert found["schema"] == "gpuodds.push-fold-tournament/1" and len(found["states"]) == 15
    assert run([*words, "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [float(row["stack"]) for row in rows] == [state["stack"] for state in found["states"]]
    assert float(rows[7]["small_blind"]) == pytest.approx(0.5053, abs=1e-4)
    assert run(words) == 0
    assert "the bounds of a chance are less than 1e-8 apart" in capsys.readouterr().out


def test_the_chip_model(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "icm", "5000", "3000", "2000", "--payouts", "50,30,20")
    assert found["schema"] == "gpuodds.icm/1"
    assert found["exact_values"] == ["1075/28", "131/4", "202/7"]
    assert sum(found["values"]) == pytest.approx(100)
    many = answer(capsys, "icm", *map(str, range(1, 13)), "--payouts", "5,3")
    assert "exact_values" not in many and len(many["values"]) == 12
    assert run(["icm", "1", "2", "--payouts", "3"]) == 0
    assert "exact, by the independent chip model" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("push-fold 10 0", "stack 2 0: expected above 0"),
        ("push-fold 10", "stacks: expected 2 to 9 stacks, found 1"),
        ("push-fold 10 ten", "stack 2 ten: expected a number of chips"),
        ("push-fold 10 nan", "stack 2 nan: expected a number of chips"),
        ("push-fold 10 10 --blinds 1", "--blinds 1: expected SMALL/BIG, such as 300/600"),
        ("push-fold 10 10 --payouts 30,50", "payout 2 50: expected at most 30"),
        ("push-fold 10 10 --payouts 5,,3", "--payouts 5,,3: expected numbers between commas"),
        ("push-fold 10 10 --bounties 1,1", "bounties: expected with payouts"),
        ("push-fold 10 10 --lock SB", "--lock SB: expected PLACE=RANGE, such as BTN=20%"),
        ("push-fold 10 10 --lock BTM=20%", "position BTM: expected one of SB, BB"),
        ("push-fold 10 10 --hand BB:SB=A5", "hand BB:SB=A5: expected a place and a starting hand"),
        ("push-fold 10 10 --hand XX=A5s", "position XX: expected one of SB, BB"),
        ("push-fold 10 10 --hand BB=A5s", "position BB: it has no such history; expected one of SB"),
        ("push-fold 10 10 --time-limit x", "--time-limit x: expected seconds"),
        ("push-fold 10 10 --json --csv", "--json and --csv: expected one of them"),
        ("push-fold tournament --chips 8 --blinds 3/2", "small blind 3: expected above 0"),
        ("push-fold tournament --chips 8 --blinds 1/2 --step 3", "step 3: expected a number that"),
        ("icm 1 2", "--payouts: expected the prizes from the first place on"),
        ("icm 1 2 --payouts 1,2", "payout 2 2: expected at most 1, the prize of place 1"),
    ],
)
def test_one_line_and_exit_code_2(words: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words.split()) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


def test_help_of_the_group_is_that_of_a_hand(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["push-fold"], ["push-fold", "--help"]):
        assert run(words) == 0
        assert "Solve a hand that is played all-in or fold" in capsys.readouterr().out


def test_help_and_the_chip_model_load_little() -> None:
    import subprocess
    import sys

    code = (
        "import sys; from gpuodds.cli.main import run; run({words!r})\n"
        "loaded = [name for name in ('numba', 'scipy', 'pyarrow', 'numpy') if name in sys.modules]\n"
        "print(loaded, file=sys.stderr)"
    )
    for words in (["push-fold", "--help"], ["icm", "3", "2", "--payouts", "5"]):
        done = subprocess.run(
            [sys.executable, "-P", "-c", code.format(words=words)],
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stderr.strip() == "[]"
