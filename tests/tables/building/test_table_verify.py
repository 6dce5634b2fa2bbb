"""Verification lists the checks that hold and finds each that fails."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from toy_tables import FewTurns

from gpuodds.errors import TableError
from gpuodds.table_building import verify as verification
from gpuodds.table_building.verify import verify
from gpuodds.tables.store import StoredTable


@pytest.mark.parametrize("name", ["flop-random", "turn-random", "river-random"])
def test_a_built_table_is_verified(few: Path, name: str) -> None:
    shares: list[float] = []
    held = verify(few / name, rows=5, seed=3, progress=shares.append)
    assert any("counted again by another method" in line for line in held)
    assert shares == sorted(shares) and shares[-1] == 1.0


def test_a_wrong_count_is_found(few: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FewTurns, "recount", lambda self, row, opponents: {"win": row["win"] + 1})
    with pytest.raises(TableError, match=r"shard [01]: row \d+: win is \d+, counted again it is \d+"):
        verify(few / "turn-random", rows=1)


def test_streets_that_do_not_fit(few: Path) -> None:
    with pytest.raises(TableError, match="not of the street after"):
        verify(few / "flop-random", rows=1, finer=few / "river-random")


def test_a_seed_draws_the_same_rows(few: Path) -> None:
    table = StoredTable(few / "turn-random")
    assert verification._draw(table, 5, 1) == verification._draw(table, 5, 1)
    assert verification._draw(table, len(table) + 5, 1) == list(range(len(table)))


def test_deals_that_do_not_add_up(few: Path) -> None:
    table = StoredTable(few / "turn-random")
    shard = table.read_shard(1)
    wrong = shard["deals"].to_numpy().copy()
    wrong[7] += 12
    place = shard.column_names.index("deals")
    hurt = shard.set_column(place, "deals", pa.array(wrong))
    table._decoded[1] = hurt, table._decoded[1][1]
    with pytest.raises(TableError, match=r"the rows stand for \d+ deals, expected \d+"):
        list(FewTurns().check_invariants(table))
