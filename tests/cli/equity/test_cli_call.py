"""What a call is worth: the equity that breaks even, the expected value, the hands that call."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from pathlib import Path

import pytest

import gpuodds
from gpuodds.cli.main import run
from gpuodds.errors import InputError
from gpuodds.results.call_value import CallValue

PRICE = ["--pot", "1100", "--to-call", "1000"]


def output(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(["equity", *words]) == 0
    return capsys.readouterr().out


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_the_value_of_a_call_in_every_output(capsys: pytest.CaptureFixture[str]) -> None:
    """To call 1,000 for 1,100 breaks even at 1000 / 2100; the value is equity x 2100 - 1000."""
    result = gpuodds.equity(["AKs", "QQ"], pot=1100, to_call="1000")
    call, equity = result.call, result.players[0].equity_exact
    assert isinstance(call, CallValue) and equity is not None
    assert call.pot_odds == Fraction(10, 21)
    assert call.expected_value_exact == equity * 2100 - 1000 == Fraction(-6274825, 190256)
    assert (call.expected_value, call.pays) == (float(Fraction(-6274825, 190256)), False)
    assert call.standard_error is None

    shown = output(capsys, "AKs", "QQ", *PRICE)
    assert "equity that breaks even         47.6190 %" in shown
    assert "expected value of the call   -32.98 chips" in shown
    assert json.loads(output(capsys, "AKs", "QQ", *PRICE, "--json"))["call"] == call.to_dict()
    first, second = rows(output(capsys, "AKs", "QQ", *PRICE, "--csv"))
    assert (first["pot_odds_exact"], first["expected_value_exact"]) == ("10/21", "-6274825/190256")
    assert (second["pot_odds"], second["expected_value"]) == ("", "")


def test_the_value_of_a_sampled_call_has_its_error(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["AKs", "QQ", *PRICE, "--method", "monte-carlo", "--samples", "20000", "--seed", "1"]
    answer = json.loads(output(capsys, *words, "--json"))
    error = answer["players"][0]["standard_error"]
    assert answer["call"]["standard_error"] == pytest.approx(2100 * error)
    assert answer["call"]["expected_value_exact"] is None
    line = output(capsys, *words).split("expected value of the call")[1].splitlines()[0]
    assert "±" in line or "+/-" in line
    assert float(rows(output(capsys, *words, "--csv"))[0]["expected_value_error"]) > 0


def test_all_starting_hands_against_a_range(capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(output(capsys, "random", "30%", "--by-hand", "--csv"))
    ours = {row["hand"]: row for row in found if row["player"] == "random"}
    assert len(ours) == 169
    assert sum(float(row["weight"]) for row in ours.values()) == 1326
    alone = gpuodds.equity(["A5s", "30%"]).players[0]
    assert float(ours["A5s"]["equity"]) == pytest.approx(alone.equity, abs=1e-12)
    assert float(ours["A5s"]["tie"]) == pytest.approx(alone.tie, abs=1e-12)


def test_the_hands_that_call(capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(output(capsys, "random", "30%", "--by-hand", "--csv"))
    calls = [row for row in found if row["player"] == "random" and float(row["equity"]) >= 0.476]
    named = json.loads(output(capsys, "random", "30%", "--above", "47.6%", "--json"))["above"]
    assert named["equity"] == 0.476
    assert gpuodds.Range(named["range"]) == gpuodds.Range(",".join(row["hand"] for row in calls))
    assert named["combos"] == sum(float(row["weight"]) for row in calls)
    assert output(capsys, "random", "30%", "--above", "0.476").splitlines()[-1] == named["range"]
    (row,) = rows(output(capsys, "random", "30%", "--above", "pot-odds", *PRICE, "--csv"))
    assert row["range"] == named["range"] and float(row["equity"]) == 1000 / 2100
    assert "by_hand" not in output(capsys, "random", "30%", "--above", "47.6%", "--json")


def test_hands_above_keep_weights_and_short_texts() -> None:
    """Combos that the board blocks are written with the others of their starting hand."""
    result = gpuodds.equity(["22+,AK:0.5", "AK,QQ"], board="2s7d9h", by_hand=True)
    above = result.hands_above(0.8)
    assert above == gpuodds.Range("KK+,99,77,22")
    assert result.hands_above(0.0) == gpuodds.Range("22+,AK:0.5")
    assert not result.hands_above(1.0, 1)
    assert gpuodds.equity(["AsKs", "QQ"], by_hand=True).hands_above(0.4).to_string() == "AsKs"
    omaha = gpuodds.equity(["AA:$ds", "KKQQ"], board="2s7d9h", game="omaha", by_hand=True)
    best, *_, worst = omaha.by_starting_hand(1)
    assert best.equity >= worst.equity
    assert (
        omaha.hands_above(worst.equity, 1).num_combos <= gpuodds.Range("KKQQ", game="omaha").num_combos
    )
    with pytest.raises(InputError, match="equity 2: expected 0 to 1"):
        result.hands_above(2)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--pot", "5"], "--pot 5: expected --to-call, too: the chips that a call takes"),
        (["--to-call", "5"], "--to-call 5: expected --pot, too: the chips in it before the call"),
        (["--pot", "x", "--to-call", "5"], "--pot x: expected a number of chips"),
        (["--pot", "5", "--to-call", "0"], "--to-call 0: expected the chips that a call takes"),
        (["--pot", "5", "--to-call", "6"], "--pot 5: less than --to-call 6; expected all chips"),
        (["--above", "pot-odds"], "--above pot-odds: expected --pot and --to-call, too"),
        (["--above", "200%"], "--above 200%: expected an equity, such as 47.6%, or pot-odds"),
        (["--batch", "x.csv", "--above", "5%"], "--above with --batch: expected without it"),
        (["--batch", "x.csv", *PRICE], "--pot with --batch: expected in the columns of the file"),
    ],
)
def test_wrong_prices(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    hands = [] if "--batch" in words else ["AKs", "QQ"]
    assert run(["equity", *hands, *words]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"gpuodds: {message}") and err.count("\n") == 1


def test_calls_in_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = ["hand_1,hand_2,pot,to_call", "AKs,QQ,1100,1000", "AsKs,QdQh,,", "AsKs,22+,5,"]
    Path("spots.csv").write_text("\n".join(lines) + "\n")
    assert run(["equity", "--batch", "spots.csv"]) == 3
    priced, plain, wrong = rows(capsys.readouterr().out)
    assert float(priced["pot_odds"]) == 1000 / 2100
    assert float(priced["expected_value"]) == pytest.approx(-6274825 / 190256, abs=1e-9)
    assert plain["pot_odds"] == "" and plain["equity_1"] and plain["error"] == ""
    assert wrong["error"] == "pot 5: expected to_call, too: the chips that a call takes"
    assert run(["equity", "--batch", "spots.csv", "--format", "jsonl"]) == 3
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert answers[0]["call"]["expected_value_exact"] == "-6274825/190256"
    assert "call" not in answers[1]
    found = gpuodds.equities([{"hands": ["AKs", "QQ"], "pot": 1100, "to_call": 1000}, {"hands": "AA"}])
    call = found[0].call
    assert call is not None and call.pot_odds == Fraction(10, 21)
    assert found[1].call is None
    assert str(found.columns["pot_odds"][1]) == "nan"
    assert found.to_dict()["expected_value"][1] is None
