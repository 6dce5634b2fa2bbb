"""``gpuodds equity --batch`` uses each column of a file, keeps it on request, or refuses it by name."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gpuodds
from gpuodds.cli.main import run

Batch = Callable[..., tuple[int, str, str]]


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


SPOTS: list[dict[str, Any]] = [
    {"hands": ["AsKs", "QhQd"], "folded": ["AA,KK"], "board": "2s7d9h", "dead": "2c"},
    {"hands": ["AsKs", "QhQd"], "folded": ["JhTh", "55+"], "board": "2s7d9h"},
    {"hands": ["AsKs"], "opponents": 2, "board": "2s7d9hTc"},
    {"hands": ["AsKs", "QhQd"], "board": "2s7d9h"},
    {"hands": ["QQ+,AK", "22+"], "board": "2s7d9h", "folded": ["AsKs"]},
    {"hands": ["AsKs", "QhQd"], "board": "8s7d9h", "game": "short-deck"},
]
CSV = """hand_1,hand_2,Folded_1, folded_2 ,board,DEAD,opponents,game
AsKs,QhQd,"AA,KK",,2s7d9h,2c,,
AsKs,QhQd,JhTh,55+,2s7d9h,,,
AsKs,,,,2s7d9hTc,,2,
AsKs,QhQd,,,2s7d9h,,,holdem
"QQ+,AK",22+,,AsKs,2s7d9h,,,
AsKs,QhQd,,,8s7d9h,,,short-deck
"""


def spread(spot: dict[str, Any]) -> dict[str, Any]:
    """Return the row of a spot with a key for each player."""
    row = {f"hand_{number}": hand for number, hand in enumerate(spot["hands"], 1)}
    row |= {f"Folded_{number}": hand for number, hand in enumerate(spot.get("folded", []), 1)}
    return row | {key: value for key, value in spot.items() if key not in ("hands", "folded")}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rows.csv", CSV),
        ("rows.jsonl", "\n".join(map(json.dumps, SPOTS))),
        ("rows.jsonl", "\n".join(json.dumps(spread(spot)) for spot in SPOTS)),
        ("rows.json", json.dumps(SPOTS)),
        ("-", json.dumps([spread(spot) for spot in SPOTS], indent=1)),
    ],
    ids=["csv", "lines", "lines of numbered keys", "array", "array of numbered keys"],
)
def test_every_column_is_used(batch: Batch, name: str, text: str) -> None:
    wanted = [gpuodds.equity(**spot) for spot in SPOTS]
    code, out, error = batch(text, "--format", "jsonl", name=name)
    assert (code, error) == (0, "")
    found = [json.loads(line) | {"seconds": 0} for line in out.splitlines()]
    assert found == [answer.to_dict() | {"seconds": 0} for answer in wanted]
    code, out, _ = batch(text, "--csv", name=name)
    rows = read(out)
    assert code == 0
    assert [float(row["equity_1"]) for row in rows] == [answer.players[0].equity for answer in wanted]
    assert batch(out, "--keep", "all")[1] == out  # the columns say all that the rows did


def test_a_folded_column_of_csv(batch: Batch) -> None:
    code, out, _ = batch('hand_1,hand_2,folded\nAsKs,QhQd,"22+,A2s+"\nAsKs,QhQd,\nAsKs,QhQd,QhJh\n')
    rows = read(out)
    one, none = (gpuodds.equity(["AsKs", "QhQd"], folded=folded) for folded in ("22+,A2s+", ""))
    assert code == 3 and list(rows[0])[:4] == ["hand_1", "hand_2", "folded", "equity_1"]
    assert [float(row["equity_1"]) for row in rows[:2]] == [
        one.players[0].equity,
        none.players[0].equity,
    ]
    assert rows[0]["folded"] == "22+,A2s+" and one.players[0].equity != none.players[0].equity
    assert rows[2]["error"] == "Qh: the same card is in QhQd and folded QhJh"


EXPECTED = (
    "expected hand_1, hand_2, ..., and optionally board, dead, opponents, pot, to_call, game, "
    "folded or folded_1, "
)


@pytest.mark.parametrize(
    ("header", "words", "error"),
    [
        (
            "hand_1,hand2,flop",
            [],
            "column hand2: not known: did you mean hand_2? (--keep hand2 copies it",
        ),
        ("Hand1,Hand2", [], "column Hand1: not known: did you mean hand_1? (--keep hand1 copies it"),
        ("hand_1,hand_02", [], "column hand_02: not known: did you mean hand_2?"),
        ("hand", [], "column hand: not known: did you mean hand_1, hand_2, ...?"),
        ("hand_1,hand_2,oponents", [], "column oponents: not known: did you mean opponents?"),
        ("hand_1,villain", [], f"column villain: not known: {EXPECTED}... (--keep villain copies it"),
        ("hand_1,opponent", [], "column opponent: not known: did you mean opponents?"),
        (
            "id,hand_1,my note",
            [],
            f"columns id, my note: not known: {EXPECTED}... (--keep 'id,my note'",
        ),
        ("a,b,c,d,e,f,hand_1", [], "columns a, b, c, d, e and 1 more: not known: expected hand_1"),
        ("id,hand_1,note", ["--keep", "id"], "column note: not known: expected hand_1"),
        (",hand_1", [], f"column '': not known: {EXPECTED}... (--keep all copies it unread)"),
        ("hand_1,Board,board ", [], "column board is there twice: 'Board' and 'board '"),
        ("hand_1,id,ID", ["--keep", "all"], "column id is there twice: 'id' and 'ID'"),
        (
            "hand_1,hand2",
            ["--keep", "all"],
            "column hand2: not known: did you mean hand_2? (--keep all,hand2",
        ),
        ("hand_1,id", ["--keep", "idd"], "--keep idd: there is no such column: did you mean id?"),
        ("hand_1,error", [], "column error: the answers have that name: rename it or leave it out"),
        ("hand_1,method", ["--keep", "all"], "column method: the answers have that name"),
        (
            "hand_1,equity_1,win_1,tie_1,method,exact,error",
            [],
            "columns equity_1, win_1, tie_1, method, exact",
        ),
    ],
)
def test_a_column_is_refused_by_name_before_anything_is_computed(
    batch: Batch, tmp_path: Path, header: str, words: list[str], error: str
) -> None:
    out = tmp_path / "answers.csv"
    code, shown, message = batch(
        f"{header}\n" + "," * header.count(",") + "\n", *words, "--out", str(out)
    )
    assert (code, shown, out.exists()) == (2, "", False)
    assert message.startswith(f"gpuodds: {tmp_path}/rows.csv: line 1: {error}"), message
    assert message.count("\n") == 1


def test_keys_of_json_are_errors_of_their_rows(batch: Batch) -> None:
    lines = [
        '{"hands": ["AsKs"], "Board ": "2s7d9h"}',
        '{"hands": ["AsKs"], "hand2": "QhQd"}',
        '{"hands": ["AsKs"], "id": 1}',
        '{"hands": ["AsKs"], "board": "2s7d9h", "board": "2s7d9hTc"}',
        '{"hands": ["AsKs"], "board": "2s7d9h", "BOARD": "2s7d9hTc"}',
    ]
    for name, text in (("rows.jsonl", "\n".join(lines)), ("rows.json", f"[{','.join(lines)}]")):
        code, out, _ = batch(text, name=name)
        found = [json.loads(line) for line in out.splitlines()]
        assert code == 3 and found[0]["board"] == "2s7d9h"
        for row, error in zip(
            found[1:],
            [
                "key hand2: not known: did you mean hand_2? (--keep hand2 copies it unread)",
                "key id: not known: expected hands, or hand_1",
                "key board is there twice",
                "key board is there twice: 'board' and 'BOARD'",
            ],
            strict=True,
        ):
            assert row["error"].startswith(error)


def test_csv_columns_are_kept(batch: Batch, tmp_path: Path) -> None:
    text = "id,Hand_1,my note,board\n1,AsKs,good,2s7d9h\n2,AsKx,,\n"
    for keep in ("all", "id,My Note", " ID , my note "):
        code, out, _ = batch(text, "--keep", keep)
        rows = read(out)
        assert code == 3 and list(rows[0])[:5] == ["id", "Hand_1", "my note", "board", "equity_1"]
        assert [(row["id"], row["my note"]) for row in rows] == [("1", "good"), ("2", "")]
        _, out, _ = batch(text, "--keep", keep, "--json")
        found = [json.loads(line) for line in out.splitlines()]
        assert [row["kept"] for row in found] == [
            {"id": "1", "my note": "good"},
            {"id": "2", "my note": ""},
        ]
        assert found[1]["error"].startswith("hand_1: AsKx") and found[0]["board"] == "2s7d9h"
    parquet = pytest.importorskip("pyarrow.parquet")
    target = tmp_path / "answers.parquet"
    assert batch(text, "--keep", "all", "--out", str(target))[0] == 3
    assert parquet.read_table(target)["my note"].to_pylist() == ["good", ""]
    unnamed = batch(",hand_1\n0,AsKs\n", "--keep", "all")[1]
    assert unnamed.startswith(",hand_1,equity_1") and unnamed.splitlines()[1].startswith("0,AsKs,")
    carried = batch("hand_1,hand2\nAsKs,QhQd\n", "--keep", "all,hand2")
    assert carried[0] == 0 and read(carried[1])[0]["hand2"] == "QhQd"


def test_json_keys_are_kept(batch: Batch) -> None:
    rows: list[Any] = [
        {"hands": ["AsKs"], "id": 1, "tags": ["a", None]},
        {"hands": ["AsKx"], "ID": "two"},
        {"hands": ["AsKs"], "bord": "", "id": 3},
        {"hands": ["AsKs"], "id": None},
        "AsKs",
    ]
    for name, text in (
        ("rows.jsonl", "\n".join(map(json.dumps, rows))),
        ("rows.json", json.dumps(rows)),
    ):
        code, out, _ = batch(text, "--keep", "all", name=name)
        found = [json.loads(line) for line in out.splitlines()]
        kept = [row["kept"] for row in found]
        assert code == 3
        assert kept[:2] == [{"id": 1, "tags": ["a", None]}, {"ID": "two"}]
        assert kept[2:] == [{"bord": "", "id": 3}, {"id": None}, {}]
        assert [bool(row.get("error")) for row in found] == [False, True, True, False, True]
        code, out, _ = batch(text, "--keep", "note,id,tags", "--csv", name=name)
        table = read(out)
        assert list(table[0])[4:8] == ["id", "tags", "note", "equity_1"]
        assert [row["id"] for row in table] == ["1", "two", "3", "", ""]
        assert table[0]["tags"] == '["a", null]' and table[2]["error"].startswith("key bord: not known")


def test_later_json_rows_must_fit_the_columns(batch: Batch) -> None:
    first = ['{"hands": ["AA", "KK"]}'] * 1000
    later: list[dict[str, Any]] = [
        {"hands": ["AsKs", "QhQd"], "folded": "JhTh"},
        {"hands": ["AsKs", "QhQd"], "game": "short-deck"},
        {"hands": ["AsKs", "QhQd"], "id": 5},
        {"hands": ["AsKs", "QhQd"]},
    ]
    lines = "\n".join([*first, *map(json.dumps, later)])
    code, out, _ = batch(lines, "--csv", "--keep", "all", name="-")
    assert code == 3
    assert [row["error"] for row in read(out)[999:]] == [
        "",
        "1 folded players: the columns have room for 0; write JSON lines",
        "key game: the first rows set the columns; write JSON lines",
        "key id: the first rows set the columns; write JSON lines",
        "",
    ]
    code, out, _ = batch(lines, "--csv", "--keep", "id", name="-")
    assert read(out)[1002]["id"] == "5" and read(out)[1002]["error"] == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rows.jsonl", "rows.json"])
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_nested_values_are_kept_or_their_rows_error(batch: Batch, name: str, form: str) -> None:
    """However deeply values are nested, there is an answer or one line; the stack's end is no fault."""
    codes = set()
    for depth in (10, *range(900, 1000), 100_000):
        row = f'{{"hands": ["AsKs"], "x": {"[" * depth}{"]" * depth}}}'
        code, out, error = batch(
            f"[{row}]" if name == "rows.json" else row, "--keep", "x", "--format", form, name=name
        )
        codes.add(code)
        assert code in (0, 2, 3) and error.count("\n") == (code > 0)
        assert code > 0 or "[" * depth in out
    assert 0 in codes and len(codes) > 1


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--batch", "-", "--keep", ","], "--keep ,: expected names of columns, or all"),
        (
            ["--batch", "-", "--folded", "22+"],
            "--folded with --batch: expected in the columns of the file",
        ),
        (["AsKs", "--keep", "id"], "--out, --format, --keep and --resume: expected with --batch FILE"),
    ],
)
def test_options(capsys: pytest.CaptureFixture[str], words: list[str], error: str) -> None:
    assert run(["equity", *words]) == 2
    assert re.fullmatch(f"gpuodds: {re.escape(error)}\n", capsys.readouterr().err)
