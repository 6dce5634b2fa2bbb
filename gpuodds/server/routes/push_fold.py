"""The routes of all-in or fold."""

from __future__ import annotations

from contextlib import aclosing

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

from gpuodds.server.answers import PushFoldAnswer
from gpuodds.server.dispatch.push_fold import push_fold_events
from gpuodds.server.messages import Answer, JsonObject
from gpuodds.server.problems import Problem
from gpuodds.server.requests import PushFoldRequest
from gpuodds.server.routes.descriptions import PROBLEMS, described
from gpuodds.server.routes.equity import EXPECTS_JSON, dispatcher_of
from gpuodds.server.routes.streaming import EventStream, unless_disconnected

router = APIRouter()


@router.post("/v1/push-fold", dependencies=EXPECTS_JSON, responses=described(PushFoldAnswer))
async def push_fold(body: PushFoldRequest, request: Request) -> Response:
    """All-in or fold before the flop: the object ``gpuodds.push-fold/1``."""

    async def find() -> JsonObject:
        async with aclosing(push_fold_events(dispatcher_of(request), body)) as events:
            async for event in events:
                if isinstance(event, Answer):
                    answer: JsonObject = event.value
                    return answer
        raise Problem(500, "fault", "no answer")

    return JSONResponse(await unless_disconnected(request, find()))


@router.post(
    "/v1/push-fold/stream",
    dependencies=EXPECTS_JSON,
    responses={200: {"description": "Events.", "content": {"text/event-stream": {}}}, **PROBLEMS},
    response_class=StreamingResponse,
)
async def stream(body: PushFoldRequest, request: Request) -> Response:
    """Server-sent events: certificates of the search, and at last the answer."""
    events = push_fold_events(dispatcher_of(request), body)
    first = await unless_disconnected(request, anext(events))
    return EventStream(first, events)
