"""A cache that fails costs no request: no fault, no wait, no wrong answer."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from needs import posix

from gpuodds.cli.main import run
from gpuodds.errors import InputError
from gpuodds.server.cache import disk as disk_module
from gpuodds.server.cache.cache import open_cache, with_checksum
from gpuodds.server.cache.disk import MARK, DiskStore
from gpuodds.server.cache.store import Failures

KEY, VALUE = "key", b'{"answer": 1}'


def fill(path: Path, number: int = 400) -> None:
    """Write answers into a file as a server does."""

    async def work() -> None:
        disk = DiskStore(path, 1 << 20, Failures())
        for place in range(number):
            await disk.put(f"{place:03}", with_checksum(f"{place:03}", b"x" * 500))
        await disk.close()

    asyncio.run(work())


def nothing(path: Path) -> None:
    path.write_bytes(b"no database, but a text that is long enough" * 100)


def truncate(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 3)


def overwrite(path: Path) -> None:
    """Damage pages in the middle, where nothing looks when the file is opened."""
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\xa5" * (path.stat().st_size // 4))


def other_columns(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as base:
        base.execute(f"pragma application_id = {MARK}")
        base.execute("create table answers (key text primary key, body text, number integer not null)")


def no_table(path: Path) -> None:
    with sqlite3.connect(path) as base:
        base.execute("drop table answers")


@pytest.mark.parametrize("damage", [truncate, overwrite, other_columns])
def test_a_damaged_file_is_moved_aside(
    tmp_path: Path, damage: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "answers.sqlite"
    fill(path)
    damage(path)
    damaged = path.read_bytes()

    async def work() -> None:
        cache = open_cache(str(path), 1 << 20)
        for place in range(400):
            assert await cache.get(f"{place:03}") in (None, b"x" * 500)
        await cache.put(KEY, VALUE)
        await cache.close()
        assert cache.failures.counts["damaged-file"] == 1 == cache.failures.total
        again = open_cache(str(path), 1 << 20)
        assert await again.get(KEY) == VALUE and again.failures.total == 0
        await again.close()

    asyncio.run(work())
    aside = tmp_path / "answers.sqlite.damaged-1"
    assert len(aside.read_bytes()) == len(damaged)
    (line,) = caplog.messages
    assert line.startswith("cache: damaged-file: ") and line.endswith(
        "; moved to answers.sqlite.damaged-1, continuing with a new file"
    )


@pytest.mark.parametrize("damage", [nothing, truncate, overwrite, no_table])
def test_a_file_that_is_damaged_in_use(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    path = tmp_path / "answers.sqlite"
    fill(path)

    async def work() -> None:
        cache = open_cache(str(path), 1 << 20)
        assert await cache.get("000") == b"x" * 500
        damage(path)
        for place in range(400):
            assert await cache.get(f"{place:03}") in (None, b"x" * 500)
        await cache.put(KEY, VALUE)
        await cache.close()
        assert cache.failures.counts["damaged-file"] == 1 == cache.failures.total
        again = open_cache(str(path), 1 << 20)
        assert await again.get(KEY) == VALUE
        await again.close()

    asyncio.run(work())


def test_no_damaged_file_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    fill(path, 10)
    whole = path.read_bytes()
    (tmp_path / "answers.sqlite.damaged-2").write_bytes(b"notes")
    (tmp_path / "answers.sqlite.damaged-4-wal").write_bytes(b"notes")
    (tmp_path / "answers.sqlite.damaged-5").symlink_to("nowhere")
    for turn in range(6):
        path.write_bytes(whole[:200] + b"damaged %d" % turn * 200)
        asyncio.run(open_cache(str(path), 1000).close())
    found = {file.name: file for file in tmp_path.iterdir() if "damaged" in file.name}
    for turn, number in enumerate((1, 3, 6, 7, 8, 9)):
        data = found.pop(f"answers.sqlite.damaged-{number}").read_bytes()
        assert data[200:].startswith(b"damaged %d" % turn)
    assert found.pop("answers.sqlite.damaged-5").readlink() == Path("nowhere")
    assert {file.read_bytes() for file in found.values()} == {b"notes"} and len(found) == 2


DAY = 86_400.0


@pytest.mark.parametrize("step", [-DAY, DAY])
def test_a_clock_that_jumps_drops_no_new_answers(
    tmp_path: Path, step: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those used longest ago are dropped, whatever the clock says."""
    clock = time.time()
    monkeypatch.setattr(time, "time", lambda: clock)

    async def write(*keys: str, used: str = "") -> None:
        cache = open_cache(str(tmp_path / "answers.sqlite"), 10_000)
        if used:
            assert await cache.get(used) is not None
        for key in keys:
            await cache.put(key, b"x" * 1000)
        await cache.close()

    async def kept() -> list[str]:
        cache = open_cache(str(tmp_path / "answers.sqlite"), 10_000)
        return [f"{place}" for place in range(14) if await cache.get(f"{place}") is not None]

    asyncio.run(write(*map(str, range(8))))
    clock += step
    asyncio.run(write("8", "9", used="0"))
    clock += step
    asyncio.run(write("10", "11"))
    found = asyncio.run(kept())
    assert {"0", "8", "9", "10", "11"} <= {*found} and not {"1", "2"} & {*found}


