"""Notes on weights in percent of 1 or less, where a share may be meant."""

from __future__ import annotations

import json
from typing import Any

import pytest

import gpuodds
from gpuodds import Range
from gpuodds.basics.choices import GameName
from gpuodds.cli.main import run

HOLDEM = "AA@0.5 is a weight of 0.5 %: write AA(0.5%), or AA:0.5 for the share 0.5"


@pytest.mark.parametrize(
    ("text", "game", "note"),
    [
        ("AA@0.5", "holdem", HOLDEM),
        ("AA @ 0.5, KK", "holdem", HOLDEM),
        ("AA@0.5", "short-deck", HOLDEM),
        ("set_range_oop QQ,AA@0.5", "holdem", HOLDEM),
        ("QQ AA@1", "holdem", "AA@1 is a weight of 1 %: write AA(1%), or AA:1 for the share 1"),
        (
            "(AA,KK)@.5,QQ@50",
            "holdem",
            "(AA,KK)@.5 is a weight of .5 %: write (AA,KK)(.5%), or (AA,KK):.5 for the share .5",
        ),
        (
            "{55,AsKs@1}:0.5,QQ@0.25,72o@0.01",
            "holdem",
            "AsKs@1 is a weight of 1 %, like 2 more of 1 % or less: write AsKs(1%), or AsKs:1 for the "
            "share 1",
        ),
        (
            "[1]AK,QQ[/1],[50]JJ[/50]",
            "holdem",
            "[1]AK,QQ[/1] is a weight of 1 %: write 1%(AK,QQ), or (AK,QQ):1 for the share 1",
        ),
        (
            "AA@0.5",
            "omaha",
            "AA@0.5 is a weight of 0.5 %: write AA@0.5%, or AA@50 for the share 0.5",
        ),
        (
            "KKQQ@50,AAKK@1,JJTT@0.5",
            "omaha",
            "AAKK@1 is a weight of 1 %, like 1 more of 1 % or less: write AAKK@1%, or AAKK@100 for the "
            "share 1",
        ),
        (
            "QQQQ,([AK][A,K]QJ:$ts,7654) @ 0.1",
            "omaha5",
            "([AK][A,K]QJ:$ts,7654)@0.1 is a weight of 0.1 %: write ([AK][A,K]QJ:$ts,7654)@0.1%, or "
            "([AK][A,K]QJ:$ts,7654)@10 for the share 0.1",
        ),
        (
            "(AAKK:$ds@1,QQJJ)@50",
            "omaha",
            "AAKK:$ds@1 is a weight of 1 %: write AAKK:$ds@1%, or AAKK:$ds@100 for the share 1",
        ),
    ],
)
def test_a_small_percentage_has_a_note(text: str, game: GameName, note: str) -> None:
    assert Range(text, game=game).notes == (note,)


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("AA@0,KK@1.5,[0.0]QQ[/0.0],JJ@50", "holdem"),
        ("AA(0.5%),KK:0.5,0.5%(QQ),JJ:1,0.5(TT),0.5%", "holdem"),
        ("AAKK@0,KKQQ@1.5", "omaha"),
        ("AAKK@0.5%,KKQQ:$ds@1%,(QQ99,JJ:$ds)@0.5%", "omaha"),
    ],
)
def test_other_weights_have_none(text: str, game: GameName) -> None:
    assert Range(text, game=game).notes == ()


@pytest.mark.parametrize("game", ["holdem", "short-deck", "omaha", "omaha5"])
def test_weights_by_hand_are_shares(game: GameName) -> None:
    hand = "AAKKQ"[: 2 if "omaha" not in game else 4]
    found = Range({hand: 0.005}, game=game)
    assert found.notes == () and found.weights.max() == 0.005


def test_a_percent_sign_changes_no_weight_in_omaha() -> None:
    for text in ("AAKK@{},QQJJ", "AA:$ds@{}", "(AA,KKQQ@2{})@{}"):
        plain, signed = (Range(text.replace("{}", part), game="omaha") for part in ("7", "7%"))
        assert plain == signed
    with pytest.raises(gpuodds.InputError, match="column 6: expected a weight of 0 to 100"):
        Range("AAKK@150%", game="omaha")
    with pytest.raises(gpuodds.InputError, match="column 9: expected a comma, found '-'"):
        Range("AAKK@50%-70%", game="omaha")


def test_notes_reach_answers_and_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    spot: dict[str, Any] = {"board": "2s7d9hTc", "backend": "cpu"}
    assert gpuodds.equity(["AA@0.5,KK", "QQ"], **spot).to_dict()["notes"] == [HOLDEM]
    assert run(["equity", "AA@0.5,KK", "QQ", "--board", "2s7d9hTc", "--backend", "cpu", "--json"]) == 0
    found = capsys.readouterr()
    assert found.err == f"gpuodds: {HOLDEM}\n" and json.loads(found.out)["notes"] == [HOLDEM]
