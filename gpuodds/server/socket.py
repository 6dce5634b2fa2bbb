"""The WebSocket: many questions on one connection, and a way to cancel each."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gpuodds.errors import InputError
from gpuodds.server.desk import Desk
from gpuodds.server.problems import Problem, first_fault
from gpuodds.server.questions import EquityQuestion, read

MOST_AT_ONCE = 32  # questions on one connection


async def converse(connection: WebSocket, desk: Desk) -> None:
    """Take questions from a WebSocket, many at once, and cancel those that are not wanted.

    A message is {"id": text, "type": "equity", "question": {...}, "stream": bool} or {"id": text,
    "type": "cancel"}; answers have the id and a type, estimate, progress, answer, error or cancelled.
    """
    tasks: dict[str, asyncio.Task[None]] = {}
    lock = asyncio.Lock()

    async def send(message: dict[str, Any]) -> None:
        async with lock:
            await connection.send_text(json.dumps(message))

    async def work(name: str, asked: EquityQuestion, stream: bool) -> None:
        try:
            question = await read(asked, stream=stream)
            async for kind, value in desk.events(question, stream=stream):
                await send({"id": name, "type": kind, "value": value})
        except Problem as problem:
            await send({"id": name, "type": "error", "value": problem.to_dict()})
        except InputError as error:
            value = Problem(400, "bad-input", str(error)).to_dict()
            await send({"id": name, "type": "error", "value": value})
        finally:
            if tasks.get(name) is asyncio.current_task():
                del tasks[name]

    try:
        while True:
            message = _message(await connection.receive_text())
            name = message.id
            if message.type == "cancel":
                task = tasks.pop(name, None)
                if task is not None:
                    task.cancel()
                await send({"id": name, "type": "cancelled", "value": None})
            elif name in tasks or len(tasks) >= MOST_AT_ONCE or message.question is None:
                detail = "a question, with an id of its own, 32 at once at most, is expected"
                value = Problem(429 if message.question else 422, "malformed", detail).to_dict()
                await send({"id": name, "type": "error", "value": value})
            else:
                tasks[name] = asyncio.create_task(work(name, message.question, message.stream))
    except WebSocketDisconnect:
        pass
    except Problem as problem:
        await send({"id": None, "type": "error", "value": problem.to_dict()})
        await connection.close(1003)
    finally:
        for task in list(tasks.values()):
            task.cancel()


class SocketMessage(BaseModel):
    """A message of a client on the WebSocket."""

    model_config = ConfigDict(extra="forbid", strict=True)

    id: str = Field(max_length=100)
    type: str = Field(default="equity", pattern="^(equity|cancel)$")
    question: EquityQuestion | None = None
    stream: bool = True


def _message(text: str) -> SocketMessage:
    try:
        return SocketMessage.model_validate_json(text)
    except ValidationError as error:
        raise Problem(422, "malformed", first_fault(error.errors())) from None
