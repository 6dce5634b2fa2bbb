"""The route of luck in hand histories."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response

from gpuodds.server.answers import LuckAnswer
from gpuodds.server.dispatch.luck import LuckComputation, luck_cost
from gpuodds.server.problems import Problem
from gpuodds.server.routes.descriptions import described
from gpuodds.server.routes.equity import dispatcher_of
from gpuodds.server.routes.streaming import unless_disconnected
from gpuodds.server.settings import LUCK_PATH

BINARY = "application/octet-stream"

router = APIRouter()


@router.post(
    LUCK_PATH,
    responses=described(LuckAnswer),
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {BINARY: {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
async def luck(
    request: Request,
    name: Annotated[str, Query(max_length=400, description="The file's name.")] = "file",
    player: Annotated[
        str | None, Query(max_length=400, description="Whose hands; default: who has the most.")
    ] = None,
) -> Response:
    """Luck in a file of hand histories: the object ``gpuodds.luck/1``. The file is not kept."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != BINARY:
        raise Problem(415, "content-type", f"Content-Type: expected {BINARY}")
    content = await request.body()
    dispatcher = dispatcher_of(request)
    with dispatcher.refusals_counted():
        cost = luck_cost(content, dispatcher.settings)
    work = dispatcher.compute(LuckComputation(content, name, player), cost)
    return JSONResponse(await unless_disconnected(request, work))
