"""A table in a folder, read: rows, shards, whole columns; half-built and damaged ones."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import needs
import numpy as np
import pytest
from toy_tables import ROWS, SHARDS, Toy, digest

from gpuodds.errors import InputError, TableError
from gpuodds.machine.system import quoted
from gpuodds.table_building.build import build
from gpuodds.table_building.verify import verify
from gpuodds.tables.files.locate import MANIFEST
from gpuodds.tables.files.manifest import shard_file
from gpuodds.tables.store import StoredTable

pytestmark = pytest.mark.usefixtures("toy")


def test_a_table_is_read_as_it_was_counted(whole: Path) -> None:
    table = StoredTable(whole)
    assert len(table) == SHARDS * ROWS and table.name == "toy" and table.opponents == 2
    assert table.rows(range(98, 102)) == [{"row": n, "strength": 2 * n} for n in range(98, 102)]
    assert table.to_arrow()["strength"].to_pylist() == [2 * n for n in range(SHARDS * ROWS)]
    assert np.array_equal(table.array(), 2 * np.arange(SHARDS * ROWS))
    assert not table.array().flags.writeable
    assert sorted(path.name for path in whole.iterdir() if "lock" not in path.name) == [
        *(shard_file(number) for number in range(SHARDS)),
        MANIFEST,
        "strength.u16",
    ]


def test_a_part_and_the_rest(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    assert not build(Toy(), folder, 2, backend="cpu", only=range(3, 6))
    with pytest.raises(TableError, match="half-built: 3 of 8 shards are there"):
        StoredTable(folder)
    part = StoredTable(folder, part=True)
    assert part.rows(range(300, 302)) == [{"row": n, "strength": 2 * n} for n in (300, 301)]
    command = re.escape(f"gpuodds table build toy --opponents 2 --shards 6 --out {quoted(str(folder))}")
    with pytest.raises(TableError, match=f"not shard 6 with rows 600 to 699: {command} builds it"):
        part.rows([600])
    for ask in (part.to_arrow, part.array, part.check_complete):
        with pytest.raises(
            TableError, match="half-built: 3 of 8 shards are there: gpuodds table build"
        ):
            ask()
    assert verify(folder, rows=50) == [
        "3 of 8 shards, a part of the table: checksums and numbers of rows",
        "50 rows drawn with seed 0: counted again by another method",
    ]
    assert verify(folder, rows=900)[1].startswith("300 rows")
    assert build(Toy(), folder, 2, backend="cpu")
    assert digest(folder) == digest(whole)
    with pytest.raises(InputError, match="expected numbers from 0 to 7"):
        build(Toy(), tmp_path / "none", 2, backend="cpu", only=range(6, 9))


@pytest.mark.parametrize("row", [-1, 800, 1 << 70, 2.0, "5", None, True])
def test_numbers_without_a_row_or_shard_are_refused(whole: Path, row: Any) -> None:
    table = StoredTable(whole)
    with pytest.raises(InputError, match="expected 0 to 799 in table toy"):
        table.rows([0, row])
    if row != 5:
        with pytest.raises(InputError, match="expected 0 to 7"):
            table.read_shard(row)


@needs.posix
def test_links_and_pipes_are_not_read(whole: Path, tmp_path: Path) -> None:
    for name in (shard_file(3), "strength.u16", MANIFEST):
        moved = tmp_path / name
        (whole / name).rename(moved)
        for put in (lambda path, target=moved: path.symlink_to(target), os.mkfifo, os.mkdir):
            put(whole / name)
            with pytest.raises(TableError, match=f"{name}: expected a regular file of the table"):
                table = StoredTable(whole)
                table.read_shard(3)
                table.array()
            with pytest.raises(TableError, match=f"{name}: expected a regular file of the table"):
                build(Toy(), whole, 2, backend="cpu")
            (whole / name).rmdir() if put is os.mkdir else (whole / name).unlink()
        moved.rename(whole / name)
    assert StoredTable(whole).array()[3] == 6


def test_a_folder_without_a_table(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"no table: there is no manifest\.json"):
        StoredTable(tmp_path)
    (tmp_path / MANIFEST).write_bytes(b" " * ((8 << 20) + 1))
    with pytest.raises(TableError, match="more than 8388608 bytes"):
        StoredTable(tmp_path)
