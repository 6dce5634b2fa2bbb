"""Disconnecting or cancelling stops the computation, at any moment."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, aclosing
from typing import Any, cast
from urllib.parse import urlsplit

import pytest
from server_fixture import LONG, PATIENCE, NoProcesses, ask, idle_within, metric, socket_address
from websockets.asyncio.client import connect as connect_async
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from gpuodds.methods.options import Options
from gpuodds.methods.planner import make_plan
from gpuodds.server.cache.cache import open_cache
from gpuodds.server.connections.middleware import AccessMiddleware
from gpuodds.server.dispatch.computations import EquityComputation
from gpuodds.server.dispatch.dispatcher import Dispatcher
from gpuodds.server.dispatch.in_flight import SharedEvents
from gpuodds.server.messages import Failure, FromJob, Progress
from gpuodds.server.problems import Problem
from gpuodds.server.reading.costs import Cost
from gpuodds.server.reading.parsed import ParsedRequest
from gpuodds.server.requests import EquityRequest
from gpuodds.server.settings import Settings
from gpuodds.server.workers.jobs import Failed, Job, cancelled
from gpuodds.server.workers.pool import Pool
from gpuodds.server.workers.worker import Worker


def computation_of(request: ParsedRequest) -> EquityComputation:
    plan, options = make_plan(request.spot, Options()), Options()
    return EquityComputation("holdem", plan, options, request.form, False, False, False, True, False)


SHORT: dict[str, Any] = {"hands": ["15%", "30%", "random"], "board": "2s7d9h"}


async def all_done() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def follow(dispatcher: Dispatcher, request: ParsedRequest) -> None:
    async with aclosing(dispatcher.events(request, stream=True)) as events:
        async for _ in events:
            pass


@pytest.mark.parametrize("steps", range(8))
def test_a_cancellation_at_the_time_of_an_event_is_kept(steps: int) -> None:
    """Before Python 3.12 ``asyncio.wait_for`` returns the event, and loses the cancellation."""

    async def work() -> None:
        pool = NoProcesses()
        dispatcher = Dispatcher(pool, open_cache("memory", 1000), Settings())
        task = asyncio.create_task(follow(dispatcher, ParsedRequest(EquityRequest(**SHORT))))
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
def test_a_cancellation_at_the_time_of_an_answer_is_kept(steps: int) -> None:
    async def work() -> None:
        pool = NoProcesses()
        dispatcher = Dispatcher(pool, open_cache("memory", 1000), Settings())
        computation = computation_of(ParsedRequest(EquityRequest(**SHORT)))
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
def test_a_cancellation_while_sending_is_kept(steps: int) -> None:
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
        request = ParsedRequest(EquityRequest(**SHORT))

        def listen() -> AbstractAsyncContextManager[Any]:
            computation = computation_of(request)
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


class NoProcess:
    """A worker whose messages come from the test."""

    is_ready, is_killed, is_cheap_only, loads = True, False, False, False
    loaded = -1e9
    job: Job | None = None

    def __init__(self) -> None:
        self.sent: list[Any] = []

    def send(self, message: Any) -> None:
        self.sent.append(message)

    def kill(self) -> None:
        Worker.kill(cast("Worker", self))

    class process:
        """A process that does not end before the test does."""

        kill = join = staticmethod(lambda *seconds: None)


def test_a_worker_that_was_killed_gets_no_job() -> None:
    """The last event of its job may arrive after it was killed: the next job would be lost with it."""

    async def work() -> None:
        pool, worker = Pool(1, 1, 10, "cpu"), NoProcess()
        pool.is_warm, pool._workers = True, [cast("Worker", worker)]
        computation = computation_of(ParsedRequest(EquityRequest(**SHORT)))
        slow = pool.submit(computation)
        assert worker.job is slow
        pool.cancel(slow)
        pool._kill_if_still_at(cast("Worker", worker), slow)
        pool.on_message(cast("Worker", worker), FromJob(slow.number, Failure(cancelled().problem)))
        following = pool.submit(computation)
        assert [type(message).__name__ for message in worker.sent] == ["RunJob", "CancelJob"]
        assert pool.waiting == 1 and not following.is_done

    asyncio.run(work())


def random_requests(seed: int) -> Iterator[dict[str, Any]]:
    """Give requests, some of them equal, that take long, a moment, or no time."""
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
    """Send and cancel requests at random moments; each cancellation is confirmed."""
    draw = random.Random(1)
    kinds: dict[str, list[str]] = {}
    async with connect_async(socket_address(address)) as link:

        async def read() -> None:
            async for text in link:
                message = json.loads(text)
                kinds.setdefault(message["id"], []).append(message["type"])

        reading = asyncio.create_task(read())
        for place, spot in zip(range(number), random_requests(2), strict=False):
            name = str(place)
            await link.send(json.dumps({"id": name, "question": spot}))
            await asyncio.sleep(draw.choice([0, 0, 0.001, 0.01, 0.05]) * draw.random())
            await link.send(json.dumps({"id": name, "type": "cancel"}))
        end = time.monotonic() + PATIENCE
        while sum("cancelled" in types for types in kinds.values()) < number:
            assert time.monotonic() < end and not reading.done()
            await asyncio.sleep(0.01)
        # Nothing follows the confirmation.
        assert all(types.index("cancelled") == len(types) - 1 for types in kinds.values())
        reading.cancel()


async def over_http(address: str, number: int) -> None:
    """Post requests, also for streams, and disconnect at random moments."""
    place, draw = urlsplit(address), random.Random(3)

    async def one(spot: dict[str, Any], seconds: float) -> None:
        body = json.dumps(spot).encode()
        path = draw.choice(["/v1/equity", "/v1/equity/stream"])
        head = f"POST {path} HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Length: {len(body)}\r\n"
        _, writer = await asyncio.open_connection(place.hostname, place.port)
        writer.write(head.encode() + b"Content-Type: application/json\r\n\r\n" + body)
        await writer.drain()
        await asyncio.sleep(seconds)
        writer.transport.abort()

    asked = random_requests(4)
    for _ in range(number // 10):
        seconds = [draw.choice([0.0, 0.01, 0.1]) * draw.random() for _ in range(10)]
        await asyncio.gather(*(one(next(asked), each) for each in seconds))


@pytest.mark.slow
@pytest.mark.parametrize("path", [over_a_socket, over_http])
def test_cancelled_requests_leave_nothing_behind(
    address: str, path: Callable[[str, int], Awaitable[None]]
) -> None:
    async def work() -> None:
        await path(address, 150)

    asyncio.run(work())
    assert idle_within(address)
    assert metric(address, "gpuodds_listeners") == 0
    status, answer = ask(address, {"hands": ["AsKs", "QQ"], "board": "2c7d9h"})
    assert status == 200 and answer["exact"]


def test_a_malformed_message_costs_that_message(address: str) -> None:
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
    with connect(socket_address(address)) as link:
        spot = {**LONG, "board": "8c8h9s"}
        link.send(json.dumps({"id": "long", "question": spot}))
        for message, name, expected in bad:
            link.send(message)
            while (received := json.loads(link.recv(timeout=PATIENCE)))["id"] == "long":
                assert received["type"] in ("estimate", "progress")
            assert (received["id"], received["type"]) == (name, "error")
            assert received["value"]["status"] == 422 and expected in received["value"]["detail"]
        # The computation goes on.
        link.send(json.dumps({"id": "long", "type": "cancel"}))
        while (received := json.loads(link.recv(timeout=PATIENCE)))["type"] != "cancelled":
            assert received["type"] in ("estimate", "progress")
        link.send(json.dumps({"id": "next", "question": {"hands": ["AsKs"]}, "stream": False}))
        assert json.loads(link.recv(timeout=PATIENCE))["type"] == "answer"
        # Too many in a row close the connection.
        for _ in range(20):
            link.send(b"?")
        with pytest.raises(ConnectionClosed) as closed:
            for _ in range(21):
                link.recv(timeout=PATIENCE)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1003
    assert idle_within(address)
