"""Refusals: bad requests, other sites, large bodies and slow senders."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

import needs
import pytest
from server_fixture import (
    LONG,
    PATIENCE,
    ask,
    connected,
    idle_within,
    launch,
    metric,
    posted,
    raw,
    request,
    serving,
    serving_here,
    socket_address,
    wait_until,
)
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

import gpuodds
from gpuodds.cli.main import run
from gpuodds.server import running
from gpuodds.server.pool import Pool
from gpuodds.server.settings import Settings

HEALTH = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
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
    ("/v1/hits", b'{"text": "AAKK", "game": "omaha"}', 400, "game omaha: expected a game with two"),
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


def test_only_the_page_itself_may_send_requests(address: str) -> None:
    own = urlsplit(address).netloc
    spot = {"hands": ["AsKs"], "board": "2s7d9h"}
    assert ask(address, spot, origin=f"http://{own}")[0] == 200
    odd = ("http://[", "http://[::1", "http://\xff", "//", "http:// x")
    for origin in ("http://evil.example", "null", f"http://{own}.evil.example", *odd):
        status, problem = ask(address, spot, origin=origin)
        assert status == 403 and problem["type"].endswith("origin")
    for host in ("evil.example", "localhost.evil.example:80", "[::2]", "x"):
        status, problem = ask(address, spot, host=host)
        assert (status, problem["detail"]) == (403, "the Host header names another server")
    assert ask(address, spot, host="localhost:1")[0] == 200
    evil: Any = "http://evil.example"
    with (
        pytest.raises((InvalidStatus, ConnectionClosed)),
        connect(socket_address(address), origin=evil) as link,
    ):
        link.recv(timeout=PATIENCE)


LOOSE = [
    "localhost:x@evil",
    "localhost:1@evil.example",
    "evil.example@localhost",
    "[::1].evil.example",
    "[::1]evil",
    "[::1",
    "::1",
    "[localhost]",
    "[::1%25lo]",
    "[1::2::3]",
    "localhost:65536",
    "localhost:-1",
    "localhost:999999",
    "localhost:80:80",
    "localhost, evil.example",
    "localhost/",
    "http://localhost",
    "localh\xf6st",
    "localhost\t.evil.example",
    "",
]


@pytest.mark.parametrize("host", LOOSE)
def test_a_host_is_read_strictly(address: str, host: str) -> None:
    for path in ("/healthz", "/v1/socket"):
        head = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close, upgrade\r\n{UPGRADE}\r\n"
        assert refused(address, head) == (
            400,
            "the Host header: expected a host, such as localhost:8000 or [::1]:8000",
        )


UPGRADE = (
    "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


def refused(address: str, head: str) -> tuple[int, str]:
    """Send the head of a request; return the status and the detail of its problem."""
    found, _, body = raw(address, head.encode("latin-1")).partition(b"\r\n\r\n")
    assert b"application/problem+json" in found
    return int(found.split()[1]), json.loads(body)["detail"]


def test_a_request_names_one_host(address: str) -> None:
    end = "Connection: close\r\n\r\n"
    for hosts in (["localhost", "localhost"], ["evil.example", "localhost"], ["localhost", ""], []):
        lines = "".join(f"Host: {host}\r\n" for host in hosts)
        expected = 400, f"{len(hosts)} Host headers: expected one"
        assert refused(address, f"GET /healthz HTTP/1.1\r\n{lines}{end}") == expected
        assert refused(address, f"GET /v1/socket HTTP/1.1\r\n{lines}{UPGRADE}{end}") == expected
    other = 400, "the address of the request is not on the host of its Host header"
    for target in (
        "http://evil.example/healthz",
        "http://localhost:1@evil.example/healthz",
        "http://localhost@evil.example/healthz",
        "http://localhost:80/healthz",
        "ftp://localhost/healthz",
    ):
        assert refused(address, f"GET {target} HTTP/1.1\r\nHost: localhost\r\n{end}") == other
    head = f"GET http://evil.example/v1/socket HTTP/1.1\r\nHost: localhost\r\n{UPGRADE}"
    assert refused(address, head + "Connection: upgrade\r\n\r\n") == other
    assert raw(address, f"GET /healthz HTTP/1.0\r\n{end}".encode()).startswith(b"HTTP/1.1 403")
    for target, host in (
        ("/healthz", "localhost"),
        ("/healthz", "LOCALHOST:"),
        ("/healthz", "127.0.0.1:8000"),
        ("/healthz", "[::1]"),
        ("/healthz", "[0:0:0:0:0:0:0:1]:65535"),
        ("http://localhost:5/healthz", "localhost:5"),
        ("HTTP://LOCALHOST/healthz", "localhost"),
    ):
        head = f"GET {target} HTTP/1.1\r\nHost: {host}\r\n{end}"
        assert raw(address, head.encode()).startswith(b"HTTP/1.1 200"), (target, host)


def test_an_origin_is_read_strictly(address: str) -> None:
    own = urlsplit(address).netloc
    for origins in ([f"ftp://{own}"], [f"http://{own}/"], [f"http://x@{own}"], [own], [f"//{own}"]):
        assert ask_with(address, origins) == 403
    assert ask_with(address, ["http://evil.example", f"http://{own}"]) == 403
    assert ask_with(address, [f"https://{own.upper()}"]) == 200


def ask_with(address: str, origins: list[str]) -> int:
    """Ask for the server's health with some Origin headers; return the status."""
    lines = "".join(f"Origin: {origin}\r\n" for origin in origins)
    host = f"Host: {urlsplit(address).netloc}\r\n"
    head = f"GET /healthz HTTP/1.1\r\n{host}{lines}Connection: close\r\n\r\n"
    return int(raw(address, head.encode()).split()[1])


