"""What stands before the application: who may ask, how much may be sent, how long it may take."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Awaitable, Callable, MutableMapping
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
HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (
        b"content-security-policy",
        b"default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
        b"frame-ancestors 'none'",
    ),
)


class Guard:
    """Checks each request before the application sees it.

    The Host has to be one of the server's names, so that a page elsewhere cannot reach it through a
    name of its own; an Origin has to be the server itself. Bodies are read whole, up to a size and
    within a time; a reader who takes nothing is let go.
    """

    def __init__(
        self, app: Application, settings: Settings, count: Callable[[str, int, float], None]
    ) -> None:
        """Stand before an application; ``count`` is told each request's way, status and seconds."""
        self._app, self._settings, self._count = app, settings, count

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
                await _refuse(problem, scope, receive, send)
                return
            await self._app(scope, receive, self._sender(send, status))
        finally:
            way = getattr(scope.get("route"), "path", "other")
            self._count(way, status[0], perf_counter() - begin)

    def _check(self, scope: Scope) -> None:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get("host", "")
        if not self._settings.token and _name_of(host) not in self._settings.names:
            raise Problem(403, "host", "the Host header names another server")
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            raise Problem(403, "origin", "pages of other origins may not ask")
        if self._settings.token and scope["path"].startswith(("/v1/", "/metrics")):
            given = headers.get("authorization", "").removeprefix("Bearer ")
            if scope["type"] == "websocket" and not given:
                query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
                given = query.get("token", [""])[0]
            if not hmac.compare_digest(given.encode(), self._settings.token.encode()):
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
