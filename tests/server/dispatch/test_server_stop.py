"""How the server ends: soon, with an answer or a problem for each client, without leftovers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import needs
import pytest
from server_fixture import (
    ask,
    connected,
    launch,
    metric,
    request,
    socket_address,
    wait_until,
    wait_until_ready,
)
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

import gpuodds
from gpuodds.client import ServerError

pytestmark = [pytest.mark.slow, needs.ps]

# About five seconds of a worker: long enough to be stopped, short enough that several may wait.
LONG: dict[str, Any] = {
    "hands": ["8%", "9%", "10%", "11%", "random"],
    "method": "exact",
    "time_limit": 60,
}


@contextmanager
def started(folder: Path, *arguments: str, **environment: str) -> Iterator[tuple[Any, str]]:
    server, address = launch(folder, *arguments, **environment)
    try:
        yield server, address
    finally:
        if server.poll() is None:
            server.kill()
        server.communicate()


def workers_of(pid: int) -> set[int]:
    """Return the worker processes of a server."""
    listing = subprocess.run(
        ["ps", "-ww", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True
    ).stdout
    found = [line.split(maxsplit=2) for line in listing.splitlines()[1:]]
    return {int(own) for own, parent, how in found if parent == str(pid) and "spawn_main" in how}


def runs(pid: int) -> bool:
    listing = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return listing.stdout.strip()[:1] not in ("", "Z")


def talk(address: str) -> list[dict[str, Any]]:
    """Send requests on a WebSocket; return the messages until the server closes it."""
    found = []
    with connect(socket_address(address)) as link:
        for number in range(3):
            spot = {**LONG, "board": f"{number + 2}c8h9s"}
            link.send(json.dumps({"id": str(number), "question": spot}))
        try:
            while True:
                found.append(json.loads(link.recv(timeout=30)))
        except ConnectionClosed as closed:
            assert closed.rcvd is not None and closed.rcvd.code == 1012
    return found


def stream(address: str) -> str:
    with gpuodds.Client(address) as client, pytest.raises(ServerError) as raised:
        for _ in client.stream(**dict[str, Any](LONG, board="7c8h9s")):
            pass
    return str(raised.value)


WEEKLY = [
    pytest.param(signals, marks=pytest.mark.weekly) for signals in ("INT", "TERM TERM", "INT INT")
]


@pytest.mark.parametrize("signals", ["TERM", *WEEKLY])
def test_a_signal_ends_it_soon(tmp_path: Path, signals: str) -> None:
    with started(tmp_path, "--workers", "2") as (server, address), ThreadPoolExecutor(8) as pool:
        wait_until_ready(address)
        wait_until(lambda: metric(address, "gpuodds_workers_ready") == 3)
        plain = [pool.submit(ask, address, {**LONG, "board": f"{n}c8d9s"}) for n in "234"]
        talked, streamed = pool.submit(talk, address), pool.submit(stream, address)
        wait_until(lambda: metric(address, "gpuodds_jobs_running") == 2)
        wait_until(lambda: metric(address, "gpuodds_jobs_waiting") == 5)
        head = f"POST /v1/equity HTTP/1.1\r\nHost: {urlsplit(address).netloc}\r\n"
        head += "Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
        idle, slow = connected(address), connected(address, head.encode())
        workers = workers_of(server.pid)
        assert len(workers) == 3
        begin = time.monotonic()
        for place, name in enumerate(signals.split()):
            if place:
                time.sleep(0.2)
            server.send_signal(getattr(signal, f"SIG{name}"))
        code = server.wait(20)
        took = time.monotonic() - begin
        idle.close()
        slow.close()
        assert took < 8  # three, where the machine is not busy
        assert code in (-signal.SIGTERM, 130), server.stderr.read()
        wait_until(lambda: not any(runs(worker) for worker in workers), 5)
        assert server.stderr.read() == ""
        # Each client gets a problem, not a broken connection.
        for asked in plain:
            status, problem = asked.result(10)
            assert status == 503 and problem["type"].endswith("stopping")
        messages = talked.result(10)
        errors = {m["id"]: m["value"]["type"] for m in messages if m["type"] == "error"}
        assert set(errors) == {"0", "1", "2"}
        assert all(kind.endswith("stopping") for kind in errors.values())
        assert streamed.result(10) in ("the computation was stopped", "the server is stopping")


def test_a_signal_while_it_compiles(tmp_path: Path) -> None:
    """Processes that warm up end as well, without a traceback."""
    with started(tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "numba")) as (server, address):
        wait_until(lambda: b'"retry_after":5' in request(address, "/healthz", method="GET")[2])
        workers = workers_of(server.pid)
        assert len(workers) == 1  # one compiles for all
        begin = time.monotonic()
        server.terminate()
        assert server.wait(20) == -signal.SIGTERM and time.monotonic() - begin < 8
        wait_until(lambda: not any(runs(worker) for worker in workers), 5)
        assert server.stderr.read() == "gpuodds: compiling for this machine, once: about 40 s\n"


def test_ctrl_c_reaches_no_worker(tmp_path: Path) -> None:
    """A terminal sends SIGINT to the whole process group, also to processes that have just started."""
    code = (
        "import os, signal, subprocess, sys, time\n"
        "command = [sys.executable, '-P', '-m', 'gpuodds', 'serve', '--port', '0', '--cache=memory']\n"
        "server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=sys.stderr)\n"
        "server.stdout.readline(); signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "time.sleep(float(sys.argv[1])); os.killpg(0, signal.SIGINT); print(server.wait(20))\n"
    )
    # At half a second the processes begin to import, which Ctrl-C would break off with a traceback.
    run = subprocess.run(
        [sys.executable, "-P", "-c", code, "0.5"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        start_new_session=True,
    )
    assert (run.stdout, run.stderr) == ("130\n", "")


@pytest.mark.parametrize("at", ["computing", pytest.param("compiling", marks=pytest.mark.weekly)])
def test_workers_go_with_a_killed_server(tmp_path: Path, at: str) -> None:
    environment = {"NUMBA_CACHE_DIR": str(tmp_path / "numba")} if at == "compiling" else {}
    with (
        started(tmp_path, "--workers", "2", **environment) as (server, address),
        ThreadPoolExecutor(1) as pool,
    ):
        if at == "computing":
            wait_until_ready(address)
            wait_until(lambda: metric(address, "gpuodds_workers_ready") == 3)
            # A single computation, which sends nothing to the server for seconds.
            asked = pool.submit(ask, address, {**LONG, "board": "5c8d9s"})
            wait_until(lambda: metric(address, "gpuodds_jobs_running") == 1)
        else:
            wait_until(lambda: b'"retry_after":5' in request(address, "/healthz", method="GET")[2])
        workers = workers_of(server.pid)
        assert len(workers) == (3 if at == "computing" else 1)  # one compiles for all
        os.kill(server.pid, signal.SIGKILL)
        server.wait(5)
        wait_until(lambda: not any(runs(worker) for worker in workers), 5)
        if at == "computing":
            with pytest.raises((IndexError, OSError)):  # the connection ends without an answer
                asked.result(10)
        assert "Traceback" not in server.stderr.read()