def test_two_servers_move_a_damaged_file_once(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    fill(path)

    async def work() -> None:
        one, two = open_cache(str(path), 1 << 20), open_cache(str(path), 1 << 20)
        for cache in (one, two):
            assert await cache.get("000") == b"x" * 500
        overwrite(path)
        for place in range(400):
            await one.get(f"{place:03}")
            await two.get(f"{place:03}")
        await one.put(KEY, VALUE)
        await one.close()
        assert await two.get(KEY) == VALUE
        await two.close()
        assert one.failures.total + two.failures.total == 1

    asyncio.run(work())
    assert not (tmp_path / "answers.sqlite.damaged-2").exists()


def database(path: Path, *statements: str) -> None:
    """Write an SQLite database as another program does."""
    base = sqlite3.connect(path)
    base.executescript(";".join(statements))
    base.close()


ANSWERS = "create table answers (key text primary key, value blob not null, used real not null)"


def no_mark(path: Path) -> None:
    database(path, ANSWERS)
    path.write_bytes(path.read_bytes()[:100] + b"?" * 8000)


def link(path: Path) -> None:
    path.with_name("text").write_bytes(b"text" * 90)
    path.symlink_to("text")


OTHERS: dict[str, tuple[Callable[[Path], Any], str]] = {
    "text": (lambda path: path.write_bytes(b"my notes" * 1000), "not an SQLite database"),
    "short": (lambda path: path.write_bytes(b"x"), "not an SQLite database"),
    "header": (lambda path: path.write_bytes(b"SQLite format 3\0"), "not an SQLite database"),
    "mails": (
        lambda path: database(path, "create table mails (text)"),
        "a database of another program",
    ),
    "empty": (lambda path: database(path, "pragma user_version = 1"), "a database of another program"),
    "more tables": (
        lambda path: database(path, ANSWERS, "create table mails (text)"),
        "a database of another program",
    ),
    "other columns": (
        lambda path: database(path, "create table answers (key, body)"),
        "a database of another program",
    ),
    "other mark": (
        lambda path: database(path, "pragma application_id = 252006674", ANSWERS),
        "a database of another program",
    ),
    "damaged, no mark": (
        no_mark,
        "",
    ),
    "folder": (lambda path: path.mkdir(), "a folder"),
    "pipe": (os.mkfifo, "not a regular file"),
    "loop": (lambda path: path.symlink_to(path.name), "Too many levels of symbolic links"),
    "link": (link, "not an SQLite database"),
    "device": (lambda path: path.symlink_to("/dev/null"), "not a regular file"),
}


@posix
@pytest.mark.parametrize("kind", OTHERS)
def test_other_files_are_refused(tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mail"
    make, message = OTHERS[kind]
    make(path)
    before = {file: file.is_file() and file.read_bytes() for file in tmp_path.iterdir()}
    with pytest.raises(InputError) as caught:
        open_cache(str(path), 1000)
    assert run(["serve", "--port", "0", "--cache", str(path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line == f"gpuodds: {caught.value}"
    assert line.startswith(f"gpuodds: cache {path}: {message}")
    assert {file: file.is_file() and file.read_bytes() for file in tmp_path.iterdir()} == before


def test_a_file_that_takes_the_place_of_the_cache_is_left(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    fill(path)

    async def work() -> None:
        cache = open_cache(str(path), 1 << 20)
        assert await cache.get("000") == b"x" * 500
        (tmp_path / "notes").write_bytes(b"my notes" * 1000)
        (tmp_path / "notes").rename(path)
        assert await cache.get("001") is None and cache.failures.counts == {"other": 1}
        await cache.close()

    asyncio.run(work())
    assert path.read_bytes() == b"my notes" * 1000
    assert [file for file in tmp_path.iterdir() if "damaged" in file.name] == []


@pytest.mark.parametrize("mode", ["wal", "delete"])
def test_a_cache_of_an_earlier_version_gets_the_mark(tmp_path: Path, mode: str) -> None:
    """Earlier versions set no application_id: the table of answers alone makes the file ours."""
    path = tmp_path / "answers.sqlite"
    value = with_checksum(KEY, VALUE).decode()
    database(
        path,
        f"pragma journal_mode = {mode}",
        ANSWERS,
        "create index by_use on answers (used)",
        f"insert into answers values ('{KEY}', cast('{value}' as blob), 1)",
    )

    async def work() -> None:
        cache = open_cache(str(path), 1 << 20)
        assert await cache.get(KEY) == VALUE and cache.failures.total == 0
        await cache.close()

    asyncio.run(work())
    assert path.read_bytes()[68:72] == b"gpod"


@posix
def test_a_link_to_a_cache_stays(tmp_path: Path) -> None:
    """What is damaged is moved aside where it is; the link leads to the new file."""
    (tmp_path / "disk").mkdir()
    path, link = tmp_path / "disk" / "a.sqlite", tmp_path / "link"
    fill(path)
    truncate(path)
    link.symlink_to(path)
    asyncio.run(open_cache(str(link), 1 << 20).close())
    assert link.is_symlink()
    assert {file.name for file in path.parent.iterdir()} == {"a.sqlite", "a.sqlite.damaged-1"}


@contextmanager
def locked(path: Path, how: str) -> Iterator[None]:
    """Hold a lock as another process would."""
    base = sqlite3.connect(path, isolation_level=None)
    base.execute(f"begin {how}")
    try:
        yield
    finally:
        base.execute("rollback")
        base.close()


@pytest.mark.parametrize("how", ["immediate", "exclusive"])
def test_a_lock_costs_no_time(tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_module, "WRITE_SECONDS", 0.02)
    path = tmp_path / "answers.sqlite"
    fill(path, 10)

    async def work() -> None:
        cache = open_cache(str(path), 1 << 20)
        with locked(path, how):
            begin = time.monotonic()
            for place in range(10):
                assert await cache.get(f"{place:03}") == b"x" * 500
            await cache.put(KEY, VALUE)
            assert time.monotonic() - begin < 1
            while not cache.failures.counts["locked"]:
                await asyncio.sleep(0.01)
        # What waited is written when the lock is gone.
        other = DiskStore(path, 1 << 20, Failures())
        while await other.get(KEY) is None:
            await asyncio.sleep(0.01)
        await other.close()
        await cache.close()
        assert cache.failures.total == cache.failures.counts["locked"]

    asyncio.run(asyncio.wait_for(work(), 20))


def test_a_file_locked_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    base = sqlite3.connect(path)  # no write-ahead log: its lock keeps readers out as well
    base.executescript("create table answers (key text primary key, value blob, used real)")
    base.close()

    async def work() -> None:
        with locked(path, "exclusive"):
            begin = time.monotonic()
            cache = open_cache(str(path), 1000)
            assert await cache.get(KEY) is None and time.monotonic() - begin < 2
        assert cache.failures.counts["locked"] == 2 and await cache.get(KEY) is None
        cache._paused["get"] = 0
        await cache.put(KEY, VALUE)
        await cache.close()

    asyncio.run(work())
    with sqlite3.connect(path) as base:
        assert base.execute("select value from answers").fetchall() == [(with_checksum(KEY, VALUE),)]


def test_answers_that_wait_for_a_lock_are_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk_module, "WRITE_SECONDS", 0.01)
    path = tmp_path / "answers.sqlite"

    async def work() -> None:
        disk = DiskStore(path, 1000, Failures())
        with locked(path, "immediate"):
            for number in range(100):
                await disk.put(f"{number:03}", b"x" * 97)
            assert not await disk._write()
            assert list(disk._waiting) == [f"{number:03}" for number in range(90, 100)]
            assert disk._failures.counts["locked"] >= 1
            begin = time.monotonic()
            await disk.close()
            assert time.monotonic() - begin < 1

    asyncio.run(work())


def test_a_full_disk_is_counted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "answers.sqlite"
    fill(path, 10)

    async def work() -> None:
        disk = DiskStore(path, 1 << 30, Failures())
        assert disk._base is not None
        disk._base.execute("pragma max_page_count = 5")
        await disk.put("big", with_checksum("big", b"x" * 100_000))
        assert not await disk._write()
        assert disk._failures.counts == {"full": 1}
        # Stored values can be read, no lock is left, and other values can be stored.
        assert await disk.get("003") == with_checksum("003", b"x" * 500)
        with locked(path, "immediate"):
            pass
        disk._base.execute("pragma max_page_count = 100000")
        await disk.put(KEY, VALUE)
        await disk.close()
        assert disk._failures.total == 1

    asyncio.run(work())
    assert caplog.messages == ["cache: full: database or disk is full; continuing without it"]
