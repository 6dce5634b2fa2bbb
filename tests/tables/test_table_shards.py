"""Shards as Parquet files: the same bytes, and no damaged one is read."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from toy_tables import FewRivers, FewTurns, Toy

from gpuodds.backends.cpu.backend import CpuBackend
from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.errors import TableError
from gpuodds.tables import shards
from gpuodds.tables.building.counting import Job, count_piece
from gpuodds.tables.kinds.catalog import kinds
from gpuodds.tables.locate import MANIFEST
from gpuodds.tables.manifest import Piece, read_manifest, shard_file
from gpuodds.tables.shards import decode
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
        "from gpuodds.tables.shards import decode\n"
        "data = open(sys.argv[1], 'rb').read()\n"
        "before = len(os.listdir('/proc/self/task'))\n"
        "decode(data)\n"
        "print(before, len(os.listdir('/proc/self/task')))\n"
    )
    run = [sys.executable, "-c", code, str(whole / shard_file(0))]
    before, after = subprocess.run(run, capture_output=True, text=True, check=True).stdout.split()
    assert before == after


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
