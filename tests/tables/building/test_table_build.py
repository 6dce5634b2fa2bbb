"""Builds: the files they leave after any interruption, and repair of damage."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import needs
import pytest
from paths import ROOT
from toy_tables import SHARDS, Toy, digest

from gpuodds.errors import TableError
from gpuodds.table_building.build import build
from gpuodds.tables.files import shards
from gpuodds.tables.files.locate import MANIFEST
from gpuodds.tables.files.manifest import read_manifest, shard_file
from gpuodds.tables.store import StoredTable

HELPERS = ROOT / "tests" / "helpers"
pytestmark = pytest.mark.usefixtures("toy")


def run(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, str(HELPERS / "toy_tables.py"), *arguments], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("workers", [2, 5])
def test_workers_do_not_matter(whole: Path, tmp_path: Path, workers: int) -> None:
    build(Toy(), tmp_path / "again", 2, backend="cpu", workers=workers)
    assert digest(tmp_path / "again") == digest(whole)


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


@needs.fork
@pytest.mark.slow
@pytest.mark.parametrize("toy_name", [pytest.param("toy", marks=pytest.mark.weekly), "toy-in-parts"])
def test_killed_at_every_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, toy_name: str) -> None:
    # Eight shards (or two, and six parts) and the array, each with the manifest after it, and the
    # first manifest: each is flushed and moved; the folder is flushed after.
    monkeypatch.setenv("TOY", toy_name)
    assert int(run("everywhere", str(tmp_path))) > 50


@needs.fork
@pytest.mark.slow
def test_killed_at_drawn_moments(tmp_path: Path) -> None:
    assert int(run("moments", str(tmp_path), "8")) >= 8


@needs.fork
@pytest.mark.weekly
def test_killed_at_many_drawn_moments(tmp_path: Path) -> None:
    assert int(run("moments", str(tmp_path), "1000")) >= 1000


@pytest.mark.slow
@needs.fork
def test_two_builders_at_once(tmp_path: Path) -> None:
    assert int(run("races", str(tmp_path), "20")) > 0


@pytest.mark.slow
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
                shards.read_shard(folder, read_manifest(folder), number)
        assert build(Toy(), folder, 2, backend="cpu")
        assert digest(folder) == digest(whole)
        shutil.rmtree(folder)
    assert place > 15


def test_a_damaged_shard_is_built_again(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "hurt"
    build(Toy(), folder, 2, backend="cpu", only=range(4))
    (folder / shard_file(1)).write_bytes(b"PAR1")
    assert build(Toy(), folder, 2, backend="cpu")
    assert digest(folder) == digest(whole)


@pytest.mark.parametrize("name", [shard_file(1), shard_file(7), "strength.u16"])
@pytest.mark.parametrize("damage", ["bit", "zeros", "short", "gone"])
def test_a_complete_table_is_mended(
    whole: Path, caplog: pytest.LogCaptureFixture, name: str, damage: str
) -> None:
    caplog.set_level("INFO", "gpuodds")
    before = digest(whole)
    untouched = {path: path.stat().st_mtime_ns for path in whole.glob("0000[2-6].parquet")}
    data = bytearray((whole / name).read_bytes())
    data[len(data) // 2] ^= 4
    damaged = {"bit": bytes(data), "zeros": bytes(len(data)), "short": bytes(data[:-1]), "gone": None}
    changed = damaged[damage]
    (whole / name).unlink() if changed is None else (whole / name).write_bytes(changed)
    with pytest.raises(TableError, match=name):
        table = StoredTable(whole)
        table.to_arrow(), table.array()
    shares: list[float] = []
    assert build(Toy(), whole, 2, backend="cpu", progress=shares.append)
    assert digest(whole) == before
    assert untouched == {path: path.stat().st_mtime_ns for path in untouched}
    (message,) = caplog.messages
    assert name in message and message.endswith("it is built again")
    assert len(shares) == (1 if name == "strength.u16" else 2)
    StoredTable(whole).array()


def test_only_the_requested_shards_are_mended(whole: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "gpuodds")
    before = digest(whole)
    for number in (2, 5):
        (whole / shard_file(number)).write_bytes(b"PAR1")
    assert not build(Toy(), whole, 2, backend="cpu", only=range(2, 3))
    assert [message.rpartition(": ")[2] for message in caplog.messages] == [
        "it is built again",
        "it is not among those to build",
    ]
    assert StoredTable(whole, part=True).rows([200]) == [{"row": 200, "strength": 400}]
    with pytest.raises(TableError, match="half-built: 7 of 8 shards are there, but not shard 5"):
        StoredTable(whole, part=True).read_shard(5)
    assert build(Toy(), whole, 2, backend="cpu") and digest(whole) == before


def test_a_failed_shard_keeps_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: Path
) -> None:
    real = Toy.compute

    def broken(self: Toy, rows: range, opponents: int, backend: Any, progress: Any) -> Any:
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


def test_progress_is_the_fraction_built(tmp_path: Path) -> None:
    shares: list[float] = []
    build(Toy(), tmp_path / "t", 1, backend="cpu", progress=shares.append)
    assert shares == [number / SHARDS for number in range(SHARDS + 1)]
