"""A server's settings."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from gpuodds.errors import InputError, excerpt

LOOPBACK = ("127.0.0.1", "localhost", "::1", "[::1]")


@dataclass(frozen=True)
class Settings:
    """A server's settings.

    ``workers`` are the processes that compute, each with ``threads``, beside one that takes only cheap
    questions; ``queue`` is how many questions may wait. ``time_limit`` is the most seconds that
    counting a question may be estimated at. ``cache`` is "memory", "disk", a file, or
    "redis://..."; ``cache_bytes`` bounds each part of it. ``names`` are the host names that
    requests may use; ``token`` has to be shown by all of them, if there is one.
    ``connections`` bounds all connections, ``sockets`` the WebSockets among them.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    names: tuple[str, ...] = LOOPBACK
    token: str | None = None
    workers: int = field(default_factory=lambda: min(4, max(2, core_count())))
    threads: int = field(default_factory=lambda: max(1, core_count() // min(4, max(2, core_count()))))
    queue: int = 64
    time_limit: float = 10.0
    most_seconds: float = 60.0
    cache: str = "disk"
    cache_bytes: int = 256 << 20
    tables: Path | None = None
    backend: str = "auto"
    head_bytes: int = 32 << 10
    head_seconds: float = 10.0
    body_bytes: int = 64 << 10
    body_seconds: float = 10.0
    send_seconds: float = 30.0
    connections: int = 500
    sockets: int = 250
    grace: float = 0.5

    def __post_init__(self) -> None:
        """Refuse what would leave the server open to anybody."""
        if self.host not in LOOPBACK and not self.token:
            raise InputError(
                f"host {excerpt(self.host)}: beyond this machine a token is needed, in GPUODDS_TOKEN"
            )


def core_count() -> int:
    """Return how many cores this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
