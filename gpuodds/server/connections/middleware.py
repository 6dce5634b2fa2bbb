"""The middleware before the application: access control, and limits on size and time."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable
from time import perf_counter
from urllib.parse import parse_qs

from gpuodds.server.connections.hosts import read_host
from gpuodds.server.connections.websocket_limit import (
    Application,
    Message,
    Receive,
    Scope,
    Send,
    WebSocketLimit,
)
from gpuodds.server.problems import Problem
from gpuodds.server.settings import LUCK_PATH, Settings

POLICY_VIOLATION = 1008
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


class AccessMiddleware:
    """Checks each request before the application sees it.

    The Host has to be one of the server's names, so that a page elsewhere cannot reach the server
    through a name of its own; an Origin has to be the server itself. Requests that a browser marks as
    another site's (Sec-Fetch-Site) are refused, except for following a link to the page. Bodies are
    read whole, up to a size and within a time; a client that does not read is disconnected.
    """

    def __init__(
        self,
        app: Application,
        settings: Settings,
        count_request: Callable[[str, int, float], None],
        count_refusal: Callable[[str], None] = lambda reason: None,
    ) -> None:
        """Put the middleware before an application.

        Args:
            app: The application.
            settings: The server's limits.
            count_request: Called with each request's route, status and seconds.
            count_refusal: Called with the reason of each refusal.
        """
        self._app, self._settings = app, settings
        self._count_request, self.count_refusal = count_request, count_refusal
        self._websockets = WebSocketLimit(app, settings.sockets)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        start, sender = perf_counter(), _Sender(send, self._settings.send_seconds)
        try:
            try:
                self._check(scope)
                if scope["type"] == "http":
                    receive = await self._read_body(scope, receive)
            except Problem as problem:
                sender.status = problem.status
                self.count_refusal(problem.name)
                await _refuse(problem, scope, receive, send)
                return
            run = self._app if scope["type"] == "http" else self._websockets.run
            await run(scope, receive, sender.send)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            self._count_request(route, sender.status, perf_counter() - start)

    def _check(self, scope: Scope) -> None:
        """Raise a problem for a request that may not reach the application."""
        headers = dict(scope["headers"])
        host = read_host(scope["headers"], scope.get("http_version", "1.1"))
        if not self._settings.token and host.name not in self._settings.names:
            raise Problem(403, "host", "the Host header names another server")
        own = f"http://{host.text}", f"https://{host.text}"  # with TLS, of a proxy before the server
        for name, value in scope["headers"]:
            if name == b"origin" and value.decode("latin-1").lower() not in own:
                raise Problem(403, "origin", "pages of other origins may not ask")
        is_private = scope["path"].startswith(("/v1/", "/metrics"))
        if headers.get(b"sec-fetch-site", b"none") not in (b"same-origin", b"none"):
            # A link to the page costs nothing and shows the other site nothing.
            is_link = headers.get(b"sec-fetch-mode") == b"navigate" and not is_private
            if not is_link or headers.get(b"sec-fetch-dest") != b"document":
                raise Problem(403, "site", "pages of other sites may not ask")
        if self._settings.token and is_private:
            self._check_token(self._settings.token, scope, headers.get(b"authorization", b""))

    def _check_token(self, token: str, scope: Scope, authorization: bytes) -> None:
        sent_token = _bearer_token(authorization)
        if scope["type"] == "websocket" and not sent_token:
            # As latin-1, each byte of the query is one character.
            query = parse_qs(scope.get("query_string", b"").decode("latin-1"), encoding="latin-1")
            sent_token = query.get("token", [""])[0].encode("latin-1")
        if not hmac.compare_digest(sent_token, token.encode("utf-8", "surrogateescape")):
            wrong = "the token is not the server's" if sent_token else "a token is needed"
            raise Problem(401, "token", wrong, headers={"WWW-Authenticate": "Bearer"})

    async def _read_body(self, scope: Scope, receive: Receive) -> Receive:
        """Read the body; return a function from which the application receives it whole."""
        settings, seconds = self._settings, self._settings.body_seconds
        limit = settings.file_bytes if scope["path"] == LUCK_PATH else settings.body_bytes
        too_large = Problem(413, "too-large", f"a body has {limit:,} bytes at most")
        for name, value in scope["headers"]:
            if name == b"content-length" and value.isdigit() and int(value[:19]) > limit:
                raise too_large
        parts, size, has_more = [], 0, True
        end = asyncio.get_running_loop().time() + seconds
        while has_more:
            try:
                async with asyncio.timeout_at(end):
                    message = await receive()
            except TimeoutError:
                raise Problem(408, "too-slow", f"the body took longer than {seconds:g} s") from None
            if message["type"] == "http.disconnect":
                break
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            has_more = message.get("more_body", False)
            if size > limit:
                raise too_large
        whole: list[Message] = [{"type": "http.request", "body": b"".join(parts), "more_body": False}]

        async def receive_whole() -> Message:
            return whole.pop() if whole else await receive()

        return receive_whole


class _Sender:
    """Sends an application's messages, with the headers of every answer and a limit on the time."""

    def __init__(self, send: Send, seconds: float) -> None:
        self._send, self._seconds = send, seconds
        self.status = 0

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message["headers"] = [*message.get("headers", []), *HEADERS]
        # Not wait_for, which before Python 3.12 may lose a cancellation.
        async with asyncio.timeout(self._seconds):
            await self._send(message)


def _bearer_token(authorization: bytes) -> bytes:
    """Return the token of an Authorization header, empty if its scheme is not Bearer."""
    scheme, _, token = authorization.partition(b" ")
    return token.strip() if scheme.lower() == b"bearer" else b""


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
