"""The WebSocket: many questions on one connection, and a way to cancel each."""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import aclosing
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import from_json

from gpuodds.errors import InputError
from gpuodds.server.dispatcher import Desk
from gpuodds.server.problems import Problem, first_fault
from gpuodds.server.requests import EquityQuestion, read

LOG = logging.getLogger("gpuodds.server")
MOST_AT_ONCE = 32  # questions on one connection
MOST_MALFORMED = 20  # messages in a row, before the connection is closed
UNSUPPORTED = 1003


async def converse(connection: WebSocket, desk: Desk) -> None:
    """Take questions from a WebSocket, many at once, and cancel those that are not wanted.

    A message is {"id": text, "type": "equity", "question": {...}, "stream": bool} or {"id": text,
    "type": "cancel"}; answers have the id and a type, estimate, progress, answer, error or cancelled.
    A message that cannot be read costs an error, with its id or null, and not the connection.
    """
    lock = asyncio.Lock()

    async def send(name: str | None, kind: str, value: Any) -> None:
        text = json.dumps({"id": name, "type": kind, "value": value})
        try:
            async with lock:
                await connection.send_text(text)
        except (RuntimeError, OSError):  # the client has gone, or takes nothing
            raise WebSocketDisconnect(1006) from None

    # The group ends with the connection: what still runs then is cancelled.
    try:
        async with asyncio.TaskGroup() as group:
            await _Conversation(connection, desk, group, send).take()
    except* WebSocketDisconnect:
        pass


class _Conversation:
    """What goes on over one connection."""

    def __init__(self, connection: WebSocket, desk: Desk, group: asyncio.TaskGroup, send: Any) -> None:
        """Put the parts together; ``send`` takes an id, a type and a value."""
        self._connection, self._desk, self._group, self._send = connection, desk, group, send
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def take(self) -> None:
        """Take messages until the client leaves, or sends too many that cannot be read.

        Raises:
            WebSocketDisconnect: The connection has ended.
        """
        malformed = 0
        while malformed < MOST_MALFORMED:
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
                await self._obey(message)
        await self._connection.close(UNSUPPORTED)
        raise WebSocketDisconnect(UNSUPPORTED)

    async def _obey(self, message: SocketMessage) -> None:
        name, tasks = message.id, self._tasks
        if message.type == "cancel":
            task = tasks.pop(name, None)
            if task is not None:
                task.cancel()
            await self._send(name, "cancelled", None)
        elif name in tasks or len(tasks) >= MOST_AT_ONCE or message.question is None:
            detail = "a question, with an id of its own, 32 at once at most, is expected"
            problem = Problem(429 if message.question else 422, "malformed", detail)
            await self._send(name, "error", problem.to_dict())
        else:
            work = self._work(name, message.question, message.stream)
            tasks[name] = self._group.create_task(work)

    async def _work(self, name: str, asked: EquityQuestion, stream: bool) -> None:
        try:
            try:
                question = await read(asked, stream=stream)
                async with aclosing(self._desk.events(question, stream=stream)) as events:
                    async for kind, value in events:
                        await self._send(name, kind, value)
            except Problem as problem:
                await self._send(name, "error", problem.to_dict())
            except InputError as error:
                await self._send(name, "error", Problem(400, "bad-input", str(error)).to_dict())
            except WebSocketDisconnect:
                raise
            except Exception as error:
                LOG.error("socket: %s", type(error).__name__)
                await self._send(name, "error", Problem(500, "fault", "an internal fault").to_dict())
        finally:
            if self._tasks.get(name) is asyncio.current_task():
                del self._tasks[name]


class SocketMessage(BaseModel):
    """A message of a client on the WebSocket."""

    model_config = ConfigDict(extra="forbid", strict=True)

    id: str = Field(max_length=100)
    type: str = Field(default="equity", pattern="^(equity|cancel)$")
    question: EquityQuestion | None = None
    stream: bool = True


def _message(text: str | None) -> SocketMessage:
    if text is None:
        raise Problem(422, "malformed", "a binary message: expected text, a JSON object")
    try:
        return SocketMessage.model_validate_json(text)
    except ValidationError as error:
        raise Problem(422, "malformed", first_fault(error.errors())) from None


def _id_of(text: str | None) -> str | None:
    """Return the id of a message that is otherwise malformed, if it has one."""
    try:
        name = from_json(text or "")["id"]
    except (ValueError, LookupError, TypeError):
        return None
    return name if isinstance(name, str) and len(name) <= 100 else None
