"""Plain arrays: checksums of blocks, compared before they are mapped."""

from __future__ import annotations

import hashlib
import math
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from toy_tables import Toy

import gpuodds
from gpuodds.errors import InputError, TableError
from gpuodds.table_building.build import build
from gpuodds.tables.files.locate import MANIFEST
from gpuodds.tables.files.manifest import read_manifest
from gpuodds.tables.store import StoredTable

pytestmark = pytest.mark.usefixtures("toy")


def test_an_array_is_compared_block_by_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("manifest", "plain_arrays"):
        monkeypatch.setattr(f"gpuodds.tables.files.{module}.BLOCK_BYTES", 300)
    folder = tmp_path / "blocks"
    build(Toy(), folder, 2, backend="cpu")
    data = (folder / "strength.u16").read_bytes()
    assert list(read_manifest(folder).arrays[0].sha256) == [
        hashlib.sha256(data[begin : begin + 300]).hexdigest() for begin in range(0, 1600, 300)
    ]
    assert StoredTable(folder).array()[799] == 2 * 799
    for place, rows in [(0, "0 to 149"), (299, "0 to 149"), (300, "150 to 299"), (1599, "750 to 799")]:
        copy = bytearray(data)
        copy[place] ^= 1
        (folder / "strength.u16").write_bytes(bytes(copy))
        with pytest.raises(TableError, match=f"strength.u16: damaged: rows {rows} differ from their"):
            StoredTable(folder).array()
    (folder / "strength.u16").write_bytes(data)
    assert StoredTable(folder).array()[0] == 0
    with pytest.raises(InputError, match="array row: expected one of strength in table toy"):
        StoredTable(folder).array("row")


def test_an_array_that_is_short_is_refused(whole: Path) -> None:
    data = (whole / "strength.u16").read_bytes()
    (whole / "strength.u16").write_bytes(data[:-1])
    with pytest.raises(TableError, match="damaged: it has 1599 bytes, expected 1600"):
        StoredTable(whole).array()


@pytest.mark.parametrize(
    ("column", "dtype", "value"),
    [
        ("sum_of_squares", "<i8", -1),
        ("equity_1", "<f8", 1.5),
        ("equity_1", "<f8", -0.5),
        ("equity_1", "<f8", math.inf),
    ],
)
def test_an_array_with_impossible_values(
    few: Path, tmp_path: Path, column: str, dtype: str, value: float
) -> None:
    folder = tmp_path / "flops"
    shutil.copytree(few / "flop-random", folder)
    manifest = read_manifest(folder)
    place = next(i for i, array in enumerate(manifest.arrays) if array.column == column)
    given = manifest.arrays[place]
    assert given.dtype == dtype
    values = np.fromfile(folder / given.file, dtype)
    values[3] = value
    values.tofile(folder / given.file)
    blocks = [values.tobytes()[begin : begin + 2**20] for begin in range(0, values.nbytes, 2**20)]
    sha256 = tuple(hashlib.sha256(block).hexdigest() for block in blocks)
    manifest.arrays[place] = replace(given, sha256=sha256)
    (folder / MANIFEST).write_bytes(manifest.to_bytes())
    with pytest.raises(TableError, match=f"{given.file}: row 3 has a value that is impossible: "):
        gpuodds.table(folder).take_rows([0], [column])
