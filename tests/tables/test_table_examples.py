"""The examples of docs/tables.md on tables of streets: means over deals, not over rows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gpuodds.tables.export import export_to_file
from gpuodds.tables.store import StoredTable

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def flops(few: Path) -> Path:
    """Some flops: whole boards, so that each has a mean of one half."""
    return few / "flop-random"


def test_documented_queries_weigh_by_deals(flops: Path) -> None:
    import duckdb

    pages = "".join(path.read_text("utf-8") for path in [DOCS.parent / "README.md", *DOCS.glob("*.md")])
    queries = re.findall(r"^select .*'flops/\*\.parquet'$", pages, re.M)
    assert queries and "avg(" not in pages
    for query in queries:
        assert "deals" in query
        mean = duckdb.sql(query.replace("flops/", f"{flops}/")).fetchall()[0][0]
        assert mean == pytest.approx(0.5, abs=1e-12)
    rows = duckdb.sql(f"select avg(equity_1) from '{flops}/*.parquet'").fetchall()[0][0]
    assert abs(rows - 0.5) > 1e-3  # rows alone are no deals


def test_exports_carry_the_deals(flops: Path, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    table = StoredTable(flops)
    expected = table.to_arrow()["deals"].to_pylist()
    export_to_file(table, "parquet", tmp_path / "flops.parquet")
    assert pq.read_table(tmp_path / "flops.parquet")["deals"].to_pylist() == expected
    export_to_file(table, None, tmp_path / "flops.csv")
    header, *lines = (tmp_path / "flops.csv").read_text().splitlines()
    place = header.split(",").index("deals")
    assert [int(line.split(",")[place]) for line in lines] == expected
