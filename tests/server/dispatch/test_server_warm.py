"""The server before its first worker is ready: one worker compiles, cached answers are served."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from server_fixture import (
    ask,
    launch,
    request,
    serving_here,
    socket_address,
    wait_until,
    wait_until_ready,
)
from websockets.sync.client import connect

import gpuodds
from gpuodds.backends import compiling
from gpuodds.basics.choices import BackendName
from gpuodds.client import ServerError
from gpuodds.errors import InputError
from gpuodds.server.cache.cache import open_cache
from gpuodds.server.reading.parsed import ParsedRequest
from gpuodds.server.requests import EquityRequest
from gpuodds.server.settings import Settings
from gpuodds.server.workers import worker_process

pytestmark = pytest.mark.slow

CACHED: dict[str, Any] = {"hands": ["AsKs", "QQ"], "board": "2s7d9h"}
NEW: dict[str, Any] = {"hands": ["AsKs", "QQ"], "board": "2s7d9d"}


really_serve = worker_process.serve


def serve_slowly(connection: Connection, threads: int, backend: BackendName, niceness: int) -> None:
    """Run a worker that compiles until a file exists."""
    folder = Path(os.environ["STUB_FOLDER"])

    def warm_up(backend: BackendName) -> None:
        (folder / f"started-{os.getpid()}").touch()
        if backend == "cuda":
            raise InputError("backend cuda: no device")
        if not (folder / "go").exists():
            logging.getLogger("gpuodds").info(getattr(compiling, os.environ["STUB_MESSAGE"]))
        while not (folder / "go").exists():
            time.sleep(0.01)

    worker_process._warm_up = warm_up
    really_serve(connection, threads, backend, niceness)


@contextmanager
def warming(folder: Path, patch: pytest.MonkeyPatch, **options: Any) -> Iterator[str]:
    """Serve in this process, with workers that warm up until a file exists; give the address."""
    patch.setenv("STUB_FOLDER", str(folder))
    patch.setenv("STUB_MESSAGE", options.pop("message", "COMPILING"))
    patch.setattr(worker_process, "serve", serve_slowly)
    settings = {"workers": 1, "threads": 1, "cache": "memory", "backend": "cpu", **options}
    with serving_here(Settings(**settings)) as address:
        yield address


def get(address: str, route: str) -> tuple[int, dict[str, Any]]:
    status, headers, body = request(address, route, method="GET")
    assert ("retry-after" in headers) == (status == 503)
    return status, json.loads(body) if body.startswith(b"{") else {}


def health(address: str) -> tuple[int, dict[str, Any]]:
    return get(address, "/healthz")


def fill_cache(path: Path) -> dict[str, Any]:
    """Put an answer into a cache, as a server before did; return it."""
    parsed = ParsedRequest(EquityRequest(**CACHED))
    answer = gpuodds.equity(CACHED["hands"], board=CACHED["board"], backend="cpu").to_dict()

    async def fill() -> None:
        cache = open_cache(str(path), 1 << 20)
        await cache.put(parsed.key, json.dumps(parsed.form.to_canonical(answer)).encode())
        await cache.close()

    asyncio.run(fill())
    return answer


def test_the_server_while_it_warms_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    answer = fill_cache(tmp_path / "answers.sqlite")
    cache = str(tmp_path / "answers.sqlite")
    with warming(tmp_path, monkeypatch, cache=cache, workers=2) as address:
        wait_until(lambda: health(address)[1].get("retry_after") == 5)
        assert health(address) == (
            503,
            {
                "status": "warming up",
                "workers": 0,
                "retry_after": 5,
                "version": gpuodds.__version__,
            },
        )
        bet = {"hand": "AsAh", "opponents": 1, "bankroll": 10}
        expected = (
            "the server is warming up (it compiles for this machine, about 40 s): ask again in 5 s"
        )
        for route, body in (
            ("/v1/equity", NEW),
            ("/v1/equity", {**CACHED, "method": "monte-carlo", "samples": 10}),
            ("/v1/equity/stream", NEW),
            ("/v1/kelly", bet),
        ):
            status, headers, text = request(address, route, json.dumps(body).encode())
            assert status == 503 and headers["retry-after"] == "5"
            problem = json.loads(text)
            assert problem["type"].endswith("warming-up") and problem["detail"] == expected
            assert problem["retry_after"] == 5
        assert get(address, "/v1/boards/2s7d9h/equities")[0] == 503
        with gpuodds.Client(address) as client, pytest.raises(ServerError) as raised:
            client.equity(**NEW)
        assert str(raised.value) == expected and raised.value.status == 503
        # Whatever needs no worker is served: the page, tables, ranges, cached answers.
        assert get(address, "/")[0] == 200 == get(address, "/v1/tables")[0]
        assert get(address, "/v1/tables/preflop-random/rows?hand=AKs")[0] == 200
        assert ask(address, {"text": "QQ+"}, "/v1/range")[1]["combos"] == 18
        assert ask(address, CACHED)[1]["players"] == answer["players"]
        assert b"event: answer" in request(address, "/v1/equity/stream", json.dumps(CACHED).encode())[2]
        with connect(socket_address(address)) as link:
            link.send(json.dumps({"id": "new", "question": NEW}))
            received = json.loads(link.recv(timeout=20))
            assert received["id"] == "new" and received["value"]["type"].endswith("warming-up")
            link.send(json.dumps({"id": "compiled", "question": CACHED}))
            assert json.loads(link.recv(timeout=20))["type"] == "answer"
        # One process compiles for all; the others follow when it has.
        assert len(list(tmp_path.glob("started-*"))) == 1
        (tmp_path / "go").touch()
        wait_until(lambda: health(address)[0] == 200)
        assert ask(address, NEW)[0] == 200
        wait_until(lambda: health(address)[1]["workers"] == 2)
        assert len(list(tmp_path.glob("started-*"))) >= 2
    assert caplog.messages == ["compiling for this machine, once: about 40 s"]


def test_where_compiled_code_cannot_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with warming(tmp_path, monkeypatch, message="COMPILING_EACH_TIME") as address:
        wait_until(lambda: bool(caplog.messages))
        (tmp_path / "go").touch()
        wait_until(lambda: health(address)[0] == 200)
    (logged,) = caplog.messages
    assert logged.startswith("compiling, about 40 s, at each start and in each process: no folder that")


def test_a_missing_backend_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with warming(tmp_path, monkeypatch, backend="cuda") as address:
        wait_until(lambda: "cannot start" in ask(address, NEW)[1]["detail"])
        detail = ask(address, NEW)[1]["detail"]
    expected = "a worker process cannot start: backend cuda: no device"
    assert detail == f"the server is warming up ({expected}): ask again in 1 s"
    assert expected in caplog.messages


@pytest.mark.weekly
def test_a_first_start(tmp_path: Path) -> None:
    """With nothing compiled: one process compiles, and then no request of any kind compiles."""
    server, address = launch(tmp_path, "--workers", "2", NUMBA_CACHE_DIR=str(tmp_path / "numba"))
    try:
        assert request(address, "/healthz", method="GET")[0] == 503
        assert ask(address, NEW)[0] == 503
        end = time.monotonic() + 300
        while request(address, "/healthz", method="GET")[0] == 503:
            assert time.monotonic() < end
            time.sleep(0.2)
        compiled = sum(1 for file in (tmp_path / "numba").rglob("*.nbc"))
        wait_until_ready(address)
        for spot in (
            NEW,
            {"hands": ["AsKs", "QhQd"]},
            {"hands": ["AsKs", "QhQd"], "opponents": 1},
            {"hands": ["AsKs"], "opponents": 3, "board": "2s7d9h", "table": False},
            {"hands": ["AsKs"], "opponents": 3, "board": "2s7d9hTc"},
            {"hands": ["15%", "QQ", "random"], "board": "2s7d9hTcJd"},
            {"hands": ["AsKs", "QQ"], "board": "2s7d9h", "by_hand": True, "made_hands": True},
            {"hands": ["15%", "30%"], "method": "monte-carlo", "samples": 1000},
        ):
            for route in ("/v1/equity", "/v1/equity/stream"):
                body = json.dumps(spot).encode()
                assert request(address, route, body)[0] == 200
        for opponents in (2, ["QQ+", "random"]):
            bet = {"hand": "JdJs", "opponents": opponents, "bankroll": 100, "pot": 10, "fold": 0.3}
            assert ask(address, bet, "/v1/kelly")[0] == 200
        assert request(address, "/v1/boards/2s7d9h/equities", method="GET")[0] == 200
        # Nothing was compiled for them.
        assert sum(1 for file in (tmp_path / "numba").rglob("*.nbc")) == compiled
    finally:
        server.terminate()
        server.wait(20)
    assert server.stderr is not None
    assert server.stderr.read() == "gpuodds: compiling for this machine, once: about 40 s\n"
