"""Weights that are not 0 or 1, where no deal is left: 0, not what rounding leaves of it."""

from __future__ import annotations

import pytest

import gpuodds
from gpuodds import Range
from gpuodds.basics.choices import GameName
from gpuodds.cards import format_cards
from gpuodds.errors import ImpossibleDeal

FIRST, SECOND = "6sTs,6sQs:0.1", "6sQh:0.7,QsAs:0.3"  # Qs6s shares a card with both hands of the second
NONE = ("6sQs", "6sQh:0.7,QsAs:0.3,6sAs:0.1")
THREE = ["QsAs", "9dQd:0.1,6hAs:0.3,QhAs:0.1,6hQh,6hQs:0.3,JhQs", "TdQd", "7dAc,6dAs,JdQh:0.3"]


@pytest.mark.parametrize("game", ["holdem", "short-deck"])
@pytest.mark.parametrize("board", ["", "8s6hQd"])
def test_a_hand_that_meets_none_has_no_equity(game: GameName, board: str) -> None:
    players = [Range(text, game=game) for text in (FIRST, SECOND)]
    found = gpuodds.equity(
        players, board=board, table=False, by_hand=True, made_hands=True, game=game, backend="cpu"
    )
    assert found.by_hand is not None and found.winners is not None and found.made_hands is not None
    assert [[hand.hand for hand in hands] for hands in found.by_hand] == [["Ts6s"], ["AsQs"]]
    assert min(found.winners.values()) > 0.01
    assert all(made.all > 1e-6 for made in found.made_hands[0].values())


@pytest.mark.parametrize("game", ["holdem", "short-deck"])
@pytest.mark.parametrize("board", ["", "8s6hQd"])
def test_ranges_that_cannot_be_dealt_together_are_refused(game: GameName, board: str) -> None:
    players = [Range(text, game=game) for text in NONE]
    with pytest.raises(ImpossibleDeal, match="cannot be dealt together"):
        gpuodds.equity(players, board=board, table=False, game=game, backend="cpu")
    if board:
        with pytest.raises(ImpossibleDeal, match="cannot be dealt together"):
            gpuodds.turn_report(players, board=board, game=game, backend="cpu")


def test_a_turn_that_leaves_no_deal_has_no_outcomes() -> None:
    players = [
        Range(text, game="short-deck") for text in ("6sTs,6sQs:0.1", "6sQh:0.7,TsAs:0.3,QsKs:0.6")
    ]
    report = gpuodds.turn_report(players, board="8c7hJd", game="short-deck", backend="cpu")
    by_card = gpuodds.equities_by_next_card(
        players, board="8c7hJd", game="short-deck", method="exact", backend="cpu"
    )
    outcomes = {format_cards(row.cards): row.outcomes for row in report.rows}
    assert outcomes["Ts"] == outcomes["Qs"] == 0 < outcomes["7d"]
    assert "Ts" not in by_card and "Qs" not in by_card and "7d" in by_card


def test_three_players_with_hands_that_meet_none() -> None:
    dead = "6c6s7c7h7s8c8d8s9c9hTcThTsJcJsQcKdKhAdAh"
    players = [Range(text, game="short-deck") for text in THREE]
    found = gpuodds.equity(
        players, dead=dead, game="short-deck", method="exact", by_hand=True, backend="cpu"
    )
    assert found.by_hand is not None and found.winners is not None
    assert all(0 <= hand.equity <= 1 for hands in found.by_hand for hand in hands)
    assert all(count > 0.01 for count in found.winners.values())
    assert {hand.hand for hand in found.by_hand[3]} == {"Ac7d"}


def test_hi_lo_has_no_rest_of_lows() -> None:
    first, second = "4c5d6c6h,3c3d3s5d@30,4h5c7d7h@30", "3h6h6sAs,4c5c6h7s@10,3h4c6cAs@10"
    found = gpuodds.equity([first, second], board="4s5h8s", game="omaha-hi-lo", backend="cpu")
    assert found.low_winners is not None
    assert all(count > 0.001 for count in found.low_winners.values())
    none = ["AsAhKsKh", "AsQsJhTh@30,AhQcJcTc@10,AsKdKc2d@70"]
    with pytest.raises(ImpossibleDeal):
        gpuodds.equity(none, board="4s5h8s", game="omaha-hi-lo", method="exact", backend="cpu")
