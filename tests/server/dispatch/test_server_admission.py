"""Admission control: overload on a clock that jumps, so that minutes of it take no time."""

from __future__ import annotations

import asyncio
import random
import selectors
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from gpuodds.server.messages import (
    Answer,
    CancelJob,
    Context,
    Failure,
    FromJob,
    FromWorker,
    Ready,
    RunJob,
    ToWorker,
)
from gpuodds.server.problems import Problem
from gpuodds.server.workers import pool as pool_module
from gpuodds.server.workers.jobs import Failed, Job, cancelled
from gpuodds.server.workers.pool import Pool


class JumpingSelector(selectors.SelectSelector):
    """Waits no time: moves the loop's clock instead."""

    now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        if timeout is None:
            raise RuntimeError("nothing will ever happen")
        self.now += max(timeout, 0)
        return super().select(0)


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to the next thing to do."""

    def __init__(self) -> None:
        self._jumping = JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now


@dataclass(frozen=True)
class Sleep:
    """A computation that takes some seconds of the loop's clock."""

    kind: ClassVar[str] = "sleep"
    game: ClassVar[str] = "holdem"
    seconds: float

    def run(self, context: Context) -> str:
        raise AssertionError("StubWorker runs no computation")


class StubWorker:
    """Ends each job after the seconds that its computation takes, on the loop's clock."""

    def __init__(
        self,
        threads: int,
        backend: str,
        receive: Callable[[Any, FromWorker | None], None],
        *,
        is_cheap_only: bool = False,
    ) -> None:
        self.receive, self.is_cheap_only = receive, is_cheap_only
        self.is_ready = self.is_killed = self.loads = False
        self.loaded = float("-inf")
        self.job: Job | None = None
        self.seconds_left = 0.0
        receive(self, Ready())

    def send(self, message: ToWorker) -> None:
        loop = asyncio.get_running_loop()
        if isinstance(message, CancelJob):
            loop.call_later(
                0.01, self.receive, self, FromJob(message.number, Failure(cancelled().problem))
            )
        else:
            assert isinstance(message, RunJob)
            self.seconds_left = message.seconds_left
            ended = FromJob(message.number, Answer(None))
            loop.call_later(message.computation.seconds, self.receive, self, ended)  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def stub_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "Worker", StubWorker)


def in_no_time(work: Coroutine[Any, Any, None]) -> None:
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        runner.run(work)


async def started(pool: Pool) -> None:
    pool.start()
    while pool.processes <= pool.ready or not pool.ready:
        await asyncio.sleep(0.01)


async def ask(
    pool: Pool, seconds: float, *, takes: float | None = None, total: float = 30.0, name: str = ""
) -> str:
    """Send a request estimated at some seconds; return "answer", or "deadline" if none comes in time.

    Raises:
        Problem: The request is refused.
    """
    ends_at = pool.loop.time() + total
    job = pool.submit(Sleep(seconds if takes is None else takes), ends_at, seconds=seconds, name=name)
    try:
        event = await asyncio.wait_for(job.events.get(), total)
        if isinstance(event, Failed):
            raise event.problem
        assert isinstance(event, Answer)
        return event.name
    except TimeoutError:
        return "deadline"
    finally:
        pool.cancel(job)


async def insist(pool: Pool, seconds: float, **options: Any) -> tuple[float, int]:
    """Retry as Retry-After tells; return the seconds until the answer, and the refusals."""
    begin, refusals = pool.loop.time(), 0
    while True:
        try:
            assert await ask(pool, seconds, **options) == "answer"
            return pool.loop.time() - begin, refusals
        except Problem as problem:
            assert problem.status == 429
            assert problem.headers == {"Retry-After": str(problem.members["retry_after"])}
            refusals += 1
            await asyncio.sleep(problem.members["retry_after"])


