"""Routes of the page, of its files, and of the server's state."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path, PurePath

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from prometheus_client import generate_latest

from gpuodds._version import __version__
from gpuodds.games.catalog import describe_games
from gpuodds.server.answers import HealthAnswer
from gpuodds.server.bundle import File, page_files
from gpuodds.server.problems import Problem
from gpuodds.server.routes.descriptions import PROBLEMS, described

STATIC = Path(__file__).parents[1] / "static"
# Named here: Python would ask the system, and the registry of some Windows machines has .js as plain
# text, which browsers refuse to run.
MEDIA_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".woff2": "font/woff2",
}
IN_ITS_NAME = re.compile(r"page-[0-9a-f]{12}\.")
"""Names of files that change with what is in them."""
FOR_GOOD = "public, max-age=31536000, immutable"
A_WEEK = "public, max-age=604800"
ASK_FIRST = "no-cache"
"""A browser may keep the file, but asks whether it has changed."""

router = APIRouter()


@router.get("/healthz", responses=described(HealthAnswer))
async def health(request: Request) -> Response:
    """Whether the server is ready."""
    pool = request.app.state.dispatcher.pool
    answer = {"status": "ok", "version": __version__, "workers": pool.ready}
    if pool.ready:
        return JSONResponse(answer)
    seconds = pool.retry_seconds
    answer |= {"status": "starting" if pool.is_warm else "warming up", "retry_after": seconds}
    return JSONResponse(answer, 503, {"Retry-After": str(seconds)})


@router.get(
    "/metrics",
    response_class=PlainTextResponse,
    responses={200: {"description": "Prometheus text.", "content": {"text/plain": {}}}, **PROBLEMS},
)
async def metrics(request: Request) -> Response:
    """Metrics for Prometheus."""
    text = generate_latest(request.app.state.metrics.registry)
    return Response(text, media_type="text/plain")


@router.get("/", include_in_schema=False)
async def page(request: Request) -> Response:
    """The page."""
    return file_response("index.html", request)


@router.get("/{name}", include_in_schema=False)
async def file(name: str, request: Request) -> Response:
    """A file of the page."""
    if name not in files():
        raise Problem(404, "no-such-page", "there is nothing here")
    return file_response(name, request)


@cache
def files() -> dict[str, File]:
    """Return the files of the page by name, read once."""
    return page_files(STATIC, {"version": __version__, **describe_games()})


def file_response(name: str, request: Request) -> Response:
    """Return a file of the page: compressed if the browser takes that, nothing if it has it already."""
    content, compressed, tag = files()[name]
    headers = {"ETag": f'"{tag}"', "Cache-Control": _keeping(name), "Vary": "Accept-Encoding"}
    if f'"{tag}"' in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if compressed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        content, headers["Content-Encoding"] = compressed, "gzip"
    return Response(content, media_type=MEDIA_TYPES[PurePath(name).suffix], headers=headers)


def _keeping(name: str) -> str:
    if IN_ITS_NAME.match(name):
        return FOR_GOOD
    return A_WEEK if name.endswith((".woff2", ".svg")) else ASK_FIRST
