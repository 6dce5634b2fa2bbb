"""A server of the tests' own: started as users start it, asked by plain sockets where need be."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
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
            code = server.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            server.kill()
            raise
    assert code in (0, -15), server.stderr.read()


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


PATIENCE = 60.0  # seconds for what has to happen, also on a machine that does much else


def raw(address: str, data: bytes, *, wait: float = PATIENCE) -> bytes:
    """Send bytes as they are; return what comes until the other side closes, or falls silent."""
    with connected(address) as link:
        link.settimeout(wait)
        link.sendall(data)
        found = b""
        try:
            while block := link.recv(65536):
                found += block
        except TimeoutError:
            pass
        return found


def connected(address: str, data: bytes = b"") -> socket.socket:
    """Return a connection to a server, on which these bytes are sent."""
    link = socket.create_connection((urlsplit(address).hostname, urlsplit(address).port))
    link.settimeout(PATIENCE)
    link.sendall(data)
    return link


def posted(address: str, question: Any, way: str = "/v1/equity") -> socket.socket:
    """Return a connection on which a question is sent; its answer is not waited for."""
    body = json.dumps(question).encode()
    head = f"POST {way} HTTP/1.1\r\nHost: {urlsplit(address).netloc}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return connected(address, head.encode() + body)


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait for a condition; fail where it does not come."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.02)


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
    head = "\r\n".join(lines).encode("latin-1")
    found = raw(address, head + b"\r\n\r\n" + body)
    head, _, rest = found.partition(b"\r\n\r\n")
    first, *others = head.decode("latin-1").split("\r\n")
    named = dict(line.split(": ", 1) for line in others)
    return int(first.split()[1]), {k.lower(): v for k, v in named.items()}, rest


def ask(address: str, question: Any, way: str = "/v1/equity", **headers: str) -> tuple[int, Any]:
    """Ask a question; return the status and the JSON object."""
    status, _, body = request(address, way, json.dumps(question).encode(), **headers)
    return status, json.loads(body)


def metric(address: str, name: str) -> float:
    """Return a figure that the server counts of itself, the sum over labels that are not named."""
    _, _, body = request(address, "/metrics", method="GET")
    lines = [line for line in body.decode().splitlines() if re.match(re.escape(name) + "[ {]", line)]
    assert lines or "{" in name, name  # labels are there once they are counted
    return sum(float(line.split()[-1]) for line in lines)


def idle_within(address: str, seconds: float = PATIENCE) -> bool:
    """Whether nothing runs and nothing waits, soon."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if metric(address, "gpuodds_jobs_running") + metric(address, "gpuodds_jobs_waiting") == 0:
            return True
        time.sleep(0.05)
    return False
