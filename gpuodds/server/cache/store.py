"""Stores of answers that outlive the process, and how they fail."""

from __future__ import annotations

import logging
import time
from collections import Counter
from typing import Protocol

LOG = logging.getLogger("gpuodds.server")
REASONS = ("damaged-file", "damaged-value", "locked", "full", "input-output", "unreachable", "other")
LOG_SECONDS = 60.0  # between two lines for the same reason
STORE_SECONDS = 0.5  # that a request waits for a store


class Failures:
    """Failures of a store by reason; each reason is logged in one line, at most once a minute."""

    def __init__(self) -> None:
        """Start all counts at 0."""
        self.counts: Counter[str] = Counter()
        self._logged: dict[str, float] = {}  # when each reason was logged last

    @property
    def total(self) -> int:
        """Number of failures."""
        return self.counts.total()

    def count(self, reason: str, detail: object, action: str = "continuing without it") -> None:
        """Count a failure.

        Args:
            reason: One of :data:`REASONS`.
            detail: What the store reports.
            action: What the server does about it.
        """
        self.counts[reason] += 1
        if time.monotonic() - self._logged.get(reason, -1e9) > LOG_SECONDS:
            self._logged[reason] = time.monotonic()
            LOG.warning("cache: %s: %s; %s", reason, " ".join(str(detail).split()), action)


class StoreError(Exception):
    """A store failed; ``reason`` is one of :data:`REASONS`."""

    def __init__(self, reason: str, detail: object) -> None:
        """Take the reason, and what the store reports."""
        super().__init__(str(detail))
        self.reason = reason


class Store(Protocol):
    """Keeps answers beyond the process. Its methods raise StoreError if it fails."""

    async def get(self, key: str) -> bytes | None:
        """Return the value of a key, None if there is none."""
        ...

    async def put(self, key: str, value: bytes) -> None:
        """Store a value."""
        ...

    async def delete(self, key: str) -> None:
        """Delete the value of a key."""
        ...

    async def close(self) -> None:
        """Close files or connections."""
        ...