@pytest.mark.slow
@pytest.mark.parametrize("pace", [0.6, 1.0, 2.5])
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_clients_that_honour_retry_after_are_all_answered(workers: int, pace: float) -> None:
    """Also if estimates are wrong; cheap requests are answered at once meanwhile."""
    cheap: list[float] = []

    async def overload() -> None:
        pool = Pool(workers, 1, 64, "cpu")
        await started(pool)

        async def ask_cheap() -> None:
            while True:
                begin = pool.loop.time()
                assert await ask(pool, 0.05) == "answer"
                cheap.append(pool.loop.time() - begin)
                await asyncio.sleep(0.3)

        cheap_requests = asyncio.create_task(ask_cheap())
        heavy = [insist(pool, 3.0, takes=3.0 * pace, name=str(number)) for number in range(150)]
        found = await asyncio.gather(*heavy)
        # If estimates are too high, clients that retry as asked find idle workers.
        expected = 150 * 3 * max(pace, 1) / workers
        assert max(seconds for seconds, _ in found) < 1.05 * expected
        refused = sorted(refusals for _, refusals in found)
        assert refused[75] <= (1 if pace <= 1 else 2) and refused[-1] <= 5
        assert not cheap_requests.done()
        cheap_requests.cancel()

    in_no_time(overload())
    assert max(cheap) < 0.5


def test_jobs_of_all_costs_end_in_time() -> None:
    """Admitted jobs are answered if estimates are right within a factor."""

    async def overload() -> None:
        draw = random.Random(1)
        pool = Pool(2, 1, 64, "cpu")
        await started(pool)
        counts = {"answer": 0, "deadline": 0, "refused": 0}

        async def one() -> None:
            seconds = 10 ** draw.uniform(-3, 1)
            try:
                counts[await ask(pool, seconds, takes=seconds * draw.uniform(0.4, 1.6))] += 1
            except Problem:
                counts["refused"] += 1

        tasks = []
        for _ in range(2000):
            tasks.append(asyncio.create_task(one()))
            await asyncio.sleep(draw.expovariate(6.0))
        await asyncio.gather(*tasks)
        assert counts["deadline"] <= 5 and counts["refused"] > 200, counts
        assert not pool.waiting and not pool.running

    in_no_time(overload())


def test_a_refused_request_keeps_its_time() -> None:
    async def overload() -> None:
        pool = Pool(1, 1, 64, "cpu")
        await started(pool)
        admitted = asyncio.create_task(ask(pool, 10.0))
        await asyncio.sleep(0.1)

        def retry_after(name: str) -> int:
            with pytest.raises(Problem) as raised:
                pool.submit(Sleep(10.0), pool.loop.time() + 30, seconds=10.0, name=name)
            found: int = raised.value.members["retry_after"]
            return found

        first = retry_after("a")
        assert [retry_after("a") for _ in range(20)] == [first] * 20
        # The next request's turn comes after it.
        assert retry_after("b") == first + 10
        await asyncio.sleep(2)
        assert retry_after("a") == first - 2 and retry_after("c") == first + 18
        assert max(retry_after(str(number)) for number in range(100)) == 600
        await admitted

    in_no_time(overload())


def test_a_stream_of_cheap_jobs_does_not_starve_an_expensive_one() -> None:
    async def overload() -> None:
        pool = Pool(1, 1, 64, "cpu")
        await started(pool)

        async def flood() -> None:
            while True:
                try:
                    await ask(pool, 0.15)
                except Problem:
                    await asyncio.sleep(0.1)

        floods = [asyncio.create_task(flood()) for _ in range(50)]
        await asyncio.sleep(5)
        begin = pool.loop.time()
        assert (await insist(pool, 5.0, total=40.0))[1] <= 1
        assert pool.loop.time() - begin < 30
        for task in floods:
            task.cancel()

    in_no_time(overload())


def test_a_request_estimated_beyond_its_deadline_is_tried_if_a_worker_is_free() -> None:
    async def work() -> None:
        pool = Pool(1, 1, 64, "cpu")
        await started(pool)
        assert await ask(pool, 50.0, total=0.5) == "deadline"
        await asyncio.sleep(0.1)
        task = asyncio.create_task(ask(pool, 5.0))
        await asyncio.sleep(0.1)
        with pytest.raises(Problem, match=r"the workers are busy: ask again in [0-9]+ s"):
            await ask(pool, 50.0, total=0.5)
        assert await task == "answer"
        assert await ask(pool, 50.0, total=0.5) == "deadline"

    in_no_time(work())


