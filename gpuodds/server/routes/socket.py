"""The WebSocket: many requests on one connection, each of which can be cancelled."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import from_json

from gpuodds.errors import InputError
from gpuodds.server.dispatch.dispatcher import Dispatcher
from gpuodds.server.messages import to_json
from gpuodds.server.problems import Problem, as_problem, first_error
from gpuodds.server.requests import EquityRequest

LOG = logging.getLogger("gpuodds.server")
MAX_AT_ONCE = 32  # requests on one connection
MAX_MALFORMED = 20  # messages in a row before the connection is closed
UNSUPPORTED = 1003

Send = Callable[[str | None, str, Any], Awaitable[None]]
"""Sends the client an id, a type and a value."""


async def converse(connection: WebSocket, dispatcher: Dispatcher) -> None:
    """Answer requests on a WebSocket, many at once, and cancel those that the client cancels.

    A message is {"id": text, "type": "equity", "question": {...}, "stream": bool} or {"id": text,
    "type": "cancel"}; answers have the id and a type, estimate, progress, answer, error or cancelled.
    A message that cannot be read gets an error with its id or null, and the connection stays open.
    """
    lock = asyncio.Lock()

    async def send(name: str | None, kind: str, value: Any) -> None:
        text = f'{{"id":{json.dumps(name)},"type":"{kind}","value":{to_json(value)}}}'
        try:
            async with lock:
                await connection.send_text(text)
        except (RuntimeError, OSError):  # the client has gone, or does not read
            raise WebSocketDisconnect(1006) from None

    # The group ends with the connection: requests that still run then are cancelled.
    try:
        async with asyncio.TaskGroup() as group:
            await _Conversation(connection, dispatcher, group, send).receive()
    except* WebSocketDisconnect:
        pass


class _Conversation:
    """The messages of one connection, and the tasks that answer them."""

    def __init__(
        self, connection: WebSocket, dispatcher: Dispatcher, group: asyncio.TaskGroup, send: Send
    ) -> None:
        self._connection, self._dispatcher = connection, dispatcher
        self._group, self._send = group, send
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def receive(self) -> None:
        """Handle messages until the client leaves, or sends too many that cannot be read.

        Raises:
            WebSocketDisconnect: The connection has ended.
        """
        malformed = 0
        while malformed < MAX_MALFORMED:
            received = await self._connection.receive()
            if received["type"] == "websocket.disconnect":
                raise WebSocketDisconnect(received.get("code", 1006))
            try:
                message = _message(received.get("text"))
            except Problem as problem:
                malformed += 1
                await self._send(_id_of(received.get("text")), "error", problem.to_dict())
            else:
                malformed = 0
                await self._handle(message)
        await self._connection.close(UNSUPPORTED)
        raise WebSocketDisconnect(UNSUPPORTED)

    async def _handle(self, message: SocketMessage) -> None:
        name, tasks = message.id, self._tasks
        if message.type == "cancel":
            task = tasks.pop(name, None)
            if task is not None:
                task.cancel()
            await self._send(name, "cancelled", None)
        elif name in tasks or len(tasks) >= MAX_AT_ONCE or message.question is None:
            detail = f"expected a question with an id of its own, at most {MAX_AT_ONCE} at once"
            problem = Problem(429 if message.question else 422, "malformed", detail)
            await self._send(name, "error", problem.to_dict())
        else:
            work = self._answer(name, message.question, message.stream)
            tasks[name] = self._group.create_task(work)

    async def _answer(self, name: str, body: EquityRequest, stream: bool) -> None:
        """Send the events of a request, at last its answer or an error."""
        try:
            try:
                request = await self._dispatcher.reader.read(body, stream=stream)
                async with aclosing(self._dispatcher.events(request, stream=stream)) as events:
                    async for event in events:
                        await self._send(name, event.name, event.value)
            except WebSocketDisconnect:
                raise
            except Exception as error:
                if not isinstance(error, Problem | InputError):
                    LOG.error("socket: %s", type(error).__name__)
                await self._send(name, "error", as_problem(error).to_dict())
        finally:
            if self._tasks.get(name) is asyncio.current_task():
                del self._tasks[name]


class SocketMessage(BaseModel):
    """A client's message on the WebSocket."""

    model_config = ConfigDict(extra="forbid", strict=True)

    id: str = Field(max_length=100)
    type: str = Field(default="equity", pattern="^(equity|cancel)$")
    question: EquityRequest | None = None
    stream: bool = True


def _message(text: str | None) -> SocketMessage:
    if text is None:
        raise Problem(422, "malformed", "a binary message: expected text, a JSON object")
    try:
        return SocketMessage.model_validate_json(text)
    except ValidationError as error:
        raise Problem(422, "malformed", first_error(error.errors())) from None


def _id_of(text: str | None) -> str | None:
    """Return the id of a message that is otherwise malformed, None if it has none."""
    try:
        name = from_json(text or "")["id"]
    except (ValueError, LookupError, TypeError):
        return None
    return name if isinstance(name, str) and len(name) <= 100 else None
