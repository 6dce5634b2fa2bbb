"""The application: what can be asked over HTTP and WebSocket, and the page."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, cast

from fastapi import Depends, FastAPI, Query, Request, WebSocket
from fastapi import Path as InPath
from fastapi.exceptions import RequestValidationError
from fastapi.responses import (
    FileResponse,
    JSONResponse,
    PlainTextResponse,
    Response,
    StreamingResponse,
)
from prometheus_client import generate_latest
from pydantic import BaseModel, TypeAdapter
from starlette.exceptions import HTTPException

from gpuodds._version import __version__
from gpuodds.errors import InputError, excerpt
from gpuodds.server.answers import (
    EquitiesAnswer,
    EquityAnswer,
    HealthAnswer,
    KellyAnswer,
    ProblemAnswer,
    RangeAnswer,
    RowsAnswer,
    TablesAnswer,
)
from gpuodds.server.cache import open_cache
from gpuodds.server.dispatcher import Desk, Event
from gpuodds.server.metrics import Figures
from gpuodds.server.middleware import Guard
from gpuodds.server.pool import Pool
from gpuodds.server.problems import Problem, first_fault
from gpuodds.server.requests import (
    BoardQuestion,
    EquityQuestion,
    KellyQuestion,
    Question,
    RangeText,
    as_bytes,
    read,
)
from gpuodds.server.settings import Settings
from gpuodds.server.socket import converse

LOG = logging.getLogger("gpuodds.server")
STATIC = Path(__file__).parent / "static"
TABLE_NAME = r"^[a-z][a-z0-9-]{0,40}$"
_SCHEMA = {"application/problem+json": {"schema": ProblemAnswer.model_json_schema()}}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"description": text, "content": _SCHEMA}
    for status, text in {
        400: "The question makes no sense; the detail says why.",
        401: "A token is needed.",
        403: "The Host or the Origin is another server, or another site asks.",
        404: "There is no such thing here.",
        405: "That cannot be asked in this way.",
        408: "The head or the body came too slowly.",
        413: "The body is too large.",
        415: "The Content-Type is not application/json.",
        422: "The question is malformed, or would take too long.",
        429: "No answer could be there in time; Retry-After says when to ask again.",
        431: "The head is too large.",
        500: "The computation failed.",
        503: "The server is stopping, warming up, or has too many connections.",
        504: "No answer in time.",
    }.items()
}


def _gives(answer: type[BaseModel]) -> dict[int | str, dict[str, Any]]:
    return {200: {"model": answer, "description": (answer.__doc__ or "").strip()}, **PROBLEMS}


async def _takes_json(request: Request) -> None:
    """Refuse a body that is not declared to be JSON: it would be read as text, and never understood."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if not re.fullmatch(r"application/([\w.+-]+\+)?json", kind):
        found = excerpt(kind) if kind else "none"
        raise Problem(415, "content-type", f"Content-Type: expected application/json, found {found}")


TAKES_JSON = [Depends(_takes_json)]


# What an answer that is kept looks like: equity, or the equities on a board.
CHECK = TypeAdapter(EquityAnswer | dict[str, float]).validate_json


def create_app(settings: Settings) -> Guard:
    """Return the application; it starts and ends its processes by itself.

    Raises:
        InputError: The cache cannot be used.
    """
    cache = open_cache(settings.cache, settings.cache_bytes, CHECK)
    figures = Figures()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[dict[str, Any]]:
        pool = Pool(settings.workers, settings.threads, settings.queue, settings.backend)
        desk = Desk(pool, cache, settings, figures.take, figures.refuse)
        app.state.desk = desk
        figures.watch(desk)
        pool.start()
        # The first range to be read loads the grammar: no client should wait for that.
        await asyncio.to_thread(
            lambda: Question(EquityQuestion(hands=["15%", "AK"])).counting_seconds(1)
        )
        try:
            yield {"desk": desk}
        finally:
            await desk.close(settings.grace)

    app = FastAPI(
        title="gpuodds",
        version=__version__,
        description="Exact Texas hold'em equity.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/v1/openapi.json",
    )
    app.state.settings, app.state.figures = settings, figures
    _answer_problems(app)
    _add_questions(app)
    _add_tables(app)
    _add_page(app)
    return Guard(app, settings, figures.count, figures.refuse)


