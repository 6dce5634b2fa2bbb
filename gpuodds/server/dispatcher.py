"""The dispatcher: answers each request from the cache, a computation in flight, or a new job."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from gpuodds.methods.options import SamplingOptions
from gpuodds.server.answer_form import AnswerForm
from gpuodds.server.cache import Cache
from gpuodds.server.computations import (
    BoardComputation,
    EquityComputation,
    KellyComputation,
    Reading,
    ReportComputation,
    write_answer,
)
from gpuodds.server.costs import (
    Cost,
    Texts,
    board_cost,
    equity_cost,
    kelly_cost,
    report_cost,
    writing_cost,
)
from gpuodds.server.explain import with_explanation
from gpuodds.server.in_flight import SharedEvents, SharedTasks
from gpuodds.server.jobs import Failed, Job
from gpuodds.server.messages import (
    Answer,
    Computation,
    Estimate,
    Event,
    JsonObject,
    Progress,
    Written,
    to_json,
)
from gpuodds.server.parsed import BoardRequest, ParsedRequest, ReportRequest
from gpuodds.server.pool import Pool
from gpuodds.server.problems import Problem
from gpuodds.server.reader import Reader
from gpuodds.server.requests import (
    EquityRequest,
    KellyRequest,
)
from gpuodds.server.settings import Settings

Found = TypeVar("Found")

LEAVE_SECONDS = 0.3  # to send the last events when the server stops


class Dispatcher:
    """Answers requests; belongs to one event loop."""

    def __init__(
        self,
        pool: Pool,
        cache: Cache,
        settings: Settings,
        count_job: Callable[[str], None] = lambda kind: None,
        count_refusal: Callable[[str], None] = lambda reason: None,
    ) -> None:
        """Put the parts together.

        Args:
            pool: The worker processes.
            cache: The answers so far.
            settings: The server's limits.
            count_job: Called with the kind of each job that is admitted.
            count_refusal: Called with the reason of each refusal.
        """
        self.pool, self.cache, self._settings = pool, cache, settings
        self._count_job, self._count_refusal = count_job, count_refusal
        self._shared_events, self._shared_tasks = SharedEvents(pool, cache), SharedTasks()
        self.reader = Reader(self.compute, settings, pool.threads, count_refusal)
        self.listeners = 0
        """Number of requests that wait for a job."""

    def cached(self, request: ParsedRequest) -> str | None:
        """Return the answer to a request, as JSON, if it is in memory and quick to write."""
        value = None
        is_quick = not request.lists_many and (request.has_spot or not request.body.explain)
        if request.body.method != "monte-carlo" and is_quick:
            value = self.cache.memory.get(request.key)
        if value is None:
            return None
        self.cache.hits += 1
        if request.body.explain:
            explained = self._explained(request, json.loads(value), cached=True)
            return json.dumps(explained, separators=(",", ":"))
        return request.form.write_answer(value)

    def repeated(self, key: str, form: AnswerForm) -> str | None:
        """Return the answer to a request that was answered before, as JSON, if it is in memory."""
        value = self.cache.memory.get(key)
        if value is None:
            return None
        self.cache.hits += 1
        return form.write_answer(value)

    def _explained(self, request: ParsedRequest, canonical: JsonObject, *, cached: bool) -> JsonObject:
        answer, limit = request.form.from_canonical(canonical), self._settings.time_limit
        return with_explanation(request, answer, limit, cached=cached)

    async def _answer(
        self, request: ParsedRequest, canonical: JsonObject | Written, *, cached: bool
    ) -> Answer:
        """Return the event of an answer in a request's words; a worker writes one that takes long."""
        is_explained_here = request.has_spot or not request.body.explain
        if not isinstance(canonical, Written) and is_explained_here:
            return Answer(self._explained(request, canonical, cached=cached))
        explained = request.body if request.body.explain else None
        form, limit = replace(request.form), self._settings.time_limit
        write = partial(write_answer, form, to_json(canonical), explained, limit, cached)
        cost = writing_cost(request, self._settings)
        return Answer(await self.compute(Reading(request.game.name, write), cost))

    def _cost(self, request: ParsedRequest, *, stream: bool) -> Cost:
        """Return the cost of a request.

        Raises:
            Problem: It costs too much.
        """
        with self._refusals_counted():
            if request.cost is None:
                return equity_cost(request, self._settings, self.pool.threads, stream=stream)
            if isinstance(request.cost, Problem):
                raise request.cost
            return request.cost

    async def answer(self, request: ParsedRequest) -> str:
        """Return the answer to a request, as JSON.

        Raises:
            Problem: It is refused or fails, or takes too long.
        """
        async with aclosing(self.events(request, stream=False)) as events:
            async for event in events:
                if isinstance(event, Answer):
                    return to_json(event.value)
        raise Problem(500, "fault", "no answer")

    async def events(self, request: ParsedRequest, *, stream: bool) -> AsyncGenerator[Event, None]:
        """Give the events of a request up to its answer.

        At the deadline the best estimate is the answer, if it is from enough samples. The computation
        stops when the last client that shares it leaves.

        Args:
            request: The request.
            stream: Whether estimates are wanted.

        Raises:
            Problem: The request is refused, fails, or takes too long without any estimate.
            NotEnoughSamples: It takes too long, and the best estimate is too rough.
        """
        is_cacheable = request.body.method != "monte-carlo"
        cached = await self.cache.get(request.key) if is_cacheable else None
        if cached is not None:
            value = Written(cached.decode()) if request.lists_many else json.loads(cached)
            yield await self._answer(request, value, cached=True)
            return
        cost = self._cost(request, stream=stream)
        ends_at = asyncio.get_running_loop().time() + cost.deadline
        key = f"{request.in_flight_key} {stream}"

        def submit() -> Job:
            return self._submit(_computation(request, cost, stream), ends_at, cost, key)

        best: Estimate | None = None
        async with self._shared_events.listen(key, request, submit) as queue:
            with self._listening():
                while True:
                    event = await _next_event(queue, ends_at)
                    match event:
                        case None:
                            event = _last_answer(best, request.body, cost)
                            yield await self._answer(request, event.value, cached=False)
                            return
                        case Failed(problem):
                            raise problem
                        case Estimate(value):
                            best = event
                            yield Estimate(request.form.from_canonical(value))
                        case Progress():
                            yield event
                        case Answer(value):
                            yield await self._answer(request, value, cached=False)
                            return

    async def kelly(self, request: KellyRequest) -> JsonObject:
        """Return how much to bet.

        Raises:
            Problem: It is refused or fails, or takes too long.
            InputError: A card or a range cannot be read.
        """
        find = partial(kelly_cost, request, self._settings, self.pool.threads)
        name = f"bet {request.model_dump_json()}"
        cost = await self.reader.read_by(Texts.of_bet(request), find, name, find)
        computation = KellyComputation(request, cost.time_limit)
        return await self.compute(computation, cost, name)

    async def equities(self, request: BoardRequest) -> dict[str, float]:
        """Return the equity of every combo on a board; equal boards are computed once, and cached.

        Raises:
            Problem: It is refused or fails, or takes too long.
        """
        with self._refusals_counted():
            cost = board_cost(request, self._settings, self.pool.threads)

        computation = BoardComputation(request.canonical, request.opponents)
        cached = await self.cache.get(request.key)
        if cached is None:
            work = partial(self._compute_and_cache, computation, cost, request.key)
            cached = await self._shared_tasks.run(request.key, work)
        return request.from_canonical(json.loads(cached))

    async def report(self, request: ReportRequest) -> str:
        """Return the report on every board, as JSON; equal reports are computed once, and cached.

        Raises:
            Problem: It is refused or fails, or takes too long.
            InputError: No method counts the spot on each board.
        """

        async def find() -> bytes:
            cached = await self.cache.get(request.key)
            if cached is not None:
                return cached
            with self._refusals_counted():
                if isinstance(request.cost, Problem):
                    raise request.cost
                cost = request.cost or report_cost(request, self._settings, self.pool.threads)
            computation = ReportComputation(request.body)
            return await self._compute_and_cache(computation, cost, request.key)

        return request.write_answer(await self._shared_tasks.run(request.key, find))

    async def _compute_and_cache(self, computation: Computation[Any], cost: Cost, key: str) -> bytes:
        value = json.dumps(await self.compute(computation, cost, key)).encode()
        await self.cache.put(key, value)
        return value

    async def compute(self, computation: Computation[Found], cost: Cost, name: str = "") -> Found:
        """Return the answer of a computation.

        Args:
            computation: What to compute.
            cost: What it is expected to cost.
            name: The same for the same request, so that each refusal gives it the same time.

        Raises:
            Problem: It is refused or fails, or takes too long.
        """
        ends_at = asyncio.get_running_loop().time() + cost.deadline
        job = self._submit(computation, ends_at, cost, name)
        try:
            with self._listening():
                while True:
                    match await _next_event(job.events, ends_at):
                        case None:
                            raise _no_answer(cost)
                        case Failed(problem):
                            raise problem
                        case Answer(value):
                            found: Found = value
                            return found
        finally:
            self.pool.cancel(job)

    async def stop(self, grace: float) -> None:
        """Take no more requests, and give running jobs ``grace`` seconds to end.

        Requests that still wait then get a last event, and a moment to send it.
        """
        await self.pool.stop(grace)
        end = asyncio.get_running_loop().time() + LEAVE_SECONDS
        while self.listeners and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.01)

    async def close(self, grace: float) -> None:
        """Stop, end the worker processes and close the cache."""
        await self.stop(grace)
        await self.pool.close()
        with suppress(TimeoutError):  # a disk that hangs does not keep the server
            async with asyncio.timeout(LEAVE_SECONDS):
                await self.cache.close()

    def _submit(self, computation: Computation[Any], ends_at: float, cost: Cost, name: str) -> Job:
        with self._refusals_counted():
            job = self.pool.submit(
                computation,
                ends_at,
                seconds=cost.seconds,
                min_seconds=cost.min_seconds,
                bytes=cost.bytes,
                name=name,
            )
        self._count_job(computation.kind)
        return job

    @contextmanager
    def _refusals_counted(self) -> Iterator[None]:
        try:
            yield
        except Problem as problem:
            self._count_refusal(problem.name)
            raise

    @contextmanager
    def _listening(self) -> Iterator[None]:
        self.listeners += 1
        try:
            yield
        finally:
            self.listeners -= 1


