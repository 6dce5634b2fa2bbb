"""Answers that are damaged, and stores that fail: no fault, no wrong answer, Redis included."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from server_fixture import ask, metric, redis_serving, serving

from gpuodds.server.answers import EquityAnswer
from gpuodds.server.cache import cache as cache_module
from gpuodds.server.cache.cache import Cache, MemoryCache, open_cache, with_checksum
from gpuodds.server.cache.redis_store import RedisStore
from gpuodds.server.cache.store import REASONS, Failures, StoreError

pytestmark = pytest.mark.slow

KEY, VALUE = "key", b'{"answer": 1}'
DAMAGED = [
    b"",
    b"no json",
    b"{}",
    b"null",
    VALUE,  # without its mark
    with_checksum("another key", VALUE),
    with_checksum(KEY, VALUE)[:-1],
    with_checksum(KEY, b'{"players": []}'),
    "text",
    5,
    None,
]


@pytest.mark.parametrize("value", DAMAGED)
def test_a_damaged_value_is_deleted(tmp_path: Path, value: Any) -> None:
    path = tmp_path / "answers.sqlite"
    with sqlite3.connect(path) as base:
        base.execute("create table answers (key text primary key, value blob, used real not null)")
        base.execute("insert into answers values (?, ?, 1)", (KEY, value))

    async def work() -> None:
        cache = open_cache(str(path), 1000, EquityAnswer.model_validate_json)
        assert await cache.get(KEY) is None and await cache.get(KEY) is None
        await cache.close()
        assert cache.failures.counts == {"damaged-value": 1}

    asyncio.run(work())
    with sqlite3.connect(path) as base:
        assert base.execute("select count(*) from answers").fetchone() == (0,)


def test_answers_outlive_the_server_unless_they_are_damaged(tmp_path: Path) -> None:
    """Cached answers are given again; damaged ones are computed again, and counted."""
    path = tmp_path / "answers.sqlite"
    boards = ("2s7d9h", "2s7d9d", "3s7d9h", "4s7d9h")
    bodies = [{"hands": ["AsKs", "QQ"], "board": board} for board in boards]
    with serving(tmp_path, "--workers", "1", "--cache", str(path)) as address:
        first = [ask(address, body)[1] for body in bodies]
    with sqlite3.connect(path) as base:
        rows = base.execute("select rowid from answers order by used").fetchall()
        damaged = [b"no json", b'{"players": 5}', b"[]"]
        base.executemany(
            "update answers set value = ? where rowid = ?",
            [(value, row) for value, (row,) in zip(damaged, rows[1:], strict=True)],
        )
    with serving(tmp_path, "--workers", "1", "--cache", str(path)) as address:
        # The seconds are those of the computation.
        assert ask(address, bodies[0]) == (200, first[0])
        assert metric(address, "gpuodds_cache_hits") == 1
        for _ in range(2):
            for body, answer in zip(bodies, first, strict=True):
                status, found = ask(address, body)
                assert status == 200 and found["players"] == answer["players"]
        for name in REASONS:
            count = metric(address, f'gpuodds_cache_failures_by_reason{{reason="{name}"}}')
            assert count == (3 if name == "damaged-value" else 0)
        assert metric(address, "gpuodds_cache_failures") == 3


def test_a_server_continues_without_its_store(
    tmp_path: Path, redis_server: tuple[str, Callable[[], Any]]
) -> None:
    cache, start = redis_server
    store = start()
    body = {"hands": ["AsKs", "QQ"], "board": "2s7d9h"}
    with serving(tmp_path, "--workers", "1", "--cache", cache) as address:
        first = ask(address, body)
        assert first[0] == 200
        store.terminate()
        store.wait()
        assert ask(address, body) == first  # from memory
        status, answer = ask(address, {**body, "board": "2s7d9d"})
        assert status == 200 and answer["exact"]
        reason = 'gpuodds_cache_failures_by_reason{reason="unreachable"}'
        assert metric(address, reason) == metric(address, "gpuodds_cache_failures") >= 1


class BrokenStore:
    """A store that raises ``fault`` if it has one."""

    def __init__(self) -> None:
        self.fault: Exception | None = None
        self.calls = 0
        self.values: dict[str, bytes] = {}

    async def get(self, key: str) -> bytes | None:
        await self._fail()
        return self.values.get(key)

    async def put(self, key: str, value: bytes) -> None:
        await self._fail()
        self.values[key] = value

    async def delete(self, key: str) -> None:
        await self._fail()
        self.values.pop(key, None)

    async def close(self) -> None:
        pass

    async def _fail(self) -> None:
        self.calls += 1
        if self.fault is not None:
            raise self.fault


@pytest.mark.parametrize("fault", [StoreError("unreachable", "gone"), OSError("x"), KeyError(1)])
def test_a_store_that_fails_is_left_alone_for_a_while(
    fault: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        store = BrokenStore()
        cache = Cache(MemoryCache(0), store, Failures())
        await cache.put(KEY, VALUE)
        assert await cache.get(KEY) == VALUE
        store.fault, store.calls = fault, 0
        for _ in range(50):
            assert await cache.get(KEY) is None
        assert store.calls == 1 == cache.failures.total
        # It is tried again, and found to be back.
        store.fault = None
        cache._paused["get"] = asyncio.get_running_loop().time()
        assert await cache.get(KEY) == VALUE

    asyncio.run(work())


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[tuple[str, Callable[[], Any]]]:
    """A Redis at an address, and a function that starts it (again)."""
    with redis_serving(tmp_path) as found:
        yield found


def test_redis_that_goes_and_comes_back(
    redis_server: tuple[str, Callable[[], Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_module, "PAUSE_SECONDS", 0.3)
    address, start = redis_server
    server = start()

    async def work() -> None:
        nonlocal server
        cache = open_cache(address, 0)
        await cache.put(KEY, VALUE)
        assert await cache.get(KEY) == VALUE
        server.kill()
        server.wait()
        begin = time.monotonic()
        for _ in range(100):
            assert await cache.get(KEY) is None
        assert time.monotonic() - begin < 5 and cache.failures.counts["unreachable"] >= 1
        server = start()
        while True:
            await cache.put(KEY, VALUE)
            if await cache.get(KEY) == VALUE:
                break
            await asyncio.sleep(0.05)
        # One that does not answer, though it is there.
        server.send_signal(signal.SIGSTOP)
        begin = time.monotonic()
        assert await cache.get(KEY) is None and await cache.get(KEY) is None
        assert time.monotonic() - begin < 3
        server.send_signal(signal.SIGCONT)
        while await cache.get(KEY) != VALUE:
            await asyncio.sleep(0.05)
        assert cache.failures.total == cache.failures.counts["unreachable"]
        await cache.close()

    asyncio.run(asyncio.wait_for(work(), 60))


def test_damaged_values_in_redis(redis_server: tuple[str, Callable[[], Any]]) -> None:
    address, start = redis_server
    start()

    async def work() -> None:
        cache = open_cache(address, 1000, EquityAnswer.model_validate_json)
        store = cache._store
        assert isinstance(store, RedisStore)
        for value in (value for value in DAMAGED if isinstance(value, bytes)):
            await store._client.set(f"gpuodds:{KEY}", value)
            assert await cache.get(KEY) is None
            assert not await store._client.exists(f"gpuodds:{KEY}")
        await store._client.lpush(f"gpuodds:{KEY}", "no", "text")
        assert await cache.get(KEY) is None
        assert not await store._client.exists(f"gpuodds:{KEY}")
        assert cache.failures.total == cache.failures.counts["damaged-value"] > 5
        await cache.close()

    asyncio.run(work())
