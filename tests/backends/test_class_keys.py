"""Board classes known by key: hands that share them are counted as each one alone."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from gpuodds.backends.cpu.backend import CpuBackend
from gpuodds.cards import parse_cards
from gpuodds.games.holdem.multiway import unbeaten_deals
from gpuodds.spots.spot import Spot


def test_hands_that_share_classes_are_counted_as_each_alone() -> None:
    backend, most = CpuBackend(), 3
    cards = parse_cards("AsKsAhKhKdTs9s9h2c")
    boards = [parse_cards(text) for text in ("QsJs8s", "AdQsJs", "AcKc2d")]
    pairs = [(hand, board) for board in boards for hand in combinations(cards, 2)]
    hands = np.array([hand for hand, _ in pairs], np.uint8)
    flops = np.array([board for _, board in pairs], np.uint8)
    for _ in range(2):  # the second time every class is known
        counts = backend.unbeaten_deals(hands, flops, most, None)
        for (hand, board), found in list(zip(pairs, counts.tolist(), strict=True))[::5]:
            (alone,) = backend.matching_counts([Spot((hand,), most, board)], most, None)
            for number in range(1, most + 1):
                expected = unbeaten_deals(alone[1], number)
                row = found[number - 1][: number + 1]
                assert [low + (high << 64) for low, high in row] == expected
