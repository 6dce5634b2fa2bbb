"""``gpuodds flops`` and ``gpuodds turns``: tables, JSON, CSV, files, and bad input."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from gpuodds.cli.main import run

TURNS = ["turns", "QQ+,AK", "22+,A2s+", "--board", "2s7d9h"]


@pytest.fixture(autouse=True)
def on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUODDS_BACKEND", "cpu")


def test_rows_as_json_and_csv(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*TURNS, "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert sum(row["weight"] for row in rows) == 49
    # Two orders of turn and river for each outcome on the flop.
    assert sum(int(row["outcomes"]) for row in rows) == 2 * (1_844_424 + 1_399_017 + 62_169)
    assert run([*TURNS, "--csv", "--sort", "turn", "--texture", "overcard,pair"]) == 0
    table = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert set(table[0]) == set(rows[0]) and table[0]["turn"][0] == "A"
    assert sum(int(row["weight"]) for row in table) == 20 + 9
    assert {row["textures"] for row in table} == {"overcard", "pair"}


def test_the_first_rows_on_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*TURNS, "--limit", "2", "--sort", "equity_2"]) == 0
    text = capsys.readouterr().out
    assert "overcard" in text and "2 of 49 rows: --limit shows more, --csv all" in text
    assert run(["turns", "AsKs", "QhQd", "--board", "2s7d9s"]) == 0
    assert "4 turns cannot be dealt with these hands" in capsys.readouterr().out


def test_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    out = tmp_path / "turns.parquet"
    assert run([*TURNS, "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"{out}\n"
    assert sum(pq.read_table(out)["weight"].to_pylist()) == 49
    lines = tmp_path / "turns.jsonl"
    assert run([*TURNS, "--out", str(lines), "--limit", "4"]) == 0
    assert len(lines.read_text().splitlines()) == 4


def test_textures_that_no_turn_has(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    none = [*TURNS, "--texture", "pair", "--texture", "overcard"]
    assert run(none) == 0
    assert "no turn has these textures" in capsys.readouterr().out
    assert run([*none, "--json"]) == 0
    assert capsys.readouterr().out == ""
    assert run([*none, "--csv"]) == 0
    (header,) = capsys.readouterr().out.splitlines()
    assert header.startswith("turn,weight,textures,outcomes,equity_1,")
    pytest.importorskip("matplotlib")
    plot = tmp_path / "none.png"
    assert run([*none, "--plot", str(plot)]) == 2 and not plot.exists()
    found = capsys.readouterr()
    assert "none.png: nothing to draw" in found.err and found.out == "" and found.err.count("\n") == 1
    parquet, pq = tmp_path / "none.parquet", pytest.importorskip("pyarrow.parquet")
    assert run([*none, "--out", str(parquet)]) == 0
    assert pq.read_table(parquet).num_rows == 0
    assert ",".join(pq.read_table(parquet).column_names) == header


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--texture", "wet"], "texture wet: expected one of pair, flush, four-flush, overcard, blank"),
        (["--sort", "equity"], "column equity: expected one of turn, weight, textures, outcomes, "),
        (["--limit", "0"], "--limit 0: expected at least 1"),
        (["--json", "--csv"], "--json, --csv and --out: expected one of them"),
        (["--out", "turns.xls"], "turns.xls: expected a name that ends in .csv, "),
        (["--plot", "turns.gif"], "turns.gif: expected a file that ends in .png"),
        (["--dead", "2s"], "2s: the same card is in the board and the dead cards"),
    ],
)
def test_bad_input(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*TURNS, *words]) == 2
    streams = capsys.readouterr()
    assert message in streams.err and streams.out == ""


def test_a_turn_report_needs_a_flop(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["turns", "AA", "KK"]) == 2
    assert capsys.readouterr().err == "gpuodds: board '': expected three cards\n"
