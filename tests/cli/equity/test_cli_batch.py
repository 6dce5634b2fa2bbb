"""``gpuodds equity --batch``: rows in, the same rows with answers out, in order, whatever is wrong."""

from __future__ import annotations

import csv
import io
import json
import re
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gpuodds
from gpuodds.cli.main import run
from gpuodds.errors import InputError
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.methods.batches.many_spots import ManySpots
from gpuodds.spots.batches.row_files import open_rows

KEEP = ("--keep", "id")
ROWS = """id,hand_1,hand_2,board,opponents
a,AsKs,QhQd,2s7d9h,
b,"QQ+,AK",22+,,
c,AsKs,,2s7d9hTc,2
d,AsKs,AsQd,,
e,AsKx,QhQd,,
f,AsKs,QhQd,2s7d9h,
"""
Batch = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUODDS_BACKEND", "cpu")


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def alone(*hands: str, **options: Any) -> dict[str, Any]:
    return gpuodds.equity(list(hands), **options).to_dict() | {"seconds": 0}


def test_rows_of_csv(batch: Batch) -> None:
    code, out, error = batch(ROWS, *KEEP)
    assert code == 3 and error == "gpuodds: 2 of 6 rows failed: see the column error\n"
    rows = read(out)
    figures = [f"{name}_{player}" for player in (1, 2) for name in ("equity", "win", "tie")]
    given = ["id", "hand_1", "hand_2", "board", "opponents"]
    assert list(rows[0]) == [*given, *figures, "method", "exact", "error"]
    assert [row["id"] for row in rows] == list("abcdef")
    assert [{name: row[name] for name in given} for row in rows] == read(ROWS)
    wanted = gpuodds.equity(["QQ+,AK", "22+"])
    for number, player in enumerate(wanted.players, 1):
        found = [float(rows[1][f"{name}_{number}"]) for name in ("equity", "win", "tie")]
        assert found == [player.equity, player.win, player.tie]
    assert rows[1]["method"] == "table" and rows[1]["exact"] == "True" and rows[1]["error"] == ""
    three = gpuodds.equity("AsKs", opponents=2, board="2s7d9hTc")
    assert float(rows[2]["equity_1"]) == three.equity and rows[2]["equity_2"] == ""
    assert rows[3]["error"] == "As: the same card is in AsKs and AsQd" and rows[3]["method"] == ""
    assert rows[4]["error"].startswith("hand_1: AsKx: column 4: expected a suit")
    assert rows[0]["equity_1"] == rows[5]["equity_1"] != ""


@pytest.mark.parametrize("name", ["rows.jsonl", "-"])
def test_json_lines_are_the_objects_of_equity(batch: Batch, name: str) -> None:
    lines = [
        {"hands": ["AsKs", "QhQd"], "board": "2s7d9h"},
        {"hands": ["AsKs"], "opponents": 2, "dead": "2c"},
        {"hands": ["AsKs", "As2s"]},
        {"hand_1": "QQ+,AK", "hand_2": "22+"},
        {"hands": ["AsKs"], "bord": "2s7d9h"},
    ]
    text = "\n\n".join(map(json.dumps, lines)) + '\n{"hands": \n'
    code, out, error = batch(text, name=name)
    assert code == 3 and error == "gpuodds: 3 of 6 rows failed: see their lines\n"
    found = [json.loads(line) for line in out.splitlines()]
    assert found[0] | {"seconds": 0} == alone("AsKs", "QhQd", board="2s7d9h")
    assert found[1] | {"seconds": 0} == alone("AsKs", opponents=2, dead="2c")
    assert found[2] == {"error": "As: the same card is in AsKs and As2s"}
    assert found[3] | {"seconds": 0} == alone("QQ+,AK", "22+")
    assert found[4]["error"].startswith("key bord: not known: did you mean board? ")
    assert found[5]["error"].startswith("line 10: column 10: not JSON: ")


