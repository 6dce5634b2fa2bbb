"""The normal form of a spot, and that spots which need none are left as they are."""

from __future__ import annotations

from typing import Any

import pytest

import gpuodds
from gpuodds.spots.normal_form import normal_form
from gpuodds.spots.spot import Spot


def test_a_spot_without_another_spelling_is_left_as_it_is() -> None:
    spots: list[dict[str, Any]] = [
        {"hands": ["AsKs", "QhQd"], "opponents": 2},
        {"hands": ["QQ+", "22+"], "board": "2s7d9h"},
        {"hands": ["15%"], "opponents": 3},
        {"hands": ["AAKK", "QQJJ"], "game": "omaha"},
    ]
    for given in spots:
        spot = Spot.of(**given)
        form = normal_form(spot)
        assert form.spot is spot and form.factor == 1 and not form.reasons and not form.random
        assert form.places == tuple(range(len(spot.hands)))


@pytest.mark.parametrize(
    ("given", "hands", "opponents", "places", "factor"),
    [
        ({"hands": ["AsKs", "random"]}, ("AsKs",), 1, (0, None), 1),
        ({"hands": ["random", "QQ+", "100%"]}, ("QQ+",), 2, (None, 0, None), 1),
        ({"hands": ["random", "random"]}, ("random",), 1, (0, 0), 1),
        ({"hands": ["22+,A2+", "random@25"]}, ("22+,A2+",), 1, (0, None), 0.25),
        ({"hands": ["AA", "KK:0.5"], "board": "2s7d9h"}, ("AA", "KK"), 0, (0, 1), 0.5),
        ({"hands": "AA", "opponents": 2}, ("AsAh",), 2, (0,), 6),
        ({"hands": ["AsKs", "AA"]}, ("AsKs", "AhAd"), 0, (0, 1), 3),
        ({"hands": ["AsAh,AsAd"], "opponents": 1, "dead": "Ad"}, ("AsAh",), 1, (0,), 1),
        ({"hands": ["JJ"], "opponents": 1, "folded": ["JsJh"]}, ("JdJc",), 1, (0,), 1),
    ],
)
def test_other_spellings(
    given: dict[str, Any], hands: tuple[str, ...], opponents: int, places: Any, factor: Any
) -> None:
    form = normal_form(Spot.of(**given))
    assert (form.spot.names, form.spot.opponents, form.places, form.factor) == (
        *(hands, opponents, places),
        factor,
    )
    assert form.reasons


def test_a_range_that_lacks_known_cards_alone_is_every_hand() -> None:
    rest: Any = gpuodds.Range("random") - gpuodds.Range("AsKs,As2d")
    form = normal_form(Spot.of(["AsQh", rest], board="2d7c9h"))
    assert form.spot.opponents == 1 and form.places == (0, None)
    kept = normal_form(Spot.of(["QhQd", rest], board="2d7c9h"))
    assert kept.spot.opponents == 0  # AsKs could be dealt


def test_which_seats_stay_named() -> None:
    spot = Spot.of(["AA", "random", "QQ", "random"], board="2s7d9h")
    one = normal_form(spot, keep="one")
    assert one.spot.names == ("AA", "random", "QQ") and one.spot.opponents == 1
    assert one.places == (0, 1, 2, 1) and one.random == (1, 3)
    every = normal_form(spot, keep="all")
    assert every.spot is spot
    folded = Spot.of(["AA", "random"], folded=["2c2d", "random"])
    assert normal_form(folded, keep="all").spot.names == ("AA", "random")


def test_hands_are_alike_only_where_nothing_tells_the_suits_apart() -> None:
    spots: list[dict[str, Any]] = [
        {"hands": "AKs", "opponents": 3, "board": "2s7d9h"},
        {"hands": ["AKs", "QQ"]},
        {"hands": ["AsKs:0.5,AhKh"], "opponents": 1},
        {"hands": ["AKs"], "opponents": 1, "folded": ["QQ"]},
    ]
    for given in spots:
        assert not isinstance(normal_form(Spot.of(**given)).spot.hands[0], tuple)
    whole = normal_form(Spot.of("AKs", opponents=3, board="2s2d2h2c"))
    assert whole.spot.names == ("AsKs",) and whole.factor == 4


def test_who_is_alike() -> None:
    for hands, opponents in ((["random"], 3), (["QQ+"] * 3, 0), (["QQ+", "QQ+:0.5"], 0)):
        assert normal_form(Spot.of(hands, opponents=opponents)).is_symmetric
    same = Spot.of(["AA,KhKd", "AA,KsKd"], dead="Kd")
    assert normal_form(same).is_symmetric
    for hands, opponents in ((["QQ+"], 1), (["QQ+", "JJ+"], 0), (["AsKs", "AhKh"], 0)):
        assert not normal_form(Spot.of(hands, opponents=opponents)).is_symmetric
