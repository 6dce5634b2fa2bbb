"""Folders: other files and links are left alone, and a folder has one builder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from toy_tables import Toy, digest

from gpuodds.errors import TableError
from gpuodds.tables import folder as table_folder
from gpuodds.tables.building.build import build
from gpuodds.tables.manifest import shard_file

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
    (folder / name).symlink_to(letter)
    with pytest.raises(TableError, match=name):
        build(Toy(), folder, 2, backend="cpu")
    assert letter.read_text() == "" and (folder / name).is_symlink()


def test_links_are_not_written_through(tmp_path: Path, whole: Path) -> None:
    folder, letter = tmp_path / "t", tmp_path / "letter"
    build(Toy(), folder, 2, backend="cpu", only=range(4))
    letter.write_text("dear")
    # First the next file to write, then the temporary files.
    (folder / shard_file(4)).symlink_to(letter)
    with pytest.raises(TableError, match=r"00004\.parquet: expected a regular file .* symbolic link"):
        build(Toy(), folder, 2, backend="cpu")
    assert (folder / shard_file(4)).is_symlink()
    (folder / shard_file(4)).unlink()
    for name in (f"{shard_file(4)}.part", "manifest.json.part", "strength.u16.part", "lock.holder"):
        (folder / name).symlink_to(letter)
    (folder / f"{shard_file(5)}.part").write_text("left by a killed build")
    assert build(Toy(), folder, 2, backend="cpu")
    assert letter.read_text() == "dear"
    assert digest(folder) == digest(whole)


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
    with table_folder.only_builder(folder):
        held = subprocess.run(
            [
                sys.executable,
                "-c",
                "import sys; from pathlib import Path; from gpuodds.tables.folder import only_builder\n"
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