@pytest.mark.parametrize("name", ["rows.json", "rows.jsonl", "-"])
@pytest.mark.parametrize("indent", [None, 2])
def test_an_array_of_json_is_read_as_its_objects(batch: Batch, name: str, indent: int | None) -> None:
    rows: list[Any] = [{"hands": ["AsKs", "QhQd"], "board": "2s7d9h"}, "AsKs", {"hand_1": "AKx"}, 5]
    rows += [
        {"hand_1": "AsKs", "opponents": number % 3 + 1, "board": "2s7d9hTc"} for number in range(40)
    ]
    wanted = batch("\n".join(map(json.dumps, rows)), name=name)
    code, out, error = batch("\n" + json.dumps(rows, indent=indent), name=name)
    seconds = re.compile(r'"seconds": [^,}]*')
    assert (code, seconds.sub("", out), error) == (wanted[0], seconds.sub("", wanted[1]), wanted[2])
    assert code == 3 and len(out.splitlines()) == 44
    if name != "-":
        assert batch(json.dumps(rows, indent=indent), "--csv", name=name)[1].count("\n") == 45
    assert batch("[ ]", name=name) == (0, "", "")
    assert batch("[]", "--csv", name=name)[1].startswith("hand_1,board,dead,opponents,equity_1,")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (
            '{\n  "hands": ["AsKs"]\n}\n',
            "line 1: an object over several lines: expected a JSON object a",
        ),
        ('\n{"hands":\n["AsKs"]}\n', "line 2: an object over several lines"),
        ('\n[{"hands": ["AsKs"]},\n {"hands": }]', "line 3: column 12: not JSON: Expecting value"),
        ('[{"hands": ["AsKs"]}', "line 1: column 21: not JSON: Expecting ',' delimiter"),
        ("[" * 100_000, "not JSON that can be read: "),
        ("", "line 1: the file is empty: expected a JSON object a line, or an array of them"),
    ],
)
def test_json_that_is_neither_lines_nor_an_array(batch: Batch, text: str, error: str) -> None:
    code, out, shown = batch(text, name="rows.json")
    assert (code, out) == (2, "") and shown.startswith(f"gpuodds: {shown.split()[1]} {error}")
    assert shown.count("\n") == 1


@pytest.mark.parametrize("after", ["", '{"hands": ["AsKs"], "board": "2s7d9hTc"}\n'])
@pytest.mark.parametrize("name", ["rows.jsonl", "-"])
def test_a_first_row_that_is_cut_off_is_that_row_s_error(batch: Batch, name: str, after: str) -> None:
    code, out, _ = batch('\n{"hands": ["AsKs",\n\n' + after * 2, name=name)
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 3 and len(rows) == 1 + after.count("\n") * 2
    assert rows[0]["error"].startswith("line 2: column 19: not JSON: Expecting value")
    assert not any("error" in row for row in rows[1:])


