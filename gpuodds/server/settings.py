"""A server's settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from gpuodds.basics.choices import BackendName
from gpuodds.errors import InputError, excerpt
from gpuodds.machine.system import core_count

LOOPBACK = ("127.0.0.1", "localhost", "::1", "[::1]")


LUCK_PATH = "/v1/luck"
"""The one route whose body is a file."""


@dataclass(frozen=True)
class Settings:
    """A server's settings."""

    host: str = "127.0.0.1"
    """Address to listen on."""
    port: int = 8000
    """Port to listen on; 0 for any that is free."""
    names: tuple[str, ...] = LOOPBACK
    """Host names that requests may use, without a token."""
    token: str | None = None
    """The token that all requests have to show, if any."""
    workers: int = field(default_factory=lambda: min(4, max(2, core_count())))
    """Worker processes; one more takes only cheap requests."""
    threads: int = field(default_factory=lambda: max(1, core_count() // min(4, max(2, core_count()))))
    """Threads of each worker process."""
    queue: int = 64
    """Requests that may wait."""
    time_limit: float = 10.0
    """Seconds that counting may be estimated at, unless a request has a limit of its own."""
    most_seconds: float = 60.0
    """Seconds that a request's own limit may have."""
    memory_bytes: int = 1 << 30
    """Bytes that the lists of combos of all requests together may take."""
    cache: str = "disk"
    """``memory``, ``disk``, a file, or ``redis://...``."""
    cache_bytes: int = 256 << 20
    """Bytes of answers in memory, and in the file."""
    tables: Path | None = None
    """Folder of built tables."""
    presets: Path | None = None
    """The file of the ranges by name, in place of the one that ships."""
    backend: BackendName = "auto"
    """``auto``, ``cpu`` or ``cuda``."""
    head_bytes: int = 32 << 10
    """Bytes of a request's head."""
    head_seconds: float = 10.0
    """Seconds in which the head has to arrive."""
    body_bytes: int = 64 << 10
    """Bytes of a request's body, or of a WebSocket message."""
    file_bytes: int = 32 << 20
    """Bytes of a file of hand histories."""
    body_seconds: float = 10.0
    """Seconds in which the body has to arrive."""
    send_seconds: float = 30.0
    """Seconds in which a client has to read a part of an answer."""
    connections: int = 500
    """Connections at once, WebSockets included."""
    sockets: int = 250
    """WebSockets at once."""
    grace: float = 0.5
    """Seconds that running jobs have to end when the server stops."""

    def __post_init__(self) -> None:
        """Refuse to listen beyond this machine without a token."""
        if self.host not in LOOPBACK and not self.token:
            raise InputError(
                f"host {excerpt(self.host)}: beyond this machine a token is needed, in GPUODDS_TOKEN"
            )
