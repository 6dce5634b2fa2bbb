"""A server of the tests' own: started as users start it, asked by plain sockets where need be."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen


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
    )
    assert server.stdout is not None and server.stderr is not None
    address = server.stdout.readline().strip()
    if not address:
        raise RuntimeError(server.stderr.read())
    return server, address


@contextmanager
def serving(folder: Path, *arguments: str, **environment: str) -> Iterator[str]:
    """Start ``gpuodds serve`` on any port; give its address; end it, and see that it ends cleanly."""
    server, address = launch(folder, *arguments, **environment)
    assert server.stderr is not None
    try:
        wait_until_ready(address)
        yield address
    finally:
        server.terminate()
        try:
            code = server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            raise
    assert code in (0, -15), server.stderr.read()


def wait_until_ready(address: str) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            with urlopen(f"{address}/healthz", timeout=5) as answer:
                if json.load(answer)["status"] == "ok":
                    return
        except OSError:
            pass
        time.sleep(0.05)
    raise RuntimeError("the server does not start")


def raw(address: str, data: bytes, *, wait: float = 5.0) -> bytes:
    """Send bytes as they are; return what comes until the other side closes, or falls silent."""
    with socket.create_connection((urlsplit(address).hostname, urlsplit(address).port)) as link:
        link.settimeout(wait)
        link.sendall(data)
        found = b""
        try:
            while block := link.recv(65536):
                found += block
        except TimeoutError:
            pass
        return found


def request(
    address: str, way: str, body: bytes = b"", method: str = "POST", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """Send one request; headers replace or add to the usual ones."""
    usual = {"Host": urlsplit(address).netloc, "Connection": "close"}
    if body or method == "POST":
        usual |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
    lines = [f"{method} {way} HTTP/1.1"]
    given = {name.replace("_", "-").title(): value for name, value in headers.items()}
    lines += [f"{name}: {value}" for name, value in {**usual, **given}.items() if value]
    found = raw(address, "\r\n".join(lines).encode() + b"\r\n\r\n" + body, wait=30.0)
    head, _, rest = found.partition(b"\r\n\r\n")
    first, *others = head.decode("latin-1").split("\r\n")
    named = dict(line.split(": ", 1) for line in others)
    return int(first.split()[1]), {k.lower(): v for k, v in named.items()}, rest


def ask(address: str, question: Any, way: str = "/v1/equity", **headers: str) -> tuple[int, Any]:
    """Ask a question; return the status and the JSON object."""
    status, _, body = request(address, way, json.dumps(question).encode(), **headers)
    return status, json.loads(body)


def metric(address: str, name: str) -> float:
    """Return a figure that the server counts of itself."""
    _, _, body = request(address, "/metrics", method="GET")
    (line,) = (line for line in body.decode().splitlines() if line.startswith(name + " "))
    return float(line.split()[1])


def idle_within(address: str, seconds: float) -> bool:
    """Whether nothing runs and nothing waits, soon."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if metric(address, "gpuodds_jobs_running") + metric(address, "gpuodds_jobs_waiting") == 0:
            return True
        time.sleep(0.05)
    return False
