"""Where questions are taken: priced, looked up, joined with those in flight, and answered."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from gpuodds.holdem.sampling import EXPECTED_RATE
from gpuodds.server.cache import Cache
from gpuodds.server.pool import Job, Pool
from gpuodds.server.problems import Problem
from gpuodds.server.questions import Question
from gpuodds.server.settings import Settings

Event = tuple[str, Any]
LEAVE_SECONDS = 0.3  # for the last events to be sent


@dataclass
class Flight:
    """A question that is being computed, and those who wait for it."""

    job: Job
    listeners: list[asyncio.Queue[Event]] = field(default_factory=list)
    latest: Event | None = None


class Desk:
    """Takes questions; belongs to one event loop."""

    def __init__(self, pool: Pool, cache: Cache, settings: Settings) -> None:
        """Put the parts together."""
        self.pool, self.cache, self._settings = pool, cache, settings
        self._flights: dict[str, Flight] = {}
        self._pumps: set[asyncio.Task[None]] = set()
        self.listeners = 0

    def price(self, question: Question) -> tuple[float | None, float]:
        """Return the seconds that counting is estimated at, and the limit.

        Raises:
            Problem: The question asks for more than the limit, and does not allow sampling.
        """
        asked = question.asked
        limit = min(asked.time_limit or self._settings.time_limit, self._settings.most_seconds)
        seconds = question.seconds
        if asked.method == "exact" and (seconds is None or seconds > limit):
            about = "longer than can be told" if seconds is None else f"about {seconds:.2g} s"
            raise Problem(
                422,
                "too-expensive",
                f"counting would take {about}, the limit is {limit:g} s: raise time_limit, or let "
                "method be auto, which samples",
                estimate_seconds=seconds,
                limit_seconds=limit,
            )
        sampling = asked.samples or (0.25 / asked.standard_error**2 if asked.standard_error else 0)
        expected = sampling / EXPECTED_RATE
        if expected > limit:
            raise Problem(
                422,
                "too-expensive",
                f"sampling would take about {expected:.2g} s, the limit is {limit:g} s",
                estimate_seconds=expected,
                limit_seconds=limit,
            )
        return seconds, limit

    def kept(self, question: Question) -> dict[str, Any] | None:
        """Return the answer to a question if it is in memory."""
        value = None
        if question.asked.method != "monte-carlo":
            value = self.cache.memory.get(question.key)
        if value is None:
            return None
        self.cache.hits += 1
        return question.from_canonical(json.loads(value))

    async def check_warm(self, question: Question) -> None:
        """Refuse a question before the server has warmed up, unless its answer is kept.

        Raises:
            Problem: The server is warming up.
        """
        is_kept = question.asked.method != "monte-carlo"
        if self.pool.warm or (is_kept and await self.cache.get(question.key) is not None):
            return
        self.pool.check_warm()

    async def answer(self, question: Question) -> dict[str, Any]:
        """Return the answer to a question.

        Raises:
            Problem: It is refused or fails, or takes too long.
        """
        async with aclosing(self.events(question, stream=False)) as events:
            async for name, value in events:
                if name == "answer":
                    found: dict[str, Any] = value
                    return found
        raise Problem(500, "fault", "no answer")

    async def events(self, question: Question, *, stream: bool) -> AsyncGenerator[Event, None]:
        """Give estimates, if it is to ``stream``, and at last the answer to a question.

        Events are ("estimate", dict), ("progress", share) and ("answer", dict). At the deadline the
        best estimate is the answer. The computation stops when the last listener leaves.

        Raises:
            Problem: The question is refused, fails, or takes too long and there is no estimate.
        """
        _, limit = self.price(question)
        kept = await self.cache.get(question.key) if question.asked.method != "monte-carlo" else None
        if kept is not None:
            yield "answer", question.from_canonical(json.loads(kept))
            return
        # The hard limit leaves room for what was estimated too low.
        most = min(2 * limit + 10, question.asked.deadline or 3600)
        end = asyncio.get_running_loop().time() + most
        best: dict[str, Any] | None = None
        async with self._listen(question, limit, end, stream=stream) as events:
            while True:
                try:
                    async with asyncio.timeout_at(end):
                        name, value = await events.get()
                except TimeoutError:
                    if best is None:
                        raise Problem(504, "deadline", f"no answer within {most:g} s") from None
                    name, value = "answer", best
                if name == "estimate":
                    best = value
                if name in ("estimate", "answer"):
                    yield name, question.from_canonical(value)
                elif name == "progress":
                    yield name, value
                else:
                    raise _problem(name, value)
                if name == "answer":
                    return

    @asynccontextmanager
    async def _listen(
        self, question: Question, limit: float, end: float, *, stream: bool
    ) -> AsyncIterator[asyncio.Queue[Event]]:
        key = f"{question.flight} {stream}"
        flight = self._flights.get(key)
        if flight is None:
            arguments = question.arguments()
            if question.asked.method == "auto" or arguments["time_limit"] is not None:
                arguments["time_limit"] = limit
            payload = {"arguments": arguments, "stream": stream}
            flight = Flight(self.pool.submit("equity", payload, end))
            self._flights[key] = flight
            pump = asyncio.create_task(self._pump(key, flight, question))
            self._pumps.add(pump)
            pump.add_done_callback(self._pumps.discard)
        queue: asyncio.Queue[Event] = asyncio.Queue()
        if flight.latest is not None:
            queue.put_nowait(flight.latest)
        flight.listeners.append(queue)
        self.listeners += 1
        try:
            yield queue
        finally:
            self.listeners -= 1
            flight.listeners.remove(queue)
            if not flight.listeners:
                # Another may have taken off under the same key since this one was answered.
                if self._flights.get(key) is flight:
                    del self._flights[key]
                self.pool.cancel(flight.job)

    async def _pump(self, key: str, flight: Flight, question: Question) -> None:
        """Hand a job's events to all who listen, in the suits and the order of the question's key."""
        async for name, value in self.pool.events(flight.job):
            event, kept = (name, value), None
            if name in ("estimate", "answer"):
                event = name, question.to_canonical(value)
            if name == "estimate":
                flight.latest = event
            if name not in ("estimate", "progress"):
                # From here on the answer is found in memory.
                if name == "answer" and value["exact"]:
                    kept = json.dumps(event[1]).encode()
                    self.cache.memory.put(question.key, kept)
                if self._flights.get(key) is flight:
                    del self._flights[key]
            for listener in flight.listeners:
                listener.put_nowait(event)
            if kept is not None:
                await self.cache.put(question.key, kept)

    async def compute(self, kind: str, payload: Any, seconds: float = 30.0) -> Any:
        """Return what a job of another kind comes to.

        Raises:
            Problem: It is refused or fails, or takes too long.
        """
        job = self.pool.submit(kind, payload)
        self.listeners += 1
        try:
            end = asyncio.get_running_loop().time() + seconds
            while True:
                try:
                    async with asyncio.timeout_at(end):
                        name, value = await job.events.get()
                except TimeoutError:
                    raise Problem(504, "deadline", f"no answer within {seconds:g} s") from None
                if name == "answer":
                    return value
                if name not in ("estimate", "progress"):
                    raise _problem(name, value)
        finally:
            self.listeners -= 1
            self.pool.cancel(job)

    async def stop(self, grace: float) -> None:
        """Take no more questions, and let what is computed end for so many seconds.

        Whoever still waits then has a last event, and a moment to send it on.
        """
        await self.pool.stop(grace)
        end = asyncio.get_running_loop().time() + LEAVE_SECONDS
        while self.listeners and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.01)

    async def close(self, grace: float) -> None:
        """Stop, and let go of everything."""
        await self.stop(grace)
        await self.pool.close()
        await self.cache.close()


def _problem(name: str, value: Any) -> Problem:
    if name == "error":
        return Problem(400, "bad-input", value)
    if name == "cancelled":
        return Problem(503, "stopping", "the computation was stopped")
    return Problem(500, "fault", str(value))
