"""Answers that are kept: in memory, then in a file of SQLite or in Redis. Never a partial one.

Values are JSON texts under keys of :attr:`gpuodds.server.questions.Question.key`. A store that
fails is told of once and answers nothing: the cache makes the server faster, it is not needed.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import threading
import time
from collections import OrderedDict
from pathlib import Path
from typing import Protocol

from gpuodds.errors import InputError, excerpt

LOG = logging.getLogger("gpuodds.server")
REDIS_SECONDS = 30 * 86400
ALL_BYTES = "select coalesce(sum(length(value)), 0) from answers"
WRITE_SECONDS = 0.5  # that answers wait to be written together


class Store(Protocol):
    """Where answers are kept beyond the process."""

    async def get(self, key: str) -> bytes | None:
        """Return what is kept, if anything."""

    async def put(self, key: str, value: bytes) -> None:
        """Keep an answer."""

    async def close(self) -> None:
        """Let go of it."""


class Memory:
    """The answers used last, up to so many bytes."""

    def __init__(self, most: int) -> None:
        """Keep at most so many bytes of keys and values."""
        self._most, self.bytes = most, 0
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    def get(self, key: str) -> bytes | None:
        """Return what is kept, if anything, and mark it as used."""
        value = self._kept.get(key)
        if value is not None:
            self._kept.move_to_end(key)
        return value

    def put(self, key: str, value: bytes) -> None:
        """Keep an answer, dropping those used longest ago."""
        old = self._kept.pop(key, None)
        if old is not None:
            self.bytes -= len(key) + len(old)
        self._kept[key] = value
        self.bytes += len(key) + len(value)
        while self.bytes > self._most and self._kept:
            dropped, kept = self._kept.popitem(last=False)
            self.bytes -= len(dropped) + len(kept)

    def __len__(self) -> int:
        """How many answers are kept."""
        return len(self._kept)


class Disk:
    """Answers in a file of SQLite, which several servers may share."""

    def __init__(self, path: Path, most: int) -> None:
        """Open or make the file; at most so many bytes of values.

        Raises:
            InputError: The file cannot be used.
        """
        self._most, self._lock = most, threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(path, check_same_thread=False, timeout=5)
            self._base.execute("pragma journal_mode = wal")
            self._base.execute("pragma synchronous = normal")
            self._base.execute(
                "create table if not exists answers "
                "(key text primary key, value blob not null, used real not null)"
            )
            self._base.execute("create index if not exists by_use on answers (used)")
            self._base.commit()
            self._bytes: int = self._base.execute(ALL_BYTES).fetchone()[0]
        except (OSError, sqlite3.Error) as error:
            raise InputError(f"cache {path}: {error}") from None
        self._waiting: dict[str, bytes] = {}
        self._writing: asyncio.Task[None] | None = None

    async def get(self, key: str) -> bytes | None:
        """Return what is kept, if anything, and mark it as used."""
        return self._waiting.get(key) or await asyncio.to_thread(self._get, key)

    async def put(self, key: str, value: bytes) -> None:
        """Keep an answer; it is written with others, a little later."""
        self._waiting[key] = value
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_later())

    async def _write_later(self) -> None:
        await asyncio.sleep(WRITE_SECONDS)
        self._writing = None
        await self._write()

    async def _write(self) -> None:
        answers, self._waiting = self._waiting, {}
        try:
            await asyncio.to_thread(self._put, answers)
        except sqlite3.Error as error:
            LOG.warning("the cache does not take answers: %s", error)

    async def close(self) -> None:
        """Write what waits, and close the file."""
        if self._writing is not None:
            self._writing.cancel()
        await self._write()
        with self._lock:
            self._base.close()

    def _get(self, key: str) -> bytes | None:
        with self._lock:
            row = self._base.execute("select value from answers where key = ?", (key,)).fetchone()
            if row is not None:
                self._base.execute("update answers set used = ? where key = ?", (time.time(), key))
                self._base.commit()
        return None if row is None else bytes(row[0])

    def _put(self, answers: dict[str, bytes]) -> None:
        now = time.time()
        rows = [(key, value, now + 1e-6 * place) for place, (key, value) in enumerate(answers.items())]
        with self._lock:
            self._base.executemany("insert or replace into answers values (?, ?, ?)", rows)
            # What others put in, and what was replaced, is seen when it seems too much.
            self._bytes += sum(map(len, answers.values()))
            if self._bytes > self._most:
                self._drop()
            self._base.commit()

    def _drop(self) -> None:
        """Delete the answers used longest ago, down to nine tenths of the most."""
        self._bytes = self._base.execute(ALL_BYTES).fetchone()[0]
        if self._bytes <= self._most:
            return
        gone = []
        for key, size in self._base.execute("select key, length(value) from answers order by used"):
            gone.append((key,))
            self._bytes -= size
            if self._bytes <= self._most * 9 // 10:
                break
        self._base.executemany("delete from answers where key = ?", gone)


class Redis:
    """Answers in a Redis server, shared by many; its own settings bound its size."""

    def __init__(self, address: str) -> None:
        """Take an address such as redis://localhost:6379/0.

        Raises:
            InputError: The redis package is not installed, or the address is none.
        """
        try:
            import redis.asyncio as client
        except ImportError:
            raise InputError("cache: redis is not installed: pip install 'gpuodds[server]'") from None
        try:
            self._client = client.from_url(address, socket_timeout=2, socket_connect_timeout=2)
        except ValueError as error:
            raise InputError(f"cache {excerpt(address)}: {error}") from None

    async def get(self, key: str) -> bytes | None:
        """Return what is kept, if anything."""
        value = await self._client.get(f"gpuodds:{key}")
        return value.encode() if isinstance(value, str) else value

    async def put(self, key: str, value: bytes) -> None:
        """Keep an answer for a month."""
        await self._client.set(f"gpuodds:{key}", value, ex=REDIS_SECONDS)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()


class Cache:
    """Memory first, then a store, if there is one."""

    def __init__(self, memory: Memory, store: Store | None) -> None:
        """Put them together."""
        self.memory, self._store = memory, store
        self.hits, self.misses, self.failures = 0, 0, 0

    async def get(self, key: str) -> bytes | None:
        """Return what is kept, if anything."""
        value = self.memory.get(key)
        if value is None and self._store is not None:
            try:
                value = await self._store.get(key)
            except Exception as error:
                self._fail(error)
            if value is not None:
                self.memory.put(key, value)
        self.hits += value is not None
        self.misses += value is None
        return value

    async def put(self, key: str, value: bytes) -> None:
        """Keep an answer."""
        self.memory.put(key, value)
        if self._store is not None:
            try:
                await self._store.put(key, value)
            except Exception as error:
                self._fail(error)

    async def close(self) -> None:
        """Let go of the store."""
        if self._store is not None:
            await self._store.close()

    def _fail(self, error: Exception) -> None:
        self.failures += 1
        if self.failures == 1:
            LOG.warning("the cache does not answer, and is done without: %s", error)


def open_cache(where: str, most: int) -> Cache:
    """Open a cache: "memory", "disk" for the usual file, a path, or redis://...

    Raises:
        InputError: It cannot be used.
    """
    memory = Memory(most)
    if where == "memory":
        return Cache(memory, None)
    if where.startswith(("redis://", "rediss://")):
        return Cache(memory, Redis(where))
    return Cache(memory, Disk(usual_file() if where == "disk" else Path(where), most))


def usual_file() -> Path:
    """Return the file that "disk" stands for: in the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "gpuodds" / "answers.sqlite"
