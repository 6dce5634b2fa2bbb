"""One formatter of durations."""

from __future__ import annotations

import pytest

from gpuodds.basics.durations import format_duration


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.02, "20 ms"), (1.5, "1.5 s"), (59, "59 s"), (200, "3 min"), (10_000, "3 h"), (1e7, "116 days")],
)
def test_a_duration_has_the_unit_that_fits(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text
