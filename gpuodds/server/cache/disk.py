"""The store of answers in an SQLite file, which several servers may share."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import TypeVar

from gpuodds.basics.present import present
from gpuodds.errors import InputError, excerpt
from gpuodds.machine.files import create_file
from gpuodds.server.cache.store import Failures, StoreError

T = TypeVar("T")

ALL_BYTES = "select coalesce(sum(length(value)), 0) from answers"
COLUMNS = ["key", "value", "used"]
LOCK_SECONDS = 0.05  # that a write waits for other processes, and a read for that write
WRITE_SECONDS = 0.5  # that answers wait to be written in one batch
MAX_WRITE_SECONDS = 30.0  # if writes fail
MAX_WAITING = 16 << 20  # bytes of answers that wait while the file is locked
MAX_USES = 10_000  # times of use that wait to be written
MARK = 0x67706F64  # "gpod": the application_id of our databases
MAGIC = b"SQLite format 3\0"
MARK_AT = 68  # the byte of a database at which its application_id is, four bytes, big-endian
LOGS = ("-wal", "-shm")  # endings of the files that SQLite keeps beside a database
EXPECTED = "expected a cache of gpuodds, an empty file or a new name"
REASONS = {
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_IOERR: "input-output",
    sqlite3.SQLITE_CORRUPT: "damaged-file",
    sqlite3.SQLITE_NOTADB: "damaged-file",
    # The statements fit an undamaged table.
    sqlite3.SQLITE_ERROR: "damaged-file",
    sqlite3.SQLITE_CONSTRAINT: "damaged-file",
    sqlite3.SQLITE_MISMATCH: "damaged-file",
}
DAMAGED_READS = (sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS)


class DiskStore:
    """Stores answers in an SQLite file, which several servers may share.

    Reads wait for no lock of another process. Answers and times of use are written in batches, a little
    later, and again if the file was locked. A damaged file that has the mark of gpuodds is moved aside
    and replaced by a new one. Any other file is left as it is.
    """

    def __init__(self, path: Path, max_bytes: int, failures: Failures) -> None:
        """Open or create the file.

        Args:
            path: The file.
            max_bytes: Bytes of values; those used longest ago are dropped.
            failures: Counts failures that no caller sees.

        Raises:
            InputError: The file cannot be used, or it is not a cache of gpuodds.
        """
        # SQLite follows links: what is moved aside is the file, with the logs beside it.
        self._path = Path(os.path.realpath(path))
        self._max_bytes, self._failures = max_bytes, failures
        self._lock = threading.Lock()
        self._base: sqlite3.Connection | None = None
        self._file_id: tuple[int, int] | None = None  # of the file that is open
        self._bytes = 0
        self._waiting: dict[str, bytes | None] = {}  # None for a key to be deleted
        self._used: dict[str, None] = {}  # the keys used last, in order
        self._writing: asyncio.Task[None] | None = None
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._open()
        except OSError as error:
            raise InputError(f"cache {excerpt(str(path), 200)}: {error.strerror or error}") from None
        except StoreError as error:
            if error.reason == "other":
                raise InputError(f"cache {excerpt(str(path), 200)}: {error}") from None
            failures.count(error.reason, error)

    async def get(self, key: str) -> bytes | None:
        """Return the value of a key, None if there is none, and mark it as used."""
        if key in self._waiting:
            return self._waiting[key]
        value = await asyncio.to_thread(self._do, lambda base: _read(base, key))
        if value is not None and len(self._used) < MAX_USES:
            self._used.pop(key, None)
            self._used[key] = None
            self._write_soon()
        return value

    async def put(self, key: str, value: bytes) -> None:
        """Store a value; it is written with others, a little later."""
        self._waiting[key] = value
        self._write_soon()

    async def delete(self, key: str) -> None:
        """Delete the value of a key."""
        self._waiting[key] = None
        self._write_soon()

    async def close(self) -> None:
        """Write what is waiting, and close the file."""
        if self._writing is not None:
            self._writing.cancel()
        await self._write()
        with self._lock:
            self._close()

    def _write_soon(self) -> None:
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_until_done())

    async def _write_until_done(self) -> None:
        pause = WRITE_SECONDS
        while self._waiting or self._used:
            await asyncio.sleep(pause)
            pause = WRITE_SECONDS if await self._write() else min(2 * pause, MAX_WRITE_SECONDS)
        self._writing = None

    async def _write(self) -> bool:
        """Write what is waiting; return whether that succeeded."""
        answers, self._waiting = self._waiting, {}
        used, self._used = self._used, {}
        if not answers and not used:
            return True
        try:
            await asyncio.to_thread(self._do, lambda base: self._put(base, answers, used))
        except StoreError as error:
            self._failures.count(error.reason, error)
            if error.reason == "locked":
                self._waiting = _newest({**answers, **self._waiting}, min(self._max_bytes, MAX_WAITING))
            return False
        return True

    def _do(self, act: Callable[[sqlite3.Connection], T]) -> T:
        """Return the result of an operation on the file, or on a new file if it is damaged.

        Raises:
            StoreError: The operation fails.
        """
        with self._lock:
            for attempt in range(2):
                try:
                    if self._base is None or self._file_id != self._current_file_id():
                        self._open()
                    with present(self._base) as base:
                        return act(base)
                except sqlite3.Error as error:
                    reason = _reason(error)
                    if reason != "damaged-file" or attempt:
                        raise StoreError(reason, error) from None
                    self._move_aside(error)
                except OSError as error:
                    raise StoreError("input-output", error) from None
        raise AssertionError

    def _open(self) -> None:
        """Open the file, or a new one if it is damaged.

        Raises:
            StoreError: It cannot be opened, or it is not a cache of gpuodds.
            OSError: It cannot be read.
        """
        self._close()
        for attempt in range(2):
            is_ours = _has_mark(self._path)
            base = None
            try:
                base = sqlite3.connect(self._path, check_same_thread=False, timeout=LOCK_SECONDS)
                self._file_id = self._current_file_id()
                self._bytes = _prepare(base)
                self._file_id = self._current_file_id()  # a new file has one only now
            except (sqlite3.Error, StoreError) as error:
                if base is not None:
                    base.close()
                reason = error.reason if isinstance(error, StoreError) else _reason(error)
                if reason == "damaged-file" and not is_ours:
                    raise StoreError("other", f"{error}; {EXPECTED}") from None
                if reason != "damaged-file" or attempt:
                    raise StoreError(reason, error) from None
                self._move_aside(error)
            else:
                self._base = base
                return

    def _close(self) -> None:
        if self._base is not None:
            with suppress(sqlite3.Error):
                self._base.close()
            self._base = None

    def _current_file_id(self) -> tuple[int, int] | None:
        """Return the identity of the file at the path, which another server may have replaced."""
        try:
            status = os.stat(self._path)
        except OSError:
            return None
        return status.st_dev, status.st_ino

    def _move_aside(self, error: Exception) -> None:
        """Rename the damaged file, unless another server has done that."""
        damaged = self._file_id
        self._close()
        if damaged is None or damaged != self._current_file_id():
            return
        try:
            aside = self._new_name()
            try:
                for ending in LOGS:
                    with suppress(FileNotFoundError):
                        os.replace(f"{self._path}{ending}", f"{aside}{ending}")
                os.replace(self._path, aside)
            except FileNotFoundError:  # another server has moved it meanwhile
                aside.unlink()
                return
        except OSError as fault:
            raise StoreError("other", f"{error}; it cannot be moved aside: {fault}") from None
        self._failures.count(
            "damaged-file", error, f"moved to {aside.name}, continuing with a new file"
        )

    def _new_name(self) -> Path:
        """Return the first free name of a damaged file, where an empty file now keeps the place.

        Raises:
            OSError: The folder cannot be written.
        """
        for number in count(1):
            aside = self._path.with_name(f"{self._path.name}.damaged-{number}")
            if not any(os.path.lexists(f"{aside}{ending}") for ending in LOGS):
                with suppress(FileExistsError):
                    create_file(aside).close()
                    return aside
        raise AssertionError

    def _put(
        self, base: sqlite3.Connection, answers: dict[str, bytes | None], used: dict[str, None]
    ) -> None:
        # Later than every use in the file, though the clock may have been set back.
        last = base.execute("select max(used) from answers").fetchone()[0] or 0.0
        times = count(max(time.time(), last + 1e-6), 1e-6)
        base.executemany("update answers set used = ? where key = ?", zip(times, used, strict=False))
        rows = [
            (key, value, at)
            for (key, value), at in zip(answers.items(), times, strict=False)
            if value is not None
        ]
        deleted = [(key,) for key, value in answers.items() if value is None]
        base.executemany("delete from answers where key = ?", deleted)
        base.executemany("insert or replace into answers values (?, ?, ?)", rows)
        # An estimate: it leaves out what other servers add, and what these rows replace.
        self._bytes += sum(len(value) for _, value, _ in rows)
        if self._bytes > self._max_bytes:
            self._drop(base)

    def _drop(self, base: sqlite3.Connection) -> None:
        """Delete the answers used longest ago, down to nine tenths of the limit."""
        self._bytes = base.execute(ALL_BYTES).fetchone()[0]
        if self._bytes <= self._max_bytes:
            return
        dropped = []
        for key, size in base.execute("select key, length(value) from answers order by used"):
            dropped.append((key,))
            self._bytes -= size
            if self._bytes <= self._max_bytes * 9 // 10:
                break
        base.executemany("delete from answers where key = ?", dropped)


def _has_mark(path: Path) -> bool:
    """Return whether a file has the mark of gpuodds; a file that is not there or empty will have it.

    Raises:
        StoreError: It is no database, that of another program, or no regular file.
        OSError: It cannot be read.
    """
    try:
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):
            kind = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
            raise StoreError("other", f"{kind}; {EXPECTED}")
        with path.open("rb") as file:
            header = file.read(MARK_AT + 4)
    except FileNotFoundError:
        return True
    if not header:
        return True
    if not header.startswith(MAGIC) or len(header) < MARK_AT + 4:
        raise StoreError("other", f"not an SQLite database; {EXPECTED}")
    mark = int.from_bytes(header[MARK_AT:], "big")
    if mark not in (0, MARK):
        raise StoreError("other", f"a database of another program; {EXPECTED}")
    return mark == MARK


def _prepare(base: sqlite3.Connection) -> int:
    """Mark a new database and create its table; return the bytes of its values.

    A database without the mark is ours if the table of answers is all that it has: earlier versions set
    no mark.

    Raises:
        StoreError: The file belongs to another program, or its table has other columns.
    """
    columns = [name for (name,) in base.execute("select name from pragma_table_info('answers')")]
    if base.execute("pragma application_id").fetchone()[0] != MARK:
        names = base.execute("select name from sqlite_master where type in ('table', 'view')")
        tables = [name for (name,) in names if not name.startswith("sqlite_")]
        is_new = base.execute("pragma page_count").fetchone()[0] == 0
        if not is_new and (tables != ["answers"] or columns != COLUMNS):
            raise StoreError("other", f"a database of another program; {EXPECTED}")
        base.execute(f"pragma application_id = {MARK}")
    elif columns not in ([], COLUMNS):
        raise StoreError("damaged-file", "the table answers has other columns")
    # After the mark, which a write-ahead log would keep from the header.
    base.execute("pragma journal_mode = wal")
    base.execute("pragma synchronous = normal")
    base.execute(
        "create table if not exists answers "
        "(key text primary key, value blob not null, used real not null)"
    )
    base.execute("create index if not exists by_use on answers (used)")
    base.commit()
    size: int = base.execute(ALL_BYTES).fetchone()[0]
    return size


def _read(base: sqlite3.Connection, key: str) -> bytes | None:
    row = base.execute("select value from answers where key = ?", (key,)).fetchone()
    if row is None:
        return None
    return row[0] if isinstance(row[0], bytes) else str(row[0]).encode()


def _reason(error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", 0)
    if code in DAMAGED_READS:
        return "damaged-file"
    return REASONS.get(code & 0xFF, "other")


def _newest(answers: dict[str, bytes | None], max_bytes: int) -> dict[str, bytes | None]:
    """Return the last of the answers, up to ``max_bytes`` bytes."""
    kept, size = [], 0
    for key, value in reversed(answers.items()):
        size += len(key) + len(value or b"")
        if size > max_bytes:
            break
        kept.append((key, value))
    return dict(reversed(kept))
