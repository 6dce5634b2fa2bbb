"""Three to six ranges: whole counts equal weighted ones, and the widest ranges overflow nothing."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import pytest

from gpuodds import Range
from gpuodds.backends.operations.range_showdowns import RangeShowdowns
from gpuodds.cards import parse_cards
from gpuodds.games.holdem.game import HOLDEM

# No flush, four of a suit, one hand for all, four alike, three of a suit.
BOARDS = ["2s7d9hTcJc", "2s3s4s5sAd", "TsJsQsKsAs", "2c2d2h2s3c", "2s7d9s3hKs"]
EVERY = np.ones((3, 1326))


def count(weights: Any, boards: list[str], heroes: list[int]) -> Any:
    cards = np.array([parse_cards(text) for text in boards], np.uint8).reshape(len(boards), -1)
    times = np.arange(1, 1 + len(boards), dtype=np.int64)
    return RangeShowdowns(HOLDEM, weights, cards, times, heroes, True).on_cpu()


@pytest.mark.parametrize(
    "texts",
    [
        ["15%", "30%", "random"],
        ["random", "88+", "88+"],
        ["15%", "random", "QQ+", "30%"],
        ["99+", "JJ+,AK", "AKs,KQs", "random", "T9s,22"],
        ["AKs", "QQ", "KK+", "JTs", "random", "A2s+"],
    ],
    ids=" ".join,
)
def test_whole_counts_equal_weighted_ones(texts: list[str]) -> None:
    """Weights of 0 and 2 go the way of weights, and count each deal of n opponents 2^n times."""
    weights = np.stack([Range(text).weights for text in texts])
    heroes = list(range(len(texts)))
    boards = BOARDS if len(texts) < 5 else BOARDS[1::2]
    whole, weighted = count(weights, boards, heroes), count(2 * weights, boards, heroes)
    assert whole.by_winners.dtype == np.int64 and weighted.by_winners.dtype == np.float64
    assert np.array_equal(whole.by_winners * 2 ** (len(texts) - 1), weighted.by_winners)
    assert np.array_equal(whole.by_category * 2 ** len(texts), weighted.by_category)
    assert whole.by_winners.any(axis=(1, 2)).all()


@pytest.mark.parametrize(
    ("texts", "folded"),
    [
        (["15%", "30%"], ["40%"]),
        (["AA", "random"], ["QQ+", "random"]),
        (["random", "88+", "88+"], ["99+"]),
        (["AKs,KQs", "JJ+"], ["AKs", "T9s,22", "QQ"]),
    ],
    ids=str,
)
def test_whole_counts_equal_weighted_ones_while_players_have_folded(
    texts: list[str], folded: list[str]
) -> None:
    """A combo that always loses may be one that ties in another range: both leave the deck once."""
    cards = np.array([parse_cards(text) for text in BOARDS[:3]], np.uint8)
    times = np.arange(1, 4, dtype=np.int64)
    weights, out = (np.stack([Range(text).weights for text in rows]) for rows in (texts, folded))
    heroes = list(range(len(texts)))
    whole, weighted = (
        RangeShowdowns(HOLDEM, factor * weights, cards, times, heroes, True, out).on_cpu()
        for factor in (1, 2)
    )
    assert whole.by_winners.dtype == np.int64 and weighted.by_winners.dtype == np.float64
    assert np.array_equal(whole.by_winners * 2 ** (len(texts) - 1), weighted.by_winners)
    assert whole.by_category is not None and weighted.by_category is not None
    assert np.array_equal(whole.by_category * 2 ** len(texts), weighted.by_category)
    assert whole.by_winners.any(axis=(1, 2)).all()


def test_more_than_six_ranges_are_refused() -> None:
    board, times = np.array([parse_cards(BOARDS[0])], np.uint8), np.ones(1, np.int64)
    operation = RangeShowdowns(HOLDEM, EVERY[:2], board, times, [0, 1], False, np.ones((5, 1326)))
    with pytest.raises(ValueError, match="7 ranges: 2 to 6"):
        operation.on_cpu()


def test_every_hand_ties_on_a_royal_board() -> None:
    """All 1,081 combos at once are equal ones: the largest sums that a board can make."""
    found = count(EVERY, ["TsJsQsKsAs"], [0, 1, 2]).by_winners
    held = found[0, :, 3] != 0
    assert held.sum() == comb(47, 2)
    assert (found[:, held, 3] == comb(45, 2) * comb(43, 2)).all() and not found[:, :, :3].any()


def test_every_hand_ties_without_a_board() -> None:
    """All 1,326 combos at once: X, F and R are at their bounds."""
    cards, times = np.zeros((1, 0), np.uint8), np.ones(1, np.int64)
    found = RangeShowdowns(HOLDEM, EVERY, cards, times, [0, 1, 2], False).on_cpu().by_winners
    assert (found[:, :, 3] == comb(50, 2) * comb(48, 2)).all() and not found[:, :, :3].any()
