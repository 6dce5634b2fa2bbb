"""Problems name the input at fault: over HTTP, in streams and on the socket."""

from __future__ import annotations

import json
from typing import Any

import pytest
from server_fixture import ask, socket_address
from websockets.sync.client import connect

import gpuodds
from gpuodds.betting import kelly_bet
from gpuodds.errors import InputError
from gpuodds.server.problems import InputErrorAt
from gpuodds.server.reading.costs import Texts
from gpuodds.server.requests import MAX_TEXT, EquityRequest

TWO = {"hands": ["AsKs", "QhQd"]}
FAULTS: list[tuple[dict[str, Any], str | None]] = [
    # A text that cannot be read.
    ({"hands": ["AsKs", "22x"]}, "hands.1"),
    ({"hands": ["14s", "22x"]}, "hands.0"),
    ({"hands": ["AsKs", "QQ", "AsAs"]}, "hands.2"),
    ({"hands": ["AsKs", "AsKsQs"]}, "hands.1"),
    ({"hands": ["AsKs QhQd", "22"]}, "hands.0"),
    ({"hands": ["22", "AsKs QQ"]}, "hands.1"),
    ({"hands": ["22", "AsKs"], "folded": ["AsKs QQ"]}, "folded.0"),
    ({"hands": ["22", "AsKs"], "folded": ["QQ", "22x"]}, "folded.1"),
    (TWO | {"board": "2s7dXx"}, "board"),
    (TWO | {"board": "2s7d2s"}, "board"),
    (TWO | {"board": "2s7d9hTcJcQc"}, "board"),
    (TWO | {"dead": "2s7"}, "dead"),
    (TWO | {"game": "badugi"}, "game"),
    ({"hands": ["AsAhKsKh", "AsKs"], "game": "omaha"}, "hands.1"),
    ({"hands": ["AA**", "KK**:"], "game": "omaha"}, "hands.1"),
    # A card of another deck.
    ({"hands": ["AsAh", "2s2h"], "game": "short-deck"}, "hands.1"),
    ({"hands": ["AsAh", "KsKh"], "board": "2s7d9h", "game": "short-deck"}, "board"),
    ({"hands": ["AsAh", "KsKh"], "dead": "2s", "game": "short-deck"}, "dead"),
    ({"hands": ["AsAh", "KsKh"], "folded": ["2s2h"], "game": "short-deck"}, "folded.0"),
    # A card in two places: the later one.
    ({"hands": ["AsKs", "QhQd", "AsJs"]}, "hands.2"),
    (TWO | {"board": "2s7dQd"}, "board"),
    (TWO | {"dead": "Ks"}, "dead"),
    (TWO | {"board": "2s7d9h", "dead": "9h"}, "dead"),
    (TWO | {"folded": ["22", "AsQs"]}, "folded.1"),
    # A range without a hand.
    ({"hands": ["22", "AA"], "board": "AcAdAh"}, "hands.1"),
    ({"hands": ["22", "KK", "AA:0"]}, "hands.2"),
    ({"hands": ["22", "KK"], "dead": "AcAdAh", "folded": ["QQ", "AA"]}, "folded.1"),
    ({"hands": ["AcAd", "KK"], "board": "Ah2c3c", "folded": ["QQ", "AA"]}, "folded.1"),
    # Several inputs.
    ({"hands": ["AsKs"], "opponents": 0}, None),
    (TWO | {"opponents": 22}, None),
    ({"hands": ["AA", "AA", "AA"], "board": "2s7d9h"}, None),
    (TWO | {"seed": 1, "time_limit": 1}, None),
]


@pytest.mark.parametrize(("body", "place"), FAULTS)
def test_equity(address: str, body: dict[str, Any], place: str | None) -> None:
    status, problem = ask(address, body)
    assert status == 400 and problem.get("input") == place
    with pytest.raises(InputError) as raised:
        gpuodds.equity(**body, backend="cpu")
    assert problem["detail"] == str(raised.value)


def test_streams_and_sockets(address: str) -> None:
    body = TWO | {"board": "2s7dQd"}
    assert ask(address, body, "/v1/equity/stream")[1]["input"] == "board"
    with connect(socket_address(address)) as link:
        link.send(json.dumps({"id": "1", "question": {"hands": ["AsKs", "22x"]}}))
        found = json.loads(link.recv())
    assert found["type"] == "error" and found["value"]["input"] == "hands.1"


