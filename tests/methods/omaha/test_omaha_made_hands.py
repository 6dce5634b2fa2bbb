"""Made hands of Omaha through ``gpuodds.equity``: of ranges, and against a random hand."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import gpuodds
from gpuodds.basics.choices import GameName
from gpuodds.errors import InputError
from gpuodds.games.shared.hand_names import CATEGORIES
from gpuodds.methods.families import methods_of
from gpuodds.methods.method import Machine
from gpuodds.methods.options import Options
from gpuodds.results.result import EquityResult
from gpuodds.spots.normal_form import unchanged
from gpuodds.spots.spot import Spot

SPOTS: list[dict[str, Any]] = [
    {"hands": ["AsAhKs3h,JsTs9h8h", "QQJJ:$ds"], "board": "2s7d9h", "game": "omaha"},
    {"hands": ["AhAd2h3d", "KK45:$ss,AsKs2s5c@40"], "board": "6s7s8c", "game": "omaha-hi-lo"},
    {"hands": ["AA23:$ds", "7654:$ds@25,AAKK:$ds"], "board": "5h6h8h", "game": "omaha-hi-lo"},
    {
        "hands": ["AsAhKsKhQd,AsAhKsKhQc", "7c8c9dTdJd,2c2d3c3d4h"],
        "board": "2s7h9hQs",
        "dead": "9c",
        "game": "omaha5",
    },
]


def rows_of(result: EquityResult) -> list[dict[str, tuple[float, float, float]]]:
    assert result.made_hands is not None
    return [{name: (one.all, one.win, one.tie) for name, one in m.items()} for m in result.made_hands]


def won_and_tied(result: EquityResult, player: int) -> tuple[Any, Any]:
    """Return the outcomes in which a player wins and ties the high half."""
    found = result.players[player]
    won, tied = getattr(found, "high_outcomes", (found.win_outcomes, found.tie_outcomes[0]))
    return won, tied


@pytest.mark.parametrize("given", SPOTS)
def test_ranges_are_the_sum_of_their_hands(given: dict[str, Any]) -> None:
    found = gpuodds.equity(**given, made_hands=True, method="exact", by_hand=True, backend="cpu")
    plain = gpuodds.equity(**given, method="exact", by_hand=True, backend="cpu")
    assert found.players[0].equity == pytest.approx(plain.players[0].equity, rel=1e-12)
    assert found.made_hands is not None and found.by_hand is not None
    sums = [{name: [0.0] * 3 for name in CATEGORIES} for _ in range(2)]
    for one, two in product(*found.by_hand):
        cards = {one.hand[i : i + 2] for i in range(0, len(one.hand), 2)}
        if cards & {two.hand[i : i + 2] for i in range(0, len(two.hand), 2)}:
            continue
        alone = gpuodds.equity(**{**given, "hands": [one.hand, two.hand]}, made_hands=True)
        for player, made in enumerate(rows_of(alone)):
            wholes = alone.outcomes, *won_and_tied(alone, player)
            for name, shares in made.items():
                for column in range(3):
                    part = one.weight * two.weight * shares[column] * wholes[column]
                    sums[player][name][column] += part
    for player, made in enumerate(rows_of(found)):
        wholes = found.outcomes, *won_and_tied(found, player)
        assert {*made} == {name for name, row in sums[player].items() if row[0]}
        for name, shares in made.items():
            counts = [share * whole for share, whole in zip(shares, wholes, strict=True)]
            assert counts == pytest.approx(sums[player][name], rel=1e-9, abs=1e-9)
        for column in range(3):
            total = sum(shares[column] for shares in made.values())
            assert total == pytest.approx(1.0 if wholes[column] else 0.0)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["omaha", "omaha-hi-lo"])
@pytest.mark.parametrize("board", ["2s7d9hTc", "As4d5c8h2s"])
def test_a_random_hand_is_the_range_of_all(game: GameName, board: str) -> None:
    hand = "AdKsKhQd"
    alone = gpuodds.equity(hand, opponents=1, board=board, game=game, made_hands=True)
    both = gpuodds.equity([hand, "random"], board=board, game=game, made_hands=True, method="exact")
    listed = gpuodds.equity(
        f"{hand},3s3h4s4h", opponents=1, board=board, game=game, made_hands=True, method="exact"
    )
    assert rows_of(alone) == rows_of(both)[:1]
    assert len(rows_of(both)) == 2 and len(rows_of(listed)) == 1
    assert sum(share[0] for share in rows_of(both)[1].values()) == pytest.approx(1)
    assert list(rows_of(both)[1]) == [name for name in CATEGORIES if name in rows_of(both)[1]]


def test_one_hand_before_the_flop() -> None:
    found = gpuodds.equity("AsAhKsKh", opponents=1, game="omaha", made_hands=True)
    assert found.outcomes == 211_315_436_640 and found.exact and found.made_hands is not None
    # Both other aces or both other kings come: 44 boards have them all, 4 have a royal flush as well.
    quads = 2 * 46 * 45 * 44 // 6 - 44 - 4
    assert found.made_hands[0]["four of a kind"].all == pytest.approx(quads / 1_712_304)
    assert "high card" not in found.made_hands[0]


def test_what_each_method_does_and_costs() -> None:
    def cost(spot: Spot, options: Options) -> dict[str, float]:
        form = unchanged(spot)
        able = (one for one in methods_of(spot.game) if not one.why_not(form, options))
        return {one.name: one.seconds(form, options, Machine(1)) for one in able}

    ranges = gpuodds.equity(["AAKK", "QQJJ"], board="2s7d9h", game="omaha").spot
    plain, made = (cost(ranges, Options(made_hands=made))["showdowns"] for made in (False, True))
    assert plain < made < 2 * plain
    alone = gpuodds.equity("AsAhKsKh", opponents=1, board="2s7d9h", game="omaha").spot
    assert [*cost(alone, Options(made_hands=True))] == ["one random hand", "showdowns"]
    assert [*cost(alone, Options(made_hands=True, by_hand=True))] == ["showdowns"]
    with pytest.raises(InputError, match="no method counts this spot: use known hands, fewer players"):
        gpuodds.equity(["AAKK", "QQJJ", "9876"], board="2s7d9h", game="omaha", made_hands=True)