def test_every_answer_has_the_security_headers(address: str) -> None:
    for path, status in (("/", 200), ("/v1/tables", 200), ("/nothing", 404), ("/" + 40_000 * "a", 431)):
        found, headers, _ = request(address, path, method="GET")
        assert found == status and "default-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff" and "server" not in headers
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == "same-origin"


@pytest.mark.parametrize("site", ["cross-site", "same-site", "Same-Origin", "else"])
def test_other_sites_may_only_link_to_the_page(address: str, site: str) -> None:
    link = {"sec_fetch_mode": "navigate", "sec_fetch_dest": "document"}
    for path in ("/v1/boards/2s7d9h/equities", "/v1/tables/preflop-random/rows?hand=AA", "/metrics"):
        for more in ({}, link):
            status, headers, body = request(address, path, method="GET", sec_fetch_site=site, **more)
            assert (status, json.loads(body)["detail"]) == (403, "pages of other sites may not ask")
            assert headers["cross-origin-resource-policy"] == "same-origin"
    for path in ("/", "/style.css"):
        assert request(address, path, method="GET", sec_fetch_site=site, **link)[0] == 200
        for more in ({}, {**link, "sec_fetch_dest": "iframe"}, {"sec_fetch_mode": "no-cors"}):
            assert request(address, path, method="GET", sec_fetch_site=site, **more)[0] == 403
    assert ask(address, {"hands": ["AsKs"]}, sec_fetch_site=site)[0] == 403
    for own in ("same-origin", "none"):
        assert ask(address, {"hands": ["AsKs"]}, sec_fetch_site=own)[0] == 200
    evil = {"Sec-Fetch-Site": site}
    with (
        pytest.raises((InvalidStatus, ConnectionClosed)),
        connect(socket_address(address), additional_headers=evil) as socket,
    ):
        socket.recv(timeout=PATIENCE)


def test_bodies_have_a_size(address: str) -> None:
    status, _, body = request(address, "/v1/equity", b'{"hands": ["' + b"A" * 70000 + b'"]}')
    assert status == 413 and json.loads(body)["detail"] == "a body has 65,536 bytes at most"
    # In pieces, without saying how long it will be.
    head = f"POST /v1/equity HTTP/1.1\r\nHost: {urlsplit(address).netloc}\r\n"
    head += "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    chunk = b"4000\r\n" + b" " * 0x4000 + b"\r\n"
    assert raw(address, head.encode() + 5 * chunk).startswith(b"HTTP/1.1 413")


class Here(NamedTuple):
    """A server in this process."""

    address: str
    pools: list[Pool]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Iterator[Here]:
    """A server with small limits and without workers, so that jobs wait forever."""
    pools: list[Pool] = []

    def start(pool: Pool) -> None:
        pool.is_warm = True
        pools.append(pool)

    monkeypatch.setattr(Pool, "start", start)
    settings = Settings(cache="memory", head_seconds=0.5, body_seconds=0.5, connections=20)
    with serving_here(settings) as address:
        yield Here(address, pools)


