"""Routes that compute: equity, streams, the WebSocket, ranges, hits, bets, reports and boards."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, WebSocket
from fastapi import Path as InPath
from fastapi.responses import JSONResponse, Response, StreamingResponse
from starlette.requests import HTTPConnection

from gpuodds.errors import excerpt
from gpuodds.games.catalog import describe_games
from gpuodds.server.answers import (
    BoardReportAnswer,
    EquitiesAnswer,
    EquityAnswer,
    GamesAnswer,
    HitsAnswer,
    KellyAnswer,
    RangeAnswer,
)
from gpuodds.server.dispatch.dispatcher import Dispatcher
from gpuodds.server.dispatch.repeated import PATH
from gpuodds.server.problems import Problem
from gpuodds.server.reading.parsed import BoardRequest
from gpuodds.server.requests import (
    EquityRequest,
    FlopsRequest,
    HitsRequest,
    KellyRequest,
    RangeRequest,
    TurnsRequest,
)
from gpuodds.server.routes.descriptions import PROBLEMS, described
from gpuodds.server.routes.socket import converse
from gpuodds.server.routes.streaming import EventStream, unless_disconnected


async def _expect_json(request: Request) -> None:
    """Refuse a body that is not declared to be JSON."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if not re.fullmatch(r"application/([\w.+-]+\+)?json", kind):
        shown = excerpt(kind) if kind else "none"
        raise Problem(415, "content-type", f"Content-Type: expected application/json, found {shown}")


EXPECTS_JSON = [Depends(_expect_json)]
router = APIRouter()


@router.post(PATH, dependencies=EXPECTS_JSON, responses=described(EquityAnswer))
async def equity(body: EquityRequest, request: Request) -> Response:
    """Equity of hands or ranges: the object ``gpuodds.equity/1``."""
    dispatcher = dispatcher_of(request)
    parsed = await unless_disconnected(request, dispatcher.reader.read(body, stream=False))
    text = dispatcher.cached(parsed)
    if text is None:
        text = await unless_disconnected(request, dispatcher.answer(parsed))
    else:
        request.app.state.repeated.keep(await request.body(), parsed)
    return Response(text, media_type="application/json")


@router.post(
    "/v1/equity/stream",
    dependencies=EXPECTS_JSON,
    responses={200: {"description": "Events.", "content": {"text/event-stream": {}}}, **PROBLEMS},
    response_class=StreamingResponse,
)
async def stream(body: EquityRequest, request: Request) -> Response:
    """Server-sent events: estimates with their errors, progress, and at last the answer."""
    dispatcher = dispatcher_of(request)
    parsed = await unless_disconnected(request, dispatcher.reader.read(body, stream=True))
    events = dispatcher.events(parsed, stream=True)
    # Waiting for the first event turns a refusal into a status rather than an event.
    first = await unless_disconnected(request, anext(events))
    return EventStream(first, events)


@router.websocket("/v1/socket")
async def socket(connection: WebSocket) -> None:
    """Answer requests on a WebSocket."""
    await connection.accept()
    await converse(connection, dispatcher_of(connection))


@router.post("/v1/range", dependencies=EXPECTS_JSON, responses=described(RangeAnswer))
async def read_range(body: RangeRequest, request: Request) -> Response:
    """A range: combos, percent, its grid, its weights, and its text in other dialects."""
    work = dispatcher_of(request).reader.range(body)
    return Response(await unless_disconnected(request, work), media_type="application/json")


@router.post("/v1/hits", dependencies=EXPECTS_JSON, responses=described(HitsAnswer))
async def hits(body: HitsRequest, request: Request) -> Response:
    """The made hands and draws of a range by street: the object ``gpuodds.hits/1``."""
    work = dispatcher_of(request).reader.hits(body)
    return Response(await unless_disconnected(request, work), media_type="application/json")


@router.post("/v1/kelly", dependencies=EXPECTS_JSON, responses=described(KellyAnswer))
async def kelly(body: KellyRequest, request: Request) -> Response:
    """How much to bet against random cards, hands or ranges: the object ``gpuodds.kelly/1``."""
    return JSONResponse(await unless_disconnected(request, dispatcher_of(request).kelly(body)))


@router.post("/v1/flops", dependencies=EXPECTS_JSON, responses=described(BoardReportAnswer))
async def flops(body: FlopsRequest, request: Request) -> Response:
    """The exact equities on every flop: the object ``gpuodds.board_report/1``."""
    return await _report(body, request)


@router.post("/v1/turns", dependencies=EXPECTS_JSON, responses=described(BoardReportAnswer))
async def turns(body: TurnsRequest, request: Request) -> Response:
    """The exact equities on every turn card of a flop: the object ``gpuodds.board_report/1``."""
    return await _report(body, request)


async def _report(body: FlopsRequest, request: Request) -> Response:
    dispatcher = dispatcher_of(request)

    async def find() -> str:
        return await dispatcher.report(await dispatcher.reader.read_report(body))

    text = await unless_disconnected(request, find())
    return Response(text, media_type="application/json")


@router.get("/v1/boards/{board}/equities", responses=described(EquitiesAnswer))
async def equities(
    request: Request,
    board: Annotated[str, InPath(max_length=30)],
    opponents: Annotated[int, Query(ge=1, le=22)] = 1,
    game: Annotated[str, Query(max_length=40)] = "holdem",
) -> Response:
    """The equity of every hand on a board of three to five cards against random opponents."""
    work = dispatcher_of(request).equities(BoardRequest(board, opponents, game))
    by_combo = await unless_disconnected(request, work)
    return JSONResponse({"board": board, "opponents": opponents, "equities": by_combo})


@router.get("/v1/games", responses=described(GamesAnswer))
async def games() -> Response:
    """The games, with their rules."""
    return JSONResponse(describe_games())


def dispatcher_of(connection: HTTPConnection) -> Dispatcher:
    """Return the dispatcher of the server."""
    dispatcher: Dispatcher = connection.app.state.dispatcher
    return dispatcher
