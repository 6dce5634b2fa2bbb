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

import gpuodds
from gpuodds.errors import InputError, TableError
from gpuodds.tables import folder as table_folder
from gpuodds.tables import origin, store
from gpuodds.tables.build import build
from gpuodds.tables.locate import MANIFEST
from gpuodds.tables.manifest import read_manifest, shard_file
from gpuodds.tables.store import StoredTable
from gpuodds.tables.verify import verify

HERE = Path(__file__).parents[1]
ARRAY = {"file": "strength.u16", "column": "strength", "dtype": "<u2", "rows": 800}


@pytest.fixture(autouse=True)
def known_toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpuodds.tables.kinds.catalog.kinds", toy_tables.with_toy)


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
    # What would be the next file to write, and what writing it would begin with.
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


@pytest.mark.skipif(os.name != "posix", reason="pipes with names are POSIX")
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


def test_a_part_and_the_rest(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    assert not build(Toy(), folder, 2, backend="cpu", only=range(3, 6))
    with pytest.raises(TableError, match="half-built: 3 of 8 shards are there"):
        StoredTable(folder)
    part = StoredTable(folder, part=True)
    assert part.rows(range(300, 302)) == [{"row": n, "strength": 2 * n} for n in (300, 301)]
    command = f"gpuodds table build toy --opponents 2 --shards 6 --out {folder}"
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


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"engine": "0.0.1"}, r"begun by gpuodds 0\.0\.1 \("),
        ({"fingerprint": "0123"}, r"\(fingerprint 0123, pyarrow"),
        ({"pyarrow": "1.0"}, r"pyarrow 1\.0\), this is gpuodds"),
    ],
)
def test_other_programs_do_not_go_on(tmp_path: Path, changed: dict[str, str], says: str) -> None:
    folder = tmp_path / "old"
    build(Toy(), folder, 2, backend="cpu", only=range(2))
    manifest = read_manifest(folder)
    manifest.origin = replace(manifest.origin, **changed)
    (folder / MANIFEST).write_bytes(manifest.to_bytes())
    with pytest.raises(TableError, match=says):
        build(Toy(), folder, 2, backend="cpu")


def test_the_fingerprint_is_of_the_sources(tmp_path: Path) -> None:
    package = Path(gpuodds.__file__).parent
    copy = tmp_path / "gpuodds"
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__"))
    if not (copy / "kernels").exists():
        shutil.copytree(package.parent / "kernels", copy / "kernels")

    def fingerprint() -> str:
        code = "from gpuodds.tables.origin import fingerprint; print(fingerprint())"
        run = [sys.executable, "-c", code]
        environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(run, cwd=tmp_path, env=environment, capture_output=True, text=True).stdout

    ours = fingerprint()
    assert ours.strip() == origin.fingerprint()
    for name, same in [
        ("backends/cpu/streets.py", False),
        ("kernels/sums.cu", False),
        ("client.py", True),
    ]:
        source = (copy / name).read_bytes()
        (copy / name).write_bytes(source + b"\n")
        assert (fingerprint() == ours) == same
        (copy / name).write_bytes(source)


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
        ({"schema": "gpuodds.table/3"}, r"expected schema gpuodds.table/2, found gpuodds.table/3"),
        (
            {"schema": "gpuodds.table/1"},
            "of schema gpuodds.table/1, before gpuodds.table/2: build it again: "
            "gpuodds table build toy --opponents 2 --out NEW_FOLDER",
        ),
        ({"table": "riddle"}, "table riddle: expected one of preflop-random"),
        ({"opponents": 4}, "damaged: opponents 4"),
        ({"opponents": True}, "damaged: opponents True"),
        ({"state": "fine"}, "state is missing"),
        ({"fingerprint": None}, "engine, fingerprint or pyarrow is missing"),
        ({"arrays": None}, "no list of arrays"),
        ({"arrays": [7]}, "damaged: array 7"),
        ({"arrays": [{"column": "strength", "dtype": ["<u2"]}]}, "damaged: array"),
        (
            {"arrays": [{"column": "strength", "dtype": "<u2", "file": "../x"}]},
            "another file or number",
        ),
        ({"arrays": [ARRAY | {"sha256": []}]}, "damaged: array strength: expected 1 checksums"),
        ({"arrays": []}, "it is not as it was written"),
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


def test_only_what_was_asked_for_is_mended(whole: Path, caplog: pytest.LogCaptureFixture) -> None:
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


def test_an_array_is_compared_block_by_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("build", "manifest", "store"):
        monkeypatch.setattr(f"gpuodds.tables.{module}.BLOCK", 300)
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
    with pytest.raises(TableError, match="not kept as a plain array: column row"):
        StoredTable(folder).array("row")


@pytest.mark.parametrize("row", [-1, 800, 1 << 70, 2.0, "5", None, True])
def test_what_is_no_row_or_shard(whole: Path, row: Any) -> None:
    table = StoredTable(whole)
    with pytest.raises(InputError, match="expected 0 to 799 in table toy"):
        table.rows([0, row])
    if row != 5:
        with pytest.raises(InputError, match="expected 0 to 7"):
            table.read_shard(row)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted in /proc")
def test_shards_are_decoded_without_threads(whole: Path) -> None:
    code = (
        "import os, sys\n"
        "import pyarrow.parquet\n"
        "from gpuodds.tables.store import decode\n"
        "data = open(sys.argv[1], 'rb').read()\n"
        "before = len(os.listdir('/proc/self/task'))\n"
        "decode(data)\n"
        "print(before, len(os.listdir('/proc/self/task')))\n"
    )
    run = [sys.executable, "-c", code, str(whole / shard_file(0))]
    before, after = subprocess.run(run, capture_output=True, text=True, check=True).stdout.split()
    assert before == after


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
