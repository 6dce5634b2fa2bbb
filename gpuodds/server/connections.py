"""HTTP connections with bounds: on the time and size of a request's head, and on their number.

uvicorn bounds neither with httptools, and at its limit of connections it refuses all that come.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from gpuodds.server.middleware import HEADERS
from gpuodds.server.problems import Problem
from gpuodds.server.settings import Settings

LINGER_SECONDS = 1.0  # that a refused client has to read its answer
MAX_LINGERING = 100  # refused connections that are answered; more are cut off


def limited(settings: Settings, refuse: Callable[[str], None]) -> type[HttpToolsProtocol]:
    """Return a protocol for uvicorn; ``refuse`` is called with the reason of each refusal."""

    class Limited(Connection):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            self.settings, self.refuse = settings, refuse

    return Limited


class Connection(HttpToolsProtocol):
    """uvicorn's connection, which ends where no request's head arrives whole, in time and in size.

    Between requests it is idle. Where there are too many connections, the one that has been idle
    longest makes room; where none is idle, the new one is refused.
    """

    settings: Settings
    refuse: Callable[[str], None]
    _timer: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None
    _in_head = True  # the head of the next request is not there yet
    _head_bytes = 0  # of it so far
    _message_bytes = 0  # of the whole request so far, as it was sent
    _begun = False  # a byte of that head has come
    _refused = False
    idle_since: float | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, or refuse it."""
        super().connection_made(transport)
        if len(self.connections) > self.settings.connections and not self._make_room():
            headers = {"Retry-After": "1"}
            self._refuse(Problem(503, "connections", "too many connections", headers=headers))
            if len(self.connections) > self.settings.connections + MAX_LINGERING:
                transport.abort()
            return
        self.idle_since = self.loop.time()
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of it."""
        self._stop_timer()
        if self._stalled is not None:
            self._stalled.cancel()
        self.idle_since = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes; refuse a head, or the frame of a body, that is too large."""
        if self._refused or self.transport.is_closing():
            return
        self._message_bytes += len(data)
        if self._in_head:
            self._begun = self._begun or bool(data.strip(b"\r\n"))
            self._head_bytes += len(data)
        super().data_received(data)
        if self._refused or self.transport.is_closing():
            return
        if self._in_head and self._head_bytes > self.settings.head_bytes:
            self._refuse_head()
        elif self._message_bytes > 16 * self.settings.body_bytes:  # in chunks of a byte, say
            self._refuse(Problem(413, "too-large", "the request is too large"))
        elif self._in_head and self._timer is None:
            self._await_head()

    def on_headers_complete(self) -> None:
        """Begin to answer a request."""
        self._in_head = False
        self._stop_timer()
        self.idle_since = None
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > self.settings.head_bytes:
            self._refuse_head()
        if not self._refused:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a part of a body."""
        if not self._refused:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """Take the end of a request; another may follow."""
        if not self._refused:
            super().on_message_complete()
        self._in_head, self._begun = True, False
        self._head_bytes = self._message_bytes = 0

    def on_response_complete(self) -> None:
        """Wait for the next request; end a connection whose reader does not take the answer."""
        super().on_response_complete()
        if self.transport.is_closing():
            self._end_soon(self.settings.send_seconds)
        elif self._in_head and not self.pipeline:
            self.idle_since = self.loop.time()

    def timeout_keep_alive_handler(self) -> None:
        """End a connection on which no other request came."""
        super().timeout_keep_alive_handler()
        self._end_soon(self.settings.send_seconds)

    def pause_writing(self) -> None:
        """Give a reader who takes nothing a while."""
        super().pause_writing()
        self._stalled = self.loop.call_later(self.settings.send_seconds + 1, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on: the reader takes the answer."""
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def handle_websocket_upgrade(self) -> None:
        """Become a WebSocket, which has limits of its own."""
        self._stop_timer()
        if not self._refused:
            super().handle_websocket_upgrade()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP."""
        if not self._refused:
            self._refuse(Problem(400, "http", "this is not a request of HTTP/1.1"))

    def drop(self) -> None:
        """End an idle connection to make room for another."""
        self.refuse("idle")
        self._close()

    def _make_room(self) -> bool:
        idle = [
            one
            for one in self.connections
            if isinstance(one, Connection) and one is not self and one.idle_since is not None
        ]
        if not idle:
            return False
        min(idle, key=lambda one: one.idle_since or 0.0).drop()
        return True

    def _await_head(self) -> None:
        self._timer = self.loop.call_later(self.settings.head_seconds, self._too_slow)

    def _too_slow(self) -> None:
        self._timer = None
        if self.cycle is not None and not self.cycle.response_complete:
            self._await_head()  # an answer is under way, and part of another request came
        elif self._begun:
            seconds = self.settings.head_seconds
            self._refuse(Problem(408, "too-slow", f"the head took longer than {seconds:g} s"))
        else:
            self.refuse("idle")
            self._close()

    def _refuse_head(self) -> None:
        most = self.settings.head_bytes
        self._refuse(Problem(431, "head-too-large", f"a head has {most:,} bytes at most"))

    def _refuse(self, problem: Problem) -> None:
        """Answer with a problem, and take nothing more; the client has a second to read it."""
        self._refused, self.idle_since = True, None
        self.refuse(problem.name)
        if self.cycle is not None and not self.cycle.response_complete:
            if self.cycle.response_started:
                self._close()  # in the middle of an answer there is no place for another
                return
            self.cycle.disconnected = True  # what the application answers goes nowhere
            self.cycle.message_event.set()
        response = problem.response()
        lines = [f"HTTP/1.1 {problem.status} {problem.to_dict()['title']}".encode()]
        lines += [name + b": " + value for name, value in (*response.raw_headers, *HEADERS)]
        self.transport.write(b"\r\n".join([*lines, b"connection: close", b"", bytes(response.body)]))
        if self.transport.can_write_eof():
            # Closed at once, with bytes that were not read, it would take the answer back.
            self.transport.write_eof()
            self._end_soon(LINGER_SECONDS)
        else:
            self._close()

    def _close(self) -> None:
        self.transport.close()
        self._end_soon(LINGER_SECONDS)

    def _end_soon(self, seconds: float) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
