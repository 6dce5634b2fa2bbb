"""Admission control: overload on a clock that jumps, so that minutes of it take no time."""

from __future__ import annotations

import asyncio
import random
import selectors
from collections.abc import Coroutine, Iterator
from typing import Any

import pytest

from gpuodds.server import pool as pools
from gpuodds.server.pool import Job, Pool
from gpuodds.server.problems import Problem


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


class StubWorker:
    """Takes the seconds that a job's payload has, on the loop's clock."""

    def __init__(self, pool: Pool, *, cheap_only: bool = False) -> None:
        self.pool, self.cheap_only, self.ready = pool, cheap_only, False
        self.job: Job | None = None
        pool.loop.call_soon(self.tell, 0, "ready")

    def tell(self, number: int, name: str) -> None:
        worker: Any = self
        self.pool.on_message(worker, (number, name, None))

    def send(self, name: str, number: int, *rest: Any) -> None:
        seconds = 0.01 if name == "cancel" else rest[1]["takes"]
        self.left = None if name == "cancel" else rest[1].get("seconds_left")
        answer = "cancelled" if name == "cancel" else "answer"
        self.pool.loop.call_later(seconds, self.tell, number, answer)


@pytest.fixture(autouse=True)
def stub_workers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(pools, "Worker", StubWorker)
    yield


def in_no_time(work: Coroutine[Any, Any, None]) -> None:
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        runner.run(work)


async def started(pool: Pool) -> None:
    pool.start()
    while pool.processes <= pool.ready or not pool.ready:
        await asyncio.sleep(0.01)


async def ask(
    pool: Pool, price: float, *, takes: float | None = None, total: float = 30.0, name: str = ""
) -> str:
    """Ask once; return the last event, "deadline" if none comes in time."""
    end = pool.loop.time() + total
    payload = {"takes": price if takes is None else takes}
    job = pool.submit("kelly", payload, end, price=price, name=name)
    try:
        event, value = await asyncio.wait_for(job.events.get(), total)
        if event == "busy":
            raise value
        return event
    except TimeoutError:
        return "deadline"
    finally:
        pool.cancel(job)


async def insist(pool: Pool, price: float, **options: Any) -> tuple[float, int]:
    """Ask, and again when Retry-After says; return the seconds until the answer and the refusals."""
    begin, refusals = pool.loop.time(), 0
    while True:
        try:
            assert await ask(pool, price, **options) == "answer"
            return pool.loop.time() - begin, refusals
        except Problem as problem:
            assert problem.status == 429
            assert problem.headers == {"Retry-After": str(problem.more["retry_after"])}
            refusals += 1
            await asyncio.sleep(problem.more["retry_after"])


@pytest.mark.parametrize("pace", [0.6, 1.0, 2.5])
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_clients_that_honour_retry_after_are_all_answered(workers: int, pace: float) -> None:
    """Prices may be wrong; questions that cost little are answered at once meanwhile."""
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

        beside = asyncio.create_task(ask_cheap())
        heavy = [insist(pool, 3.0, takes=3.0 * pace, name=str(number)) for number in range(150)]
        found = await asyncio.gather(*heavy)
        # Where prices are too high, who comes again as asked finds workers that are idle.
        expected = 150 * 3 * max(pace, 1) / workers
        assert max(seconds for seconds, _ in found) < 1.05 * expected
        refused = sorted(refusals for _, refusals in found)
        assert refused[75] <= (1 if pace <= 1 else 2) and refused[-1] <= 5
        assert not beside.done() or beside.result()
        beside.cancel()

    in_no_time(overload())
    assert max(cheap) < 0.5


def test_jobs_of_many_prices_end_in_time() -> None:
    """What is admitted is answered, where prices are right within a factor."""

    async def overload() -> None:
        draw = random.Random(1)
        pool = Pool(2, 1, 64, "cpu")
        await started(pool)
        counts = {"answer": 0, "deadline": 0, "refused": 0}

        async def one() -> None:
            price = 10 ** draw.uniform(-3, 1)
            try:
                counts[await ask(pool, price, takes=price * draw.uniform(0.4, 1.6))] += 1
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


def test_a_question_is_told_one_time() -> None:
    async def overload() -> None:
        pool = Pool(1, 1, 64, "cpu")
        await started(pool)
        admitted = asyncio.create_task(ask(pool, 10.0))
        await asyncio.sleep(0.1)

        def told(name: str) -> int:
            with pytest.raises(Problem) as raised:
                pool.submit("kelly", {"takes": 10.0}, pool.loop.time() + 30, price=10.0, name=name)
            found: int = raised.value.more["retry_after"]
            return found

        first = told("a")
        assert [told("a") for _ in range(20)] == [first] * 20
        # Another question's turn comes after it.
        assert told("b") == first + 10
        await asyncio.sleep(2)
        assert told("a") == first - 2 and told("c") == first + 18
        assert max(told(str(number)) for number in range(100)) == 600
        await admitted

    in_no_time(overload())


def test_a_stream_of_cheap_jobs_does_not_starve_a_dear_one() -> None:
    async def overload() -> None:
        pool = Pool(1, 1, 64, "cpu")
        await started(pool)

        async def flood() -> None:
            while True:
                try:
                    await ask(pool, 0.4)
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


def test_a_question_that_can_end_in_no_time_is_tried_where_a_worker_is_free() -> None:
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


def test_the_queue_has_a_length_and_room_for_cheap_jobs() -> None:
    async def overload() -> None:
        pool = Pool(1, 1, 8, "cpu")
        await started(pool)
        tasks = [asyncio.create_task(ask(pool, 1.0, total=130)) for _ in range(7)]
        await asyncio.sleep(0.01)
        assert (pool.running, pool.waiting) == (1, 6)
        with pytest.raises(Problem, match="6 questions wait already: ask again in "):
            await ask(pool, 1.0, total=130)
        # One runs at once, beside the dear one, two wait.
        tasks += [asyncio.create_task(ask(pool, 0.4, total=130)) for _ in range(3)]
        await asyncio.sleep(0.01)
        assert (pool.running, pool.waiting) == (2, 8)
        with pytest.raises(Problem, match="8 questions wait already: ask again in 1 s"):
            await ask(pool, 0.1, total=130)
        assert set(await asyncio.gather(*tasks)) == {"answer"}

    in_no_time(overload())


def test_the_seconds_that_a_job_waits_are_not_left() -> None:
    async def work() -> None:
        pool = Pool(1, 1, 64, "cpu")
        await started(pool)
        first = asyncio.create_task(ask(pool, 2.0))
        await asyncio.sleep(0.5)
        job = pool.submit("equity", {"takes": 1.0}, pool.loop.time() + 20, price=1.0)
        assert (await job.events.get())[0] == await first == "answer"
        worker: Any = job.worker
        assert worker.left == pytest.approx(18.5)

    in_no_time(work())
