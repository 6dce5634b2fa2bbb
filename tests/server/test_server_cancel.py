"""Disconnecting or cancelling stops the computation, at whatever moment."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, aclosing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from server_fixture import ask, idle_within, metric, serving
from websockets.asyncio.client import connect as connect_async
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from gpuodds.server.cache import open_cache
from gpuodds.server.canonical import ParsedRequest
from gpuodds.server.computations import EquityComputation
from gpuodds.server.costs import Cost
from gpuodds.server.dispatcher import Dispatcher
from gpuodds.server.in_flight import SharedEvents
from gpuodds.server.jobs import Failed, Job
from gpuodds.server.messages import Progress
from gpuodds.server.middleware import AccessMiddleware
from gpuodds.server.pool import Pool
from gpuodds.server.problems import Problem
from gpuodds.server.requests import EquityRequest
from gpuodds.server.settings import Settings

QUESTION: dict[str, Any] = {"hands": ["15%", "30%", "random"], "board": "2s7d9h"}
LONG: dict[str, Any] = {"hands": ["15%", "30%", "60%", "random"], "method": "exact", "time_limit": 60}


class NoProcesses(Pool):
    """A pool whose jobs get their events from the test."""

    def __init__(self) -> None:
        super().__init__(1, 1, 10, "cpu")
        self.is_warm = True
        self.jobs: list[Job] = []
        self.cancelled: list[Job] = []

    def submit(self, *arguments: Any, **options: Any) -> Job:
        job = super().submit(*arguments, **options)
        self.jobs.append(job)
        return job

    def cancel(self, job: Job) -> None:
        if not job.is_done:
            self.cancelled.append(job)
        super().cancel(job)


async def all_done() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def follow(dispatcher: Dispatcher, request: ParsedRequest) -> None:
    async with aclosing(dispatcher.events(request, stream=True)) as events:
        async for _ in events:
            pass


@pytest.mark.parametrize("steps", range(8))
def test_a_cancel_beside_an_event_is_kept(steps: int) -> None:
    """Before Python 3.12 ``asyncio.wait_for`` gives the event, and forgets the cancellation."""

    async def work() -> None:
        pool = NoProcesses()
        dispatcher = Dispatcher(pool, open_cache("memory", 1000), Settings())
        task = asyncio.create_task(follow(dispatcher, ParsedRequest(EquityRequest(**QUESTION))))
        await all_done()
        (job,) = pool.jobs
        # An event comes to the listener in the very turn of the loop in which it is cancelled.
        job.add(Progress(0.5))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await all_done()
        assert task.cancelled() and pool.cancelled == [job] and not pool.waiting
        assert not len(dispatcher._shared_events) and not dispatcher.listeners
        assert not dispatcher._shared_events._pumps

    asyncio.run(work())


@pytest.mark.parametrize("steps", range(8))
def test_a_cancel_beside_the_answer_to_another_job_is_kept(steps: int) -> None:
    async def work() -> None:
        pool = NoProcesses()
        dispatcher = Dispatcher(pool, open_cache("memory", 1000), Settings())
        computation = EquityComputation(EquityRequest(**QUESTION), 0, None, stream=False)
        task = asyncio.create_task(dispatcher.compute(computation, Cost(1.0, 1.0, 10.0, 30.0)))
        await all_done()
        (job,) = pool.jobs
        job.add(Progress(0.5))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await all_done()
        assert task.cancelled() and pool.cancelled == [job] and not dispatcher.listeners

    asyncio.run(work())


@pytest.mark.parametrize("steps", range(4))
def test_a_cancel_while_something_is_sent_is_kept(steps: int) -> None:
    async def work() -> None:
        sent, sending = asyncio.get_running_loop().create_future(), asyncio.Event()

        async def app(scope: Any, receive: Any, send: Any) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await asyncio.sleep(3600)

        async def send(message: Any) -> None:
            sending.set()
            await sent

        async def receive() -> Any:
            return {"type": "http.request", "body": b"", "more_body": False}

        middleware = AccessMiddleware(app, Settings(), lambda *counted: None)
        scope = {"type": "http", "path": "/", "headers": [(b"host", b"localhost:8000")]}
        task = asyncio.ensure_future(middleware(scope, receive, send))
        await sending.wait()
        sent.set_result(None)
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await all_done()
        assert task.cancelled()

    asyncio.run(work())


def test_a_new_computation_outlives_the_listeners_of_the_last() -> None:
    """A late listener of an answered request does not remove the next one in flight."""

    async def work() -> None:
        pool = NoProcesses()
        in_flight = SharedEvents(pool, open_cache("memory", 1000))
        request = ParsedRequest(EquityRequest(**QUESTION))

        def listen() -> AbstractAsyncContextManager[Any]:
            computation = EquityComputation(request.body, 0, None, stream=True)
            return in_flight.listen("key", request, lambda: pool.submit(computation, 1e9))

        first = listen()
        await first.__aenter__()
        pool.jobs[0].finish(Failed(Problem(500, "fault", "no answer")))
        await all_done()
        async with listen():
            await first.__aexit__(None, None, None)
            async with listen():
                assert len(pool.jobs) == 2  # the third has joined the second
        assert pool.cancelled == pool.jobs[1:] and not len(in_flight)

    asyncio.run(work())


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("cancel")) as found:
        yield found


def questions(seed: int) -> Iterator[dict[str, Any]]:
    """Give questions, some of them the same, that take long, a moment, or nothing."""
    draw = random.Random(seed)
    cards = [rank + suit for rank in "23456789TJQKA" for suit in "shdc"]
    while True:
        board = "".join(draw.sample(cards[:24], 3))
        kind = draw.randrange(4)
        if kind == 0:
            yield {**LONG, "board": board}
        elif kind == 1:
            yield {**LONG, "board": "2s7d9h"}
        elif kind == 2:
            yield {"hands": ["QQ+", "AK"], "board": board}
        else:
            yield {"hands": ["15%", "AA"], "board": board, "method": "monte-carlo", "samples": 10**6}


async def over_a_socket(address: str, number: int) -> None:
    """Ask and cancel, an id after another, at random moments; each cancel is confirmed."""
    draw = random.Random(1)
    kinds: dict[str, list[str]] = {}
    async with connect_async(address.replace("http", "ws") + "/v1/socket") as link:

        async def read() -> None:
            async for text in link:
                message = json.loads(text)
                kinds.setdefault(message["id"], []).append(message["type"])

        reading = asyncio.create_task(read())
        for place, question in zip(range(number), questions(2), strict=False):
            name = str(place)
            await link.send(json.dumps({"id": name, "question": question}))
            await asyncio.sleep(draw.choice([0, 0, 0.001, 0.01, 0.05]) * draw.random())
            await link.send(json.dumps({"id": name, "type": "cancel"}))
        end = time.monotonic() + 30
        while sum("cancelled" in told for told in kinds.values()) < number:
            assert time.monotonic() < end and not reading.done()
            await asyncio.sleep(0.01)
        # Nothing comes for a question that is cancelled.
        assert all(told.index("cancelled") == len(told) - 1 for told in kinds.values())
        reading.cancel()


async def over_http(address: str, number: int) -> None:
    """Ask, plainly and for a stream, and hang up at random moments."""
    place, draw = urlsplit(address), random.Random(3)

    async def one(question: dict[str, Any], seconds: float) -> None:
        body = json.dumps(question).encode()
        way = draw.choice(["/v1/equity", "/v1/equity/stream"])
        head = f"POST {way} HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Length: {len(body)}\r\n"
        _, writer = await asyncio.open_connection(place.hostname, place.port)
        writer.write(head.encode() + b"Content-Type: application/json\r\n\r\n" + body)
        await writer.drain()
        await asyncio.sleep(seconds)
        writer.transport.abort()

    asked = questions(4)
    for _ in range(number // 10):
        seconds = [draw.choice([0.0, 0.01, 0.1]) * draw.random() for _ in range(10)]
        await asyncio.gather(*(one(next(asked), each) for each in seconds))


@pytest.mark.parametrize("way", [over_a_socket, over_http])
def test_nothing_is_left_of_what_was_cancelled(
    address: str, way: Callable[[str, int], Awaitable[None]]
) -> None:
    async def work() -> None:
        await way(address, 300)

    asyncio.run(work())
    assert idle_within(address, 30)
    assert metric(address, "gpuodds_listeners") == 0
    status, answer = ask(address, {"hands": ["AsKs", "QQ"], "board": "2c7d9h"})
    assert status == 200 and answer["exact"]


def test_a_message_that_cannot_be_read_costs_that_message(tmp_path: Path, address: str) -> None:
    bad: list[tuple[str | bytes, str | None, str]] = [
        ("no json", None, "Invalid JSON"),
        ("", None, "Invalid JSON"),
        ("[" * 30000, None, "Invalid JSON"),
        ("[1]", None, "should be an object"),
        ('{"id": 5}', None, "id: "),
        ('{"id": "x", "type": "fold"}', "x", "type: "),
        ('{"id": "y", "question": {"hands": [5]}}', "y", "question.hands.0: "),
        ('{"id": "\\ud800", "type": "fold"}', None, ""),
        (json.dumps({"id": "z" * 101}), None, "id: "),
        (b'{"id": "b", "type": "cancel"}', None, "a binary message: expected text"),
        (b"\xff\xfe\x00", None, "a binary message: expected text"),
    ]
    with connect(address.replace("http", "ws") + "/v1/socket") as link:
        question = {**LONG, "board": "8c8h9s"}
        link.send(json.dumps({"id": "long", "question": question}))
        for message, name, says in bad:
            link.send(message)
            while (told := json.loads(link.recv(timeout=10)))["id"] == "long":
                assert told["type"] in ("estimate", "progress")
            assert (told["id"], told["type"]) == (name, "error")
            assert told["value"]["status"] == 422 and says in told["value"]["detail"]
        # What is computed goes on.
        link.send(json.dumps({"id": "long", "type": "cancel"}))
        while (told := json.loads(link.recv(timeout=10)))["type"] != "cancelled":
            assert told["type"] in ("estimate", "progress")
        link.send(json.dumps({"id": "next", "question": {"hands": ["AsKs"]}, "stream": False}))
        assert json.loads(link.recv(timeout=10))["type"] == "answer"
        # Too many in a row are no conversation.
        for _ in range(20):
            link.send(b"?")
        with pytest.raises(ConnectionClosed) as closed:
            for _ in range(21):
                link.recv(timeout=10)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1003
    assert idle_within(address, 30)
