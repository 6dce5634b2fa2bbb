"""Shards as Parquet files: the same bytes, and no damaged one is read."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from toy_tables import FewRivers, FewTurns, Toy, ToyInParts

import gpuodds
from gpuodds.backends.cpu.backend import CpuBackend
from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.cli.main import run
from gpuodds.errors import TableError
from gpuodds.table_building.build import build
from gpuodds.table_building.counting import Job, count_piece
from gpuodds.table_building.kinds.catalog import kinds
from gpuodds.tables.files import shards
from gpuodds.tables.files.locate import MANIFEST
from gpuodds.tables.files.manifest import Manifest, Piece, Shard, read_manifest, shard_file
from gpuodds.tables.files.shards import decode
from gpuodds.tables.store import StoredTable

CPU = CpuBackend()


def test_a_shard_is_bytes(few: Path) -> None:
    data = count_piece(Job(FewTurns(), 1, "cpu"), Piece(1))
    assert data == count_piece(Job(FewTurns(), 1, "cpu"), Piece(1))
    assert data == (few / "turn-random" / "00001.parquet").read_bytes()
    assert len(decode(data)) == len(FewTurns().layout.shards(1)[1])


def test_every_truncation_and_drawn_bits_are_refused(whole: Path) -> None:
    data = (whole / shard_file(3)).read_bytes()
    drawn = np.random.default_rng(0)
    damaged = [data[:size] for size in range(0, len(data), 7)]
    for place in [*range(64), *drawn.integers(0, len(data), 300).tolist()]:
        copy = bytearray(data)
        copy[place] ^= 1 << int(drawn.integers(8))
        damaged.append(bytes(copy))
    for part in damaged:
        (whole / shard_file(3)).write_bytes(part)
        with pytest.raises(TableError, match="shard 3 is damaged: its checksum is another"):
            StoredTable(whole).read_shard(3)
    (whole / shard_file(3)).unlink()
    with pytest.raises(TableError, match="shard 3: No such file"):
        StoredTable(whole).read_shard(3)


def test_a_shard_with_other_rows_is_refused(whole: Path) -> None:
    data = shards.encode(Toy().compute(range(5), 2, None))
    (whole / shard_file(0)).write_bytes(data)
    manifest = read_manifest(whole)
    manifest.shards[0] = replace(manifest.shards[0], sha256=hashlib.sha256(data).hexdigest())
    (whole / MANIFEST).write_bytes(manifest.to_bytes())
    with pytest.raises(TableError, match="shard 0: 5 rows, expected 100"):
        StoredTable(whole).read_shard(0)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted in /proc")
def test_shards_are_decoded_without_threads(whole: Path) -> None:
    code = (
        "import os, sys\n"
        "import pyarrow.parquet\n"
        "from gpuodds.tables.files.shards import decode\n"
        "data = open(sys.argv[1], 'rb').read()\n"
        "before = len(os.listdir('/proc/self/task'))\n"
        "decode(data)\n"
        "print(before, len(os.listdir('/proc/self/task')))\n"
    )
    run = [sys.executable, "-c", code, str(whole / shard_file(0))]
    before, after = subprocess.run(run, capture_output=True, text=True, check=True).stdout.split()
    assert before == after


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "number", "opponents"),
    [("turn-random", 0, 1), ("river-random", 0, 1), ("preflop-random", 160, 3)],
)
def test_gpus_give_the_same_bytes(
    cuda: Any, monkeypatch: pytest.MonkeyPatch, name: str, number: int, opponents: int
) -> None:
    kind = {**kinds(), "turn-random": FewTurns(), "river-random": FewRivers()}[name]
    # One hand or board: a thread is a coroutine there.
    monkeypatch.setattr(type(kind.layout), "boards_per_shard", 1, raising=False)
    rows = range(number * opponents, (number + 1) * opponents)
    if name != "preflop-random":
        rows = kind.layout.shards(opponents)[number]
    ours = kind.compute(rows, opponents, CudaBackend())
    assert ours.equals(kind.compute(rows, opponents, CPU))


def forge(folder: Path, data: bytes, number: int = 0) -> None:
    """Put other bytes in the place of a shard, and their checksum into the manifest."""
    (folder / shard_file(number)).write_bytes(data)
    manifest = read_manifest(folder)
    sha256 = hashlib.sha256(data).hexdigest()
    manifest.shards[number] = replace(manifest.shards[number], sha256=sha256)
    (folder / MANIFEST).write_bytes(manifest.to_bytes())


def parquet(table: pa.Table) -> bytes:
    """Return a table as the bytes of a Parquet file."""
    buffer = pa.BufferOutputStream()
    pq.write_table(table, buffer)
    return bytes(buffer.getvalue())


def refusal(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Check that every reader refuses the first shard with the same line; return what it says."""
    readers: list[Any] = [
        lambda: gpuodds.table(folder).rows(range(1)),
        lambda: StoredTable(folder).read_shard(0),
        lambda: gpuodds.table(folder).to_arrow(),
    ]
    lines = set()
    for read in readers:
        with pytest.raises(TableError) as error:
            read()
        lines.add(str(error.value))
    assert run(["table", "verify", str(folder)]) == 2
    lines.add(capsys.readouterr().err.removeprefix("gpuodds: ").rstrip("\n"))
    (line,) = lines
    start = f"{folder / shard_file(0)}: shard 0: "
    assert line.startswith(start) and "\n" not in line
    return line.removeprefix(start)


