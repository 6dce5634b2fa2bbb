"""Threat graphs known by key: spots that share them are counted as each one alone."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest

from gpuodds.backends.cpu.backend import CpuBackend
from gpuodds.backends.operations.known_hands import ThreatMatchings, UnbeatenDeals
from gpuodds.cards import parse_cards
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.multiway import unbeaten_deals
from gpuodds.spots.spot import Spot

Pairs = list[tuple[tuple[int, int], tuple[int, ...]]]


def check(pairs: Pairs, most: int, every: int) -> None:
    """Count all hands on boards together, and some of them alone."""
    backend = CpuBackend()
    hands = np.array([hand for hand, _ in pairs], np.uint8)
    boards = np.array([board for _, board in pairs], np.uint8).reshape(len(pairs), -1)
    counts = backend.count(UnbeatenDeals(HOLDEM, hands, boards, most)).counts
    for (hand, board), found in list(zip(pairs, counts.tolist(), strict=True))[::every]:
        (alone,) = backend.count(
            ThreatMatchings([Spot((hand,), most, board, game=HOLDEM)], most)
        ).counts
        for number in range(1, most + 1):
            expected = unbeaten_deals(alone[1], number)
            row = found[number - 1][: number + 1]
            assert [low + (high << 64) for low, high in row] == expected, (hand, board)


def test_hands_that_share_classes_are_counted_as_each_alone() -> None:
    cards = parse_cards("AsKsAhKhKdTs9s9h2c")
    boards = [parse_cards(text) for text in ("QsJs8s", "AdQsJs", "AcKc2d")]
    pairs = [(hand, tuple(board)) for board in boards for hand in combinations(cards, 2)]
    for _ in range(2):  # the second time every graph is known
        check(pairs, 3, 5)


@pytest.mark.parametrize("size", [3, 4, 5])
def test_drawn_spots_are_counted_as_each_alone(size: int) -> None:
    drawn = [tuple(Random(seed).sample(range(52), 2 + size)) for seed in range(60)]
    suited = [
        tuple(4 * rank for rank in Random(seed).sample(range(13), 2 + size)) for seed in range(20)
    ]
    paired = [tuple(Random(seed).sample(range(20, 32), 2 + size)) for seed in range(20)]
    check([((cards[0], cards[1]), cards[2:]) for cards in drawn + suited + paired], 4, 1)
