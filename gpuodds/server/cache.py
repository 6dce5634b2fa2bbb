"""Answers that are kept: in memory, then in a file of SQLite or in Redis. Never a partial one.

Values are JSON texts under keys of :attr:`gpuodds.server.requests.Question.key`. A store that fails is
counted, and left alone for some seconds: the cache makes the server faster, it is not needed. What it
gives is checked: a damaged answer is deleted, and computed anew.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gpuodds.server.disk import Disk
from gpuodds.server.redis_store import Redis
from gpuodds.server.store import STORE_SECONDS, Failures, Store, StoreError

PAUSE_SECONDS = 5.0  # before a store that failed is asked again
SEAL = 16  # letters before a kept value


class Memory:
    """The answers used last, up to a number of bytes."""

    def __init__(self, most: int) -> None:
        """Keep at most ``most`` bytes of keys and values."""
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


class Cache:
    """Memory first, then a store, if there is one."""

    def __init__(
        self,
        memory: Memory,
        store: Store | None,
        failures: Failures,
        check: Callable[[bytes], object] = lambda value: None,
    ) -> None:
        """Put them together; ``check`` raises ValueError for what is no answer."""
        self.memory, self.failures = memory, failures
        self._store, self._check = store, check
        self._paused = {"get": 0.0, "put": 0.0}
        self.hits, self.misses = 0, 0

    async def get(self, key: str) -> bytes | None:
        """Return what is kept, if anything."""
        value = self.memory.get(key)
        if value is None and self._store is not None:
            value = await self._from_store(self._store, key)
            if value is not None:
                self.memory.put(key, value)
        self.hits += value is not None
        self.misses += value is None
        return value

    async def put(self, key: str, value: bytes) -> None:
        """Keep an answer."""
        self.memory.put(key, value)
        if self._store is not None:
            store = self._store
            await self._try("put", lambda: store.put(key, sealed(key, value)))

    async def close(self) -> None:
        """Let go of the store."""
        if self._store is not None:
            await self._store.close()

    async def _from_store(self, store: Store, key: str) -> bytes | None:
        try:
            found = await self._try("get", lambda: store.get(key))
            if found is None:
                return None
            value = unsealed(key, found)
            self._check(value)
            return value
        except ValueError as error:
            said = str(error).partition("\n")[0]
            self.failures.count("damaged-value", said, "deleted, to be computed anew")
        await self._try("put", lambda: store.delete(key))
        return None

    async def _try(self, kind: str, act: Callable[[], Any]) -> Any:
        """Return what a store does, or None where it fails, or failed a moment ago.

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


def sealed(key: str, value: bytes) -> bytes:
    """Return an answer with a mark by which damage shows, and an answer to another question."""
    return hashlib.sha256(key.encode() + value).hexdigest()[:SEAL].encode() + value


def unsealed(key: str, found: Any) -> bytes:
    """Return the answer of a sealed one.

    Raises:
        ValueError: It is damaged.
    """
    value = found[SEAL:] if isinstance(found, bytes) else b""
    if not value or sealed(key, value) != found:
        raise ValueError("an answer that is kept is damaged")
    return value


def open_cache(where: str, most: int, check: Callable[[bytes], object] = lambda value: None) -> Cache:
    """Open a cache: "memory", "disk" for the usual file, a path, or redis://...

    Args:
        where: Which of them.
        most: Bytes of each part.
        check: Called with an answer from a store; raises ValueError if it is damaged.

    Raises:
        InputError: It cannot be used.
    """
    memory, failures = Memory(most), Failures()
    if where == "memory":
        return Cache(memory, None, failures)
    if where.startswith(("redis://", "rediss://")):
        return Cache(memory, Redis(where), failures, check)
    path = usual_file() if where == "disk" else Path(where)
    return Cache(memory, Disk(path, most, failures), failures, check)


def usual_file() -> Path:
    """Return the file that "disk" stands for: in the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "gpuodds" / "answers.sqlite"
