"""Arrays of short deck: hand ranks, batches and matrices."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import gpuodds
from gpuodds.errors import InputError
from gpuodds.games.shared.combos import combo_index


def test_ranks_of_one_hand_and_of_many_are_alike() -> None:
    cards = np.random.default_rng(3).permuted(np.tile(np.arange(16, 52), (50, 1)), axis=1)[:, :7]
    ranks = gpuodds.rank_hands(cards, game="short-deck")
    assert [int(rank) for rank in ranks] == [
        int(gpuodds.rank_hands(hand.tolist(), game="short-deck")) for hand in cards
    ]
    assert gpuodds.rank_hands([[51, 47, 43, 39, 35]], game="short-deck").tolist() == [1404]


def test_every_five_card_rank_occurs() -> None:
    hands = np.array(list(combinations(range(16, 52), 5)), np.uint8)
    for game in ("short-deck", "short-deck-trips"):
        assert set(gpuodds.rank_hands(hands, game=game).tolist()) == set(range(1, 1405))


def test_a_batch_is_what_each_spot_is() -> None:
    batch = gpuodds.equity_batch([[51, 47], [16, 21]], opponents=3, game="short-deck")
    for row, hand in enumerate(("AsKs", "6c7d")):
        one = gpuodds.equity(hand, opponents=3, game="short-deck", table=False).players[0]
        assert batch.counts(row, 3) == [one.win_outcomes, *one.tie_outcomes]


def test_the_matrix_has_each_pair_of_hands() -> None:
    wins, ties = gpuodds.heads_up_matrix("6s9hTd", game="short-deck")
    aces, eights = combo_index(51, 50), combo_index(24, 20)
    assert (wins[aces, eights], ties[aces, eights], wins[eights, aces]) == (28, 9, 369)
    assert not wins[combo_index(0, 51)].any()
    ranks = gpuodds.rank_combos([[51, 47, 43, 39, 35]], game="short-deck")
    assert ranks.max() == 1404


@pytest.mark.parametrize(
    ("work", "message"),
    [
        (lambda: gpuodds.rank_hands([[0, 47, 43, 39, 35]], game="short-deck"), "row 0: 2c: short-deck"),
        (lambda: gpuodds.rank_combos([[0, 47, 43, 39, 35]], game="short-deck"), "boards: row 0: 2c"),
        (lambda: gpuodds.equity_batch([[51, 50], [51, 3]], game="short-deck"), "hands: row 1: 2s"),
        (lambda: gpuodds.equity_batch([[51, 50]], opponents=15, game="short-deck"), "expected 1 to 14"),
        (lambda: gpuodds.equity_batch([[51, 50]], game="omaha"), "a game with two hole cards"),
        (lambda: gpuodds.heads_up_matrix("2c7d9h", game="short-deck"), "2c: short-deck has cards"),
        (
            lambda: gpuodds.equities_by_opponents("AsAhKsKh", opponents=2, game="omaha"),
            "two hole cards",
        ),
        (lambda: gpuodds.rank_hands([[51] * 9], game="omaha"), "a hand cannot hold a card twice"),
        (lambda: gpuodds.rank_hands([[51] * 6], game="omaha"), "expected an array of shape"),
        (lambda: gpuodds.low_ranks([[51] * 9], game="omaha"), "expected a game with low hands"),
    ],
)
def test_arrays_that_do_not_fit_the_game(work: Callable[[], Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        work()