def test_a_text_that_is_too_long() -> None:
    for kind in ("hands", "folded"):
        texts = {"hands": ["AA", "KK"], "folded": ["22", "33"]}
        texts[kind][1] = "A" * (MAX_TEXT + 1)
        with pytest.raises(InputErrorAt, match=f"{kind}: expected at most") as raised:
            Texts.of_equity(EquityRequest.model_validate(texts))
        assert raised.value.input == f"{kind}.1"


@pytest.mark.parametrize(
    ("path", "body", "place"),
    [
        ("flops", {"hands": ["QQ+", "22x"]}, "hands.1"),
        ("flops", {"hands": ["AsKs"], "dead": "As"}, "dead"),
        ("flops", {"hands": ["QQ+"] * 2, "game": "badugi"}, "game"),
        ("turns", TWO | {"board": "2s7d"}, "board"),
        ("turns", TWO | {"board": "2s7dQd"}, "board"),
        ("turns", {"hands": ["22", "AA"], "board": "AcAdAh"}, "hands.1"),
        ("turns", {"hands": ["AA", "AA", "AA"], "board": "2s7d9h"}, None),
    ],
)
def test_reports(address: str, path: str, body: dict[str, Any], place: str | None) -> None:
    status, problem = ask(address, body, f"/v1/{path}")
    assert status == 400 and problem.get("input") == place


@pytest.mark.parametrize(
    ("bet", "place"),
    [
        ({"hand": "14s", "opponents": 1}, "hand"),
        ({"hand": "QQx", "opponents": 1}, "hand"),
        ({"hand": "AsKs", "opponents": ["QQ", "22x"]}, "opponents.1"),
        ({"hand": "AsKs", "opponents": ["QQ", "22x"], "fold": 0.3}, "opponents.1"),
        ({"hand": "AsKs", "opponents": ["QQ", "AsQs"]}, "opponents.1"),
        ({"hand": "AsKs", "opponents": 2, "board": "2s7dXx"}, "board"),
        ({"hand": "AsKs", "opponents": 2, "board": "As7d2c"}, "board"),
        ({"hand": "AsKs", "opponents": 2, "dead": "Ks", "fold": 0.3}, "dead"),
        ({"hand": "AsKs", "opponents": ["AA"], "board": "AcAdAh"}, "opponents.0"),
        ({"hand": "AsKs", "opponents": 1, "game": "badugi"}, "game"),
        ({"hand": "AsAhKsKh", "opponents": 1, "game": "omaha8"}, None),
        ({"hand": "AsKs", "opponents": 2, "stacks": [100]}, None),
    ],
)
def test_bets(address: str, bet: dict[str, Any], place: str | None) -> None:
    status, problem = ask(address, bet | {"bankroll": 100}, "/v1/kelly")
    assert status == 400 and problem.get("input") == place
    with pytest.raises(InputError) as raised:
        kelly_bet(**bet, bankroll=100, backend="cpu")
    assert problem["detail"] == str(raised.value)


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"text": "22x"}, "text"),
        ({"text": "22", "dead": "2s7"}, "dead"),
        ({"text": "22", "board": "2s7d"}, "board"),
        ({"text": "22", "board": "2s7dXx"}, "board"),
        ({"text": "22", "board": "2s7d9h", "dead": "9h"}, "dead"),
        ({"text": "22", "game": "badugi"}, "game"),
        # Without a board Omaha is refused before its range is read, which takes long.
        ({"text": "AAKK", "game": "omaha"}, "board"),
        ({"text": "QQ+,AK", "game": "omaha6"}, "board"),
    ],
)
def test_hits(address: str, body: dict[str, Any], place: str | None) -> None:
    status, problem = ask(address, body, "/v1/hits")
    assert status == 400 and problem.get("input") == place
    arguments = dict(body)
    with pytest.raises(InputError) as raised:
        gpuodds.range_hits(arguments.pop("text"), **arguments)
    assert problem["detail"] == str(raised.value)


def test_filters_of_hits(address: str) -> None:
    status, problem = ask(address, {"text": "22", "board": "2s7d9h", "filters": ["sett"]}, "/v1/hits")
    assert status == 400 and problem["input"] == "filters" and "did you mean set?" in problem["detail"]


def test_a_range(address: str) -> None:
    assert ask(address, {"text": "22", "game": "x"}, "/v1/range")[1]["input"] == "game"
