"""Servers for tests, in a process of their own or in this one, and plain sockets to reach them."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
import uvicorn

from gpuodds.server.app import create_app
from gpuodds.server.connections.connections import limited_connection
from gpuodds.server.running import Server
from gpuodds.server.settings import Settings
from gpuodds.server.workers.jobs import Job
from gpuodds.server.workers.pool import Pool

LONG: dict[str, Any] = {
    "hands": ["33%", "34%", "35%", "36%", "random"],
    "method": "exact",
    "time_limit": 60,
}
"""A request that takes about 40 seconds of a core, once it has a board: two are more than a minute."""
TEN_SEATS: dict[str, Any] = {
    "hands": [*["15%"] * 9, "16%"]
}  # too many players to count by the deadline
UPGRADE = (  # the headers of a handshake, but for Connection
    "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
ENDED = (0, -15, 0xC000013A)  # the exit codes of a server that was asked to end; the last is Windows'
PATIENCE = 60.0  # seconds for what has to happen, also on a machine that does much else


class NoProcesses(Pool):
    """A pool whose jobs get their events from the test."""

    def __init__(self) -> None:
        super().__init__(1, 1, 10, "cpu")
        self.is_warm = True
        self.jobs: list[Job] = []
        self.cancelled: list[Job] = []

    def submit(self, *arguments: Any, **options: Any) -> Job:
        job = super().submit(*arguments, **options)
        self.jobs.append(job)
        return job

    def cancel(self, job: Job) -> None:
        if not job.is_done:
            self.cancelled.append(job)
        super().cancel(job)


def launch(folder: Path, *arguments: str, **environment: str) -> tuple[subprocess.Popen[str], str]:
    """Start ``gpuodds serve`` on any port; return the process and its address."""
    command = [sys.executable, "-m", "gpuodds", "serve", "--port", "0", "--backend", "cpu", *arguments]
    if not any(argument.startswith("--cache") for argument in arguments):
        command += ["--cache", "memory"]
    server = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )
    assert server.stdout is not None and server.stderr is not None
    address = server.stdout.readline().strip()
    if not address:
        raise RuntimeError(server.stderr.read())
    return server, address


def end(server: subprocess.Popen[str]) -> None:
    """Ask a server to end: by SIGTERM, on Windows by Ctrl-Break, since there terminate() kills."""
    if sys.platform == "win32":
        server.send_signal(signal.CTRL_BREAK_EVENT)
    else:
        server.terminate()


@contextmanager
def serving(folder: Path, *arguments: str, **environment: str) -> Iterator[str]:
    """Start ``gpuodds serve`` on any port; give its address; end it, and check that it ends cleanly."""
    server, address = launch(folder, *arguments, **environment)
    assert server.stderr is not None
    try:
        wait_until_ready(address)
        yield address
    finally:
        end(server)
        try:
            code = server.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            server.kill()
            raise
    assert code in ENDED, server.stderr.read()


@contextmanager
def serving_here(settings: Settings) -> Iterator[str]:
    """Serve in this process, with limits that the command has no options for; give the address."""
    app = create_app(settings)
    config = uvicorn.Config(
        app,
        http=limited_connection(settings, app.count_refusal),
        log_level="warning",
        ws_max_size=settings.body_bytes,
    )
    server = Server(config, settings)
    listening = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def redis_serving(folder: Path) -> Iterator[tuple[str, Callable[[], subprocess.Popen[bytes]]]]:
    """Give the address of a Redis, and a function that starts it (again)."""
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    started: list[subprocess.Popen[bytes]] = []

    def listens() -> bool:
        with socket.socket() as link:
            return link.connect_ex(("127.0.0.1", port)) == 0

    def start() -> subprocess.Popen[bytes]:
        command = ["redis-server", "--port", str(port), "--save", "", "--dir", str(folder)]
        started.append(subprocess.Popen(command, stdout=subprocess.DEVNULL))
        wait_until(listens)
        return started[-1]

    yield f"redis://127.0.0.1:{port}/0", start
    for server in started:
        server.kill()
        server.wait()


def wait_until_ready(address: str) -> None:
    end = time.monotonic() + 5 * PATIENCE  # in a fresh checkout it compiles first
    while time.monotonic() < end:
        try:
            with urlopen(f"{address}/healthz", timeout=PATIENCE) as answer:
                if json.load(answer)["status"] == "ok":
                    return
        except OSError:
            pass
        time.sleep(0.05)
    raise RuntimeError("the server does not start")


def raw(address: str, data: bytes, *, wait: float = PATIENCE) -> bytes:
    """Send raw bytes; return the answer until the other side closes or falls silent."""
    with connected(address) as link:
        link.settimeout(wait)
        link.sendall(data)
        received = b""
        try:
            while block := link.recv(65536):
                received += block
        except TimeoutError:
            pass
        return received


def connected(address: str, data: bytes = b"") -> socket.socket:
    """Return a connection to a server, on which these bytes are sent."""
    link = socket.create_connection((urlsplit(address).hostname, urlsplit(address).port))
    link.settimeout(PATIENCE)
    link.sendall(data)
    return link


def socket_address(address: str) -> str:
    """Return the address of a server's WebSocket."""
    return address.replace("http", "ws") + "/v1/socket"


def posted(address: str, content: Any, path: str = "/v1/equity") -> socket.socket:
    """Return a connection on which a request is sent, without waiting for the answer."""
    body = json.dumps(content).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: {urlsplit(address).netloc}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return connected(address, head.encode() + body)


def wait_until(condition: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait until a condition is true; fail if it does not become true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "the condition did not become true"
        time.sleep(0.02)


def request(
    address: str, path: str, body: bytes = b"", method: str = "POST", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """Send one request; headers replace the default ones or are added to them."""
    default = {"Host": urlsplit(address).netloc, "Connection": "close"}
    if body or method == "POST":
        default |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
    lines = [f"{method} {path} HTTP/1.1"]
    own = {name.replace("_", "-").title(): value for name, value in headers.items()}
    lines += [f"{name}: {value}" for name, value in {**default, **own}.items() if value]
    head = "\r\n".join(lines).encode("latin-1")
    answer = raw(address, head + b"\r\n\r\n" + body)
    head, _, content = answer.partition(b"\r\n\r\n")
    status_line, *header_lines = head.decode("latin-1").split("\r\n")
    named = dict(line.split(": ", 1) for line in header_lines)
    return int(status_line.split()[1]), {k.lower(): v for k, v in named.items()}, content


def ask(address: str, content: Any, path: str = "/v1/equity", **headers: str) -> tuple[int, Any]:
    """Post a JSON object; return the status and the JSON object of the answer."""
    status, _, body = request(address, path, json.dumps(content).encode(), **headers)
    return status, json.loads(body)


def metric(address: str, name: str) -> float:
    """Return a metric of the server, summed over labels that are not named."""
    _, _, body = request(address, "/metrics", method="GET")
    lines = [line for line in body.decode().splitlines() if re.match(re.escape(name) + "[ {]", line)]
    assert lines or "{" in name, name  # labels appear once they are counted
    return sum(float(line.split()[-1]) for line in lines)


def idle_within(address: str, seconds: float = PATIENCE) -> bool:
    """Return whether the server becomes idle: no job runs or waits."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if metric(address, "gpuodds_jobs_running") + metric(address, "gpuodds_jobs_waiting") == 0:
            return True
        time.sleep(0.05)
    return False
