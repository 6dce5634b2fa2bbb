"""All-in or fold over HTTP: the library's answer, cached; certificates on the way; refusals."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from server_fixture import PATIENCE, NoProcesses, ask, metric

import gpuodds
from gpuodds.errors import InputError
from gpuodds.server.cache.cache import open_cache
from gpuodds.server.dispatch.dispatcher import Dispatcher
from gpuodds.server.dispatch.push_fold import (
    MIN_SECONDS,
    SECONDS,
    push_fold_cost,
    push_fold_events,
)
from gpuodds.server.messages import Estimate
from gpuodds.server.problems import Problem
from gpuodds.server.requests import PushFoldRequest
from gpuodds.server.settings import Settings

BODY: dict[str, Any] = {"stacks": [8, 12], "payouts": [65, 35], "lock": {"SB": "40%"}}


def test_the_library_s_answer(address: str) -> None:
    status, answer = ask(address, BODY | {"hands": ["BB:SB=a5s"]}, "/v1/push-fold")
    result = gpuodds.push_fold([8, 12], payouts=[65, 35], lock={"SB": "40%"})
    assert status == 200
    expected = json.loads(json.dumps(result.to_dict()))
    assert {**answer, "decisions": None} == {**expected, "decisions": None}
    assert answer["decisions"] == [result.explain("BB:SB", "A5s").to_dict()]


def test_both_clients_ask_for_it(address: str) -> None:
    _, expected = ask(address, BODY, "/v1/push-fold")
    options = {name: value for name, value in BODY.items() if name != "stacks"}

    async def later() -> dict[str, Any]:
        async with gpuodds.AsyncClient(address) as client:
            return await client.push_fold(BODY["stacks"], **options)

    with gpuodds.Client(address) as client:
        assert client.push_fold(BODY["stacks"], **options) == expected == asyncio.run(later())
        with pytest.raises(InputError, match=r"stack 2 0.0: expected above 0"):
            client.push_fold([10, 0])


def test_answers_are_cached(address: str) -> None:
    jobs = metric(address, 'gpuodds_jobs_total{kind="push-fold"}')
    first = ask(address, {"stacks": [7, 9]}, "/v1/push-fold")
    assert ask(address, {"stacks": [7, 9]}, "/v1/push-fold") == first
    assert metric(address, 'gpuodds_jobs_total{kind="push-fold"}') == jobs + 1


def test_certificates_fall_on_the_way(address: str) -> None:
    body = json.dumps({"stacks": [10, 11]}).encode()
    asked = Request(f"{address}/v1/push-fold/stream", body, {"Content-Type": "application/json"})
    with urlopen(asked, timeout=PATIENCE) as answer:
        text = answer.read()
    events = [part.split(b"\ndata: ") for part in text.strip().split(b"\n\n")]
    names = [name.removeprefix(b"event: ") for name, _ in events]
    assert names[-1] == b"answer" and set(names[:-1]) == {b"estimate"} and len(names) > 2
    gains = [json.loads(value)["gain"] for _, value in events[:-1]]
    assert gains == sorted(gains, reverse=True)
    assert json.loads(events[-1][1])["schema"] == "gpuodds.push-fold/1"


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ({"stacks": [10]}, 422, "stacks"),
        ({"stacks": [10, 0]}, 400, "stack 2 0.0: expected above 0"),
        ({"stacks": [10, 10], "payouts": [1, 2]}, 400, "payout 2 2.0: expected at most 1"),
        ({"stacks": [10, 10], "lock": {"BTN": "AA"}}, 400, "position BTN: expected one of SB, BB"),
        ({"stacks": [10, 10], "hands": ["A5s"]}, 400, "hand A5s: expected a place and a starting hand"),
        ({"stacks": [10, 10], "unknown": 1}, 422, "unknown"),
    ],
)
def test_refusals(address: str, body: dict[str, Any], status: int, message: str) -> None:
    found, problem = ask(address, body, "/v1/push-fold")
    assert found == status and message in json.dumps(problem)


def test_what_an_answer_costs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GPUODDS_TABLES", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert push_fold_cost(PushFoldRequest(stacks=[10, 10]), Settings()).seconds == SECONDS[2]
    with pytest.raises(Problem, match="gpuodds table build preflop-three-way"):
        push_fold_cost(PushFoldRequest(stacks=[10, 10, 10]), Settings())
    monkeypatch.setattr("gpuodds.short_stacks.tables.missing_tables", list)
    cost = push_fold_cost(PushFoldRequest(stacks=[10] * 6), Settings(time_limit=20))
    assert (cost.seconds, cost.min_seconds, cost.time_limit) == (20, MIN_SECONDS[6], 20)
    with pytest.raises(Problem, match="9 players take about 60 s at least, the limit is 20 s"):
        push_fold_cost(PushFoldRequest(stacks=[10] * 9), Settings(time_limit=20))
    with pytest.raises(InputError, match=r"stack 1 0\.0: expected above 0"):
        push_fold_cost(PushFoldRequest(stacks=[0, 10]), Settings())


def test_who_leaves_stops_the_search() -> None:
    async def leave() -> None:
        pool = NoProcesses()
        dispatcher = Dispatcher(pool, open_cache("memory", 1000), Settings())
        events = push_fold_events(dispatcher, PushFoldRequest(stacks=[6, 7]))
        first = asyncio.ensure_future(anext(events))
        while not pool.jobs:
            await asyncio.sleep(0)
        pool.jobs[0].add(Estimate({"gain": 1}))
        assert await first == Estimate({"gain": 1})
        await events.aclose()
        assert pool.cancelled == pool.jobs

    asyncio.run(leave())
