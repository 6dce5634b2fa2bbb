"""Where questions are taken: priced, looked up, joined with those in flight, and answered."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from gpuodds.server.cache import Cache
from gpuodds.server.pool import Job, Pool
from gpuodds.server.problems import Problem
from gpuodds.server.requests import BoardQuestion, KellyQuestion, Question, by_holding_seconds
from gpuodds.server.settings import Settings

Event = tuple[str, Any]
LEAVE_SECONDS = 0.3  # for the last events to be sent


@dataclass(frozen=True)
class Price:
    """What an answer is expected to cost.

    ``seconds`` are those of a worker, ``needs`` those without which there is no answer, ``limit`` those
    that counting may be estimated at, ``total`` those after which an answer is given up.
    """

    seconds: float
    needs: float
    limit: float
    total: float


@dataclass
class Flight:
    """A question that is being computed, and those who wait for it."""

    job: Job
    listeners: list[asyncio.Queue[Event]] = field(default_factory=list)
    latest: Event | None = None


class Desk:
    """Takes questions; belongs to one event loop."""

    def __init__(
        self,
        pool: Pool,
        cache: Cache,
        settings: Settings,
        take: Callable[[str], None] = lambda kind: None,
        refuse: Callable[[str], None] = lambda reason: None,
    ) -> None:
        """Put the parts together.

        Args:
            pool: The workers.
            cache: Where answers are kept.
            settings: The server's limits.
            take: Called with the kind of each job.
            refuse: Called with the reason of each refusal.
        """
        self.pool, self.cache, self._settings = pool, cache, settings
        self._take, self._refuse = take, refuse
        self._flights: dict[str, Flight] = {}
        self._shared: dict[str, tuple[asyncio.Future[bytes], int]] = {}
        self._pumps: set[asyncio.Task[None]] = set()
        self.listeners = 0

    def price(self, question: Question, *, stream: bool) -> Price:
        """Return what the answer is expected to cost.

        Raises:
            Problem: The question asks for more than the limit, and does not allow sampling.
        """
        asked, threads = question.asked, self.pool.threads
        limit = min(asked.time_limit or self._settings.time_limit, self._settings.most_seconds)
        # The hard limit leaves room for what was estimated too low.
        total = min(2 * limit + 10, asked.deadline or 3600)
        seconds = None if asked.method == "monte-carlo" else question.counting_seconds(threads)
        if asked.method == "exact" and (seconds is None or seconds > limit):
            about = "longer than can be told" if seconds is None else f"about {seconds:.2g} s"
            raise self._too_expensive(
                f"counting would take {about}, the limit is {limit:g} s: raise time_limit, or let "
                "method be auto, which samples",
                seconds,
                limit,
            )
        is_bounded = asked.samples is not None or asked.standard_error is not None
        expected = question.sampling_seconds(threads) if is_bounded else 0.0
        if expected > limit:
            raise self._too_expensive(
                f"sampling would take about {expected:.2g} s, the limit is {limit:g} s", expected, limit
            )
        is_counted = seconds is not None and (
            asked.method == "exact" or question.is_known or seconds <= limit
        )
        if seconds is None or not is_counted:
            seconds = question.sampling_seconds(threads)
            if asked.method == "auto" or asked.time_limit is not None:
                bounded = asked.samples is not None or asked.standard_error is not None
                seconds = min(seconds, limit) if bounded else limit
        needs = seconds
        if not is_counted or ((stream or asked.method == "auto") and seconds > total / 2):
            needs = min(seconds, total / 10)  # sampling ends in time, and gives what it has
        return Price(seconds, needs, limit, total)

    def kept(self, question: Question) -> dict[str, Any] | None:
        """Return the answer to a question if it is in memory."""
        value = None
        if question.asked.method != "monte-carlo":
            value = self.cache.memory.get(question.key)
        if value is None:
            return None
        self.cache.hits += 1
        return question.from_canonical(json.loads(value))

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
        price = self.price(question, stream=stream)
        kept = await self.cache.get(question.key) if question.asked.method != "monte-carlo" else None
        if kept is not None:
            yield "answer", question.from_canonical(json.loads(kept))
            return
        most = price.total
        end = asyncio.get_running_loop().time() + most
        best: dict[str, Any] | None = None
        async with self._listen(question, price, end, stream=stream) as events:
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
        self, question: Question, price: Price, end: float, *, stream: bool
    ) -> AsyncIterator[asyncio.Queue[Event]]:
        key = f"{question.flight} {stream}"
        flight = self._flights.get(key)
        if flight is None:
            arguments = question.arguments()
            if question.asked.method == "auto" or arguments["time_limit"] is not None:
                arguments["time_limit"] = price.limit
            payload = {"arguments": arguments, "stream": stream}
            job = self._submit("equity", payload, end, price=price.seconds, needs=price.needs, name=key)
            flight = Flight(job)
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

    async def kelly(self, asked: KellyQuestion) -> Any:
        """Return how much to bet.

        Raises:
            Problem: It is refused or fails, or takes too long.
            InputError: A card or a range makes no sense.
        """
        limit = self._settings.time_limit
        if asked.seconds > limit:
            raise self._too_expensive(
                f"sampling would take about {asked.seconds:.2g} s, the limit is {limit:g} s: give "
                "fewer opponents with ranges, or leave out fold and stacks",
                asked.seconds,
                limit,
            )
        price = await asyncio.to_thread(asked.worker_seconds, self.pool.threads, limit)
        payload = {**asked.model_dump(), "time_limit": limit}
        return await self.compute("kelly", payload, 2 * limit + 10, price, asked.model_dump_json())

    async def equities(self, question: BoardQuestion) -> dict[str, float]:
        """Return the equity of every hand on a board; identical boards are computed once, and kept.

        Raises:
            Problem: It is refused or fails, or takes too long.
        """
        limit = self._settings.time_limit
        board, opponents = question.canonical, question.opponents
        price = by_holding_seconds(len(board), opponents, self.pool.threads)
        if price > limit:
            raise self._too_expensive(
                f"counting would take about {price:.2g} s, the limit is {limit:g} s", price, limit
            )
        kept = await self.cache.get(question.key)
        if kept is None:
            kept = await self._together(question.key, lambda: self._equities(question, price, limit))
        return question.from_canonical(json.loads(kept))

    async def _equities(self, question: BoardQuestion, price: float, limit: float) -> bytes:
        payload = {"board": list(question.canonical), "opponents": question.opponents}
        found = await self.compute("by-holding", payload, 2 * limit + 10, price, question.key)
        kept = json.dumps(found).encode()
        await self.cache.put(question.key, kept)
        return kept

    async def _together(self, key: str, work: Callable[[], Coroutine[Any, Any, bytes]]) -> bytes:
        """Return what is being worked out under a key, or begin; the last one who leaves stops it."""
        task, waiting = self._shared.get(key) or (asyncio.ensure_future(work()), 0)
        self._shared[key] = task, waiting + 1
        try:
            return await asyncio.shield(task)
        finally:
            task, waiting = self._shared[key]
            self._shared[key] = task, waiting - 1
            if waiting == 1:
                del self._shared[key]
                task.cancel()

    async def compute(
        self, kind: str, payload: Any, seconds: float = 30.0, price: float = 0.0, name: str = ""
    ) -> Any:
        """Return what a job of another kind comes to, within ``seconds``.

        Raises:
            Problem: It is refused or fails, or takes too long.
        """
        end = asyncio.get_running_loop().time() + seconds
        job = self._submit(kind, payload, end, price=price, name=name)
        self.listeners += 1
        try:
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
        """Take no more questions, and give what is computed ``grace`` seconds to end.

        Whoever still waits then has a last event, and a moment to send it on.
        """
        await self.pool.stop(grace)
        end = asyncio.get_running_loop().time() + LEAVE_SECONDS
        while self.listeners and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.01)

    def _submit(self, kind: str, payload: Any, end: float, **options: Any) -> Job:
        try:
            job = self.pool.submit(kind, payload, end, **options)
        except Problem as problem:
            self._refuse(problem.name)
            raise
        self._take(kind)
        return job

    def _too_expensive(self, detail: str, seconds: float | None, limit: float) -> Problem:
        self._refuse("too-expensive")
        name = "too-expensive"
        return Problem(422, name, detail, estimate_seconds=seconds, limit_seconds=limit)

    async def close(self, grace: float) -> None:
        """Stop, and let go of everything."""
        await self.stop(grace)
        await self.pool.close()
        await self.cache.close()


def _problem(name: str, value: Any) -> Problem:
    if name == "busy":
        refused: Problem = value
        return refused
    if name == "error":
        return Problem(400, "bad-input", value)
    if name == "cancelled":
        return Problem(503, "stopping", "the computation was stopped")
    return Problem(500, "fault", str(value))
