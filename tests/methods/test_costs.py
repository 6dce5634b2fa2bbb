"""The cost model: which methods can count, and how their costs compare."""

from __future__ import annotations

from typing import Any

import pytest

from gpuodds.methods.families import methods_of
from gpuodds.methods.method import HERE
from gpuodds.methods.options import Options, SamplingOptions
from gpuodds.methods.sampling.costs import least_sampling_seconds
from gpuodds.methods.sampling.costs import sampling_seconds as seconds_of
from gpuodds.methods.sampling.engine import Sampling
from gpuodds.spots.normal_form import unchanged
from gpuodds.spots.spot import Spot


def costs(hands: list[str], opponents: int = 0, board: str = "", **options: Any) -> dict[str, float]:
    spot = Spot.of(hands, opponents=opponents, board=board)
    form, own, found = unchanged(spot), Options(**options), {}
    for method in methods_of(spot.game):
        if not method.why_not(form, own):
            found[method.name] = method.seconds(form, own, HERE)
            if method.is_cheapest(form, own):
                break
    return found


def sampling_seconds(spot: Spot, sampling: SamplingOptions, threads: int | None = None) -> float:
    return seconds_of(spot, sampling, threads or HERE.thread_count)


def test_methods_that_cannot_count_are_omitted() -> None:
    assert set(costs(["AA"], 4, table=False)) == {"showdowns", "listed hands"}
    assert set(costs(["AA"], 9, table=False)) == {"listed hands"}
    assert set(costs(["random"] * 2, by_hand=True, table=False)) == {"showdowns"}
    assert costs(["random"] * 7) == {}
    assert set(costs(["AsKs"], 9, "2s7d9h")) == {"known hands"}


def test_tables_answer_the_spots_that_they_hold() -> None:
    assert set(costs(["AsKs"], 9)) == set(costs(["AA", "KK"])) == {"table"}
    assert set(costs(["22+"], 9)) == set(costs(["22+"], 9, by_hand=True)) == {"table"}
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
    # Measured: 0.04 s and 0.09 s.
    assert 0.02 < sampling_seconds(two, million) < 0.1
    assert 0.05 < sampling_seconds(Spot.of(["AsKs"], opponents=9), million) < 0.2
    # Five players share out three pairs' cards: most draws are thrown away.
    assert sampling_seconds(five, million) > 10 * sampling_seconds(two, million)
    assert sampling_seconds(two, million, 4) == pytest.approx(sampling_seconds(two, million, 1) / 4)
    halved = SamplingOptions(standard_error=0.001), SamplingOptions(standard_error=0.0005)
    assert sampling_seconds(two, halved[1]) == pytest.approx(4 * sampling_seconds(two, halved[0]))
    assert sampling_seconds(two, SamplingOptions()) == sampling_seconds(two, halved[1])


def test_boards_in_turn_reach_a_standard_error_with_fewer_deals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GPUODDS_THREADS", "1")

    def deals(spot: Spot, error: float) -> float:
        one = sampling_seconds(spot, SamplingOptions(samples=1))
        return sampling_seconds(spot, SamplingOptions(standard_error=error)) / one

    flop = Spot.of(["AsKs"], opponents=3, board="2s7d9h")  # 1,081 boards
    preflop, river = Spot.of(["AsKs"], opponents=3), Spot.of(["AsKs"], opponents=3, board="2s7d9hTcJc")
    assert deals(flop, 0.0005) == pytest.approx(deals(river, 0.0005) / 2)
    assert deals(preflop, 0.0001) == pytest.approx(deals(river, 0.0001) / 2)
    # Before all boards have come, pairs gain less than they lose: the deals of each share a board.
    assert 1 < deals(preflop, 0.0005) / deals(river, 0.0005) < 1.5
    assert deals(preflop, 0.01) == pytest.approx(deals(river, 0.01) * 1.5, rel=0.01)
    for spot, error in ((preflop, 0.001), (flop, 0.002)):
        sampling = Sampling.of(spot, backend="cpu")
        sampling.run(standard_error=error)
        assert deals(spot, error) / 3 < sampling.samples < deals(spot, error) * 3


def test_no_spot_takes_less_than_the_least_of_sampling() -> None:
    spots = Spot.of(["AsKs"], opponents=1, board="2s7d9hTc"), Spot.of(["AsKs", "QhQd"])
    for limits in (SamplingOptions(samples=1000), SamplingOptions(standard_error=0.001)):
        least = least_sampling_seconds(limits, 1)
        assert least == pytest.approx(min(sampling_seconds(spot, limits, 1) for spot in spots))
