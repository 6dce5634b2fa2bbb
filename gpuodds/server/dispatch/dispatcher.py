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
from gpuodds.server.cache.cache import Cache
from gpuodds.server.dispatch.computations import (
    BoardComputation,
    EquityComputation,
    KellyComputation,
    Reading,
    ReportComputation,
    read_bet,
    write_answer,
)
from gpuodds.server.dispatch.explain import with_explanation
from gpuodds.server.dispatch.in_flight import SharedEvents, SharedTasks
from gpuodds.server.dispatch.reader import Reader
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
from gpuodds.server.problems import Problem
from gpuodds.server.reading.answer_form import AnswerForm
from gpuodds.server.reading.costs import (
    Cost,
    Texts,
    board_cost,
    report_cost,
    writing_cost,
)
from gpuodds.server.reading.packed import unpacked
from gpuodds.server.reading.parsed import BoardRequest, ParsedRequest, ReportRequest
from gpuodds.server.reading.plans import Planned, Refused, equity_options, plan_equity
from gpuodds.server.requests import (
    EquityRequest,
    KellyRequest,
)
from gpuodds.server.settings import Settings
from gpuodds.server.workers.jobs import Failed, Job
from gpuodds.server.workers.pool import Pool

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
        self.pool, self.cache, self.settings = pool, cache, settings
        self._count_job, self._count_refusal = count_job, count_refusal
        self._shared_events, self._shared_tasks = SharedEvents(pool, cache), SharedTasks()
        self.reader = Reader(self.compute, settings, lambda: pool.machine, count_refusal)
        self.listeners = 0
        """Number of requests that wait for a job."""

    def cached(self, request: ParsedRequest) -> str | None:
        """Return the answer to a request, as JSON, if it is in memory and quick to write."""
        value = None
        is_quick = not request.lists_many and (request.is_read_here or not request.body.explain)
        if request.body.method != "monte-carlo" and is_quick:
            value = self.cache.memory.get(request.key)
        if value is None:
            return None
        self.cache.hits += 1
        if request.body.explain:
            explained = self._explained(request, json.loads(value), stream=False, cached=True)
            return json.dumps(explained, separators=(",", ":"))
        return request.form.write_answer(value)

    def repeated(self, key: str, form: AnswerForm) -> str | None:
        """Return the answer to a request that was answered before, as JSON, if it is in memory."""
        value = self.cache.memory.get(key)
        if value is None:
            return None
        self.cache.hits += 1
        return form.write_answer(value)

    def _explained(
        self, request: ParsedRequest, canonical: JsonObject, *, stream: bool, cached: bool
    ) -> JsonObject:
        """Return an answer in a request's words, with its explanation if the request asks for one."""
        answer, plan = request.form.from_canonical(canonical), None
        if request.body.explain:
            plan = self._planned(request, stream=stream).plan
        return with_explanation(answer, request.body, unpacked(plan), cached=cached) if plan else answer

    async def _answer(
        self, request: ParsedRequest, canonical: JsonObject | Written, *, stream: bool, cached: bool
    ) -> Answer:
        """Return the event of an answer in a request's words; a worker writes one that takes long."""
        body = request.body
        if not isinstance(canonical, Written) and (request.is_read_here or not body.explain):
            return Answer(self._explained(request, canonical, stream=stream, cached=cached))
        plan = self._planned(request, stream=stream).plan if body.explain else None
        explained = (body, plan) if plan else None
        form = replace(request.form)  # without the answer that it has written
        write = partial(write_answer, form, to_json(canonical), explained, cached)
        cost = writing_cost(body, self.settings)
        return Answer(await self.compute(Reading(request.game.name, write), cost))

    def _planned(self, request: ParsedRequest, *, stream: bool) -> Planned | Refused:
        """Return how a request is answered: planned here, once, unless a worker has done it."""
        if request.planned is None:
            settings, machine = self.settings, self.pool.machine
            request.planned = plan_equity(request.body, request.spot, settings, machine, stream=stream)
        return request.planned

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
            yield await self._answer(request, value, stream=stream, cached=True)
            return
        planned = self._planned(request, stream=stream)
        if isinstance(planned, Refused):
            if planned.problem.name == "too-expensive":
                self._count_refusal(planned.problem.name)
            raise planned.problem
        cost = planned.cost
        computation = self._computation(request, planned, stream)
        ends_at = asyncio.get_running_loop().time() + cost.deadline
        key = f"{request.in_flight_key} {stream}"

        def submit() -> Job:
            return self._submit(computation, ends_at, cost, key)

        best: Estimate | None = None
        async with self._shared_events.listen(key, request, submit) as queue:
            with self._listening():
                while True:
                    event = await _next_event(queue, ends_at)
                    match event:
                        case None:
                            event = _last_answer(best, request.body, cost)
                            value = event.value
                            yield await self._answer(request, value, stream=stream, cached=False)
                            return
                        case Failed(problem):
                            raise problem
                        case Estimate(value):
                            best = event
                            yield Estimate(request.form.from_canonical(value))
                        case Progress():
                            yield event
                        case Answer(value):
                            yield await self._answer(request, value, stream=stream, cached=False)
                            return

    async def kelly(self, request: KellyRequest) -> JsonObject:
        """Return how much to bet.

        Raises:
            Problem: It is refused or fails, or takes too long.
            InputError: A card or a range cannot be read.
        """
        read = partial(read_bet, request, self.settings, self.pool.machine)
        name = f"bet {request.model_dump_json()}"
        here, there = partial(read, is_here=True), partial(read, is_here=False)
        spot, cost = await self.reader.read_by(Texts.of_bet(request), there, name, here)
        return await self.compute(KellyComputation(request, spot, cost.time_limit), cost, name)

    async def equities(self, request: BoardRequest) -> dict[str, float]:
        """Return the equity of every combo on a board; equal boards are computed once, and cached.

        Raises:
            Problem: It is refused or fails, or takes too long.
        """
        with self.refusals_counted():
            cost = board_cost(len(request.board), request.opponents, self.settings, self.pool.threads)

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
            with self.refusals_counted():
                if isinstance(request.cost, Problem):
                    raise request.cost
                spot, machine = request.spot, self.pool.machine
                cost = request.cost or report_cost(request.body, unpacked(spot), self.settings, machine)
            computation = ReportComputation(request.body.game, spot)
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
        async with aclosing(self.job_events(computation, cost, name)) as events:
            async for event in events:
                if isinstance(event, Answer):
                    computed: Found = event.value
                    return computed
        raise Problem(500, "fault", "no answer")

    async def job_events(
        self, computation: Computation[Any], cost: Cost, name: str
    ) -> AsyncGenerator[Event, None]:
        """Give the events of a computation up to its answer.

        Raises:
            Problem: It is refused or fails, or takes too long.
        """
        ends_at = asyncio.get_running_loop().time() + cost.deadline
        job = self._submit(computation, ends_at, cost, name)
        try:
            with self._listening():
                while True:
                    event = await _next_event(job.events, ends_at)
                    if event is None:
                        raise _no_answer(cost)
                    if isinstance(event, Failed):
                        raise event.problem
                    yield event
                    if isinstance(event, Answer):
                        return
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
        with self.refusals_counted():
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

    def _computation(self, request: ParsedRequest, planned: Planned, stream: bool) -> EquityComputation:
        """Return the computation that answers a request for equity."""
        body = request.body
        return EquityComputation(
            body.game,
            planned.plan,
            replace(equity_options(body, self.settings), explain=False),
            replace(request.form),  # without the answer that it has written
            body.by_hand,
            body.equity_graph,
            body.blockers,
            stream,
            request.lists_many,
        )

    @contextmanager
    def refusals_counted(self) -> Iterator[None]:
        """Count a refusal of what is done within."""
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