def test_a_cut_off_row_comes_before_the_damage_after_it(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"hands": ["AsKs",\n\xff\n')
    with open_rows(path, game=HOLDEM) as rows:
        piece = rows.read(10)
        assert piece is not None and "line 1: column 19: not JSON" in str(piece.rows[0])
        with pytest.raises(InputError, match="line 2: expected text in UTF-8"):
            rows.read(10)


def test_formats_go_by_ending_or_option(batch: Batch, tmp_path: Path) -> None:
    good = "".join(line for line in ROWS.splitlines(True) if line[0] not in "de")
    _, shown, _ = batch(good, *KEEP)
    target = tmp_path / "answers.csv"
    assert batch(good, *KEEP, "--out", str(target)) == (0, "", "") and target.read_text() == shown
    _, lines, _ = batch(good, *KEEP, "--format", "jsonl")
    assert [json.loads(line)["hands"] for line in lines.splitlines()] == [
        ["AsKs", "QhQd"],
        ["QQ+,AK", "22+"],
        ["AsKs"],
        ["AsKs", "QhQd"],
    ]
    assert batch(good, *KEEP, "--json")[1].count("\n") == 4
    objects = '{"hands": ["AsKs"], "board": "2s7d9h", "opponents": 1}\n{"hands": ["AA", "KK"]}\n'
    _, out, _ = batch(objects, "--format", "csv", name="rows.jsonl")
    rows = read(out)
    assert [rows[0][name] for name in ("hand_1", "hand_2", "board", "opponents")] == [
        "AsKs",
        "",
        "2s7d9h",
        "1",
    ]
    assert float(rows[1]["equity_2"]) == gpuodds.equity(["AA", "KK"]).players[1].equity
    again = batch(shown, "--keep", "all")[1]
    assert again == shown  # an answered file is answered again


def test_parquet(batch: Batch, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    target = tmp_path / "answers.parquet"
    assert batch(ROWS, *KEEP, "--out", str(target))[0] == 3
    table = parquet.read_table(target)
    rows = read(batch(ROWS, *KEEP)[1])
    assert table.column_names == list(rows[0])
    for found, row in zip(table.to_pylist(), rows, strict=True):
        shown = {name: "" if value is None else str(value) for name, value in found.items()}
        assert shown == row


@pytest.mark.parametrize(
    "text",
    [
        b"\xef\xbb\xbf" + ROWS.replace("\n", "\r\n").encode(),
        ROWS.replace("\n", "\n\n"),
        ROWS.replace("\n", ",\n"),
        ROWS.replace(",", ";").replace('"QQ+;AK"', "QQ+,AK"),
        ROWS.replace(",", ", ").replace('"QQ+, AK"', '"QQ+,AK"'),
        ROWS.replace("hand_1", " Hand_1 "),
        ROWS + ",,,,\n,,,,\n",
    ],
    ids=["bom and crlf", "blank lines", "empty column", "semicolons", "blanks", "header", "blank rows"],
)
def test_csv_of_spreadsheets(batch: Batch, text: str | bytes) -> None:
    code, out, _ = batch(text, *KEEP)
    wanted = read(batch(ROWS, *KEEP)[1])
    rows = read(out)
    assert code == 3 and len(rows) == len(wanted)
    for row, other in zip(rows, wanted, strict=True):
        assert [row[name] for name in ("id", "equity_1", "equity_2", "error")] == [
            other[name] for name in ("id", "equity_1", "equity_2", "error")
        ]


@pytest.mark.parametrize(
    ("text", "words", "error"),
    [
        (
            "AsKs,QhQd\n",
            [],
            r"rows.csv: line 1: column hand_1 is missing: expected hand_1, .*AsKs,QhQd",
        ),
        ("hand_1,hand_3\n", [], "line 1: column hand_2 is missing"),
        ("hand_1,hand_1\n", [], "line 1: column hand_1 is there twice"),
        ("hand_1,hands\n", [], "line 1: column hands: expected a column for each player: hand_1"),
        ("", [], "rows.csv: line 1: the file is empty"),
        (",,,\n1,2,3,4\n", [], "line 1: column hand_1 is missing.*found ''"),
        ('""\n', [], "line 1: column hand_1 is missing.*found ''"),
        ("hand_1\nAsKs\n", ["AsKs"], "HANDS with --batch: expected in the columns"),
        ("hand_1\nAsKs\n", ["--by-hand"], "--by-hand with --batch"),
        ("hand_1\nAsKs\n", ["--board", "2s7d9h"], "--board with --batch"),
        ("hand_1\nAsKs\n", ["--format", "xml"], "format xml: expected one of csv, jsonl, parquet"),
        ("hand_1\nAsKs\n", ["--format", "csv", "--json"], "--format csv and --json: expected one"),
        ("hand_1\nAsKs\n", ["--out", "no/folder/a.csv"], "no/folder/a.csv: cannot be written"),
        ("hand_1\nAsKs\n", ["--out", "a.txt"], "a.txt: expected a name that ends in .csv"),
        ("hand_1\nAsKs\n", ["--seed", "1", "--time-limit", "1"], "--seed with --time-limit"),
        ("hand_1\nAsKs\n", ["--method", "guess"], "method guess: expected one of"),
    ],
)
def test_what_is_wrong_as_a_whole(batch: Batch, text: str, words: list[str], error: str) -> None:
    code, out, shown = batch(text, *words)
    assert code == 2 and out == "" and shown.count("\n") == 1
    assert re.search(error, shown), shown


def test_a_header_of_many_columns_is_read_at_once(batch: Batch) -> None:
    header = ",".join(["hand_1", *(f"column_{number}" for number in range(100_000))])
    begin = time.perf_counter()
    code, out, _ = batch(f"{header}\nAsKs{',' * 100_000}\n", "--keep", "all")
    assert code == 0 and out.splitlines()[1].startswith("AsKs,")
    assert time.perf_counter() - begin < 10


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["equity", "--batch", "nowhere.csv"]) == 2
    assert (
        capsys.readouterr().err == "gpuodds: nowhere.csv: cannot be read: No such file or directory\n"
    )
    assert run(["equity", "AsKs", "--out", "a.csv"]) == 2
    assert "--keep and --resume: expected with --batch" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (b'"AsKs\nAsKs', "line 4: unexpected end of data"),
        (b'"As"Ks', "line 3: ',' expected after '\"'"),
        (b"As\xffKs", "line 3: expected text in UTF-8"),
    ],
)
def test_a_damaged_line_ends_the_batch_and_keeps_the_rows_before(
    batch: Batch, line: bytes, error: str, tmp_path: Path
) -> None:
    target = tmp_path / "answers.csv"
    code, _, shown = batch(b"hand_1\nAsKs\n" + line + b"\n", "--out", str(target))
    assert code == 2 and error in shown and shown.count("\n") == 1
    (row,) = read(target.read_text())
    assert float(row["equity_1"]) == gpuodds.equity("AsKs").equity


def test_rows_of_another_length_fail(batch: Batch) -> None:
    code, out, _ = batch("hand_1,hand_2\nAsKs\nAsKs,QhQd\nAsKs,QhQd,2s\n")
    assert code == 3
    assert [row["error"] for row in read(out)] == [
        "line 2: 1 cells: expected 2",
        "",
        "line 4: 3 cells: expected 2",
    ]


