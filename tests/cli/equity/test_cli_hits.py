"""``gpuodds hits`` as a user runs it: tables, JSON, CSV, and one line for bad input."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path

import pytest

import gpuodds
from gpuodds.cli.main import run
from gpuodds.games.shared.hit_names import DRAWS, MADE


def rows_of(out: str) -> dict[str, list[str]]:
    """Return the cells of each line of the tables by the name that it begins with."""
    lines = [line.strip().split("   ") for line in out.splitlines()]
    return {first.strip(): [cell.strip() for cell in cells if cell] for first, *cells in lines}


def test_a_person_sees_every_street(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["hits", "QQ+,AK,", "7s6s", "--board", "2s7dKhTs3s", "--dead", "4c"]) == 0
    out, err = capsys.readouterr()
    assert err == "" and out.splitlines()[:2] == [
        "board 2s7dKhTs3s, dead 4c",
        "QQ+,AK,,7s6s: 28 combos",
    ]
    rows = rows_of(out)
    assert rows["made hand"] == ["flop", "flop %", "turn", "turn %", "river", "river %"]
    assert rows["draw"] == ["flop", "flop %", "turn", "turn %"]
    assert rows["top pair"] == ["12", "42.86", "12", "42.86", "11", "39.29"]
    assert rows["flush draw"] == ["0", "0.00", "2", "7.14"]
    assert [name for name in rows if name in MADE] == list(MADE)
    assert [name for name in rows if name in DRAWS] == list(DRAWS)


def test_a_person_sees_means_over_all_flops(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["hits", "AKs"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("AKs: 4 combos, each on the 19,600 flops without its cards\n")
    assert rows_of(out)["top pair"] == ["1.158", "28.96"]


def test_a_person_sees_hands(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["hits", "AKs:0.5", "--board", "2s7sKh", "--by-hand"]) == 0
    lines = [line.split("  ") for line in capsys.readouterr().out.splitlines()]
    assert [[cell.strip() for cell in line if cell] for line in lines if "top pair" in str(line)] == [
        ["AsKs", "0.5", "top pair", "flush draw, nut flush draw, flush draw + pair"],
        ["AdKd", "0.5", "top pair"],
        ["AcKc", "0.5", "top pair"],
    ]


def test_a_game_has_its_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["hits", "99+", "--board", "6s9hTd", "--game", "short-deck"]) == 0
    names = list(rows_of(capsys.readouterr().out))
    assert names.index("flush") < names.index("full house") < names.index("straight")


@pytest.mark.parametrize("by_hand", [False, True])
def test_json_is_that_of_the_library(by_hand: bool, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--by-hand"] if by_hand else []
    assert run(["hits", "22+,AK:0.5", "--board", "2s7dKhTh", "--json", *options]) == 0
    expected = gpuodds.range_hits("22+,AK:0.5", board="2s7dKhTh").to_dict(by_hand)
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(expected))


def test_csv(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["hits", "AsKs,8s6s:0.5", "--board", "2s7s9h3d5c", "--csv"]
    assert run(words) == 0
    rows = [*csv.DictReader(StringIO(capsys.readouterr().out))]
    assert len(rows) == 3 * len(MADE) + 2 * len(DRAWS)
    assert list(rows[0].values()) == ["flop", "2s7s9h", "made", "straight flush", "0.0", "0.0"]
    assert sum(float(row["share"]) for row in rows if row["kind"] == "made") == pytest.approx(3)
    assert run([*words, "--by-hand"]) == 0
    rows = [*csv.DictReader(StringIO(capsys.readouterr().out))]
    assert [(row["street"], row["hand"]) for row in rows] == [
        *(("flop", "AsKs"), ("flop", "8s6s"), ("turn", "AsKs"), ("turn", "8s6s")),
        *(("river", "8s6s"), ("river", "AsKs")),
    ]
    assert rows[0] == {
        "street": "flop",
        "board": "2s7s9h",
        "hand": "AsKs",
        "weight": "1.0",
        "made": "ace high",
        "draws": "flush draw, nut flush draw, overcards",
    }


def test_omaha_lists_as_many_hands_as_holdem_has(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["hits", "15%", "--game", "omaha", "--board", "2s7d9h", "--by-hand"]
    assert run(words) == 0
    lines = capsys.readouterr().out.rstrip().split("\n")
    hands = len(gpuodds.range_hits("15%", game="omaha", board="2s7d9h").streets[0].numbers)
    assert lines[-1] == f"and {hands - 1326:,} more; --csv has every hand"
    assert run([*words, "--csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == hands + 1


def test_a_range_comes_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "utg.txt").write_text("QQ+\nAK\n")
    assert run(["hits", f"@{tmp_path / 'utg.txt'}", "--board", "2s7dKh", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["combos"] == 27


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["AA", "--board", "2s7d"], "board 2s7d: expected no cards, or three to five, found 2"),
        (["AA", "--game", "omaha"], "in omaha: expected a board of three to five cards"),
        (["AA", "--by-hand"], "--by-hand: expected --board with three to five cards"),
        (["AA", "--json", "--csv"], "--json and --csv: expected one of them"),
        (["AKx"], "AKx: column 3"),
        (["AA", "--board", "2s7d9h", "--dead", "9h"], "9h: the same card is in"),
        ([], "RANGE"),
    ],
)
def test_bad_input_is_one_line_and_code_2(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["hits", *words]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and err.startswith("gpuodds: ") and message in err
