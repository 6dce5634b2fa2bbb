"""``gpuodds ev``: what it prints and writes."""

import json
import random
from fractions import Fraction
from pathlib import Path

import dealing
import pytest

from gpuodds.cards import parse_cards
from gpuodds.cli.main import run
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.histories import ledger, ledger_columns

NAMES = ["Ann", "Bob", "Cem", "Dee: x", "Eve", "Fay", "Gus", "Hal", "Ida"]


def rank(hole, board):
    return HOLDEM.rank_hand(parse_cards("".join(hole)), parse_cards("".join(board)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    draw = random.Random(2)
    hands = [dealing.deal(draw, rank=rank, wild=0.4) for _ in range(120)]
    path = tmp_path_factory.mktemp("hands")
    stars = [dealing.to_stars(hand, number=at + 1, names=NAMES) for at, hand in enumerate(hands)]
    (path / "a.txt").write_text("".join(stars[:60]), encoding="utf-8-sig")
    (path / "b.txt").write_text("".join(stars[50:]), encoding="utf-16")  # ten hands again
    (path / "c.txt").write_text("nothing here\n")
    return path


def output_of(capsys: pytest.CaptureFixture[str], *arguments: object, code: int = 0) -> tuple[str, str]:
    capsys.readouterr()
    assert run(["ev", *map(str, arguments)]) == code
    captured = capsys.readouterr()
    return captured.out, captured.err


def test_players(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = output_of(capsys, folder)
    assert out.split()[:3] == ["player", "hands", "result"] and "Dee: x" in out
    assert "120 hands" in err and "10 of them twice" in err
    assert "c.txt: line 1: not a hand history: 'nothing here'" in err


def test_json_of_players_and_of_hands_have_the_same_sums(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    players = [json.loads(line) for line in output_of(capsys, folder, "--json")[0].splitlines()]
    hands = [
        json.loads(line) for line in output_of(capsys, folder, "--hands", "--json")[0].splitlines()
    ]
    assert players[-1]["skipped"] == hands[-1]["skipped"] and len(hands) == 121
    for player in players[:-1]:
        rows = [
            hand["players"][player["player"]]
            for hand in hands[:-1]
            if player["player"] in hand["players"]
        ]
        assert len(rows) == player["hands"]
        for key in ("result", "ev"):
            assert sum(Fraction(row[key]) for row in rows) == Fraction(player[key])
        for row in rows:
            luck = sum(Fraction(value) for value in row["luck"].values())
            assert Fraction(row["result"]) - Fraction(row["ev"]) == luck
            won = [pot for pot in row["pots"] if pot["equity"] is not None]
            if len(won) == len(row["pots"]):
                missed = sum(
                    Fraction(pot["won"]) - Fraction(pot["equity"]) * Fraction(pot["size"])
                    for pot in won
                )
                assert missed == luck


@pytest.mark.slow
@pytest.mark.parametrize("by", ["day", "table", "stakes", "position", "hand", "game", "site"])
def test_groups_add_up(folder: Path, by: str) -> None:
    (whole,) = ledger(folder, player="Ann").totals
    groups = ledger(folder, player="Ann", by=by).totals
    assert sum(one.hands for one in groups) == whole.hands
    assert (
        sum(one.ev for one in groups) == whole.ev and sum(one.result for one in groups) == whole.result
    )


@pytest.mark.slow
def test_processes_do_not_change_the_answer(folder: Path) -> None:
    alone, several = ledger(folder, workers=1), ledger(folder, workers=2)
    assert [one.to_dict() for one in alone.totals] == [one.to_dict() for one in several.totals]
    assert (alone.again, alone.skipped) == (several.again, several.skipped)


def test_files(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import pandas as pd

    for name in ("out.csv", "out.parquet", "out.jsonl"):
        output_of(capsys, folder, "--out", tmp_path / name, "--player", "Bob")
    lines = pd.read_csv(tmp_path / "out.csv")
    columns = pd.read_parquet(tmp_path / "out.parquet")
    assert list(lines.columns) == list(columns.columns) and len(lines) == len(columns)
    frame = pd.DataFrame(ledger_columns(folder, player="Bob"))
    assert abs(frame["ev"].sum() - columns["ev"].sum()) < 1e-6 and set(lines["player"]) == {"Bob"}
    assert len((tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()) == 120
    out, _ = output_of(capsys, folder, "--hands", "--csv", "--player", "Bob")
    assert out == (tmp_path / "out.csv").read_bytes().decode().replace("\r\n", "\n")


def test_picture_and_list_of_all_ins(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "luck.svg"
    out, err = output_of(capsys, folder, "--player", "Ann", "--plot", picture, "--hands")
    assert "<svg" in picture.read_text() and "Ann" in err
    assert "the 20 with most luck, good or bad" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no-such.txt"], "no-such.txt: no such file"),
        (["no-*.txt"], "no-*.txt: no file matches"),
        (["{folder}", "--player", "Zoe"], "--player Zoe: not in any of 120 hands"),
        (["{folder}", "--by", "moon"], "by moon: expected one of day, table"),
        (["{folder}", "--unknown", "ZZ"], "ZZ: "),
        (["{folder}", "--out", "a.txt"], "a.txt: expected a file that ends in .csv, .jsonl, .parquet"),
        (["{folder}", "--plot", "a.txt"], "a.txt: expected a file that ends in .png"),
        (["{folder}", "--workers", "0"], "--workers 0: expected 1 or more"),
        (["{folder}", "--json", "--csv"], "--json and --csv: expected one of them"),
        (["{folder}/c.txt"], "no hand could be read: "),
    ],
)
def test_bad_input(
    folder: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _, err = output_of(capsys, *(text.format(folder=folder) for text in arguments), code=2)
    assert message in err.splitlines()[-1]


def test_a_range_for_unknown_hands_comes_with_a_warning(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, err = output_of(capsys, folder, "--player", "Ann", "--unknown", "22+")
    assert "losers muck" in err


def test_an_interrupt_keeps_what_was_counted(folder: Path) -> None:
    found = ledger(folder, stop=lambda: True)
    assert found.stopped and 0 < found.hands < 121
