"""A backend on a simulated clock: sampling that is as slow as a test says, on any machine."""

from __future__ import annotations

from typing import Any

import pytest

from gpuodds.backends.counts import Progress
from gpuodds.backends.operation import Counted
from gpuodds.backends.operations.samples import SampleDeals, SamplePairs


class Slow:
    """The backend of every sampling while a test runs, and its clock.

    Args:
        monkeypatch: Takes the backend away after the test.
        seconds: What a deal takes.
        compiling: What the first draw takes besides.
    """

    name = "slow"

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, seconds: float, *, compiling: float = 0.0
    ) -> None:
        self.now, self.seconds, self.compiling, self.pieces = 0.0, seconds, compiling, 0
        for module in ("sampling.engine", "answering", "sampling.monte_carlo"):
            monkeypatch.setattr(f"gpuodds.methods.{module}.perf_counter", lambda: self.now)
        monkeypatch.setattr(
            "gpuodds.methods.sampling.engine.choose_backend", lambda name, seconds: self
        )

    def count(
        self, operation: SampleDeals | SamplePairs, progress: Progress | None = None
    ) -> Counted[Any]:
        """Draw deals, or pairs of deals."""
        deals = operation.end - operation.begin
        if isinstance(operation, SamplePairs):
            deals *= 2
        self.now += deals * self.seconds + self.compiling
        self.compiling = 0.0
        self.pieces += 1
        return Counted(operation.on_cpu(progress), self.name)
