"""The ranks of pairs of hole cards on a board, high and low, against all triples of the board."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest

from gpuodds.backends.cpu.omaha.ranges.pairs import rank_low_pairs, rank_pairs
from gpuodds.cards import parse_cards
from gpuodds.games.omaha.low_ranks import low_ranks_of_sets
from gpuodds.games.shared.combos import combo_index
from gpuodds.games.shared.hand_ranks import hand_rank_tables, rank_cards

CHOSEN = [
    "KcKdKhKs2c", "2c3c4c5c6c", "AsKsQsJsTs", "9h9d9c4s4d", "As2d3h4c5s", "8c8d7h7s6c", "Ac2c3c8dKd",
    "2s7d9hTcJd", "5h5d5c5s6h",
]  # fmt: skip


def boards() -> list[list[int]]:
    """Return the chosen boards and some drawn ones, a third of them of few cards or one suit."""
    drawn = random.Random(20)
    rows = [list(parse_cards(text)) for text in CHOSEN]
    for number in range(30):
        deck = [range(52), range(20), [*range(3, 52, 4), 0, 1]][number % 3]
        rows.append(drawn.sample(deck, 5))
    return rows


def low_of(cards: list[int]) -> tuple[int, ...]:
    """Return a low as its ranks, the highest first, the ace 1; () for none."""
    ranks = {1 if card >> 2 == 12 else (card >> 2) + 2 for card in cards}
    return tuple(sorted(ranks, reverse=True)) if len(ranks) == 5 and max(ranks) <= 8 else ()


def test_low_ranks_are_in_the_order_of_the_lows() -> None:
    table = low_ranks_of_sets()
    lows = sorted(combinations(range(8), 5), key=lambda low: low[::-1], reverse=True)
    assert [int(table[sum(1 << rank for rank in low)]) for low in lows] == list(range(1, 57))
    assert np.count_nonzero(table) == 56


@pytest.mark.parametrize("board", boards())
def test_pairs_rank_as_their_best_triple_does(board: list[int]) -> None:
    row = np.array(board, np.uint8)
    high, low = np.full(1326, 9, np.uint16), np.full(1326, 9, np.uint8)
    rank_pairs(row, hand_rank_tables(), np.zeros((13, 13), np.uint16), high)
    possible = rank_low_pairs(row, low_ranks_of_sets(), np.zeros((13, 13), np.uint8), low)
    order = sorted(combinations(range(1, 9), 5), key=lambda ranks: ranks[::-1], reverse=True)
    numbers = {tuple(reversed(ranks)): number for number, ranks in enumerate(order, 1)} | {(): 0}
    found = 0
    for a, b in combinations(range(52), 2):
        index = combo_index(a, b)
        if {a, b} & {*board}:
            assert (high[index], low[index]) == (0, 0)
            continue
        hands = [[a, b, *three] for three in combinations(board, 3)]
        assert high[index] == max(map(rank_cards, hands))
        best = max(numbers[low_of(hand)] for hand in hands)
        assert low[index] == best
        found += best > 0
    assert bool(possible) == (found > 0)
