"""Answers that stop the computation when the client disconnects, and server-sent events."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable
from contextlib import aclosing
from typing import TypeVar, cast

from fastapi import Request
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from gpuodds.errors import InputError
from gpuodds.server.messages import Event, to_json
from gpuodds.server.problems import Problem, as_problem

LOG = logging.getLogger("gpuodds.server")
Result = TypeVar("Result")


async def unless_disconnected(request: Request, work: Awaitable[Result]) -> Result:
    """Return the result of work, and cancel the work if the client disconnects.

    Raises:
        Problem: The client has disconnected.
    """
    task = asyncio.ensure_future(work)
    disconnected = asyncio.ensure_future(_disconnected(request))
    try:
        await asyncio.wait({task, disconnected}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise Problem(503, "gone", "the client has left")
        return task.result()
    finally:
        task.cancel()
        disconnected.cancel()
        await asyncio.wait({task, disconnected})


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


class EventStream(StreamingResponse):
    """Server-sent events; the computation stops when they end, for whatever reason."""

    def __init__(self, first: Event, events: AsyncGenerator[Event, None]) -> None:
        """Send the first event and those that follow it."""
        headers = {"Cache-Control": "no-store"}
        super().__init__(_encoded(first, events), media_type="text/event-stream", headers=headers)
        self._events = events

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the response."""
        encoded = cast("AsyncGenerator[bytes, None]", self.body_iterator)
        async with aclosing(self._events), aclosing(encoded):
            await super().__call__(scope, receive, send)


async def _encoded(first: Event, events: AsyncGenerator[Event, None]) -> AsyncGenerator[bytes, None]:
    try:
        yield _encode(first.name, first.value)
        async for event in events:
            yield _encode(event.name, event.value)
    except Exception as error:
        if not isinstance(error, Problem | InputError):
            LOG.error("stream: %s", type(error).__name__)
        yield _encode("error", as_problem(error).to_dict())


def _encode(name: str, value: object) -> bytes:
    return b"event: " + name.encode() + b"\ndata: " + to_json(value).encode() + b"\n\n"