def test_slow_senders_are_refused(here: Here) -> None:
    host = f"Host: {urlsplit(here.address).netloc}\r\n"
    head = (
        f"POST /v1/equity HTTP/1.1\r\n{host}Content-Type: application/json\r\nContent-Length: 100\r\n"
    )
    whole = f"GET /v1/tables HTTP/1.1\r\n{host}\r\n"
    sent = {
        head + "\r\n{": (b"HTTP/1.1 408", b"the body took longer than 0.5 s"),
        head: (b"HTTP/1.1 408", b"the head took longer than 0.5 s"),
        "": (b"", b""),
        "\r\n": (b"", b""),
        whole + "\r\n": (b"HTTP/1.1 200", b"preflop-random"),
        whole + head: (b"HTTP/1.1 200", b"preflop-random"),
    }
    begin = time.monotonic()
    links = [connected(here.address, data.encode()) for data in sent]
    for link, (start, part) in zip(links, sent.values(), strict=True):
        with link:
            found = b""
            while block := link.recv(65536):  # until the server closes it
                found += block
            assert found.startswith(start) and part in found and bool(found) == bool(start)
            if start.endswith(b"408"):
                assert b"application/problem+json" in found and time.monotonic() - begin > 0.4


def test_a_websocket_outlives_the_time_limit_of_a_head(here: Here) -> None:
    with connect(socket_address(here.address)) as link:
        time.sleep(0.8)
        link.send(json.dumps({"id": "1", "type": "cancel"}))
        assert json.loads(link.recv(timeout=PATIENCE))["type"] == "cancelled"
    assert metric(here.address, 'gpuodds_refused_total{reason="idle"}') == 0


def test_a_new_connection_is_refused_if_all_are_busy(here: Here) -> None:
    boards = [f"{one}c{two}h9s" for one, two in combinations("2345678", 2)][:20]
    with ExitStack() as links:
        for board in boards:
            links.enter_context(posted(here.address, {**LONG, "board": board}))
        wait_until(lambda: sum(pool.waiting for pool in here.pools) == 20)
        found = raw(here.address, b"")
        assert found.startswith(b"HTTP/1.1 503") and b"retry-after: 1" in found.lower()
        assert b"application/problem+json" in found and b"too many connections" in found


def test_a_flood_is_survived(address: str) -> None:
    def one(number: int) -> int:
        board = f"{'23456789'[number % 8]}c{'TJQK'[number % 4]}h{'23456789'[number // 8 % 8]}d"
        return ask(address, {"hands": ["AsKs"], "opponents": 1 + number % 9, "board": board})[0]

    with ThreadPoolExecutor(32) as pool:
        found = set(pool.map(one, range(200)))
    assert 200 in found and found <= {200, 429}
    assert idle_within(address)


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
            assert json.loads(body)["detail"] == "a token is needed"
        for scheme in ("Bearer", "bearer", "BEARER  "):
            assert ask(address, asked, authorization=f"{scheme} {shown}")[0] == 200
        with gpuodds.Client(address, token=token) as client:
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


HEADS = {
    "one header": b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + 2_000_000 * b"x",
    "many headers": b"GET / HTTP/1.1\r\nHost: localhost\r\n" + 200_000 * b"X: y\r\n",
    "a name": b"GET / HTTP/1.1\r\nHost: localhost\r\n" + 2_000_000 * b"x",
    "the path": b"GET /" + 2_000_000 * b"x",
    "whole at once": b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + 40_000 * b"x" + b"\r\n\r\n",
}


@pytest.mark.parametrize("data", HEADS.values(), ids=HEADS)
def test_heads_have_a_size(address: str, data: bytes) -> None:
    found, problem = sent_whole(address, data), b""
    head, _, problem = found.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 431 Request Header Fields Too Large")
    assert json.loads(problem)["detail"] == "a head has 32,768 bytes at most"
    assert ask(address, {"hands": ["AsKs"]}, x_long=30_000 * "x")[0] == 200


