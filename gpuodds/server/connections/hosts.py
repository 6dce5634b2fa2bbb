"""The host that a request is sent to, read strictly: what may be read in two ways is refused."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import AddressValueError, IPv6Address
from typing import NamedTuple

from gpuodds.server.problems import Problem

HOST = re.compile(
    r"(?:(?P<name>[A-Za-z0-9._-]{1,255})|\[(?P<address>[0-9A-Fa-f:.]{2,45})\])(?::(?P<port>[0-9]{0,5}))?",
    re.ASCII,
)
ABSOLUTE = re.compile(rb"https?://([^/?#]*)", re.IGNORECASE)
MAX_PORT = 65535

Headers = Iterable[tuple[bytes, bytes]]


class Host(NamedTuple):
    """The Host header of a request."""

    text: str
    """As it was sent, in lower case; empty where HTTP/1.0 sends none."""
    name: str
    """Without the port; an IPv6 address in its shortest form, in brackets."""


def read_host(headers: Headers, http_version: str = "1.1") -> Host:
    """Return the host that a request names.

    Args:
        headers: Names in lower case, and values.
        http_version: Before 1.1 a request may have no Host.

    Raises:
        Problem: There is no Host header, more than one, or it is no host with or without a port.
    """
    hosts = [value for name, value in headers if name == b"host"]
    if not hosts and http_version in ("0.9", "1.0"):
        return Host("", "")
    if len(hosts) != 1:
        raise Problem(400, "host", f"{len(hosts)} Host headers: expected one")
    return _host(hosts[0])


@lru_cache(64)
def _host(header: bytes) -> Host:
    text = header.decode("latin-1").lower()
    match = HOST.fullmatch(text)
    if match is None or int(match["port"] or 0) > MAX_PORT:
        raise _malformed()
    if match["name"] is not None:
        return Host(text, match["name"])
    try:
        return Host(text, f"[{IPv6Address(match['address']).compressed}]")
    except AddressValueError:
        raise _malformed() from None


def check_head(target: bytes, headers: Headers, http_version: str) -> None:
    """Refuse a request whose Host header cannot be read, or whose target is on another host.

    Args:
        target: What follows the method: a path, ``*``, or a whole address.
        headers: Names in lower case, and values.
        http_version: The request's.

    Raises:
        Problem: The head is refused.
    """
    host = read_host(headers, http_version)
    if target.startswith(b"/") or target == b"*":
        return
    match = ABSOLUTE.match(target)
    if match is None or match[1].decode("latin-1").lower() != host.text:
        raise Problem(400, "host", "the address of the request is not on the host of its Host header")


def _malformed() -> Problem:
    return Problem(
        400, "host", "the Host header: expected a host, such as localhost:8000 or [::1]:8000"
    )
