"""A fast path for repeated requests: answered from the cache without routing, parsing or validation.

Clients send the same bytes again and again. Without this path a cached answer takes three times the CPU
time: ``python bench/server/run.py`` measures it.
"""

from __future__ import annotations

from types import SimpleNamespace

from gpuodds.server.cache.kept import Kept
from gpuodds.server.connections.websocket_limit import Application, Message, Receive, Scope, Send
from gpuodds.server.dispatch.dispatcher import Dispatcher
from gpuodds.server.reading.answer_form import AnswerForm
from gpuodds.server.reading.parsed import ParsedRequest

PATH = "/v1/equity"
MAX_KEPT = 128  # requests, each with its answer as text
JSON = b"application/json"
ROUTE = SimpleNamespace(path=PATH)  # the label of the middleware's metrics


class RepeatedRequests:
    """Answers equity requests whose body is known and whose answer is in memory.

    It runs behind the middleware, which checks each request and reads its whole body.
    """

    def __init__(self, app: Application) -> None:
        """Wrap an application."""
        self._app = app
        self._kept = Kept[bytes, tuple[str, AnswerForm]](MAX_KEPT)
        self.dispatcher: Dispatcher | None = None

    def keep(self, body: bytes, request: ParsedRequest) -> None:
        """Keep a request that was answered from the cache, by its body; not one that asks for more."""
        if not (request.body.explain or request.body.method == "monte-carlo" or request.lists_many):
            self._kept.put(body, (request.key, request.form))

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
        kept = self._kept.get(body)
        if kept is None or self.dispatcher is None:
            return None
        return self.dispatcher.repeated(*kept)
