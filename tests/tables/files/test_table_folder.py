"""Folders: other files and links are left alone, and a folder has one builder."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from needs import link, posix
from toy_tables import Toy, digest

from gpuodds.errors import TableError
from gpuodds.machine import files
from gpuodds.table_building.build import build
from gpuodds.tables.files import folder as table_folder
from gpuodds.tables.files.manifest import shard_file
from gpuodds.tables.store import StoredTable

pytestmark = pytest.mark.usefixtures("toy")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (shard_file(0), "mine"),
        ("strength.u16", "mine"),
        ("manifest.json.old", "mine"),
        ("manifest.json.part", "mine"),
        ("lock", "mine"),
        ("lock.holder", "mine"),
    ],
)
def test_files_of_others_are_left(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(TableError, match=f"expected an empty folder, found {name}"):
        build(Toy(), tmp_path, 2, backend="cpu")
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == text


@pytest.mark.parametrize("name", ["lock", "lock.holder", "manifest.json", "manifest.json.part"])
def test_links_in_an_empty_folder_are_refused(tmp_path: Path, name: str) -> None:
    folder, letter = tmp_path / "t", tmp_path / "letter"
    folder.mkdir()
    letter.write_text("")  # as a lock is
    link(folder / name, letter)
    with pytest.raises(TableError, match=name):
        build(Toy(), folder, 2, backend="cpu")
    assert letter.read_text() == "" and (folder / name).is_symlink()


def test_links_are_not_written_through(tmp_path: Path, whole: Path) -> None:
    folder, letter = tmp_path / "t", tmp_path / "letter"
    build(Toy(), folder, 2, backend="cpu", only=range(4))
    letter.write_text("dear")
    # First the next file to write, then the temporary files.
    link(folder / shard_file(4), letter)
    with pytest.raises(TableError, match=r"00004\.parquet: expected a regular file .* symbolic link"):
        build(Toy(), folder, 2, backend="cpu")
    assert (folder / shard_file(4)).is_symlink()
    (folder / shard_file(4)).unlink()
    for name in (f"{shard_file(4)}.part", "manifest.json.part", "strength.u16.part", "lock.holder"):
        link(folder / name, letter)
    (folder / f"{shard_file(5)}.part").write_text("left by a killed build")
    assert build(Toy(), folder, 2, backend="cpu")
    assert letter.read_text() == "dear"
    assert digest(folder) == digest(whole)


@posix
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


def test_a_lock_that_cannot_be_read(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows lets no one read a file that is locked, not even the process that holds the lock."""
    real = table_folder.read_file

    def read_file(path: Path, limit: int = -1) -> bytes:
        if path.name == "lock":
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path, limit)

    monkeypatch.setattr(table_folder, "read_file", read_file)
    assert build(Toy(), tmp_path / "new", 2, backend="cpu")
    assert digest(tmp_path / "new") == digest(whole)


def test_a_table_that_is_read_while_it_is_built(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Windows a file that is open cannot be replaced, and one that is being replaced not opened."""
    folder, busy = tmp_path / "read", [3, 0]

    def fail() -> None:
        error = PermissionError(errno.EACCES, "The process cannot access the file")
        error.winerror = 32  # type: ignore[attr-defined]
        raise error

    def often(name: str, place: int) -> None:
        real = getattr(os, name)

        def act(*arguments: Any, **options: Any) -> Any:
            if busy[place]:
                busy[place] -= 1
                fail()
            return real(*arguments, **options)

        monkeypatch.setattr(os, name, act)

    often("replace", 0)
    often("open", 1)
    assert build(Toy(), folder, 2, backend="cpu")
    assert digest(folder) == digest(whole)
    busy[:] = 0, 3
    assert len(StoredTable(folder).rows([0])) == 1
    assert busy == [0, 0]
    (folder / shard_file(4)).unlink()
    busy[:] = 1 << 20, 0
    monkeypatch.setattr(files, "BUSY_SECONDS", 0.1)
    with pytest.raises(TableError, match=r"does another program have it open\?\); what was finished"):
        build(Toy(), folder, 2, backend="cpu")
    busy[:] = 0, 0
    assert build(Toy(), folder, 2, backend="cpu")
    assert digest(folder) == digest(whole)


def test_a_second_builder_is_refused(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "busy"
    folder.mkdir()
    with table_folder.only_builder(folder):
        held = subprocess.run(
            [
                sys.executable,
                "-c",
                "import sys; from pathlib import Path\n"
                "from gpuodds.tables.files.folder import only_builder\n"
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
