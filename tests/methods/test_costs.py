"""The cost model: which methods can count, and how their costs compare."""

from __future__ import annotations

from typing import Any

import pytest

from gpuodds.methods.costs import counting_seconds, sampling_seconds
from gpuodds.methods.options import Options, SamplingOptions
from gpuodds.spots.spot import Spot


def costs(hands: list[str], opponents: int = 0, board: str = "", **options: Any) -> dict[str, float]:
    spot = Spot.of(hands, opponents=opponents, board=board)
    return counting_seconds(spot, Options(**options))


def test_methods_that_cannot_count_are_omitted() -> None:
    assert set(costs(["AA"], 4)) == {"showdowns", "listed hands"}
    assert set(costs(["AA"], 9)) == {"listed hands"}
    assert set(costs(["random"] * 2, by_hand=True, table=False)) == {"showdowns"}
    assert costs(["random"] * 7) == {}
    assert set(costs(["AsKs"], 9, "2s7d9h")) == {"known hands"}


def test_tables_answer_the_spots_that_they_hold() -> None:
    assert set(costs(["AsKs"], 9)) == set(costs(["AA", "KK"])) == {"table"}
    assert set(costs(["AsKs", "QhQd"], by_hand=True)) == {"table"}
    assert "table" not in costs(["AsKs"], 9, table=False)
    assert "table" not in costs(["AA", "KK"], made_hands=True)
    assert "table" not in costs(["AA", "KK"], board="2s7d9h")


def test_costs_follow_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """`python bench/pricing.py` compares estimates with measured times; here, their order."""
    monkeypatch.setenv("GPUODDS_THREADS", "1")
    wide = ["random"] * 4
    assert costs(wide, board="2s7d9h")["showdowns"] < costs(wide)["showdowns"]
    known = costs(["AsKs", "QhQd"], made_hands=True)["showdowns"]
    random = costs(["AsKs"], 1, made_hands=True)["showdowns"]
    assert known < random < 1
    assert costs(["AsKs"], 1, by_hand=True, table=False)["showdowns"] < random
    wider = costs(["random", "random"], made_hands=True)["showdowns"]
    assert random < wider < costs(["AsKs"], 2, made_hands=True)["showdowns"]
    assert random < costs(["AsKs"], 1, board="2s", made_hands=True)["showdowns"]
    river = costs(["AsKs"], 3, "2s7d9hTcJc", made_hands=True)["showdowns"]
    two = costs(["AsKs"], 2, "2s7d9hTcJc", made_hands=True)["showdowns"]
    assert two < river < 0.05
    assert costs(["AsKs"], 2, "2s7d9h")["known hands"] < costs(["AsKs"], 9, "2s7d9h")["known hands"]


def test_sampling_costs_follow_the_number_of_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUODDS_THREADS", "1")
    two, five = Spot.of(["15%", "30%"]), Spot.of(["QQ+"] * 5)
    million = SamplingOptions(samples=1_000_000)
    assert 0.01 < sampling_seconds(two, million) < 0.2
    # Five players share out three pairs' cards: most draws are thrown away.
    assert sampling_seconds(five, million) > 20 * sampling_seconds(two, million)
    assert sampling_seconds(two, million, 4) == pytest.approx(sampling_seconds(two, million, 1) / 4)
    halved = SamplingOptions(standard_error=0.001), SamplingOptions(standard_error=0.0005)
    assert sampling_seconds(two, halved[1]) == pytest.approx(4 * sampling_seconds(two, halved[0]))
    assert sampling_seconds(two, SamplingOptions()) == sampling_seconds(two, halved[1])
