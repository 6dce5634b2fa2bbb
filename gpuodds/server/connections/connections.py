"""HTTP connections with limits on the size of a request's head, on its time, and on their number.

uvicorn limits neither head with httptools; at its own limit of connections it refuses all new ones.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from gpuodds.basics.present import present
from gpuodds.server.connections.hosts import check_head
from gpuodds.server.connections.middleware import HEADERS
from gpuodds.server.problems import Problem
from gpuodds.server.settings import LUCK_PATH, Settings

LINGER_SECONDS = 1.0  # for a refused client to read its problem
MAX_LINGERING = 100  # refused connections that get a problem; more are cut off


def limited_connection(
    settings: Settings, count_refusal: Callable[[str], None]
) -> type[HttpToolsProtocol]:
    """Return a protocol for uvicorn; ``count_refusal`` is called with the reason of each refusal."""

    class LimitedConnection(Connection):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            self.settings, self.count_refusal = settings, count_refusal

    return LimitedConnection


class Connection(HttpToolsProtocol):
    """A connection that ends unless each request's head arrives whole, in time and in size.

    Between requests it is idle. If there are too many connections, the one that has been idle longest
    is closed; if all are busy, the new one is refused.
    """

    settings: Settings
    count_refusal: Callable[[str], None]
    _timer: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None
    _in_head = True  # the head of the next request is not complete
    _has_begun = False  # a byte of that head has come
    _head_bytes = 0  # of that head so far
    _message_bytes = 0  # of the whole request so far, as it was sent
    _is_refused = False
    _is_websocket = False
    idle_since: float | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection, or refuse it."""
        super().connection_made(transport)
        if len(self.connections) > self.settings.connections and not self._close_idlest():
            headers = {"Retry-After": "1"}
            self._refuse(Problem(503, "connections", "too many connections", headers=headers))
            if len(self.connections) > self.settings.connections + MAX_LINGERING:
                transport.abort()
            return
        self.idle_since = self.loop.time()
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all timers."""
        self._stop_timer()
        if self._stalled is not None:
            self._stalled.cancel()
        self.idle_since = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse bytes; refuse a head, or a chunked body, that is too large."""
        if self._is_refused or self.transport.is_closing():
            return
        self._message_bytes += len(data)
        if self._in_head:
            self._has_begun = self._has_begun or bool(data.strip(b"\r\n"))
            self._head_bytes += len(data)
        super().data_received(data)
        if self._is_refused or self._is_websocket or self.transport.is_closing():
            return
        if self._in_head and self._head_bytes > self.settings.head_bytes:
            self._refuse_head()
        elif self._message_bytes > self._most_bytes():  # for example in chunks of a byte
            self._refuse(Problem(413, "too-large", "the request is too large"))
        elif self._in_head and self._timer is None:
            self._await_head()

    def _most_bytes(self) -> int:
        """Return how many bytes a request may have, with what surrounds its body."""
        if not self._in_head and self.url.startswith(LUCK_PATH.encode()):
            return 2 * self.settings.file_bytes
        return 16 * self.settings.body_bytes

    def on_headers_complete(self) -> None:
        """Start to answer a request."""
        self._in_head = False
        self._stop_timer()
        self.idle_since = None
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > self.settings.head_bytes:
            self._refuse_head()
        if not self._is_refused:
            try:
                version = present(self.parser).get_http_version()  # there until the connection is lost
                check_head(self.url, self.headers, version)
            except Problem as problem:
                self._refuse(problem)
        if not self._is_refused:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Parse a part of a body."""
        if not self._is_refused:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """Parse the end of a request; another may follow."""
        if not self._is_refused:
            super().on_message_complete()
        self._in_head, self._has_begun = True, False
        self._head_bytes = self._message_bytes = 0

    def on_response_complete(self) -> None:
        """Wait for the next request; close a connection whose client does not read the answer."""
        super().on_response_complete()
        if self.transport.is_closing():
            self._end_soon(self.settings.send_seconds)
        elif self._in_head and not self.pipeline:
            self.idle_since = self.loop.time()

    def timeout_keep_alive_handler(self) -> None:
        """Close a connection on which no other request came."""
        super().timeout_keep_alive_handler()
        self._end_soon(self.settings.send_seconds)

    def pause_writing(self) -> None:
        """Start to wait for a client that does not read."""
        super().pause_writing()
        self._stalled = self.loop.call_later(self.settings.send_seconds + 1, self.transport.abort)

    def resume_writing(self) -> None:
        """Continue: the client reads the answer."""
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def handle_websocket_upgrade(self) -> None:
        """Become a WebSocket, which has limits of its own."""
        self._stop_timer()
        self._is_websocket = True
        if self._is_refused:
            return
        super().handle_websocket_upgrade()
        # uvicorn leaves a head unanswered that websockets refuses, such as one with a long line.
        if not getattr(self.transport.get_protocol(), "handshake_initiated", True):
            self._refuse(Problem(400, "http", "this is not the handshake of a WebSocket"))

    def send_400_response(self, msg: str) -> None:
        """Refuse bytes that are not HTTP."""
        if not self._is_refused:
            self._refuse(Problem(400, "http", "this is not an HTTP/1.1 request"))

    def drop(self) -> None:
        """Close an idle connection in favour of a new one."""
        self.count_refusal("idle")
        self._close()

    def _close_idlest(self) -> bool:
        """Close the connection that has been idle longest; return whether there was one."""
        idle = [
            connection
            for connection in self.connections
            if isinstance(connection, Connection)
            and connection is not self
            and connection.idle_since is not None
        ]
        if not idle:
            return False
        min(idle, key=lambda connection: connection.idle_since or 0.0).drop()
        return True

    def _await_head(self) -> None:
        self._timer = self.loop.call_later(self.settings.head_seconds, self._too_slow)

    def _too_slow(self) -> None:
        self._timer = None
        if self.cycle is not None and not self.cycle.response_complete:
            self._await_head()  # an answer is being sent, and part of another request came
        elif self._has_begun:
            seconds = self.settings.head_seconds
            self._refuse(Problem(408, "too-slow", f"the head took longer than {seconds:g} s"))
        else:
            self.count_refusal("idle")
            self._close()

    def _refuse_head(self) -> None:
        limit = self.settings.head_bytes
        self._refuse(Problem(431, "head-too-large", f"a head has {limit:,} bytes at most"))

    def _refuse(self, problem: Problem) -> None:
        """Answer with a problem, and read nothing more; the client has a second to read it."""
        self._is_refused, self.idle_since = True, None
        self.count_refusal(problem.name)
        if self.cycle is not None and not self.cycle.response_complete:
            if self.cycle.response_started:
                self._close()  # a second answer cannot be sent in the middle of the first
                return
            self.cycle.disconnected = True  # the application's answer is dropped
            self.cycle.message_event.set()
        response = problem.response()
        lines = [f"HTTP/1.1 {problem.status} {problem.to_dict()['title']}".encode()]
        lines += [name + b": " + value for name, value in (*response.raw_headers, *HEADERS)]
        self.transport.write(b"\r\n".join([*lines, b"connection: close", b"", bytes(response.body)]))
        if self.transport.can_write_eof():
            # Closing at once, with unread bytes, would reset the connection before the client reads.
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
