"""Connections: slow senders, too many of them, heads and frames without an end, malformed requests."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from itertools import combinations
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import needs
import pytest
from server_fixture import (
    LONG,
    PATIENCE,
    UPGRADE,
    ask,
    connected,
    idle_within,
    launch,
    metric,
    posted,
    raw,
    serving_here,
    socket_address,
    wait_until,
)
from websockets.sync.client import connect

from gpuodds.server import running
from gpuodds.server.settings import Settings
from gpuodds.server.workers.pool import Pool

HEALTH = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


class Here(NamedTuple):
    """A server in this process."""

    address: str
    pools: list[Pool]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Iterator[Here]:
    """A server with small limits and without workers, so that jobs wait forever."""
    pools: list[Pool] = []

    def start(pool: Pool) -> None:
        pool.is_warm = True
        pools.append(pool)

    monkeypatch.setattr(Pool, "start", start)
    settings = Settings(cache="memory", head_seconds=0.5, body_seconds=0.5, connections=20)
    with serving_here(settings) as address:
        yield Here(address, pools)


def test_slow_senders_are_refused(here: Here) -> None:
    host = f"Host: {urlsplit(here.address).netloc}\r\n"
    head = (
        f"POST /v1/equity HTTP/1.1\r\n{host}Content-Type: application/json\r\nContent-Length: 100\r\n"
    )
    whole = f"GET /v1/tables HTTP/1.1\r\n{host}\r\n"
    sent = {
        head + "\r\n{": (b"HTTP/1.1 408", b"the body took longer than 0.5 s"),
        head: (b"HTTP/1.1 408", b"the head took longer than 0.5 s"),
        "": (b"", b""),
        "\r\n": (b"", b""),
        whole + "\r\n": (b"HTTP/1.1 200", b"preflop-random"),
        whole + head: (b"HTTP/1.1 200", b"preflop-random"),
    }
    begin = time.monotonic()
    links = [connected(here.address, data.encode()) for data in sent]
    for link, (start, part) in zip(links, sent.values(), strict=True):
        with link:
            found = b""
            while block := link.recv(65536):  # until the server closes it
                found += block
            assert found.startswith(start) and part in found and bool(found) == bool(start)
            if start.endswith(b"408"):
                assert b"application/problem+json" in found and time.monotonic() - begin > 0.4


def test_a_websocket_outlives_the_time_limit_of_a_head(here: Here) -> None:
    with connect(socket_address(here.address)) as link:
        time.sleep(0.8)
        link.send(json.dumps({"id": "1", "type": "cancel"}))
        assert json.loads(link.recv(timeout=PATIENCE))["type"] == "cancelled"
    assert metric(here.address, 'gpuodds_refused_total{reason="idle"}') == 0


def test_a_new_connection_is_refused_if_all_are_busy(here: Here) -> None:
    boards = [f"{one}c{two}h9s" for one, two in combinations("2345678", 2)][:20]
    with ExitStack() as links:
        for board in boards:
            links.enter_context(posted(here.address, {**LONG, "board": board}))
        wait_until(lambda: sum(pool.waiting for pool in here.pools) == 20)
        found = raw(here.address, b"")
        assert found.startswith(b"HTTP/1.1 503") and b"retry-after: 1" in found.lower()
        assert b"application/problem+json" in found and b"too many connections" in found


def test_a_flood_is_survived(address: str) -> None:
    def one(number: int) -> int:
        board = f"{'23456789'[number % 8]}c{'TJQK'[number % 4]}h{'23456789'[number // 8 % 8]}d"
        return ask(address, {"hands": ["AsKs"], "opponents": 1 + number % 9, "board": board})[0]

    with ThreadPoolExecutor(32) as pool:
        found = set(pool.map(one, range(200)))
    assert 200 in found and found <= {200, 429}
    assert idle_within(address)


HEADS = {
    "one header": b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + 2_000_000 * b"x",
    "many headers": b"GET / HTTP/1.1\r\nHost: localhost\r\n" + 200_000 * b"X: y\r\n",
    "a name": b"GET / HTTP/1.1\r\nHost: localhost\r\n" + 2_000_000 * b"x",
    "the path": b"GET /" + 2_000_000 * b"x",
    "whole at once": b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + 40_000 * b"x" + b"\r\n\r\n",
}


@pytest.mark.parametrize("data", HEADS.values(), ids=HEADS)
def test_heads_have_a_size(address: str, data: bytes) -> None:
    found, problem = sent_whole(address, data), b""
    head, _, problem = found.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 431 Request Header Fields Too Large")
    assert json.loads(problem)["detail"] == "a head has 32,768 bytes at most"
    assert ask(address, {"hands": ["AsKs"]}, x_long=30_000 * "x")[0] == 200


def sent_whole(address: str, data: bytes) -> bytes:
    """Send as much as the server takes; return its answer."""
    with connected(address) as link, ThreadPoolExecutor(1) as pool:

        def read() -> bytes:
            found = b""
            with suppress(ConnectionError):
                while block := link.recv(65536):
                    found += block
            return found

        answer = pool.submit(read)
        with suppress(ConnectionError):
            link.sendall(data)
        return answer.result(PATIENCE)


FRAMES = {
    "small chunks": 300_000 * b"1\r\n \r\n",
    "extensions": 1000 * (b"1;" + 3000 * b"x" + b"\r\n \r\n"),
    "trailers": b"0\r\n" + 200_000 * b"X: y\r\n",
    "a trailer": b"0\r\nX: " + 2_000_000 * b"x",
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_the_frame_of_a_body_has_a_size(address: str, frame: bytes) -> None:
    head = f"POST /v1/equity HTTP/1.1\r\nHost: {urlsplit(address).netloc}\r\n"
    head += "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    found = sent_whole(address, head.encode() + frame)
    assert found.startswith((b"HTTP/1.1 413", b"HTTP/1.1 400")) and found.count(b"HTTP/1.1") == 1
    assert b"application/problem+json" in found


def test_invalid_http_gets_a_problem(address: str) -> None:
    found = raw(address, b"nonsense\r\n\r\n")
    assert found.startswith(b"HTTP/1.1 400") and b"application/problem+json" in found


def test_malformed_requests_are_counted_and_logged_once_a_minute(
    here: Here, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1000.0]
    monkeypatch.setattr(running, "monotonic", lambda: clock[0])
    warning = "Invalid HTTP request received."
    before = metric(here.address, 'gpuodds_refused_total{reason="http"}')
    for seconds in (0.0, 59.9, 0.2, 1.0, 200.0):
        clock[0] += seconds
        for _ in range(10):
            assert raw(here.address, b"nonsense\r\n\r\n").startswith(b"HTTP/1.1 400")
    assert [record.getMessage() for record in caplog.records] == [
        warning,
        f"{warning} (19 more in 60 s)",
        f"{warning} (19 more in 201 s)",
    ]
    assert metric(here.address, 'gpuodds_refused_total{reason="http"}') == before + 50


@pytest.mark.parametrize(
    "more",
    [
        "X: " + 9000 * "y" + "\r\n",
        300 * "X: y\r\n",
        "Content-Length: 5\r\n",
        "Sec-WebSocket-Key: x\r\n",
    ],
    ids=["a long line", "many headers", "a body", "two keys"],
)
def test_a_handshake_that_cannot_be_read_is_answered(address: str, more: str) -> None:
    head = f"GET /v1/socket HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\n{UPGRADE}{more}\r\n"
    with connected(address, head.encode()) as link:
        found = b""
        while block := link.recv(65536):  # until the server closes it
            found += block
    assert found.startswith(b"HTTP/1.1 400")


@pytest.mark.slow
@needs.posix
def test_many_connections_where_few_files_may_be_open(tmp_path: Path) -> None:
    """On macOS a process begins with 256 files; the server takes 500 connections."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, before[1]))
    try:
        server, address = launch(tmp_path, "--workers", "1")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    try:
        with ExitStack() as links:
            for _ in range(300):
                links.enter_context(connected(address, b"GET / HTTP/1.1\r\n"))
            assert raw(address, HEALTH.encode(), wait=10).startswith(b"HTTP/1.1 ")
    finally:
        server.kill()
        server.communicate()


def test_idle_connections_are_closed_for_new_ones(address: str) -> None:
    before = metric(address, 'gpuodds_refused_total{reason="idle"}')
    with ExitStack() as links:
        for _ in range(700):
            links.enter_context(connected(address))
        for _ in range(20):
            assert ask(address, {"hands": ["AsKs"], "board": "2s7d9h"})[0] == 200
        assert metric(address, 'gpuodds_refused_total{reason="idle"}') >= before + 200
