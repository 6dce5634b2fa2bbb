"""What comes back from a cluster is checked before it is written: counts, rows, other things."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from toy_tables import FEW, Toy, ToyInParts, digest, make_known

from gpuodds import table
from gpuodds.errors import InputError, TableError
from gpuodds.table_building import cluster as on_cluster
from gpuodds.table_building.build import build
from gpuodds.table_building.counting import Job, count_piece
from gpuodds.table_building.kinds.catalog import kinds
from gpuodds.table_building.kinds.kind import Kind
from gpuodds.table_building.received import check_received
from gpuodds.tables.files.manifest import Piece, read_manifest
from gpuodds.tables.files.shards import decode, encode

FLOPS, TURNS, RIVERS = FEW
ESCAPES = "\x1b[2J\x1b]0;title\x07" * 100_000


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """A cluster whose one worker is a thread of this process, where a test can change what it does."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as made:
        yield made.scheduler_address


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    make_known(monkeypatch.setattr, *FEW, Toy(), ToyInParts())


Change = Callable[[pa.Table], Any]


def column(name: str, change: Callable[[Any], Any]) -> Change:
    """Return what changes a column of a shard, as an array of NumPy that can be written."""

    def spoil(rows: pa.Table) -> bytes:
        field = rows.column_names.index(name)
        given = rows[name]
        if pa.types.is_integer(given.type):
            given = given.fill_null(0)
        values = change(np.asarray(given).copy())
        return encode(rows.set_column(field, name, pa.array(values)))

    return spoil


def at(row: int, by: float) -> Callable[[Any], Any]:
    """Return what adds a number to the value of one row."""

    def change(values: Any) -> Any:
        values[row] += by
        return values

    return change


def swap(values: Any) -> Any:
    values[[0, 1]] = values[[1, 0]]
    return values


SPOILED: list[tuple[Kind, Change, str]] = [
    (TURNS, lambda rows: "counts", "expected the bytes of a Parquet file, found str"),
    (TURNS, lambda rows: None, "expected the bytes of a Parquet file, found NoneType"),
    (TURNS, lambda rows: b"PAR1", "no Parquet file: "),
    (TURNS, lambda rows: encode(rows)[:-100], "no Parquet file: "),
    (TURNS, lambda rows: encode(rows.slice(1)), "rows, expected "),
    (TURNS, lambda rows: encode(rows.drop_columns("tie")), "other columns than those of the table"),
    (TURNS, lambda rows: encode(rows.append_column("more", rows["tie"])), "other columns"),
    (TURNS, column("win", lambda values: values.astype(str)), "column win: string, expected <u2"),
    (
        TURNS,
        column("win", lambda values: values.astype(float) / 3),
        "column win: its values do not fit",
    ),
    (TURNS, column("win", at(5, -(1 << 20))), "column win: its values do not fit"),
    (TURNS, column("row", at(0, 1)), "column row: those of other rows"),
    (TURNS, column("hand", swap), "column hand: those of other rows"),
    (TURNS, column("board", lambda values: values[::-1]), "column board: those of other rows"),
    (TURNS, column("win", at(5, 1)), "the pots of a board do not add up"),
    (TURNS, column("equity", at(5, 1e-9)), "an equity does not follow from its counts"),
    (TURNS, column("deals", at(5, 1)), "column deals: those of other rows"),
    (RIVERS, column("strength", at(5, 2)), "the pots of a board do not add up"),
    (FLOPS, column("tie_1_1", at(5, 1)), "the pots of a board do not add up"),
    (FLOPS, column("win_2", at(5, 1)), "the pots against 2 do not add up"),
    (FLOPS, column("equity_2", at(5, 1e-9)), "an equity does not follow from its counts"),
    (FLOPS, column("sum_of_squares", at(5, 1)), "strength_squared does not follow"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "spoil", "reason"), SPOILED)
def test_a_shard_that_cannot_be_right(kind: Kind, spoil: Change, reason: str) -> None:
    job, piece = Job(kind, min(kind.layout.max_opponents, 2), "cpu"), Piece(1)
    good = count_piece(job, piece)
    assert check_received(job, piece, good) == good
    with pytest.raises(TableError) as raised:
        check_received(job, piece, spoil(decode(good)))
    assert reason in str(raised.value) and "\n" not in str(raised.value)
    with pytest.raises(TableError, match=r"those of other rows|rows, expected"):  # another shard
        check_received(job, piece, count_piece(job, Piece(0)))


