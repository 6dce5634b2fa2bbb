"""A backend on a simulated clock: sampling that is as slow as a test says, on any machine."""

from __future__ import annotations

from typing import Any

import pytest

from gpuodds.backends.cpu.backend import CpuBackend


class Slow:
    """The backend of every sampling while a test runs, and its clock.

    Args:
        monkeypatch: Takes the backend away after the test.
        seconds: What a deal takes.
        compiling: What the first draw takes besides.
    """

    name = "slow"
    handed_to_cpu: frozenset[str] = frozenset()

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, seconds: float, *, compiling: float = 0.0
    ) -> None:
        self.now, self.seconds, self.compiling, self.pieces = 0.0, seconds, compiling, 0
        for module in ("sampling", "answering"):
            monkeypatch.setattr(f"gpuodds.methods.{module}.perf_counter", lambda: self.now)
        monkeypatch.setattr("gpuodds.methods.sampling.choose_backend", lambda name, seconds, game: self)

    def sample_deals(self, *request: Any) -> Any:
        """Draw deals."""
        self._take(request[-1] - request[-2])
        return CpuBackend().sample_deals(*request)

    def sample_pairs(self, *request: Any) -> Any:
        """Draw pairs of deals."""
        self._take(2 * (request[-1] - request[-2]))
        return CpuBackend().sample_pairs(*request)

    def _take(self, deals: int) -> None:
        self.now += deals * self.seconds + self.compiling
        self.compiling = 0.0
        self.pieces += 1
