"""What keeps answers beyond the process, and how it may fail."""

from __future__ import annotations

import logging
import time
from collections import Counter
from typing import Protocol

LOG = logging.getLogger("gpuodds.server")
REASONS = ("damaged-file", "damaged-value", "locked", "full", "input-output", "unreachable", "other")
STORE_SECONDS = 0.5  # that a question waits for a store


class Failures:
    """What went wrong with a store, by reason; logged in one line when a reason begins to occur."""

    def __init__(self) -> None:
        """Begin at nothing."""
        self.counts: Counter[str] = Counter()
        self._last: dict[str, float] = {}

    @property
    def total(self) -> int:
        """How many there were."""
        return self.counts.total()

    def count(self, reason: str, said: object, then: str = "the server goes on without it") -> None:
        """Count one of :data:`REASONS`; a reason that lasts is logged once a minute."""
        self.counts[reason] += 1
        if time.monotonic() - self._last.get(reason, -1e9) > 60:
            self._last[reason] = time.monotonic()
            LOG.warning("cache: %s: %s; %s", reason, " ".join(str(said).split()), then)


class StoreError(Exception):
    """A store failed; ``reason`` is one of :data:`REASONS`."""

    def __init__(self, reason: str, said: object) -> None:
        """Take the reason and what the store says."""
        super().__init__(str(said))
        self.reason = reason


class Store(Protocol):
    """Where answers are kept beyond the process. Its methods raise StoreError where it fails."""

    async def get(self, key: str) -> bytes | None:
        """Return what is kept, if anything."""

    async def put(self, key: str, value: bytes) -> None:
        """Keep an answer."""

    async def delete(self, key: str) -> None:
        """Keep an answer no longer."""

    async def close(self) -> None:
        """Let go of it."""
