"""The cache of exact answers: in memory, then in an SQLite file or in Redis.

Values are JSON texts under the keys of :attr:`gpuodds.server.reading.parsed.ParsedRequest.key`. A
store that fails is counted and not used for some seconds: the server works without it. Values from a
store are checked: a damaged one is deleted and computed again.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from cachetools import LRUCache

from gpuodds.errors import InputError
from gpuodds.machine.trust import why_untrusted
from gpuodds.server.cache.disk import DiskStore
from gpuodds.server.cache.redis_store import RedisStore
from gpuodds.server.cache.store import LOG, STORE_SECONDS, Failures, Store, StoreError

Result = TypeVar("Result")

PAUSE_SECONDS = 5.0  # before a store that failed is used again
CHECKSUM = 16  # characters before a stored value


class MemoryCache:
    """The answers used last, up to a number of bytes."""

    def __init__(self, max_bytes: int) -> None:
        """Keep at most ``max_bytes`` bytes of keys and values."""
        # A value is stored with its key, since cachetools sizes values alone.
        self._entries: LRUCache[str, tuple[str, bytes]] = LRUCache(max_bytes, getsizeof=_entry_bytes)

    @property
    def num_bytes(self) -> int:
        """Bytes of all keys and values."""
        return int(self._entries.currsize)

    def get(self, key: str) -> bytes | None:
        """Return the value of a key, None if there is none, and mark it as used."""
        entry = self._entries.get(key)
        return None if entry is None else entry[1]

    def put(self, key: str, value: bytes) -> None:
        """Store a value, and drop those used longest ago."""
        self._entries.pop(key, None)  # its bytes are free, so fewer others are dropped
        try:
            self._entries[key] = (key, value)
        except ValueError:  # larger than the cache: all others would have been dropped for it
            self._entries.clear()

    def __len__(self) -> int:
        """Number of values."""
        return len(self._entries)


def _entry_bytes(entry: tuple[str, bytes]) -> int:
    key, value = entry
    return len(key) + len(value)


class Cache:
    """The cache in memory, then a store, if there is one."""

    def __init__(
        self,
        memory: MemoryCache,
        store: Store | None,
        failures: Failures,
        check: Callable[[bytes], object] = lambda value: None,
    ) -> None:
        """Put the parts together.

        Args:
            memory: The cache in memory.
            store: Keeps answers beyond the process.
            failures: Counts the store's failures.
            check: Called with each value from the store; raises ValueError if it is no answer.
        """
        self.memory, self.failures = memory, failures
        self._store, self._check = store, check
        self._paused = {"get": 0.0, "put": 0.0}
        self.hits, self.misses = 0, 0

    async def get(self, key: str) -> bytes | None:
        """Return the value of a key, None if there is none."""
        value = self.memory.get(key)
        if value is None and self._store is not None:
            value = await self._from_store(self._store, key)
            if value is not None:
                self.memory.put(key, value)
        self.hits += value is not None
        self.misses += value is None
        return value

    async def put(self, key: str, value: bytes) -> None:
        """Store a value in memory and in the store."""
        self.memory.put(key, value)
        if self._store is not None:
            store = self._store
            await self._try("put", lambda: store.put(key, with_checksum(key, value)))

    async def close(self) -> None:
        """Close the store."""
        if self._store is not None:
            await self._store.close()

    async def _from_store(self, store: Store, key: str) -> bytes | None:
        try:
            stored = await self._try("get", lambda: store.get(key))
            if stored is None:
                return None
            value = without_checksum(key, stored)
            self._check(value)
            return value
        except ValueError as error:
            detail = str(error).partition("\n")[0]
            self.failures.count("damaged-value", detail, "deleted, to be computed again")
        await self._try("put", lambda: store.delete(key))
        return None

    async def _try(self, kind: str, act: Callable[[], Awaitable[Result]]) -> Result | None:
        """Return the result of an operation of the store, None if it fails or is paused.

        Raises:
            ValueError: The value is damaged.
        """
        now = asyncio.get_running_loop().time()
        if now < self._paused[kind]:
            return None
        try:
            async with asyncio.timeout(2 * STORE_SECONDS):
                return await act()
        except StoreError as error:
            if error.reason == "damaged-value":
                raise ValueError(str(error)) from None
            self.failures.count(error.reason, error)
        except TimeoutError:
            self.failures.count("unreachable", f"no answer within {2 * STORE_SECONDS:g} s")
        except Exception as error:
            self.failures.count("other", f"{type(error).__name__}: {error}")
        self._paused[kind] = now + PAUSE_SECONDS
        return None


def with_checksum(key: str, value: bytes) -> bytes:
    """Return a value after a checksum of itself and its key."""
    return hashlib.sha256(key.encode() + value).hexdigest()[:CHECKSUM].encode() + value


def without_checksum(key: str, stored: object) -> bytes:
    """Return a value without its checksum.

    Raises:
        ValueError: The checksum is that of another value or another key.
    """
    value = stored[CHECKSUM:] if isinstance(stored, bytes) else b""
    if not value or with_checksum(key, value) != stored:
        raise ValueError("a cached answer is damaged")
    return value


def open_cache(
    where: str, max_bytes: int, check: Callable[[bytes], object] = lambda value: None
) -> Cache:
    """Open a cache.

    Args:
        where: ``"memory"``, ``"disk"`` for the default file, a path, or ``"redis://..."``.
        max_bytes: Bytes of the cache in memory, and of the file.
        check: Called with each value from a store; raises ValueError if it is no answer.

    Raises:
        InputError: The file or the address cannot be used.
    """
    memory, failures = MemoryCache(max_bytes), Failures()
    if where == "memory":
        return Cache(memory, None, failures)
    if where.startswith(("redis://", "rediss://")):
        return Cache(memory, RedisStore(where), failures, check)
    path = default_file() if where == "disk" else Path(where)
    store = DiskStore(path, max_bytes, failures)
    why = why_untrusted(os.path.abspath(path))
    if why is not None:  # a folder that servers of several users share is meant to be so
        LOG.warning("cache %s: %s: others can change what this server answers", path, why)
    return Cache(memory, store, failures, check)


def default_file() -> Path:
    """Return the file of the cache ``"disk"``, in the user's cache folder.

    Raises:
        InputError: The user has no home, or a relative one.
    """
    base = os.environ.get("XDG_CACHE_HOME", "")
    # The XDG specification has relative paths ignored.
    folder = Path(base) if os.path.isabs(base) else _home() / ".cache"
    return folder / "gpuodds" / "answers.sqlite"


def _home() -> Path:
    with suppress(RuntimeError):
        home = Path.home()
        if home.is_absolute():  # else whoever chose the working directory would choose the answers
            return home
    raise InputError(
        "cache disk: this user has no home: expected memory, a file, or XDG_CACHE_HOME to be set"
    )