def test_the_queue_is_bounded_with_places_for_cheap_jobs() -> None:
    async def overload() -> None:
        pool = Pool(1, 1, 8, "cpu")
        await started(pool)
        tasks = [asyncio.create_task(ask(pool, 1.0, total=130)) for _ in range(7)]
        await asyncio.sleep(0.01)
        assert (pool.running, pool.waiting) == (1, 6)
        with pytest.raises(Problem, match="6 requests are waiting: ask again in "):
            await ask(pool, 1.0, total=130)
        # One runs at once with the expensive one, two wait.
        tasks += [asyncio.create_task(ask(pool, 0.15, total=130)) for _ in range(3)]
        await asyncio.sleep(0.01)
        assert (pool.running, pool.waiting) == (2, 8)
        with pytest.raises(Problem, match="8 requests are waiting: ask again in 1 s"):
            await ask(pool, 0.1, total=130)
        assert set(await asyncio.gather(*tasks)) == {"answer"}

    in_no_time(overload())


def test_seconds_in_the_queue_are_not_left_to_the_worker() -> None:
    async def work() -> None:
        pool = Pool(1, 1, 64, "cpu")
        await started(pool)
        first = asyncio.create_task(ask(pool, 2.0))
        await asyncio.sleep(0.5)
        job = pool.submit(Sleep(1.0), pool.loop.time() + 20, seconds=1.0)
        assert isinstance(await job.events.get(), Answer) and await first == "answer"
        worker: Any = pool._workers[0]
        assert worker.seconds_left == pytest.approx(18.5)

    in_no_time(work())


def test_stopping_gives_running_jobs_a_moment_to_end() -> None:
    async def work() -> None:
        pool = Pool(2, 1, 64, "cpu")
        await started(pool)
        loop, jobs = pool.loop, []
        for seconds in (1.3, 5.0, 1.4):  # two run, the third waits
            jobs.append(pool.submit(Sleep(seconds), loop.time() + 30, seconds=seconds))
        await asyncio.sleep(1.0)
        begin = loop.time()
        await pool.stop(0.5)
        assert loop.time() - begin == pytest.approx(0.5, abs=0.05)
        events = [await job.events.get() for job in jobs]
        assert isinstance(events[0], Answer)
        for event in events[1:]:
            assert isinstance(event, Failed) and event.problem.name == "stopping"
        with pytest.raises(Problem, match="the server is stopping"):
            pool.submit(Sleep(1.0))

    in_no_time(work())


class Stubborn(StubWorker):
    """Takes some seconds to start, and ends a cancelled job only by its own end."""

    start_seconds: ClassVar[float]

    def __init__(
        self, threads: int, backend: str, receive: Any, *, is_cheap_only: bool = False
    ) -> None:
        loop = asyncio.get_running_loop()

        def start(worker: Any, message: FromWorker | None) -> None:
            loop.call_later(self.start_seconds, receive, worker, message)

        super().__init__(threads, backend, start, is_cheap_only=is_cheap_only)
        self.receive = receive

    def send(self, message: ToWorker) -> None:
        if not isinstance(message, CancelJob):
            super().send(message)

    def kill(self) -> None:
        self.is_killed = True
        asyncio.get_running_loop().call_soon(self.receive, self, None)

    class process:
        """A process that has ended."""

        join = staticmethod(lambda *seconds: None)


@pytest.mark.parametrize(
    ("start_seconds", "passed", "total", "expected"),
    [
        (8.0, 0.0, 11.0, "answer"),  # nothing else is ahead: it waits
        (3.0, 2.0, 3.0, "answer"),  # a worker that has begun to start is ready sooner
        (8.0, 0.0, 6.0, "the workers are busy"),
        (20.0, 15.0, 6.0, "the workers are busy"),
        (20.0, 15.0, 8.0, "answer"),
    ],
)
def test_a_request_waits_for_a_worker_that_starts(
    monkeypatch: pytest.MonkeyPatch,
    start_seconds: float,
    passed: float,
    total: float,
    expected: str,
) -> None:
    """As after a computation that did not stop in time: its worker was killed, another one starts."""
    monkeypatch.setattr(pool_module, "Worker", Stubborn)
    monkeypatch.setattr(Stubborn, "start_seconds", start_seconds, raising=False)

    async def work() -> None:
        pool = Pool(1, 1, 64, "cpu")
        await started(pool)
        assert await ask(pool, 40.0, total=0.5) == "deadline"
        while not pool.restarts:
            await asyncio.sleep(0.01)
        await asyncio.sleep(passed)
        try:
            found = await ask(pool, 0.6, total=total)
        except Problem as problem:
            found = str(problem)
        assert found.startswith(expected)

    in_no_time(work())