@pytest.mark.parametrize("data", [b"", b"PAR1", b"garbage" * 99, b"PAR1" + bytes(99) + b"PAR1"])
def test_a_shard_that_is_no_parquet(
    whole: Path, data: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    forge(whole, data)
    assert refusal(whole, capsys).startswith("expected a Parquet file: ")


ROWS = pa.array(range(100), pa.int32())
COUNTS = pa.array(range(100), pa.uint16())
FORGED: list[tuple[dict[str, Any], str]] = [
    ({"strength": COUNTS}, "column row: expected one, found 0"),
    ({"row": ROWS}, "column strength: expected one, found 0"),
    ({"row": ROWS, "strength": COUNTS, "x\n": COUNTS}, "column x\\n: expected no such column"),
    ({"row": ROWS, "strength": COUNTS.cast(pa.string())}, "column strength: expected whole numbers, "),
    ({"row": ROWS, "strength": COUNTS.cast(pa.float64())}, "column strength: expected whole numbers, "),
    ({"row": ROWS, "strength": pa.nulls(100)}, "column strength: expected whole numbers, found null"),
    (
        {"row": ROWS.cast(pa.float64()), "strength": COUNTS},
        "column row: expected text or whole numbers",
    ),
    (
        {"row": ROWS, "strength": pa.array([*range(99), None], pa.uint16())},
        "column strength: row 99 has no value",
    ),
    (
        {"row": ROWS, "strength": pa.array([0, -1, *range(98)], pa.int16())},
        "column strength: row 1 has -1, which is impossible",
    ),
    (
        {"row": ROWS, "strength": pa.array([1 << 16, *range(99)], pa.int64())},
        "column strength: row 0 has 65536, which is impossible",
    ),
    (
        {"row": pa.array([*range(99), 98], pa.int32()), "strength": COUNTS},
        "column row: row 99 has 98, which is impossible",
    ),
    ({"row": ROWS[:99], "strength": COUNTS[:99]}, "99 rows, expected 100"),
    ({"row": ROWS[:0], "strength": COUNTS[:0]}, "0 rows, expected 100"),
]


@pytest.mark.parametrize(("columns", "message"), FORGED)
def test_a_shard_whose_columns_or_values_are_impossible(
    whole: Path, columns: dict[str, Any], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    forge(whole, parquet(pa.table(columns)))
    assert refusal(whole, capsys).startswith(message)
    forge(whole, parquet(pa.table({"row": ROWS, "strength": COUNTS})))
    assert StoredTable(whole).read_shard(0)["strength"].to_pylist() == list(range(100))


def test_columns_of_every_type_are_compared(few: Path, tmp_path: Path) -> None:
    folder = tmp_path / "flops"
    shutil.copytree(few / "flop-random", folder)
    table = StoredTable(folder).read_shard(0)
    rows = len(table)
    histogram = pa.list_(pa.uint16(), 50)
    for name, values, message in (
        ("win_3", pa.array([-1] * rows), "column win_3: row 0 has -1, which is impossible"),
        ("equity_1", pa.array([1.5] * rows), "column equity_1: row 0 has 1.5, which is impossible"),
        ("equity_1", pa.array([np.nan] * rows), "column equity_1: row 0 has nan, which is impossible"),
        ("equity_1", pa.array([0.5] * rows, pa.float32()), "equity_1: expected float64, found float"),
        (
            "histogram",
            pa.array([[1] * 50] * rows),
            "histogram: expected lists of 50 uint16, found list",
        ),
        ("histogram", pa.array([[None] * 50] * rows, histogram), "histogram: row 0 has [None, None"),
        ("hand", pa.array([None] * rows, pa.string()), "column hand: row 0 has no value"),
        (
            "hand",
            pa.array([b"AsKs"] * rows),
            "column hand: expected text or whole numbers, found binary",
        ),
        (
            "hand",
            pa.array([b"\xff"] * rows).view(pa.string()),
            "hand: In chunk 0: Invalid: Invalid UTF8",
        ),
    ):
        place = table.column_names.index(name)
        forge(folder, parquet(table.set_column(place, name, values)))
        with pytest.raises(TableError) as error:
            gpuodds.table(folder).rows(range(1))
        assert str(error.value).startswith(f"{folder / shard_file(0)}: shard 0: ")
        assert message in str(error.value) and "\n" not in str(error.value)


def test_counts_of_128_bits_and_ties_of_absent_opponents(tmp_path: Path) -> None:
    shipped = gpuodds.table("preflop-random")
    table, layout, opponents = shipped.to_arrow(), shipped.layout, shipped.opponents
    manifest = Manifest(layout, opponents, complete=True)
    for number, span in enumerate(layout.shards(opponents)):
        data = shards.encode(table.slice(span.start, len(span)))
        (tmp_path / shard_file(number)).write_bytes(data)
        sha256 = hashlib.sha256(data).hexdigest()
        manifest.shards[number] = Shard(shard_file(number), span.start, len(span), sha256)
    (tmp_path / MANIFEST).write_bytes(manifest.to_bytes())
    assert gpuodds.table(tmp_path).rows(range(len(table))) == shipped.rows(range(len(table)))
    rows = table.slice(0, len(layout.shards(opponents)[0]))
    wide, first = rows["win"].type, rows["win"].to_pylist()
    for name, values, message in (
        ("win", [-1, *first[1:]], "column win: row 0 has -1, which is impossible"),
        ("win", [None, *first[1:]], "column win: row 0 has no value"),
        ("tie_2", first, "column tie_2: row 0 has a value where there can be none"),
        ("tie_2", [None] * len(rows), "column tie_2: row 1 has no value"),
    ):
        place = rows.column_names.index(name)
        forge(tmp_path, parquet(rows.set_column(place, name, pa.array(values, wide))))
        with pytest.raises(TableError) as error:
            gpuodds.table(tmp_path).lookup("AA")
        assert str(error.value).endswith(message)


def test_a_shard_of_many_rows_is_refused_before_they_are_read(
    whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    zeros = pa.array(np.zeros(5_000_000, np.uint16))
    forge(whole, parquet(pa.table({"row": zeros, "strength": zeros})))

    def read(*arguments: Any, **options: Any) -> None:
        raise AssertionError("the rows are read")

    monkeypatch.setattr(pq.ParquetFile, "read", read)
    with pytest.raises(TableError, match="shard 0: 5000000 rows, expected 100"):
        gpuodds.table(whole).rows(range(1))


def test_a_shard_is_not_read_beyond_what_it_can_have(whole: Path) -> None:
    with open(whole / shard_file(0), "wb") as file:
        file.truncate(1 << 26)  # a hole: it takes no disk
    with pytest.raises(TableError, match=r"shard 0 is damaged: it has more than 4,2\d\d,\d\d\d bytes"):
        gpuodds.table(whole).rows(range(1))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "part 0 of shard 0: expected a Parquet file: "),
        (parquet(pa.table({"strength": COUNTS[:5]})), "part 0 of shard 0: 5 rows, expected 100"),
        (parquet(pa.table({"strength": COUNTS.cast(pa.string())})), "strength: expected whole numbers"),
        (parquet(pa.table({"else": COUNTS})), "the parts of shard 0 lack a column; without the files"),
    ],
)
def test_parts_of_shards_are_compared(
    tmp_path: Path, toy: None, monkeypatch: pytest.MonkeyPatch, data: bytes, message: str
) -> None:
    kind, folder = ToyInParts(), tmp_path / "parts"

    def stop(*arguments: Any, **options: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(ToyInParts, "join_parts", stop)
        build(kind, folder, 2, backend="cpu")
    manifest = read_manifest(folder)
    for piece in manifest.parts:
        (folder / piece.file).write_bytes(data)
        manifest.parts[piece] = hashlib.sha256(data).hexdigest()
    (folder / MANIFEST).write_bytes(manifest.to_bytes())
    with pytest.raises(TableError) as error:
        build(kind, folder, 2, backend="cpu")
    assert message in str(error.value) and "\n" not in str(error.value)
