"""Three ranges of Omaha hands, counted by comparing every three hands on every board."""

from __future__ import annotations

import random
from itertools import permutations, product
from math import prod
from typing import Any

import numpy as np
import pytest
from omaha_oracle import NO_LOW, score_hand

from gpuodds.backends.cpu.omaha.ranges.three_players import count_three_players
from gpuodds.cards import parse_cards

Hands = list[list[list[int]]]

BOARDS = ["2h7h9hKhAc", "5s6s7s8s9s", "8c8d8h8s3c", "Ac2d3h4s5c", "3c4d7h8sKc", "2c2d3h8s8c"]


def best(hand: list[int], board: list[int]) -> tuple[int, int]:
    """Return the high and the low score of a hand, the higher the better; 0 if it shares a card."""
    if {*hand} & {*board}:
        return 0, 0
    high, low = score_hand(np.array(hand, np.int64), np.array(board, np.int64))
    return high, NO_LOW - low


def brute_force(
    hands: Hands, weights: list[list[float]], boards: list[list[int]], times: list[int], low: bool
) -> dict[tuple[int, int], float]:
    """Count as :func:`count_three_players`."""
    counts: dict[tuple[int, int], float] = {}
    for board, factor in zip(boards, times, strict=True):
        found = [[best(hand, board) for hand in own] for own in hands]
        for places in product(*(range(len(own)) for own in hands)):
            held = [own[place] for own, place in zip(hands, places, strict=True)]
            cards = [*board, *held[0], *held[1], *held[2]]
            if len({*cards}) < len(cards):
                continue
            ranks = [own[place] for own, place in zip(found, places, strict=True)]
            halves = []
            for half in (0, 1):
                most = max(rank[half] for rank in ranks)
                halves.append(sum((rank[half] == most > 0) << i for i, rank in enumerate(ranks)))
            deals = factor * prod(own[place] for own, place in zip(weights, places, strict=True))
            masks = halves[0], halves[1] if low else 0
            counts[masks] = counts.get(masks, 0) + deals
    return {masks: count for masks, count in counts.items() if count}


def draw(seed: int, size: int) -> tuple[Hands, list[list[int]], list[int]]:
    """Draw three lists of hands, any two of which share some, and boards, most of few ranks."""
    drawn = random.Random(seed)
    decks = [range(52), [*range(28), *range(48, 52)], [*range(2, 52, 4), *range(20)], range(24, 52)]
    deck = sorted({*decks[seed % 4]})
    boards = [drawn.sample(deck, 5) for _ in range(3)] + [[*parse_cards(BOARDS[seed % 6])]]
    shared = [tuple(sorted(drawn.sample(deck, size))) for _ in range(12)]
    hands = []
    for _ in range(3):
        own = {tuple(sorted(drawn.sample(deck, size))) for _ in range(drawn.randint(1, 30))}
        own |= {*drawn.sample(shared, 8)}
        hands.append([list(hand) for hand in drawn.sample(sorted(own), len(own))])
    return hands, boards, [drawn.randint(1, 24) for _ in boards]


def count(
    hands: Hands, weights: list[list[float]], boards: list[list[int]], times: list[int], low: bool
) -> dict[tuple[int, int], Any]:
    return count_three_players(
        [np.array(own, np.uint8) for own in hands],
        [np.array(own, np.float64) for own in weights],
        np.array(boards, np.uint8),
        np.array(times, np.int64),
        low,
    )


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("size", [4, 5, pytest.param(6, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", ["all", "some", "fractions"])
@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2, 12), marks=pytest.mark.weekly)])
def test_every_three_hands_on_every_board(size: int, low: bool, kind: str, seeds: range) -> None:
    dealt = 0
    for seed in seeds:
        hands, boards, times = draw(100 * size + seed, size)
        drawn = random.Random(seed)
        choices = {"all": [1.0], "some": [0.0, 1.0], "fractions": [0.0, 0.125, 1.0, 0.7]}[kind]
        weights = [[drawn.choice(choices) for _ in own] for own in hands]
        found, expected = (way(hands, weights, boards, times, low) for way in (count, brute_force))
        if kind == "fractions":
            for masks in {*found, *expected}:
                near = pytest.approx(expected.get(masks, 0), rel=1e-12, abs=1e-9)
                assert found.get(masks, 0) == near
        else:
            assert found == expected and all(type(deals) is int for deals in found.values())
        dealt += len(expected)
    assert dealt


@pytest.mark.parametrize("low", [False, True])
def test_order_of_players(low: bool) -> None:
    hands, boards, times = draw(404, 4)
    ones = [[1.0] * len(own) for own in hands]
    expected = count(hands, ones, boards, times, low)
    assert expected
    for order in permutations(range(3)):
        found = count([hands[i] for i in order], [ones[i] for i in order], boards, times, low)
        back = {
            tuple(
                sum((mask >> place & 1) << player for place, player in enumerate(order))
                for mask in masks
            ): deals
            for masks, deals in found.items()
        }
        assert back == expected


def test_large_factors_do_not_overflow() -> None:
    hands, boards, times = draw(404, 4)
    ones = [[1.0] * len(own) for own in hands]
    many = [factor * 10**12 for factor in times]
    found, large = count(hands, ones, boards, times, True), count(hands, ones, boards, many, True)
    assert large == {masks: deals * 10**12 for masks, deals in found.items()}


def test_lists_that_cannot_be_dealt_together() -> None:
    hand = [[0, 5, 10, 15]]
    ones = [[1.0]] * 3
    assert not count([hand, hand, [[1, 2, 3, 4]]], ones, [[20, 25, 30, 35, 40]], [1], False)
    assert not count([hand, [[1, 2, 3, 4]], [[6, 7, 8, 9]]], ones, [[0, 25, 30, 35, 40]], [1], True)