def _answer_problems(app: FastAPI) -> None:
    @app.exception_handler(Problem)
    async def problem(request: Request, error: Problem) -> Response:
        return error.response()

    @app.exception_handler(InputError)
    async def bad_input(request: Request, error: InputError) -> Response:
        return Problem(400, "bad-input", str(error)).response()

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Response:
        return Problem(422, "malformed", first_fault(error.errors())).response()

    @app.exception_handler(HTTPException)
    async def other(request: Request, error: HTTPException) -> Response:
        return Problem(error.status_code, "http", str(error.detail), headers=error.headers).response()

    @app.exception_handler(Exception)
    async def fault(request: Request, error: Exception) -> Response:
        LOG.error("%s: %s", request.url.path, type(error).__name__)
        return Problem(500, "fault", "an internal fault").response()


def _add_questions(app: FastAPI) -> None:
    @app.post("/v1/equity", dependencies=TAKES_JSON, responses=_gives(EquityAnswer))
    async def equity(asked: EquityQuestion, request: Request) -> Response:
        """The answer to a question of equity: the object ``gpuodds.equity/1``."""
        question, desk = await read(asked, stream=False), _desk(app)
        answer = desk.kept(question) or await _unless_gone(request, desk.answer(question))
        return Response(as_bytes(answer), media_type="application/json")

    @app.post(
        "/v1/equity/stream",
        dependencies=TAKES_JSON,
        responses={
            200: {"description": "Events.", "content": {"text/event-stream": {}}},
            **PROBLEMS,
        },
        response_class=StreamingResponse,
    )
    async def stream(asked: EquityQuestion, request: Request) -> Response:
        """Server-sent events: estimates with their errors, progress, and at last the answer."""
        question = await read(asked, stream=True)
        events = _desk(app).events(question, stream=True)
        # With the first event at hand, a refusal is a status, not an event.
        first = await _unless_gone(request, anext(events))
        return _Stream(
            first,
            events,
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store"},
        )

    @app.websocket("/v1/socket")
    async def socket(connection: WebSocket) -> None:
        await connection.accept()
        await converse(connection, _desk(app))

    @app.post("/v1/range", dependencies=TAKES_JSON, responses=_gives(RangeAnswer))
    async def read_range(asked: RangeText) -> Response:
        """A range: combos, percent, its grid, its weights, and its text in other dialects."""
        return JSONResponse(await asyncio.to_thread(_range, asked.text))

    @app.post("/v1/kelly", dependencies=TAKES_JSON, responses=_gives(KellyAnswer))
    async def kelly(asked: KellyQuestion, request: Request) -> Response:
        """How much to bet against any cards, hands or ranges: the object ``gpuodds.kelly/1``."""
        return JSONResponse(await _unless_gone(request, _desk(app).kelly(asked)))


def _add_tables(app: FastAPI) -> None:
    settings: Settings = app.state.settings

    @app.get("/v1/tables", responses=_gives(TablesAnswer))
    async def tables() -> Response:
        """The tables there are, those that ship and those built in the server's folder."""
        return JSONResponse(await asyncio.to_thread(_tables, settings.tables))

    @app.get("/v1/tables/{name}/rows", responses=_gives(RowsAnswer))
    async def rows(
        name: Annotated[str, InPath(pattern=TABLE_NAME)],
        hand: Annotated[list[str], Query(max_length=3)],
        board: Annotated[str, Query(max_length=100)] = "",
    ) -> Response:
        """What a table has of some hands, on a board if it is a table of a street."""
        return JSONResponse(await asyncio.to_thread(_rows, settings.tables, name, hand, board))

    @app.get("/v1/boards/{board}/equities", responses=_gives(EquitiesAnswer))
    async def equities(
        request: Request,
        board: Annotated[str, InPath(max_length=30)],
        opponents: Annotated[int, Query(ge=1, le=22)] = 1,
    ) -> Response:
        """The equity of every hand on a board of three to five cards against random opponents."""
        question = BoardQuestion(board, opponents)
        found = await _unless_gone(request, _desk(app).equities(question))
        return JSONResponse({"board": board, "opponents": opponents, "equities": found})


