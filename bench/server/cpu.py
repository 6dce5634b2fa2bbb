"""The CPU time of a cached answer: in the application alone, and of the server over HTTP."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, MutableMapping
from contextlib import asynccontextmanager
from pathlib import Path
from time import process_time
from typing import Any

from gpuodds.server.app import create_app
from gpuodds.server.settings import Settings

RANGES = {"hands": ["QQ+,AK", "22+,A2s+"], "board": "2s7d9h"}
HEADERS = ((b"host", b"localhost"), (b"content-type", b"application/json"))

Message = MutableMapping[str, Any]


def cpu_seconds(process: int) -> float:
    """Return the CPU time that a process has taken, of all its threads, without its children."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def in_process(requests: int = 2000) -> float:
    """Return the CPU seconds of a cached POST /v1/equity with ranges: the application, no sockets."""
    app = create_app(Settings(workers=1, cache="memory", backend="cpu"))
    body = json.dumps(RANGES).encode()
    async with _started(app) as state:
        status, first = await _post(app, state, body)
        while status == 503:  # the workers start
            await asyncio.sleep(0.1)
            status, first = await _post(app, state, body)
        begin = process_time()
        for _ in range(requests):
            status, answer = await _post(app, state, body)
        seconds = (process_time() - begin) / requests
    if status != 200 or json.loads(answer)["players"] != json.loads(first)["players"]:
        raise RuntimeError(f"status {status}: {answer[:200]!r}")
    return seconds


async def _post(app: Any, state: dict[str, Any], body: bytes) -> tuple[int, bytes]:
    """Hand a request to an application; return the status and the body of its answer."""
    sent: list[Message] = []
    bodies: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return bodies.pop() if bodies else await asyncio.Future()

    async def send(message: Message) -> None:
        sent.append(message)

    await app(_scope(state, len(body)), receive, send)
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent)


def _scope(state: dict[str, Any], length: int) -> Message:
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/v1/equity",
        "raw_path": b"/v1/equity",
        "root_path": "",
        "query_string": b"",
        "headers": [*HEADERS, (b"content-length", str(length).encode())],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "state": dict(state),
    }


@asynccontextmanager
async def _started(app: Any) -> AsyncIterator[dict[str, Any]]:
    """Start an application as a server does, and end it."""
    state: dict[str, Any] = {}
    stop, started = asyncio.Event(), asyncio.Event()
    messages = iter(["lifespan.startup", "lifespan.shutdown"])

    async def receive() -> Message:
        kind = next(messages)
        if kind == "lifespan.shutdown":
            await stop.wait()
        return {"type": kind}

    async def send(message: Message) -> None:
        if message["type"] == "lifespan.startup.complete":
            started.set()

    task = asyncio.create_task(app({"type": "lifespan", "state": state}, receive, send))
    begun = asyncio.create_task(started.wait())
    await asyncio.wait([task, begun], return_when=asyncio.FIRST_COMPLETED)
    begun.cancel()
    if not started.is_set():
        await task
        raise RuntimeError("the application does not start")
    try:
        yield state
    finally:
        stop.set()
        await task
