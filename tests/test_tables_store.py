"""Folders of tables: what a build leaves whenever it ends, and what a reader refuses."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import toy_tables
from toy_tables import ROWS, SHARDS, Toy, digest

from gpuodds.errors import InputError, TableError
from gpuodds.tables import store
from gpuodds.tables.build import build
from gpuodds.tables.store import MANIFEST, StoredTable, read_manifest, shard_file

HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def known_toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpuodds.tables.catalog.kinds", toy_tables.with_toy)


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    folder = tmp_path / "whole"
    assert build(Toy(), folder, 2, backend="cpu")
    return folder


def run(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, str(HERE / "toy_tables.py"), *arguments], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


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


@pytest.mark.parametrize("workers", [2, 5])
def test_workers_do_not_matter(whole: Path, tmp_path: Path, workers: int) -> None:
    build(Toy(), tmp_path / "again", 2, backend="cpu", workers=workers)
    assert digest(tmp_path / "again") == digest(whole)


def test_a_part_and_the_rest(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    assert not build(Toy(), folder, 2, backend="cpu", only=range(3, 6))
    with pytest.raises(TableError, match="half-built: 3 of 8 shards are there"):
        StoredTable(folder)
    assert build(Toy(), folder, 2, backend="cpu")
    assert digest(folder) == digest(whole)
    with pytest.raises(InputError, match="expected numbers from 0 to 7"):
        build(Toy(), tmp_path / "none", 2, backend="cpu", only=range(6, 9))


def test_a_build_that_is_complete_is_left_alone(whole: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in whole.iterdir() if "lock" not in path.name}
    assert build(Toy(), whole, 2, backend="cpu")
    assert before == {p: p.stat().st_mtime_ns for p in whole.iterdir() if "lock" not in p.name}


def test_another_build_is_not_overwritten(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(TableError, match="it holds toy with opponents 2, not toy with 3"):
        build(Toy(), whole, 3, backend="cpu")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    with pytest.raises(TableError, match=r"expected an empty folder, found letter\.txt"):
        build(Toy(), tmp_path / "mine", 2, backend="cpu")
    assert not (tmp_path / "mine" / MANIFEST).exists()


def test_another_version_does_not_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "old"
    build(Toy(), folder, 2, backend="cpu", only=range(2))
    manifest = read_manifest(folder)
    manifest.engine = "0.0.1"
    (folder / MANIFEST).write_bytes(manifest.to_bytes())
    with pytest.raises(TableError, match=r"begun by gpuodds 0\.0\.1"):
        build(Toy(), folder, 2, backend="cpu")


def test_killed_at_every_write(tmp_path: Path) -> None:
    # Eight shards and the array, each with the manifest after it, and the first manifest: each is
    # flushed and moved; the folder is flushed after.
    assert int(run("everywhere", str(tmp_path))) > 50


def test_killed_at_drawn_moments(tmp_path: Path) -> None:
    assert int(run("moments", str(tmp_path), "20")) >= 20


@pytest.mark.slow
def test_killed_at_many_drawn_moments(tmp_path: Path) -> None:
    assert int(run("moments", str(tmp_path), "1000")) >= 1000


@pytest.mark.parametrize("name", ["replace", "fsync"])
def test_a_full_disk_loses_nothing(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    real = getattr(os, name)
    for place in range(1, 1000):
        folder, calls = tmp_path / f"{name}-{place}", [0]

        def full(*arguments: Any, calls: list[int] = calls, place: int = place) -> Any:
            calls[0] += 1
            if calls[0] == place:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return real(*arguments)

        monkeypatch.setattr(os, name, full)
        try:
            build(Toy(), folder, 2, backend="cpu")
        except TableError as error:
            assert "No space left on device" in str(error) and "what was finished is kept" in str(error)
        else:
            assert calls[0] < place
            break
        finally:
            monkeypatch.setattr(os, name, real)
        assert not list(folder.glob("*.part"))
        if (folder / MANIFEST).exists():
            for number in read_manifest(folder).shards:
                store.read_checked(folder, read_manifest(folder), number)
        assert build(Toy(), folder, 2, backend="cpu")
        assert digest(folder) == digest(whole)
        shutil.rmtree(folder)
    assert place > 15


@pytest.mark.skipif(os.name != "posix", reason="limits of file sizes are POSIX")
def test_short_writes(whole: Path, tmp_path: Path) -> None:
    import resource
    import signal

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1200, before[1]))  # the manifest outgrows it
        with pytest.raises(TableError, match="File too large"):
            build(Toy(), tmp_path / "small", 2, backend="cpu")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert build(Toy(), tmp_path / "small", 2, backend="cpu")
    assert digest(tmp_path / "small") == digest(whole)


def test_a_second_builder_is_refused(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "busy"
    folder.mkdir()
    with store.only_builder(folder):
        held = subprocess.run(
            [
                sys.executable,
                "-c",
                "import sys; from pathlib import Path; from gpuodds.tables.store import only_builder\n"
                "try:\n    with only_builder(Path(sys.argv[1])): pass\n"
                "except Exception as error: print(error)",
                str(folder),
            ],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        ).stdout
    assert f"process {os.getpid()} on " in held and "is building there" in held
    (folder / "lock.holder").write_text("process 1 on nowhere")  # left behind by a killed build
    assert build(Toy(), folder, 2, backend="cpu")
    assert digest(folder) == digest(whole)


def test_two_builders_at_once(tmp_path: Path) -> None:
    assert int(run("races", str(tmp_path), "20")) > 0


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


def test_every_byte_of_the_manifest_counts(whole: Path) -> None:
    data = (whole / MANIFEST).read_bytes()
    for place in range(len(data)):
        copy = bytearray(data)
        copy[place] ^= 1 << place % 8
        (whole / MANIFEST).write_bytes(bytes(copy))
        with pytest.raises(TableError):
            StoredTable(whole)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"schema": "gpuodds.table/2"}, r"expected schema gpuodds.table/1, found gpuodds.table/2"),
        ({"table": "riddle"}, "table riddle: expected one of preflop-random"),
        ({"opponents": 4}, "damaged: opponents 4"),
        ({"opponents": True}, "damaged: opponents True"),
        ({"state": "fine"}, "engine or state is missing"),
        ({"shards": None}, "no list of shards"),
        ({"shards": []}, "complete, but 8 shards short"),
        ({"shards": [7]}, "damaged: shard 7"),
        ({"shards": [{"first": 5}]}, "damaged: shard"),
        ({"shards": [{"first": 0, "file": "../../x", "rows": 100}]}, "another file or number of rows"),
        ({"rows": 900}, "it is not as it was written"),
        ({"extra": 1}, "it is not as it was written"),
    ],
)
def test_manifests_that_are_refused(whole: Path, change: dict[str, Any], says: str) -> None:
    content = json.loads((whole / MANIFEST).read_text()) | change
    (whole / MANIFEST).write_text(json.dumps(content, indent=1) + "\n")
    with pytest.raises(TableError, match=says):
        StoredTable(whole)


@pytest.mark.parametrize("text", ["", "[]", "{", "null", "[" * 100_000, "\xff", '{"schema": 5}'])
def test_manifests_that_are_none(whole: Path, text: str) -> None:
    (whole / MANIFEST).write_text(text, "latin-1")
    with pytest.raises(TableError):
        StoredTable(whole)


def test_a_folder_without_a_table(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"no table: there is no manifest\.json"):
        StoredTable(tmp_path)
    (tmp_path / MANIFEST).write_bytes(b" " * ((1 << 20) + 1))
    with pytest.raises(TableError, match="more than 1048576 bytes"):
        StoredTable(tmp_path)


def test_a_shard_with_other_rows_is_refused(whole: Path) -> None:
    data = store.encode(Toy().compute(range(5), 2, None))
    (whole / shard_file(0)).write_bytes(data)
    manifest = read_manifest(whole)
    manifest.shards[0] = replace(manifest.shards[0], sha256=hashlib.sha256(data).hexdigest())
    (whole / MANIFEST).write_bytes(manifest.to_bytes())
    with pytest.raises(TableError, match="shard 0: 5 rows, expected 100"):
        StoredTable(whole).read_shard(0)


def test_a_damaged_shard_is_built_again(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "hurt"
    build(Toy(), folder, 2, backend="cpu", only=range(4))
    (folder / shard_file(1)).write_bytes(b"PAR1")
    assert build(Toy(), folder, 2, backend="cpu")
    assert digest(folder) == digest(whole)


def test_an_array_that_is_short_is_refused(whole: Path) -> None:
    data = (whole / "strength.u16").read_bytes()
    (whole / "strength.u16").write_bytes(data[:-1])
    with pytest.raises(TableError, match="damaged: it has 1599 bytes, expected 1600"):
        StoredTable(whole).array()


def test_a_failed_shard_keeps_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: Path
) -> None:
    real = Toy.compute

    def broken(self: Toy, rows: range, opponents: int, backend: Any) -> Any:
        if rows.start == 500:
            raise KeyboardInterrupt
        return real(self, rows, opponents, backend)

    monkeypatch.setattr(Toy, "compute", broken)
    with pytest.raises(KeyboardInterrupt):
        build(Toy(), tmp_path / "broken", 2, backend="cpu")
    assert len(read_manifest(tmp_path / "broken").shards) == 5
    monkeypatch.setattr(Toy, "compute", real)
    assert build(Toy(), tmp_path / "broken", 2, backend="cpu")
    assert digest(tmp_path / "broken") == digest(whole)


def test_progress_is_told(tmp_path: Path) -> None:
    shares: list[float] = []
    build(Toy(), tmp_path / "t", 1, backend="cpu", progress=shares.append)
    assert shares == [number / SHARDS for number in range(SHARDS + 1)]
