"""Requests that are asked again: answered from the cache, without being read again.

A page or a bot asks the same again and again, in the same bytes. To read them, check them and find the
route takes three times as long as all that is left to do.
"""

from __future__ import annotations

from collections import OrderedDict
from types import SimpleNamespace

from gpuodds.server.canonical import ParsedRequest
from gpuodds.server.dispatcher import Dispatcher
from gpuodds.server.websocket_limit import Application, Message, Receive, Scope, Send

PATH = "/v1/equity"
MAX_KEPT = 128  # requests; 11 KB a range
JSON = b"application/json"
ROUTE = SimpleNamespace(path=PATH)  # what the middleware counts by


class RepeatedRequests:
    """Answers requests for equity whose bytes are known, and whose answers are in memory.

    It stands behind the middleware, which checks each request and reads its body whole.
    """

    def __init__(self, app: Application) -> None:
        """Put it before an application."""
        self._app = app
        self._kept: OrderedDict[bytes, ParsedRequest] = OrderedDict()
        self.dispatcher: Dispatcher | None = None

    def keep(self, body: bytes, request: ParsedRequest) -> None:
        """Keep a request that was answered from the cache, under the bytes that it was read from."""
        self._kept[body] = request
        if len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if (
            scope["type"] != "http"
            or scope["path"] != PATH
            or (b"content-type", JSON) not in scope["headers"]
        ):
            await self._app(scope, receive, send)
            return
        message = await receive()
        text = self._answer(message.get("body", b"")) if scope["method"] == "POST" else None
        if text is None:
            ahead = [message]

            async def receive_again() -> Message:
                return ahead.pop() if ahead else await receive()

            await self._app(scope, receive_again, send)
            return
        scope["route"] = ROUTE
        body = text.encode()
        headers = [(b"content-length", b"%d" % len(body)), (b"content-type", JSON)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _answer(self, body: bytes) -> str | None:
        request = self._kept.get(body)
        if request is None or self.dispatcher is None:
            return None
        self._kept.move_to_end(body)
        return self.dispatcher.cached(request)
