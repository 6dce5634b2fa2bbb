"""The server gives no answer from too few deals."""

from __future__ import annotations

import asyncio
import re
from contextlib import aclosing
from typing import Any

import pytest
from server_fixture import TEN_SEATS, NoProcesses, ask

import gpuodds
from gpuodds.server.cache.cache import open_cache
from gpuodds.server.dispatch.dispatcher import Dispatcher
from gpuodds.server.messages import Answer, Estimate, Event
from gpuodds.server.reading.parsed import ParsedRequest
from gpuodds.server.requests import EquityRequest
from gpuodds.server.settings import Settings

SPOT: dict[str, Any] = {"hands": ["15%", "30%", "60%"]}
ROUGH: dict[str, Any] = {**TEN_SEATS, "time_limit": 0.001}  # time for some of the 10,000 deals
KIND = "https://gpuodds.invalid/problems/not-enough-samples"
REFUSAL = re.compile(
    r"not enough samples: [\d,]+ deals? in 0\.001 s, a standard error of 0\.\d+: raise time_limit or "
    "deadline, give samples or standard_error, or use narrower ranges"
)


def test_an_answer_from_too_few_deals_is_refused(address: str) -> None:
    status, problem = ask(address, ROUGH)
    assert (status, problem["type"]) == (422, KIND) and REFUSAL.fullmatch(problem["detail"])
    status, answer = ask(address, {**ROUGH, "samples": 1000})
    assert status == 200 and int(answer["outcomes"]) <= 1000
    with gpuodds.Client(address) as client:
        with pytest.raises(gpuodds.NotEnoughSamples, match=REFUSAL):
            client.equity(**ROUGH)
        seen = []
        with pytest.raises(gpuodds.NotEnoughSamples, match=REFUSAL):
            for name, _ in client.stream(**ROUGH):
                seen.append(name)
        assert "answer" not in seen


@pytest.mark.parametrize(
    ("outcomes", "asked", "is_enough"),
    [(9_999, {}, False), (10_000, {}, True), (9_999, {"samples": 10**7}, True)],
)
def test_the_last_estimate_of_a_stream_is_the_answer_if_it_is_good_enough(
    outcomes: int, asked: dict[str, Any], is_enough: bool
) -> None:
    estimate = gpuodds.equity(**SPOT, samples=outcomes, method="monte-carlo", backend="cpu").to_dict()

    async def follow() -> list[Event]:
        pool = NoProcesses()
        dispatcher = Dispatcher(pool, open_cache("memory", 1000), Settings())
        request = ParsedRequest(EquityRequest(**SPOT, **asked, deadline=0.2))
        found = []
        async with aclosing(dispatcher.events(request, stream=True)) as events:
            asking = asyncio.ensure_future(anext(events))
            while not pool.jobs:
                await asyncio.sleep(0)
            pool.jobs[0].add(Estimate(estimate))  # and then nothing, until the deadline
            found.append(await asking)
            async for event in events:
                found.append(event)
        return found

    if is_enough:
        first, last = asyncio.run(follow())
        assert isinstance(first, Estimate) and last == Answer(first.value)
    else:
        with pytest.raises(gpuodds.NotEnoughSamples, match=r"9,999 deals in 0\.2 s"):
            asyncio.run(follow())
