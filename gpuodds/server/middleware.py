"""What stands before the application: who may ask, how much may be sent, how long it may take."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from time import perf_counter
from typing import Any
from urllib.parse import parse_qs, urlsplit

from gpuodds.server.problems import Problem
from gpuodds.server.settings import Settings

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

POLICY_VIOLATION = 1008
TRY_AGAIN_LATER = 1013
HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (
        b"content-security-policy",
        b"default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
        b"frame-ancestors 'none'",
    ),
)


class Guard:
    """Checks each request before the application sees it.

    The Host has to be one of the server's names, so that a page elsewhere cannot reach it through a
    name of its own; an Origin has to be the server itself. Browsers that say so (Sec-Fetch-Site) may
    not ask for other sites: they may only follow a link to the page. Bodies are read whole, up to a
    size and within a time; a reader who takes nothing is let go. Where there are too many WebSockets,
    the one that has been silent longest makes room.
    """

    def __init__(
        self,
        app: Application,
        settings: Settings,
        count: Callable[[str, int, float], None],
        refuse: Callable[[str], None] = lambda reason: None,
    ) -> None:
        """Stand before an application.

        Args:
            app: The application.
            settings: Its limits.
            count: Called with each request's way, status and seconds.
            refuse: Called with the reason of each refusal.
        """
        self._app, self._settings, self._count, self.refuse = app, settings, count, refuse
        self._sockets: dict[Socket, None] = {}  # the one that has been silent longest first

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        begin, status = perf_counter(), [0]
        try:
            try:
                self._check(scope)
                if scope["type"] == "http":
                    receive = await self._body(scope, receive)
            except Problem as problem:
                status[0] = problem.status
                self.refuse(problem.name)
                await _refuse(problem, scope, receive, send)
                return
            if scope["type"] == "http":
                await self._app(scope, receive, self._sender(send, status))
            else:
                await self._socket(scope, receive, self._sender(send, status))
        finally:
            way = getattr(scope.get("route"), "path", "other")
            self._count(way, status[0], perf_counter() - begin)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        if len(self._sockets) >= self._settings.sockets:
            next(iter(self._sockets)).end()
        socket = Socket(receive, send, self._sockets)
        try:
            await self._app(scope, socket.receive, socket.send)
        finally:
            await socket.close()

    def _check(self, scope: Scope) -> None:
        headers = {name: value for name, value in scope["headers"]}
        host = headers.get(b"host", b"").decode("latin-1")
        if not self._settings.token and _name_of(host) not in self._settings.names:
            raise Problem(403, "host", "the Host header names another server")
        origin = headers.get(b"origin")
        if origin is not None and _place_of(origin.decode("latin-1")) != host.lower():
            raise Problem(403, "origin", "pages of other origins may not ask")
        is_private = scope["path"].startswith(("/v1/", "/metrics"))
        if headers.get(b"sec-fetch-site", b"none") not in (b"same-origin", b"none"):
            # A link to the page costs nothing and shows the other site nothing.
            is_link = headers.get(b"sec-fetch-mode") == b"navigate" and not is_private
            if not is_link or headers.get(b"sec-fetch-dest") != b"document":
                raise Problem(403, "site", "pages of other sites may not ask")
        if self._settings.token and is_private:
            given = _shown_token(headers.get(b"authorization", b""))
            if scope["type"] == "websocket" and not given:
                # Percent signs and other bytes, each a character.
                query = parse_qs(scope.get("query_string", b"").decode("latin-1"), encoding="latin-1")
                given = query.get("token", [""])[0].encode("latin-1")
            expected = self._settings.token.encode("utf-8", "surrogateescape")
            if not hmac.compare_digest(given, expected):
                raise Problem(401, "token", "a token is needed", headers={"WWW-Authenticate": "Bearer"})

    async def _body(self, scope: Scope, receive: Receive) -> Receive:
        most = self._settings.body_bytes
        for name, value in scope["headers"]:
            if name == b"content-length" and value.isdigit() and int(value[:19]) > most:
                raise Problem(413, "too-large", f"a body has {most:,} bytes at most")
        body, more = b"", True
        end = asyncio.get_running_loop().time() + self._settings.body_seconds
        while more:
            try:
                async with asyncio.timeout_at(end):
                    message = await receive()
            except TimeoutError:
                seconds = self._settings.body_seconds
                raise Problem(408, "too-slow", f"the body took longer than {seconds:g} s") from None
            if message["type"] == "http.disconnect":
                break
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > most:
                raise Problem(413, "too-large", f"a body has {most:,} bytes at most")
        first = [{"type": "http.request", "body": body, "more_body": False}]

        async def again() -> Message:
            return first.pop() if first else await receive()

        return again

    def _sender(self, send: Send, status: list[int]) -> Send:
        async def careful(message: Message) -> None:
            if message["type"] == "http.response.start":
                status[0] = message["status"]
                message["headers"] = [*message.get("headers", []), *HEADERS]
            # Not wait_for, which before Python 3.12 may swallow that the task is cancelled.
            async with asyncio.timeout(self._settings.send_seconds):
                await send(message)

        return careful


class Socket:
    """A WebSocket among others, in the order in which they were silent."""

    def __init__(self, receive: Receive, send: Send, others: dict[Socket, None]) -> None:
        """Join the others."""
        self._receive, self._send, self._others = receive, send, others
        self._ended = asyncio.Event()
        self._others[self] = None

    def _heard(self) -> None:
        if self in self._others:
            del self._others[self]
            self._others[self] = None

    def end(self) -> None:
        """Make room for another."""
        self._others.pop(self, None)
        self._ended.set()

    async def receive(self) -> Message:
        """Return the next message, or that the connection ends."""
        received = asyncio.ensure_future(self._receive())
        ended = asyncio.ensure_future(self._ended.wait())
        try:
            await asyncio.wait({received, ended}, return_when=asyncio.FIRST_COMPLETED)
            if self._ended.is_set():
                return {"type": "websocket.disconnect", "code": TRY_AGAIN_LATER}
            self._heard()
            return received.result()
        finally:
            received.cancel()
            ended.cancel()

    async def send(self, message: Message) -> None:
        """Send a message."""
        self._heard()
        await self._send(message)

    async def close(self) -> None:
        """Leave the others, and tell the client if it was ended."""
        self._others.pop(self, None)
        if self._ended.is_set():
            with suppress(Exception):
                reason = "too many connections; this one was silent longest"
                await self._send({"type": "websocket.close", "code": TRY_AGAIN_LATER, "reason": reason})


def _shown_token(authorization: bytes) -> bytes:
    """Return what stands behind the scheme Bearer, in any case."""
    scheme, _, token = authorization.partition(b" ")
    return token.strip() if scheme.lower() == b"bearer" else b""


def _place_of(origin: str) -> str | None:
    """Return the host and port of an Origin header, None where it cannot be read."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


def _name_of(host: str) -> str:
    """Return a Host header without its port, an IPv6 address in its brackets."""
    if host.startswith("["):
        return host[: host.find("]") + 1].lower()
    return host.partition(":")[0].lower()


async def _refuse(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": str(problem)})
        return
    response = problem.response()
    await send(
        {
            "type": "http.response.start",
            "status": problem.status,
            "headers": [*response.raw_headers, *HEADERS, (b"connection", b"close")],
        }
    )
    await send({"type": "http.response.body", "body": response.body})
