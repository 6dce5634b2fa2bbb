"""Three players of Omaha through ``gpuodds.equity``."""

from __future__ import annotations

from typing import Any

import pytest

import gpuodds
from gpuodds.basics.choices import GameName
from gpuodds.errors import ImpossibleDeal
from gpuodds.methods.omaha.listed_hands import ListedHands, count_listed_hands
from gpuodds.methods.omaha.three_ranges import ThreeRanges, count_three_ranges
from gpuodds.methods.options import Options
from gpuodds.spots.normal_form import unchanged
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
    form, on = unchanged(spot), Options(backend="cpu")
    assert not ThreeRanges().why_not(form, on) and not ListedHands().why_not(form, on)
    one, two = count_three_ranges(spot, on), count_listed_hands(spot, on)
    assert one.exact and one.backend == "cpu"
    for mine, theirs in zip(one.players, two.players, strict=True):
        assert mine.equity == pytest.approx(theirs.equity, rel=1e-12)
        if spot.has_integer_weights:
            assert mine == theirs
    if spot.has_integer_weights:
        assert one.winners == two.winners and one.low_winners == two.low_winners


@pytest.mark.parametrize("game", ["omaha", "omaha-hi-lo"])
def test_one_hand_against_two_random_ones(game: GameName) -> None:
    found = gpuodds.equity("AsAhKsKh", opponents=2, board="2s7d9hTc3c", game=game, method="exact")
    assert found.exact and found.outcomes == 123_410 * 82_251 // 2  # C(43, 4) C(39, 4) / 2!
    sampled = gpuodds.equity(
        "AsAhKsKh", opponents=2, board="2s7d9hTc3c", game=game, method="monte-carlo", samples=100_000
    )
    assert sampled.equity == pytest.approx(found.equity, abs=0.01)


@pytest.mark.slow
def test_players_with_one_range_have_equal_shares() -> None:
    hands = ["AA**", "AA**", "AA**,QQJJ"]
    found = gpuodds.equity(hands, board="2s7d8h3cKd", game="omaha-hi-lo", method="exact")
    first, second, _ = found.players
    assert first.equity_exact == second.equity_exact and first.win_outcomes == second.win_outcomes


def test_wide_ranges_are_counted_by_default() -> None:
    found = gpuodds.equity(["AsAhKsKh", "QQ**", "5678"], board="2s7d9hTc", game="omaha")
    assert found.exact and sum(player.equity_exact or 0 for player in found.players) == 1
    assert "combinations" in ListedHands().why_not(unchanged(found.spot), Options())


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
    assert ThreeRanges().why_not(unchanged(spot), Options()) == reason


@pytest.mark.parametrize(
    ("game", "board", "hands"),
    [
        (
            "omaha",
            "2dTsAh5d8d",
            ["Kc5sQd7c,5c6hKc5s@30", "Qd6s7h4s,4c6hKcJh", "AdQd4s7h@70,Ad4cTh6s"],
        ),
        (
            "omaha-hi-lo",
            "7h6c6dAh3h",
            ["3cKs9h8s@10,4sAsQsAc@70", "AcKh7cQs@30,Ac2sKsAs@10", "AcJcKh4s@70,8d7cAcQs@10"],
        ),
    ],
)
def test_weights_that_cancel_leave_no_deal(game: GameName, board: str, hands: list[str]) -> None:
    spot = Spot.of(hands, board=board, game=game)
    with pytest.raises(ImpossibleDeal):
        count_three_ranges(spot, Options(backend="cpu"))


def test_weights_that_cancel_are_no_winners() -> None:
    hands = ["9s8h3sTh@70,JcAd8c9s@30,9sAdJc4c@70", "Ad9h7h4c@10,6h3sJc8c@30,7c8cKd7h@70"]
    hands.append("Kd9s9hQc,9hKd3h7h,AsQc9h3h@30")
    spot = Spot.of(hands, board="5s9d4d7d3c", game="omaha")
    found = count_three_ranges(spot, Options(backend="cpu"))
    assert found.winners == {"B": pytest.approx(0.294)}
