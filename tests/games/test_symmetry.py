"""Suit symmetry of a spot: which suits may change names, and the boards that stand for all."""

from __future__ import annotations

import numpy as np
import pytest

from gpuodds.cards import parse_cards
from gpuodds.games.shared.boards import full_boards
from gpuodds.games.shared.combos import COMBOS
from gpuodds.games.shared.symmetry import suit_group, weighted_boards
from gpuodds.spots.ranges.range import Range


def group_size(ranges: list[str], board: str = "", dead: str = "") -> int:
    """Return the number of suit relabellings that keep a spot as it is."""
    weights = np.array([Range(text).weights for text in ranges])
    return len(suit_group(weights, parse_cards(board), parse_cards(dead)))


@pytest.mark.parametrize("board", ["", "2s", "2s7s", "2s7d9h", "2s7s9s", "2s2d9h", "2s7d9hTc"])
def test_boards_up_to_suits_are_all_boards(board: str) -> None:
    weights = np.ones((2, COMBOS))
    given = parse_cards(board)
    group = suit_group(weights, given, ())
    boards, times = weighted_boards(given, (), group)
    every = full_boards(given, ())
    assert times.sum() == len(every) and (times <= len(group)).all()
    assert (len(group) == 1) == (len(boards) == len(every))
    if len(given) > 1:
        assert {tuple(sorted(row)) for row in boards.tolist()} <= {
            tuple(sorted(row)) for row in every.tolist()
        }


def test_a_suited_hand_keeps_its_suit() -> None:
    assert group_size(["AsKs", "QQ"]) == 6
    assert group_size(["AsKs", "QhQd"]) == 2
    assert group_size(["AsKs", "QhQd"], board="2h") == 1
    assert group_size(["QQ"], dead="2h3h") == 6
