"""Exports: CSV, JSON lines and Parquet, as other programs read them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import gpuodds
from gpuodds.errors import InputError
from gpuodds.tables.export import export, export_to_file
from gpuodds.tables.store import StoredTable


def test_the_csv_of_pairs_is_by_starting_hands() -> None:
    out = io.BytesIO()
    export(gpuodds.table("preflop-heads-up"), "csv", out)
    rows = list(csv.DictReader(io.StringIO(out.getvalue().decode("ascii"))))
    assert list(rows[0]) == ["hand_a", "hand_b", "win_a", "win_b", "tie"] and len(rows) == 14_365
    found = {(row["hand_a"], row["hand_b"]): row for row in rows}
    # AA v KK: 36 pairs of combos; the golden counts of ranges.
    row = found["AA", "KK"]
    assert [int(row[name]) for name in ("win_a", "win_b", "tie")] == [50371344, 10986372, 285228]
    row = found["AA", "AA"]
    assert (
        row["win_a"] == row["win_b"]
        and sum(int(row[n]) for n in ("win_a", "win_b", "tie")) == 6 * 1712304
    )


def test_other_exports(few: Path, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    pairs = gpuodds.table("preflop-heads-up")
    export_to_file(pairs, "parquet", tmp_path / "pairs.parquet", "canonical")
    assert pq.read_table(tmp_path / "pairs.parquet").num_rows == 47_008
    out = io.BytesIO()
    export(gpuodds.table("preflop-random"), "json", out)
    lines = [json.loads(line) for line in out.getvalue().decode().splitlines()]
    aces = next(line for line in lines if line["hand"] == "AA" and line["opponents"] == 22)
    assert isinstance(aces["win"], str) and aces["equity"] < 0.13
    table = StoredTable(few / "flop-random")
    out = io.BytesIO()
    export(table, "csv", out)
    text = out.getvalue().decode("ascii").splitlines()
    assert len(text) == 1 + len(table) and text[0].startswith("row,hand,board,win_1,tie_1_1,equity_1")
    export_to_file(table, "parquet", tmp_path / "flops.parquet")
    assert pq.read_table(tmp_path / "flops.parquet").num_rows == len(table)
    with pytest.raises(InputError, match="format xls: expected one of csv, json, parquet"):
        export(table, "xls", out)
    with pytest.raises(InputError, match="view classes: expected canonical for table flop-random"):
        export(table, "csv", out, "classes")
    with pytest.raises(InputError, match="Is a directory"):
        export_to_file(table, "csv", tmp_path)


def test_other_programs_read_the_shards(few: Path) -> None:
    import duckdb
    import pandas as pd
    import polars as pl

    folder = few / "flop-random"
    rows = len(StoredTable(folder))
    frame = pd.read_parquet(sorted(folder.glob("*.parquet")))
    assert len(frame) == rows and frame["equity_1"].between(0, 1).all()
    assert len(pl.read_parquet(folder / "*.parquet")) == rows
    query = f"select count(*), max(equity_1) from '{folder}/*.parquet'"
    assert duckdb.sql(query).fetchall()[0] == (rows, frame["equity_1"].max())