def _computation(request: ParsedRequest, cost: Cost, stream: bool) -> EquityComputation:
    """Return the computation that answers a request for equity."""
    body = request.body
    is_limited = body.method == "auto" or body.time_limit is not None
    time_limit = cost.time_limit if is_limited else None
    form = replace(request.form)  # without the answer that it has written
    lists_many = request.lists_many
    return EquityComputation(body, request.opponents, form, time_limit, stream, lists_many)


async def _next_event(queue: asyncio.Queue[Any], ends_at: float) -> Event | Failed | None:
    """Return the next event of a job, None if there is none in time."""
    try:
        async with asyncio.timeout_at(ends_at):
            event: Event | Failed = await queue.get()
            return event
    except TimeoutError:
        return None


def _last_answer(best: Estimate | None, body: EquityRequest, cost: Cost) -> Answer:
    """Return the best estimate of a job that has not ended in time.

    Raises:
        Problem: There is no estimate: status 504.
        NotEnoughSamples: It is too rough.
    """
    if best is None:
        raise _no_answer(cost)
    limits = SamplingOptions(body.samples, body.standard_error, cost.time_limit, None, cost.deadline)
    errors = [player["standard_error"] for player in best.value["players"]]
    limits.check_answer(int(best.value["outcomes"]), max(errors))
    return Answer(best.value)


def _no_answer(cost: Cost) -> Problem:
    return Problem(504, "deadline", f"no answer within {cost.deadline:g} s")