PREFLOP: list[tuple[str, int, Change, str]] = [
    ("preflop-heads-up", 0, column("tie", at(5, 1)), "the boards of a pair do not add up"),
    ("preflop-heads-up", 0, column("pairs", at(5, 1)), "column pairs: those of other rows"),
    ("preflop-three-way", 0, column("tie_all", at(500, 1)), "an equity does not follow"),
    ("preflop-heads-up-folded", 0, column("tie", at(5, 1)), "a row does not count all its deals"),
    (
        "preflop-heads-up-folded",
        0,
        lambda rows: column("win_a", at(500, -1))(decode(column("win_b", at(500, 1))(rows))),
        "sums over folded hands are not 903 times preflop-heads-up",
    ),
    ("preflop-random", 2, column("equity", at(5, 1e-9)), "row 5: the equity does not follow"),
    ("preflop-random", 2, column("opponents", at(5, 1)), "column opponents: those of other rows"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "opponents", "spoil", "reason"), PREFLOP)
def test_a_table_before_the_flop(
    name: str, opponents: int, spoil: Change, reason: str, before_the_flop: dict[Job, bytes]
) -> None:
    job = Job(kinds()[name], opponents, "cpu")
    if job not in before_the_flop:
        ships = name == "preflop-heads-up"  # which takes ten seconds to count
        before_the_flop[job] = encode(table(name).to_arrow()) if ships else count_piece(job, Piece(0))
        check_received(job, Piece(0), before_the_flop[job])
    with pytest.raises(TableError, match=reason):
        check_received(job, Piece(0), spoil(decode(before_the_flop[job])))


@pytest.fixture(scope="module")
def before_the_flop() -> dict[Job, bytes]:
    """Tables that take seconds to count, once they are."""
    return {}


@pytest.mark.parametrize("kind", [TURNS, ToyInParts()], ids=lambda kind: kind.name)
def test_a_worker_that_counts_wrong(
    kind: Kind, scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The build ends with one line; what is kept is right, and the next build goes on from there."""
    counted: list[Piece] = []

    def spoiled(job: Job, piece: Piece) -> bytes:
        counted.append(piece)
        return b"nothing" if len(counted) == 2 else count_piece(job, piece)

    monkeypatch.setattr(on_cluster, "count_piece", spoiled)
    folder, alone = tmp_path / "t", tmp_path / "alone"
    with pytest.raises(TableError) as raised:
        build(kind, folder, 1, backend="cpu", scheduler=scheduler)
    assert "what a worker counted is wrong: no Parquet file" in str(raised.value)
    assert "\n" not in str(raised.value) and on_cluster.GOES_ON in str(raised.value)
    assert len(read_manifest(folder).shards) + len(read_manifest(folder).parts) == 1
    monkeypatch.undo()
    make_known(monkeypatch.setattr, *FEW, Toy(), ToyInParts())
    assert build(kind, folder, 1, backend="cpu", scheduler=scheduler)
    assert build(kind, alone, 1, backend="cpu")
    assert digest(folder) == digest(alone)


RESULTS: list[tuple[Any, str]] = [
    (None, "no result of gpuodds"),
    (b"counts", "no result of gpuodds"),
    ({}, "no result of gpuodds"),
    ({"origin": 5, "data": b""}, "no result of gpuodds"),
    ({"origin": {"more": 5}, "data": b""}, "no result of gpuodds"),
    ({"fault": ESCAPES}, r"a worker cannot count shards of this table: \\x1b[2J\\x1b]0;title"),
]


@pytest.mark.parametrize(("result", "reason"), RESULTS)
def test_a_worker_that_returns_something_else(
    result: Any, reason: str, scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_cluster, "count_on_worker", lambda payload: result)
    with pytest.raises(TableError) as raised:
        build(Toy(), tmp_path / "t", 2, backend="cpu", scheduler=scheduler)
    assert reason.replace("\\\\", "\\") in str(raised.value)
    assert len(str(raised.value)) < 600 and str(raised.value).isprintable()


@pytest.mark.parametrize("kind", [InputError, TableError, RuntimeError])
def test_a_worker_with_a_long_message(
    kind: type[Exception], scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(payload: bytes) -> None:
        raise kind(ESCAPES + "x" * 10_000_000)

    monkeypatch.setattr(on_cluster, "count_on_worker", fail)
    with pytest.raises(ValueError) as raised:
        build(Toy(), tmp_path / "t", 2, backend="cpu", scheduler=scheduler)
    assert len(str(raised.value)) < 1200 and str(raised.value).isprintable()
