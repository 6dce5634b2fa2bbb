"""Which hosts, origins and sites may send requests, and the headers that tell browsers so."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

import pytest
from server_fixture import (
    PATIENCE,
    UPGRADE,
    ask,
    raw,
    request,
    socket_address,
)
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect


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
            status, headers, body = request(address, path, b"", "GET", sec_fetch_site=site, **more)
            assert (status, json.loads(body)["detail"]) == (403, "pages of other sites may not ask")
            assert headers["cross-origin-resource-policy"] == "same-origin"
    for path in ("/", "/style.css"):
        assert request(address, path, b"", "GET", sec_fetch_site=site, **link)[0] == 200
        for more in ({}, {**link, "sec_fetch_dest": "iframe"}, {"sec_fetch_mode": "no-cors"}):
            assert request(address, path, b"", "GET", sec_fetch_site=site, **more)[0] == 403
    assert ask(address, {"hands": ["AsKs"]}, sec_fetch_site=site)[0] == 403
    for own in ("same-origin", "none"):
        assert ask(address, {"hands": ["AsKs"]}, sec_fetch_site=own)[0] == 200
    evil = {"Sec-Fetch-Site": site}
    with (
        pytest.raises((InvalidStatus, ConnectionClosed)),
        connect(socket_address(address), additional_headers=evil) as socket,
    ):
        socket.recv(timeout=PATIENCE)