def test_no_rows_give_a_header(batch: Batch) -> None:
    assert batch("hand_1,board\n") == (
        0,
        "hand_1,board,equity_1,win_1,tie_1,method,exact,error\n",
        "",
    )


def test_later_json_rows_may_have_too_many_players_for_columns(batch: Batch) -> None:
    lines = ['{"hands": ["AA", "KK"]}'] * 1000 + ['{"hands": ["AA", "KK", "QQ"]}']
    code, out, _ = batch("\n".join(lines), "--csv", name="-")
    rows = read(out)
    assert code == 3 and len(rows) == 1001 and rows[999]["error"] == ""
    assert rows[1000]["error"] == "3 hands: the columns have room for 2; write JSON lines"


def test_the_seed_of_a_row(batch: Batch) -> None:
    text = "hand_1,hand_2,board\n" + "QQ+,22+,2c7d9h\n" * 3
    words = ["--method", "monte-carlo", "--samples", "500"]
    code, out, _ = batch(text, *words, "--seed", "5", "--json")
    assert code == 0
    for place, line in enumerate(out.splitlines()):
        options: dict[str, Any] = {"method": "monte-carlo", "samples": 500, "seed": 5 + place}
        wanted = alone("QQ+", "22+", board="2c7d9h", **options)
        assert json.loads(line) | {"seconds": 0} == wanted


def test_an_interrupted_batch_keeps_whole_rows(
    batch: Batch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = ManySpots.answer
    calls: list[int] = []

    def answer_and_press(self: ManySpots, *arguments: Any) -> Any:
        calls.append(1)
        if len(calls) == 4:
            signal.raise_signal(signal.SIGINT)
        return answer(self, *arguments)

    monkeypatch.setattr(ManySpots, "answer", answer_and_press)
    target = tmp_path / "answers.csv"
    code, _, error = batch("hand_1\n" + "AsKs\n" * 500, "--out", str(target))
    rows = read(target.read_text())
    kept = f"{len(rows)} rows are written to {target}; add --resume to go on"
    assert code == 130 and error == f"gpuodds: interrupted; {kept}\n"
    assert 3 <= len(rows) < 500 and all(row["error"] == "" != row["equity_1"] for row in rows)
    parquet = pytest.importorskip("pyarrow.parquet")
    calls.clear()
    target = tmp_path / "answers.parquet"
    assert batch("hand_1\n" + "AsKs\n" * 500, "--out", str(target))[0] == 130
    assert 3 <= parquet.read_table(target).num_rows < 500


def test_a_reader_that_goes_ends_the_batch_quietly(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("hand_1\n" + "AsKs\n" * 20_000)
    command = [sys.executable, "-m", "gpuodds", "equity", "--batch", str(path)]
    pipe = subprocess.PIPE
    process: Any
    # Not from the repository: it has no gpuodds.cli where the package is installed.
    with subprocess.Popen(command, cwd=tmp_path, stdout=pipe, stderr=pipe) as process:
        assert process.stdout.readline().startswith(b"hand_1,")
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rows.csv", "hand_1,hand_2\nAsKs,QhQd\n{}"),
        ("rows.jsonl", '{{"hands": ["AsKs", "QhQd"]}}\n{}'),
    ],
)
def test_a_line_without_an_end_is_not_read_whole(batch: Batch, name: str, text: str) -> None:
    """Not even into memory: it may be gigabytes."""
    line = 2 if name == "rows.jsonl" else 3
    error = f"line {line}: longer than 4,194,304 bytes: expected a row"
    for long in ("A" * 6_000_000, '{"hands": [' + '"AA",' * 1_200_000, "\0" * 5_000_000 + "\n"):
        tracemalloc.start()
        code, out, err = batch(text.format(long), name=name)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert code == 2 and err.endswith(f"{name}: {error}\n")
        assert len(out.splitlines()) == line - 1
        assert peak < 50_000_000


def test_cells_that_would_take_minutes_are_refused(batch: Batch) -> None:
    rows = [
        {"hands": ["A" * 400_001, "KK"]},
        {"hands": "AsKs," * 100_000},
        {"hands": ["AA"] * 101},
        {"hands": ["AA", "KK"], "board": "2s" * 300_000},
        {"hands": ["AA", "KK"]},
    ]
    code, out, _ = batch(json.dumps(rows), "--format", "jsonl", name="rows.json")
    found = [json.loads(line) for line in out.splitlines()]
    assert code == 3 and "error" not in found[4]
    cut = "expected at most 400,000 characters"
    assert [row["error"] for row in found[:4]] == [
        f"hand_1: {'A' * 40}...: {cut}",
        f"{('AsKs,' * 8)}...: {cut}",
        "a list of 101: expected at most 100 players",
        f"board: {'2s' * 20}...: {cut}",
    ]