def _add_page(app: FastAPI) -> None:
    @app.get("/healthz", responses=_gives(HealthAnswer))
    async def health() -> Response:
        """Whether the server is ready."""
        pool = _desk(app).pool
        answer = {"status": "ok", "version": __version__, "workers": pool.ready}
        if pool.ready:
            return JSONResponse(answer)
        seconds = pool.retry_seconds
        answer |= {"status": "starting" if pool.warm else "warming up", "retry_after": seconds}
        return JSONResponse(answer, 503, {"Retry-After": str(seconds)})

    @app.get(
        "/metrics",
        response_class=PlainTextResponse,
        responses={200: {"description": "Prometheus text.", "content": {"text/plain": {}}}, **PROBLEMS},
    )
    async def metrics() -> Response:
        """Figures for Prometheus."""
        return Response(generate_latest(app.state.figures.registry), media_type="text/plain")

    @app.get("/", include_in_schema=False)
    async def page() -> Response:
        return FileResponse(STATIC / "index.html")

    files = {path.name: path for path in STATIC.iterdir() if path.is_file()}

    @app.get("/{name}", include_in_schema=False)
    async def file(name: str) -> Response:
        if name not in files:
            raise Problem(404, "no-such-page", "there is nothing here")
        return FileResponse(files[name])


async def _unless_gone(request: Request, work: Awaitable[Any]) -> Any:
    """Wait for work, and stop it where the one who asked has gone."""
    task = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise Problem(503, "gone", "the client has left")
        return task.result()
    finally:
        for one in (task, gone):
            one.cancel()
        await asyncio.wait({task, gone})


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


class _Stream(StreamingResponse):
    """Server-sent events; the work stops as soon as they end, however they end."""

    def __init__(self, first: Event, events: AsyncGenerator[Event, None], **options: Any) -> None:
        """Take the first event, and those that follow it."""
        super().__init__(_sent_events(first, events), **options)
        self._events = events

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Send them."""
        sent = cast("AsyncGenerator[bytes, None]", self.body_iterator)
        async with aclosing(self._events), aclosing(sent):
            await super().__call__(scope, receive, send)


async def _sent_events(
    first: Event, events: AsyncGenerator[Event, None]
) -> AsyncGenerator[bytes, None]:
    try:
        yield _sent_event(*first)
        async for name, value in events:
            yield _sent_event(name, value)
    except Problem as problem:
        yield _sent_event("error", problem.to_dict())
    except InputError as error:
        yield _sent_event("error", Problem(400, "bad-input", str(error)).to_dict())
    except Exception as error:
        LOG.error("stream: %s", type(error).__name__)
        yield _sent_event("error", Problem(500, "fault", "an internal fault").to_dict())


def _sent_event(name: str, value: Any) -> bytes:
    return b"event: " + name.encode() + b"\ndata: " + json.dumps(value).encode() + b"\n\n"


def _desk(app: FastAPI) -> Desk:
    desk: Desk = app.state.desk
    return desk


def _range(text: str) -> dict[str, Any]:
    from gpuodds.spots.ranges import Range

    return Range(text).to_dict()


def _tables(folder: Path | None) -> dict[str, Any]:
    from gpuodds.tables.open import SHIPPED

    found = [{"name": name, "ships": True} for name in SHIPPED]
    found += [{"name": name, "ships": False} for name in sorted(_built(folder))]
    return {"tables": found}


def _built(folder: Path | None) -> dict[str, Path]:
    """Return the folders of built tables by name; of one name, that in ``folder`` comes first."""
    from gpuodds.tables.locate import MANIFEST, built_tables

    own = [] if folder is None else [path.parent for path in folder.glob(f"*/{MANIFEST}")]
    return built_tables() | {path.name: path for path in own}


def _rows(folder: Path | None, name: str, hands: list[str], board: str) -> dict[str, Any]:
    from gpuodds.tables.open import SHIPPED, open_table, table

    built = {} if name in SHIPPED else _built(folder)
    if name not in SHIPPED and name not in built:
        raise Problem(404, "no-such-table", f"there is no table {name} here")
    found = open_table(built[name], name) if built else table(name)
    rows = found.lookup(*hands, board=board)
    return {"table": name, "rows": [{key: _cell(value) for key, value in row.items()} for row in rows]}


def _cell(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 1 << 53:
        return str(value)
    return value if isinstance(value, int | float | str | list | None) else str(value)