def sent_whole(address: str, data: bytes) -> bytes:
    """Send as much as the server takes; return its answer."""
    with connected(address) as link, ThreadPoolExecutor(1) as pool:

        def read() -> bytes:
            found = b""
            with suppress(ConnectionError):
                while block := link.recv(65536):
                    found += block
            return found

        answer = pool.submit(read)
        with suppress(ConnectionError):
            link.sendall(data)
        return answer.result(PATIENCE)


FRAMES = {
    "small chunks": 300_000 * b"1\r\n \r\n",
    "extensions": 1000 * (b"1;" + 3000 * b"x" + b"\r\n \r\n"),
    "trailers": b"0\r\n" + 200_000 * b"X: y\r\n",
    "a trailer": b"0\r\nX: " + 2_000_000 * b"x",
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_the_frame_of_a_body_has_a_size(address: str, frame: bytes) -> None:
    head = f"POST /v1/equity HTTP/1.1\r\nHost: {urlsplit(address).netloc}\r\n"
    head += "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    found = sent_whole(address, head.encode() + frame)
    assert found.startswith((b"HTTP/1.1 413", b"HTTP/1.1 400")) and found.count(b"HTTP/1.1") == 1
    assert b"application/problem+json" in found


def test_invalid_http_gets_a_problem(address: str) -> None:
    found = raw(address, b"nonsense\r\n\r\n")
    assert found.startswith(b"HTTP/1.1 400") and b"application/problem+json" in found


def test_malformed_requests_are_counted_and_logged_once_a_minute(
    here: Here, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1000.0]
    monkeypatch.setattr(running, "monotonic", lambda: clock[0])
    warning = "Invalid HTTP request received."
    before = metric(here.address, 'gpuodds_refused_total{reason="http"}')
    for seconds in (0.0, 59.9, 0.2, 1.0, 200.0):
        clock[0] += seconds
        for _ in range(10):
            assert raw(here.address, b"nonsense\r\n\r\n").startswith(b"HTTP/1.1 400")
    assert [record.getMessage() for record in caplog.records] == [
        warning,
        f"{warning} (19 more in 60 s)",
        f"{warning} (19 more in 201 s)",
    ]
    assert metric(here.address, 'gpuodds_refused_total{reason="http"}') == before + 50


@pytest.mark.parametrize(
    "more",
    [
        "X: " + 9000 * "y" + "\r\n",
        300 * "X: y\r\n",
        "Content-Length: 5\r\n",
        "Sec-WebSocket-Key: x\r\n",
    ],
    ids=["a long line", "many headers", "a body", "two keys"],
)
def test_a_handshake_that_cannot_be_read_is_answered(address: str, more: str) -> None:
    head = f"GET /v1/socket HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\n{UPGRADE}{more}\r\n"
    with connected(address, head.encode()) as link:
        found = b""
        while block := link.recv(65536):  # until the server closes it
            found += block
    assert found.startswith(b"HTTP/1.1 400")


@needs.posix
def test_many_connections_where_few_files_may_be_open(tmp_path: Path) -> None:
    """On macOS a process begins with 256 files; the server takes 500 connections."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, before[1]))
    try:
        server, address = launch(tmp_path, "--workers", "1")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    try:
        with ExitStack() as links:
            for _ in range(300):
                links.enter_context(connected(address, b"GET / HTTP/1.1\r\n"))
            assert raw(address, HEALTH.encode(), wait=10).startswith(b"HTTP/1.1 ")
    finally:
        server.kill()
        server.communicate()


def test_idle_connections_are_closed_for_new_ones(address: str) -> None:
    before = metric(address, 'gpuodds_refused_total{reason="idle"}')
    with ExitStack() as links:
        for _ in range(700):
            links.enter_context(connected(address))
        for _ in range(20):
            assert ask(address, {"hands": ["AsKs"], "board": "2s7d9h"})[0] == 200
        assert metric(address, 'gpuodds_refused_total{reason="idle"}') >= before + 200


def test_a_port_in_use_is_refused(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    port = str(urlsplit(address).port)
    assert run(["serve", "--cache", "memory", "--backend", "cpu", "--port", port]) == 2
    captured = capsys.readouterr()
    detail = f"--port {port}: in use; choose another, or --port 0 for any that is free\n"
    assert (captured.out, captured.err) == ("", f"gpuodds: {detail}")
