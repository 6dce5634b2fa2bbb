"""The application: its routes, its errors, and the dispatcher behind it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from pydantic import TypeAdapter
from starlette.exceptions import HTTPException

from gpuodds._version import __version__
from gpuodds.errors import InputError
from gpuodds.methods.method import Machine
from gpuodds.server.answers import BoardReportAnswer, EquityAnswer
from gpuodds.server.cache.cache import open_cache
from gpuodds.server.connections.middleware import AccessMiddleware
from gpuodds.server.dispatch.dispatcher import Dispatcher
from gpuodds.server.dispatch.repeated import RepeatedRequests
from gpuodds.server.metrics import Metrics
from gpuodds.server.problems import Problem, as_problem, first_error
from gpuodds.server.reading.parsed import ParsedRequest
from gpuodds.server.reading.plans import plan_equity
from gpuodds.server.requests import EquityRequest
from gpuodds.server.routes import equity, luck, page, presets, push_fold, tables
from gpuodds.server.routes.presets import preset_source
from gpuodds.server.settings import Settings
from gpuodds.server.workers.pool import Pool

LOG = logging.getLogger("gpuodds.server")

check_cached = TypeAdapter(EquityAnswer | BoardReportAnswer | dict[str, float]).validate_json
"""Raises ValueError unless a cached value is an answer for equity, a report, or equities on a board."""


def create_app(settings: Settings) -> AccessMiddleware:
    """Return the application, which starts and ends its worker processes.

    Raises:
        InputError: The cache cannot be used, or the file of presets is wrong.
    """
    cache = open_cache(settings.cache, settings.cache_bytes, check_cached)
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[dict[str, Any]]:
        pool = Pool(
            settings.workers,
            settings.threads,
            settings.queue,
            settings.backend,
            settings.memory_bytes,
        )
        dispatcher = Dispatcher(pool, cache, settings, metrics.count_job, metrics.count_refusal)
        app.state.dispatcher = app.state.repeated.dispatcher = dispatcher
        metrics.watch(dispatcher)
        pool.start()
        await asyncio.to_thread(_load_grammar, settings)
        try:
            yield {"dispatcher": dispatcher}
        finally:
            await dispatcher.close(settings.grace)

    app = FastAPI(
        title="gpuodds",
        version=__version__,
        description="Exact poker equity: hold'em, short deck, Omaha and Omaha hi-lo.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/v1/openapi.json",
    )
    app.state.settings, app.state.metrics = settings, metrics
    app.state.presets = preset_source(settings.presets)
    _handle_errors(app)
    for routes in (equity, push_fold, luck, tables, presets, page):
        app.include_router(routes.router)
    app.state.repeated = repeated = RepeatedRequests(app)
    return AccessMiddleware(repeated, settings, metrics.count_request, metrics.count_refusal)


def _load_grammar(settings: Settings) -> None:
    """Read a range and plan, so that no client waits for the grammar and the methods to be loaded."""
    request = ParsedRequest(EquityRequest(hands=["15%", "AK"]))
    plan_equity(request.body, request.spot, settings, Machine(1, has_gpu=False), stream=False)


def _handle_errors(app: FastAPI) -> None:
    """Answer every error with problem+json."""

    @app.exception_handler(Problem)
    @app.exception_handler(InputError)
    async def expected(request: Request, error: Exception) -> Response:
        return as_problem(error).response()

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Response:
        return Problem(422, "malformed", first_error(error.errors())).response()

    @app.exception_handler(HTTPException)
    async def other(request: Request, error: HTTPException) -> Response:
        return Problem(error.status_code, "http", str(error.detail), headers=error.headers).response()

    @app.exception_handler(Exception)
    async def fault(request: Request, error: Exception) -> Response:
        LOG.error("%s: %s", request.url.path, type(error).__name__)
        return as_problem(error).response()
