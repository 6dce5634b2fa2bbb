"""Routes of the page, of its files, and of the server's state."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from prometheus_client import generate_latest

from gpuodds._version import __version__
from gpuodds.server.answers import HealthAnswer
from gpuodds.server.problems import Problem
from gpuodds.server.routes.descriptions import PROBLEMS, described

STATIC = Path(__file__).parents[1] / "static"
FILES = {path.name: path for path in STATIC.iterdir() if path.is_file()}
# Named here: Python would ask the system, and the registry of some Windows machines has .js as plain
# text, which browsers refuse to run.
MEDIA_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".txt": "text/plain",
    ".woff2": "font/woff2",
}

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
async def page() -> Response:
    """The page."""
    return _response(FILES["index.html"])


@router.get("/{name}", include_in_schema=False)
async def file(name: str) -> Response:
    """A file of the page."""
    if name not in FILES:
        raise Problem(404, "no-such-page", "there is nothing here")
    return _response(FILES[name])


def _response(path: Path) -> Response:
    return FileResponse(path, media_type=MEDIA_TYPES[path.suffix])
