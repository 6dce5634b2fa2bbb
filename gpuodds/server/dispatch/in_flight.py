"""Requests in flight: identical ones share one computation, which stops when the last client leaves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from gpuodds.server.cache.cache import Cache
from gpuodds.server.messages import Answer, Estimate, JsonObject, Progress, Written, to_json
from gpuodds.server.reading.parsed import ParsedRequest
from gpuodds.server.workers.jobs import Job, JobEvent
from gpuodds.server.workers.pool import Pool

Found = TypeVar("Found")


@dataclass
class InFlight:
    """A job for equity, and the clients that listen to it."""

    job: Job
    listeners: list[asyncio.Queue[JobEvent]] = field(default_factory=list)
    latest: Estimate | None = None
    """The last estimate, in canonical form, for clients that come later."""


class SharedEvents:
    """Jobs for equity in flight: each event of a job goes to all clients that listen to it."""

    def __init__(self, pool: Pool, cache: Cache) -> None:
        """Share the jobs of a pool; exact answers go to the cache."""
        self._pool, self._cache = pool, cache
        self._in_flight: dict[str, InFlight] = {}
        self._pumps: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        """Number of computations that a client can join."""
        return len(self._in_flight)

    @asynccontextmanager
    async def listen(
        self, key: str, request: ParsedRequest, submit: Callable[[], Job]
    ) -> AsyncIterator[asyncio.Queue[JobEvent]]:
        """Give a queue of the events of a computation, answers in canonical form.

        Args:
            key: Equal for requests that the same computation answers.
            request: The request.
            submit: Called to begin the computation, if none with this key is in flight.

        Raises:
            Problem: ``submit`` raises it.
        """
        in_flight = self._in_flight.get(key)
        if in_flight is None:
            in_flight = InFlight(submit())
            self._in_flight[key] = in_flight
            pump = asyncio.create_task(self._pump(key, in_flight, request))
            self._pumps.add(pump)
            pump.add_done_callback(self._pumps.discard)
        queue: asyncio.Queue[JobEvent] = asyncio.Queue()
        if in_flight.latest is not None:
            queue.put_nowait(in_flight.latest)
        in_flight.listeners.append(queue)
        try:
            yield queue
        finally:
            in_flight.listeners.remove(queue)
            if not in_flight.listeners:
                self._forget(key, in_flight)
                self._pool.cancel(in_flight.job)

    async def _pump(self, key: str, in_flight: InFlight, request: ParsedRequest) -> None:
        """Hand a job's events to all who listen, answers in canonical form."""
        async for event in self._pool.events(in_flight.job):
            cached = None
            if isinstance(event, Estimate):
                in_flight.latest = event
            elif isinstance(event, Answer) and _is_exact(event.value):
                cached = to_json(event.value).encode()
                self._cache.memory.put(request.key, cached)
            if not isinstance(event, Estimate | Progress):
                # Requests that come from here on find the answer in memory, or begin anew.
                self._forget(key, in_flight)
            for listener in in_flight.listeners:
                listener.put_nowait(event)
            if cached is not None:
                await self._cache.put(request.key, cached)

    def _forget(self, key: str, in_flight: InFlight) -> None:
        """Let no more clients join; another computation may have begun under the same key."""
        if self._in_flight.get(key) is in_flight:
            del self._in_flight[key]


def _is_exact(answer: JsonObject | Written) -> bool:
    """Return whether an answer was counted, as all are that list the equity of each hand."""
    return isinstance(answer, Written) or bool(answer["exact"])


class SharedTasks:
    """Tasks by key: callers with the same key share one, and the last one to leave cancels it."""

    def __init__(self) -> None:
        """Begin without a task."""
        self._tasks: dict[str, tuple[asyncio.Future[Any], int]] = {}

    async def run(self, key: str, start: Callable[[], Coroutine[Any, Any, Found]]) -> Found:
        """Return the result of the task with a key; ``start`` begins it if there is none."""
        task, callers = self._tasks.get(key) or (asyncio.ensure_future(start()), 0)
        self._tasks[key] = task, callers + 1
        try:
            result: Found = await asyncio.shield(task)
            return result
        finally:
            task, callers = self._tasks[key]
            self._tasks[key] = task, callers - 1
            if callers == 1:
                del self._tasks[key]
                task.cancel()
