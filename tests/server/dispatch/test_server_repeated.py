"""Repeated requests: the same answers, counted in the metrics; others are routed and validated."""

from __future__ import annotations

import asyncio
import json
from typing import Any, cast

import pytest
from server_fixture import metric, request

import gpuodds
from gpuodds.server.dispatch.dispatcher import Dispatcher
from gpuodds.server.dispatch.repeated import MAX_KEPT, RepeatedRequests
from gpuodds.server.reading.answer_form import AnswerForm
from gpuodds.server.reading.parsed import ParsedRequest
from gpuodds.server.requests import EquityRequest

ASKED: dict[str, Any] = {"hands": ["QQ+,AK", "22+,A2s+"], "board": "2s7d9h"}
BODY = json.dumps(ASKED).encode()
PARSED = ParsedRequest(EquityRequest(hands=["QQ+,AK", "22+,A2s+"], board="2s7d9h"))


@pytest.mark.parametrize(("dead", "more"), [("3c", {}), ("4c", {"explain": True})])
def test_a_request_is_answered_again(address: str, dead: str, more: dict[str, Any]) -> None:
    body = json.dumps(ASKED | {"dead": dead} | more).encode()
    hits, counted = (metric(address, f"gpuodds_{name}") for name in ("cache_hits", "requests_total"))
    found = [request(address, "/v1/equity", body) for _ in range(4)]
    assert metric(address, "gpuodds_cache_hits") == hits + 3
    assert metric(address, "gpuodds_requests_total") == counted + 6  # two of /metrics
    assert {status for status, _, _ in found} == {200}
    first, *others = (json.loads(text) for _, _, text in found)
    assert all(other == others[0] for other in others)
    assert [player["win"] for player in others[-1]["players"]] == [
        player.win for player in gpuodds.equity(**ASKED, dead=dead).players
    ]
    assert first["players"] == others[0]["players"] and ("explanation" in others[0]) == bool(more)
    heads = [{**headers, "date": ""} for _, headers, _ in found[1:]]
    assert heads[0] == heads[1] == heads[2] and "nosniff" in heads[0].values()


def test_other_requests_are_routed_and_validated(address: str) -> None:
    for _ in range(3):
        assert request(address, "/v1/equity", BODY)[0] == 200
    assert request(address, "/v1/equity", BODY, **{"Content-Type": "text/plain"})[0] == 415
    assert request(address, "/v1/equity", BODY[:-1])[0] == 422
    assert request(address, "/v1/equity", BODY, **{"Content-Type": "application/json; x=y"})[0] == 200
    assert request(address, "/v1/equity", BODY, method="PUT")[0] == 405
    assert request(address, "/v1/equity/stream", BODY)[1]["content-type"].startswith(
        "text/event-stream"
    )
    assert request(address, "/v1/equity", BODY, Host="elsewhere")[0] == 403


class Memory:
    """A dispatcher whose cache may forget."""

    text: str | None = '{"answer":1}'

    def repeated(self, key: str, form: AnswerForm) -> str | None:
        return self.text


def test_only_a_known_request_with_a_cached_answer_is_answered() -> None:
    read: list[bytes] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        read.append((await receive())["body"])

    async def ask(body: bytes, **more: Any) -> list[Any]:
        sent: list[Any] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {"type": "http", "method": "POST", "path": "/v1/equity", **more}
        await repeated({"headers": [(b"content-type", b"application/json")], **scope}, receive, send)
        return sent

    async def work() -> None:
        assert await ask(BODY) == [] and read.pop() == BODY  # the server starts
        repeated.dispatcher = cast("Dispatcher", memory)
        repeated.keep(BODY, PARSED)
        assert [message.get("body") for message in await ask(BODY)] == [None, b'{"answer":1}']
        assert read == []
        for body, more in (
            (BODY + b" ", {}),
            (BODY, {"path": "/v1/equity/stream"}),
            (BODY, {"method": "GET"}),
            (BODY, {"headers": []}),
        ):
            assert await ask(body, **more) == [] and read.pop() == body
        memory.text = None  # pushed out by others
        assert await ask(BODY) == [] and read.pop() == BODY
        memory.text = "{}"
        for number in range(MAX_KEPT):
            repeated.keep(b"%d" % number, PARSED)
        assert await ask(BODY) == [] and read.pop() == BODY
        assert await ask(b"0") != []

    repeated, memory = RepeatedRequests(app), Memory()
    asyncio.run(work())
