"""Rankings that a test registers go with it."""

from __future__ import annotations

import pytest

from gpuodds.spots.ranges import rankings


@pytest.fixture(autouse=True)
def _rankings_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rankings, "_rankings", dict(rankings._rankings))
