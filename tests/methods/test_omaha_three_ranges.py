"""Three players of Omaha through ``gpuodds.equity``."""

from __future__ import annotations

from typing import Any

import pytest

import gpuodds
from gpuodds.methods.costs import LISTED_HANDS, THREE_RANGES
from gpuodds.methods.omaha import costs
from gpuodds.methods.omaha.family import all_counting_seconds, count, refusals
from gpuodds.methods.options import Options
from gpuodds.spots.spot import Spot

SPOTS: list[dict[str, Any]] = [
    {"hands": ["AsAhKsKh,AsAhJsJh", "QQJJ", "5s6s7h8h,JJ65"], "board": "2s7d9hTc", "game": "omaha"},
    {"hands": ["AsAhKs3h", "QQJJ@0.3,KK22", "5s6s7h8c"], "board": "2s7d8h", "game": "omaha-hi-lo"},
    {
        "hands": ["AsAhKsKhQd", "7c8c9dTdJd,2c2d3c3d4h", "4s5s6s6d8d"],
        "board": "2s7h9h",
        "game": "omaha5",
    },
]


def spot_of(given: dict[str, Any]) -> Spot:
    return gpuodds.equity(**given, method="exact").spot


@pytest.mark.parametrize("given", SPOTS)
def test_equals_hands_that_are_listed(given: dict[str, Any]) -> None:
    spot = spot_of(given)
    assert {THREE_RANGES, LISTED_HANDS} <= {*all_counting_seconds(spot, Options())}
    on = Options(backend="cpu")
    one, two = (count(method, spot, on, None, 1.0) for method in (THREE_RANGES, LISTED_HANDS))
    assert one.exact and one.backend == "cpu"
    for mine, theirs in zip(one.players, two.players, strict=True):
        assert mine.equity == pytest.approx(theirs.equity, rel=1e-12)
        if spot.has_integer_weights:
            assert mine == theirs
    if spot.has_integer_weights:
        assert one.winners == two.winners and one.low_winners == two.low_winners


@pytest.mark.parametrize("game", ["omaha", "omaha-hi-lo"])
def test_one_hand_against_two_random_ones(game: str) -> None:
    found = gpuodds.equity("AsAhKsKh", opponents=2, board="2s7d9hTc3c", game=game, method="exact")
    assert found.exact and found.outcomes == 123_410 * 82_251  # C(43, 4) C(39, 4)
    sampled = gpuodds.equity(
        "AsAhKsKh", opponents=2, board="2s7d9hTc3c", game=game, method="monte-carlo", samples=100_000
    )
    assert sampled.equity == pytest.approx(found.equity, abs=0.01)


def test_players_with_one_range_have_equal_shares() -> None:
    hands = ["AA**", "AA**", "AA**,QQJJ"]
    found = gpuodds.equity(hands, board="2s7d8h3cKd", game="omaha-hi-lo", method="exact")
    first, second, _ = found.players
    assert first.equity_exact == second.equity_exact and first.win_outcomes == second.win_outcomes


def test_wide_ranges_are_counted_by_default() -> None:
    found = gpuodds.equity(["AsAhKsKh", "QQ**", "5678"], board="2s7d9hTc", game="omaha")
    assert found.exact and sum(player.equity_exact or 0 for player in found.players) == 1
    assert "combinations" in refusals(found.spot, Options())[LISTED_HANDS]


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"hands": ["AsAhKsKh", "QQJJ"]}, "counts three players"),
        ({"hands": ["AsAhKsKh", "QcQdJcJd", "5s6s7s8s"]}, "no player has a range or random cards"),
        (
            {"hands": ["AsAhKsKh", "QQJJ"], "opponents": 1, "folded": ["TT99"]},
            "counts no folded ranges",
        ),
    ],
)
def test_what_is_left_to_other_methods(given: dict[str, Any], reason: str) -> None:
    spot = gpuodds.equity(**given, board="2s7d9hTc", game="omaha", samples=10).spot
    assert costs.REFUSALS[THREE_RANGES](spot, Options()) == reason
