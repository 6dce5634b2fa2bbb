"""Refusals: bad requests, other sites, large bodies and slow senders."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from json_client import JsonClient
from server_fixture import (
    PATIENCE,
    ask,
    raw,
    request,
    serving,
    socket_address,
)
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from gpuodds.cli.main import run

BAD: list[tuple[str, bytes, int, str]] = [
    ("/v1/equity", b'{"hands": ["AsKx"]}', 400, "AsKx: column 4: expected a suit"),
    ("/v1/equity", b'{"hands": ["AsKs", "AsQd"]}', 400, "As"),
    ("/v1/equity", b'{"hands": []}', 422, "hands: "),
    ("/v1/equity", b'{"hands": ["AA"], "oponents": 3}', 422, "oponents: Extra inputs"),
    ("/v1/equity", b'{"hands": ["AA"], "opponents": 99}', 422, "opponents: "),
    ("/v1/equity", b'{"hands": ["AA"], "seed": 1e999}', 422, "seed: "),
    ("/v1/equity", b'{"hands": ["AA"], "samples": ' + b"9" * 5000 + b"}", 400, ""),
    ("/v1/equity", b"\xff\xfe", 422, ""),
    ("/v1/equity", rb'{"hands": ["\ud800"]}', 422, r"hands.0: expected text, found \ud800, half of a"),
    ("/v1/equity", rb'{"hands": ["AA", "KK\udfff"]}', 422, r"hands.1: expected text, found \udfff"),
    ("/v1/equity", rb'{"hands": ["AA"], "folded": ["\ud800"]}', 422, "folded.0: expected text"),
    ("/v1/equity/stream", rb'{"hands": ["\ud800"]}', 422, "hands.0: expected text"),
    ("/v1/equity", rb'{"hands": ["AA"], "board": "\ud800"}', 422, "board: "),
    ("/v1/equity", rb'{"hands": ["AA"], "dead": "\ud800"}', 422, "dead: "),
    ("/v1/equity", rb'{"hands": ["AA"], "game": "\ud800"}', 422, "game: "),
    ("/v1/equity", rb'{"hands": ["AA"], "\ud800": 1}', 422, ""),
    ("/v1/range", rb'{"text": "\ud800"}', 422, "text: "),
    ("/v1/hits", rb'{"text": "AA", "board": "\ud800"}', 422, "board: "),
    ("/v1/flops", rb'{"hands": ["\ud800"]}', 422, "hands.0: "),
    ("/v1/turns", rb'{"hands": ["AA"], "board": "\ud800"}', 422, "board: "),
    ("/v1/kelly", rb'{"hand": "\ud800", "opponents": 1, "bankroll": 5}', 422, "hand: "),
    (
        "/v1/kelly",
        rb'{"hand": "AsAh", "opponents": ["\ud800"], "bankroll": 5}',
        422,
        "opponents.list.0",
    ),
    ("/v1/equity", b"", 422, ""),
    ("/v1/range", b'{"text": "22+,ZZ"}', 400, "ZZ"),
    ("/v1/range", b'{"text": "' + b"(" * 5000 + b'"}', 400, ""),
    ("/v1/hits", b'{"text": "22+", "board": "2s7d"}', 400, "board 2s7d: expected no cards, or three"),
    ("/v1/hits", b'{"text": "22+", "board": "2s7d9h", "dead": "2s"}', 400, "2s: the same card"),
    ("/v1/hits", b'{"text": "22+", "by_hand": true}', 400, "by hand: expected a board of three"),
    ("/v1/hits", b'{"text": "AAKK", "game": "omaha"}', 400, "made hands and draws in omaha: expected"),
    ("/v1/hits", b'{"text": "22+", "boards": "2s7d9h"}', 422, "boards: Extra inputs"),
    ("/v1/kelly", b'{"hand": "AsAs", "opponents": 1, "bankroll": 5}', 400, "As"),
    ("/v1/kelly", b'{"hand": "AsAh", "opponents": 1, "bankroll": -5}', 422, "bankroll: "),
    ("/v1/kelly", b'{"hand": "AsAh", "opponents": 23, "bankroll": 5}', 422, "opponents.number: "),
    ("/v1/kelly", b'{"hand": "AsAh", "opponents": [], "bankroll": 5}', 422, "opponents.list: "),
    ("/v1/kelly", b'{"hand": "AsAh", "opponents": [1], "bankroll": 5}', 422, "opponents.list.0: "),
    ("/v1/kelly", b'{"hand": "AsAh", "opponents": "QQ", "bankroll": 5}', 422, "opponents.number: "),
    ("/v1/kelly", b'{"hand": "AsAh", "opponents": ["AsKs"], "bankroll": 5}', 400, "As"),
    (
        "/v1/kelly",
        b'{"hand": "AsAh", "opponents": 1, "bankroll": 5, "stack": 6}',
        400,
        "stack 6.0: more than the bankroll 5.0",
    ),
    (
        "/v1/kelly",
        b'{"hand": "AsAh", "opponents": 1, "bankroll": 5, "to_call": 3, "pot": 2}',
        400,
        "to_call 3: more than the pot 2",
    ),
    ("/v1/kelly", b'{"hand": "AsAh", "opponents": 1, "bankroll": 1e400}', 422, "bankroll: "),
    ("/v1/nothing", b"{}", 404, ""),
]


@pytest.mark.parametrize(("path", "body", "status", "message"), BAD)
def test_bad_requests(address: str, path: str, body: bytes, status: int, message: str) -> None:
    found, headers, text = request(address, path, body)
    assert (found, headers["content-type"]) == (status, "application/problem+json")
    problem = json.loads(text)
    assert message in problem["detail"] and problem["status"] == status
    assert "Traceback" not in text.decode() and "/" not in problem["detail"].split(":")[0]


def test_half_characters_on_a_socket(address: str) -> None:
    spot = {"hands": ["AsKs"]}
    with connect(socket_address(address)) as link:
        for message in (
            {"id": "1", "question": {"hands": ["\ud800"]}},
            {"id": "1", "question": {**spot, "folded": ["\ud800"]}},
            {"id": "1", "question": {**spot, "board": "\ud800"}},
            {"id": "\ud800", "question": spot},
        ):
            link.send(json.dumps(message))
            found = json.loads(link.recv(timeout=PATIENCE))
            assert (found["type"], found["value"]["status"]) == ("error", 422)
        link.send(json.dumps({"id": "2", "question": spot, "stream": False}))
        assert json.loads(link.recv(timeout=PATIENCE))["id"] == "2"


def test_a_body_that_is_nested_too_deep(address: str) -> None:
    """How deep Python reads depends on its version; then the list is no object."""
    found, headers, text = request(address, "/v1/equity", b"[" * 30000 + b"]" * 30000)
    assert found in (400, 422) and headers["content-type"] == "application/problem+json"
    assert json.loads(text)["status"] == found and "Traceback" not in text.decode()


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/equity", b'{"hands": ["AsKs"]}'),
        ("/v1/equity/stream", b'{"hands": ["AsKs"]}'),
        ("/v1/range", b'{"text": "AA"}'),
        ("/v1/hits", b'{"text": "AA"}'),
        ("/v1/kelly", b'{"hand": "AsAh", "opponents": 1, "bankroll": 5}'),
    ],
)
def test_a_body_must_be_declared_as_json(address: str, path: str, body: bytes) -> None:
    for kind, found in (
        ("", "none"),
        ("text/plain", "text/plain"),
        ("application/x-www-form-urlencoded", "application/x-www-form-urlencoded"),
        ("application/jsonp; charset=utf-8", "application/jsonp"),
    ):
        status, headers, text = request(address, path, body, content_type=kind)
        assert (status, headers["content-type"]) == (415, "application/problem+json")
        message = f"Content-Type: expected application/json, found {found}"
        assert json.loads(text)["detail"] == message
    for kind in ("application/json", "Application/JSON; charset=utf-8", "application/vnd.poker+json"):
        assert request(address, path, body, content_type=kind)[0] == 200


def test_every_post_requires_json(address: str) -> None:
    _, _, body = request(address, "/v1/openapi.json", method="GET")
    posts = [path for path, methods in json.loads(body)["paths"].items() if "post" in methods]
    assert posts and all(request(address, path, b"{}", content_type="")[0] == 415 for path in posts)


@pytest.mark.parametrize(
    ("path", "status", "detail"),
    [
        ("/v1/tables/../rows?hand=AA", 422, "name: String should match pattern"),
        ("/v1/tables/..%2f..%2fetc/rows?hand=AA", 404, "Not Found"),
        ("/v1/tables/Flop/rows?hand=AA", 422, "name: String should match pattern"),
        ("/v1/tables/none/rows?hand=AA", 404, "there is no table none here"),
        ("/v1/tables/preflop-random/rows", 422, "hand: Field required"),
        ("/v1/tables/preflop-random/rows?hand=ZZ", 400, "ZZ"),
        ("/v1/boards/2s7d/equities", 400, "board 2s7d: expected three to five cards"),
        ("/v1/boards/2s2s7d/equities", 400, "2s"),
        ("/../pyproject.toml", 404, "Not Found"),
        ("/app.py", 404, "there is nothing here"),
    ],
)
def test_bad_paths(address: str, path: str, status: int, detail: str) -> None:
    found, headers, text = request(address, path, method="GET")
    assert (found, headers["content-type"]) == (status, "application/problem+json")
    assert json.loads(text)["detail"].startswith(detail)


def test_bodies_have_a_size(address: str) -> None:
    status, _, body = request(address, "/v1/equity", b'{"hands": ["' + b"A" * 70000 + b'"]}')
    assert status == 413 and json.loads(body)["detail"] == "a body has 65,536 bytes at most"
    # In pieces, without saying how long it will be.
    head = f"POST /v1/equity HTTP/1.1\r\nHost: {urlsplit(address).netloc}\r\n"
    head += "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    chunk = b"4000\r\n" + b" " * 0x4000 + b"\r\n"
    assert raw(address, head.encode() + 5 * chunk).startswith(b"HTTP/1.1 413")


@pytest.mark.slow
def test_a_token_is_required(tmp_path: Path) -> None:
    token = "schl\xfcssel \u4e2d"
    with serving(tmp_path, "--host", "0.0.0.0", "--workers", "1", GPUODDS_TOKEN=token) as address:
        address = address.replace("0.0.0.0", "127.0.0.1")
        asked = {"hands": ["AsKs"]}
        shown = token.encode().decode("latin-1")
        for wrong in ("", "Bearer wrong", "Bearer \xff", "Bearer", f"Basic {shown}", shown):
            status, headers, body = request(
                address, "/v1/equity", json.dumps(asked).encode(), authorization=wrong
            )
            assert (status, headers["www-authenticate"]) == (401, "Bearer")
            none = wrong in ("", "Bearer") or not wrong.lower().startswith("bearer")
            detail = "a token is needed" if none else "the token is not the server's"
            assert json.loads(body)["detail"] == detail
        for scheme in ("Bearer", "bearer", "BEARER  "):
            assert ask(address, asked, authorization=f"{scheme} {shown}")[0] == 200
        with JsonClient(address, token=token) as client:
            assert client.equity("AsKs")["exact"]
        for query in ("", "?token=%ff", "?token=schl%fcssel"):
            with (
                pytest.raises((InvalidStatus, ConnectionClosed)),
                connect(socket_address(address) + query) as link,
            ):
                link.recv(timeout=PATIENCE)
        with connect(f"{socket_address(address)}?token={quote(token)}") as link:
            link.send(json.dumps({"id": "1", "question": asked}))
            assert json.loads(link.recv(timeout=PATIENCE))["type"] == "answer"
        assert request(address, "/healthz", method="GET")[0] == 200
        assert request(address, "/metrics", method="GET")[0] == 401


def test_a_port_in_use_is_refused(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    port = str(urlsplit(address).port)
    assert run(["serve", "--cache", "memory", "--backend", "cpu", "--port", port]) == 2
    captured = capsys.readouterr()
    detail = f"--port {port}: in use; choose another, or --port 0 for any that is free\n"
    assert (captured.out, captured.err) == ("", f"gpuodds: {detail}")
