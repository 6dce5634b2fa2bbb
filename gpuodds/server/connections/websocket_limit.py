"""A limit on the number of WebSockets: the one that has been silent longest is closed for a new one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

TRY_AGAIN_LATER = 1013


class WebSocketLimit:
    """Runs an application's WebSockets, up to a number of them."""

    def __init__(self, app: Application, max_sockets: int) -> None:
        """Run at most ``max_sockets`` WebSockets of an application at once."""
        self._app, self._max_sockets = app, max_sockets
        self._sockets: dict[_Socket, None] = {}  # the one that has been silent longest first

    async def run(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run a WebSocket; close the one that has been silent longest if there are too many."""
        if len(self._sockets) >= self._max_sockets:
            next(iter(self._sockets)).evict()
        socket = _Socket(receive, send, self._sockets)
        try:
            await self._app(scope, socket.receive, socket.send)
        finally:
            await socket.close()


class _Socket:
    """A WebSocket among others, which are ordered by the time of their last message."""

    def __init__(self, receive: Receive, send: Send, others: dict[_Socket, None]) -> None:
        self._receive, self._send, self._others = receive, send, others
        self._evicted = asyncio.Event()
        self._others[self] = None

    def _move_to_end(self) -> None:
        if self in self._others:
            del self._others[self]
            self._others[self] = None

    def evict(self) -> None:
        """End the WebSocket in favour of another."""
        self._others.pop(self, None)
        self._evicted.set()

    async def receive(self) -> Message:
        """Return the next message, a disconnect if the WebSocket was evicted."""
        received = asyncio.ensure_future(self._receive())
        evicted = asyncio.ensure_future(self._evicted.wait())
        try:
            await asyncio.wait({received, evicted}, return_when=asyncio.FIRST_COMPLETED)
            if self._evicted.is_set():
                return {"type": "websocket.disconnect", "code": TRY_AGAIN_LATER}
            self._move_to_end()
            return received.result()
        finally:
            received.cancel()
            evicted.cancel()

    async def send(self, message: Message) -> None:
        """Send a message."""
        self._move_to_end()
        await self._send(message)

    async def close(self) -> None:
        """Leave the others; send the client a reason if the WebSocket was evicted."""
        self._others.pop(self, None)
        if self._evicted.is_set():
            with suppress(Exception):
                reason = "too many connections; this one was silent longest"
                await self._send({"type": "websocket.close", "code": TRY_AGAIN_LATER, "reason": reason})
