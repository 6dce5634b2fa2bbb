"""Shards that are counted in parts: what is kept, counted again, and removed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import needs
import pytest
from toy_tables import PARTS, Toy, ToyInParts, digest

from gpuodds.cli.main import run
from gpuodds.errors import TableError
from gpuodds.table_building.build import build, find_missing
from gpuodds.table_building.verify import verify
from gpuodds.tables.files.locate import MANIFEST
from gpuodds.tables.files.manifest import Piece, read_manifest, shard_file
from gpuodds.tables.store import StoredTable

pytestmark = pytest.mark.usefixtures("toy")

KIND = ToyInParts()
EVERY = [Piece(shard, part) for shard in range(2) for part in range(PARTS)]


def stop_after(patch: pytest.MonkeyPatch, count: int) -> list[tuple[int, int]]:
    """Let builds stop when they have counted some parts; return a list of those that are counted."""
    real, counted = ToyInParts.compute_part, list[tuple[int, int]]()

    def compute(self: Any, rows: range, opponents: int, part: int, *rest: Any) -> Any:
        if len(counted) == count:
            raise KeyboardInterrupt
        counted.append((rows.start // 100, part))
        return real(self, rows, opponents, part, *rest)

    patch.setattr(ToyInParts, "compute_part", compute)
    return counted


def build_parts(folder: Path, count: int) -> list[tuple[int, int]]:
    """Build until some parts are counted; return these."""
    with pytest.MonkeyPatch.context() as patch:
        counted = stop_after(patch, count)
        with pytest.raises(KeyboardInterrupt):
            build(KIND, folder, 2, backend="cpu")
    return counted


@pytest.fixture
def all_parts(tmp_path: Path) -> Path:
    folder = tmp_path / "all-parts"
    assert build(KIND, folder, 2, backend="cpu")
    return folder


@pytest.fixture
def five(tmp_path: Path) -> Path:
    """A folder with the first five of six parts."""
    folder = tmp_path / "five"
    assert build_parts(folder, 5) == EVERY[:5]
    return folder


def rest(folder: Path) -> list[tuple[int, int]]:
    """Build the rest; return the parts that were counted."""
    with pytest.MonkeyPatch.context() as patch:
        counted = stop_after(patch, 100)
        assert build(KIND, folder, 2, backend="cpu")
    return counted


def test_parts_add_up_to_the_shard(all_parts: Path, whole: Path) -> None:
    for number in range(2):
        parts, alone = (folder / shard_file(number) for folder in (all_parts, whole))
        assert parts.read_bytes() == alone.read_bytes()
    assert not list(all_parts.glob("*.counts"))
    assert "parts" not in json.loads((all_parts / MANIFEST).read_text())


def test_a_build_goes_on_with_the_missing_parts(five: Path, all_parts: Path) -> None:
    assert sorted(read_manifest(five).parts) == EVERY[:5]
    assert sorted(path.name for path in five.glob("*.counts")) == [piece.file for piece in EVERY[:5]]
    assert rest(five) == EVERY[5:]
    assert digest(five) == digest(all_parts)


def test_workers_share_the_parts(five: Path, tmp_path: Path, all_parts: Path) -> None:
    assert build(KIND, five, 2, backend="cpu", workers=2)
    assert build(KIND, tmp_path / "new", 2, backend="cpu", workers=3)
    assert digest(five) == digest(tmp_path / "new") == digest(all_parts)


@pytest.mark.parametrize("damage", ["bit", "short", "gone"])
def test_a_damaged_part_is_counted_again(
    five: Path, all_parts: Path, caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    caplog.set_level("INFO", "gpuodds")
    path = five / EVERY[2].file
    data = bytearray(path.read_bytes())
    data[40] ^= 1
    path.unlink()
    if damage != "gone":
        path.write_bytes(bytes(data) if damage == "bit" else b"")
    with pytest.raises(TableError, match="part 2 of shard 0"):
        verify(five)
    assert rest(five) == [EVERY[2], *EVERY[5:]]
    (message,) = caplog.messages
    assert "part 2 of shard 0" in message and message.endswith("it is built again")
    assert digest(five) == digest(all_parts)


def test_a_damaged_shard_is_counted_from_new_parts(all_parts: Path, tmp_path: Path) -> None:
    hurt = tmp_path / "hurt"
    shutil.copytree(all_parts, hurt)
    (hurt / shard_file(1)).write_bytes(b"PAR1")
    assert rest(hurt) == EVERY[PARTS:]
    assert digest(hurt) == digest(all_parts)


def test_parts_of_a_chosen_shard(tmp_path: Path, all_parts: Path) -> None:
    folder = tmp_path / "t"
    assert not build(KIND, folder, 2, backend="cpu", only=range(1, 2))
    manifest = read_manifest(folder)
    assert list(manifest.shards) == [1] and not manifest.parts
    assert rest(folder) == EVERY[:PARTS]
    assert digest(folder) == digest(all_parts)


def test_all_parts_are_there_but_not_the_shards(
    tmp_path: Path, all_parts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "t"
    with monkeypatch.context() as patch:
        patch.setattr(ToyInParts, "join_parts", lambda *given: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            build(KIND, folder, 2, backend="cpu")
    assert sorted(read_manifest(folder).parts) == EVERY
    assert rest(folder) == []
    assert digest(folder) == digest(all_parts)


def test_parts_that_do_not_add_up_can_be_removed(
    tmp_path: Path, all_parts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*given: Any) -> Any:
        raise TableError("strengths do not add up")

    folder = tmp_path / "t"
    with monkeypatch.context() as patch:
        patch.setattr(ToyInParts, "join_parts", refuse)
        with pytest.raises(
            TableError, match=r"do not add up; without the files \*\.counts of \S+[/\\]t the"
        ):
            build(KIND, folder, 2, backend="cpu")
    for path in folder.glob("*.counts"):
        path.unlink()
    assert rest(folder) == EVERY
    assert digest(folder) == digest(all_parts)


def test_parts_of_another_origin(five: Path) -> None:
    manifest = read_manifest(five)
    object.__setattr__(manifest.origin, "fingerprint", "0123")
    (five / MANIFEST).write_bytes(manifest.to_bytes())
    with pytest.raises(TableError, match=r"begun by gpuodds .*fingerprint 0123"):
        build(KIND, five, 2, backend="cpu")
    assert len(list(five.glob("*.counts"))) == 5


def test_links_in_the_place_of_parts(five: Path, tmp_path: Path) -> None:
    letter = tmp_path / "letter"
    letter.write_text("dear")
    for piece in (EVERY[1], EVERY[5]):
        path, kept = five / piece.file, five / "kept"
        if path.exists():
            path.rename(kept)
        needs.link(path, letter)
        with pytest.raises(TableError, match=f"{piece.file}: expected a regular file"):
            build(KIND, five, 2, backend="cpu")
        assert path.is_symlink()
        path.unlink()
        if kept.exists():
            kept.rename(path)
    assert letter.read_text() == "dear" and rest(five) == EVERY[5:]


def test_progress_counts_parts(five: Path) -> None:
    shares: list[float] = []
    assert build(KIND, five, 2, backend="cpu", progress=shares.append)
    assert shares[0] == 5 / 6 and shares[-1] == 1.0
    assert shares == sorted(shares)


def test_what_a_build_would_count(five: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = find_missing(KIND, five, 2, None)
    assert missing.shards == [0, 1] and missing.pieces == EVERY[5:] and missing.arrays
    assert find_missing(KIND, five, 2, range(1)) == ([0], [], False)
    words = ["table", "build", KIND.name, "--opponents", "2", "--out", str(five), "--dry-run"]
    assert run(words) == 0
    text = capsys.readouterr().out
    assert text.startswith("toy-in-parts: 5 of 6 parts are there; 200 rows in 2 shards, about 167 ms")


def test_a_half_built_table_says_so(five: Path) -> None:
    with pytest.raises(
        TableError, match="half-built: 0 of 2 shards and 5 parts of the others are there"
    ):
        StoredTable(five)
    assert verify(five) == [
        "0 of 2 shards, a part of the table: checksums and numbers of rows",
        "5 parts of the other shards: checksums",
    ]


@pytest.mark.parametrize(
    "entry",
    [
        7,
        {"shard": 2, "part": 0, "file": "00002-000.counts"},
        {"shard": 0, "part": None, "file": "00000.parquet"},
        {"shard": 0, "part": 1, "file": "../00000-001.counts"},
        {"shard": 0, "part": True, "file": "00000-001.counts"},
        {"shard": 0, "part": 1, "file": "00000-001.counts", "sha256": "x"},
    ],
)
def test_wrong_entries_of_parts_are_refused(five: Path, entry: Any) -> None:
    content = json.loads((five / MANIFEST).read_text())
    known = {"sha256": "0" * 64, **entry} if isinstance(entry, dict) else entry
    (five / MANIFEST).write_text(json.dumps(content | {"parts": [known]}, indent=1) + "\n")
    with pytest.raises(TableError, match="damaged: part"):
        read_manifest(five)
    (five / MANIFEST).write_text(json.dumps(content | {"parts": 5}, indent=1) + "\n")
    with pytest.raises(TableError, match="damaged: no list of parts"):
        read_manifest(five)


def test_kinds_with_one_part_have_none(whole: Path) -> None:
    missing = find_missing(Toy(), whole.parent / "none", 2, range(2))
    assert missing.pieces == [Piece(0), Piece(1)]
