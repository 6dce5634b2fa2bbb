"""A hand of Omaha against one random hand: brute force by cards, and identities between streets."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np
import pytest

from gpuodds.backends.cpu.arrays.ranks import rank_cards
from gpuodds.backends.cpu.omaha.known_hands.against_random import count_against_random
from gpuodds.cards import parse_cards
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.hand_names import CATEGORIES, category


def low_of(cards: list[int]) -> int:
    """Return a number that is higher the better the low of five cards is, 0 for none."""
    ranks = sorted({(card // 4 + 1) % 13 for card in cards}, reverse=True)
    if len(ranks) < 5 or ranks[0] > 7:
        return 0
    return 10**5 - int("".join(map(str, ranks)))


def pair_tables(board: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the hand rank and the low of every pair of cards with three of a board, (52, 52)."""
    left = [card for card in range(52) if card not in board]
    high, low = np.zeros((2, 52, 52), np.int64)
    pairs = list(combinations(left, 2))
    hands = [[*pair, *three] for pair in pairs for three in combinations(board, 3)]
    ranks = rank_cards(np.array(hands, np.uint8), HOLDEM).reshape(len(pairs), 10)
    lows = np.array([low_of(hand) for hand in hands]).reshape(len(pairs), 10)
    for (one, two), best, best_low in zip(pairs, ranks.max(1), lows.max(1), strict=True):
        high[one, two] = high[two, one] = best
        low[one, two] = low[two, one] = best_low
    return high, low


def brute_force(hand: Sequence[int], board: Sequence[int], dead: Sequence[int]) -> np.ndarray:
    """Count by listing every hand of the opponent on every board."""
    sums = np.zeros((len(CATEGORIES), 3, 4), np.int64)
    size = len(hand)
    left = [card for card in range(52) if card not in {*hand, *board, *dead}]
    for more in combinations(left, 5 - len(board)):
        tables = pair_tables([*board, *more])
        deck = [card for card in left if card not in more]
        number = comb(len(deck), size)
        flat = (card for cards in combinations(deck, size) for card in cards)
        hands = np.fromiter(flat, np.int8, number * size).reshape(number, size)
        best = [np.zeros(number, np.int64), np.zeros(number, np.int64)]
        own = [0, 0]
        for kind, table in enumerate(tables):
            for i, j in combinations(range(size), 2):
                np.maximum(best[kind], table[hands[:, i], hands[:, j]], out=best[kind])
                own[kind] = max(own[kind], int(table[hand[i], hand[j]]))
        row = 1 - np.sign(own[0] - best[0])
        column = np.where(best[1] == own[1], 2, np.where(own[1] > best[1], 1, 3))
        column[(best[1] == 0) & (own[1] == 0)] = 0
        found = np.bincount(4 * row + column, minlength=12).reshape(3, 4)
        sums[CATEGORIES.index(category(own[0]))] += found
    return sums


def check(hand: Sequence[int], board: Sequence[int], dead: Sequence[int] = ()) -> None:
    """Compare with brute force, with and without a low."""
    expected = brute_force(hand, board, dead)
    assert count_against_random(hand, board, dead, low=True).tolist() == expected.tolist()
    high = count_against_random(hand, board, dead)
    assert high[:, :, 0].tolist() == expected.sum(axis=2).tolist() and not high[:, :, 1:].any()


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed",
    [
        0,
        1,
        4,
        8,
        9,
        10,
        *(pytest.param(seed, marks=pytest.mark.weekly) for seed in (2, 5, *range(11, 50))),
    ],
)
def test_rivers_by_brute_force(seed: int) -> None:
    draw = random.Random(seed)
    size = 4 + seed % 3 if seed < 9 else 4
    # Few ranks or few suits, so that full houses, flushes and lows are common.
    deck = [card for card in range(52) if seed % 2 or card % 4 < 2 or card // 4 in (0, 5, 12)]
    cards = draw.sample(deck, size + 5)
    others = [card for card in range(52) if card not in cards]
    check(cards[:size], cards[size:], draw.sample(others, [0, 3, 11][seed // 3 % 3]))


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "As2s3h5d 3s4dKd8d",
        *(
            pytest.param(text, marks=pytest.mark.weekly)
            for text in ("AsAhKsKh 7s8s9d2h", "QsJsTsTh 2s3s9c9d", "2c2d7h8h 3c7s8c8d")
        ),
    ],
)
def test_turns_by_brute_force(text: str) -> None:
    hand, board = (parse_cards(cards) for cards in text.split())
    check(hand, board)


@pytest.mark.parametrize("text", ["AsAhKsKh 7s8s9d", "As2s3h5d 3s4dKd", "QsJsTsTh9c 2s3s9s"])
def test_a_flop_is_the_sum_of_its_turns(text: str) -> None:
    hand, board = (parse_cards(cards) for cards in text.split())
    dead = parse_cards("2d")
    whole = count_against_random(hand, board, dead, low=True)
    turns = [card for card in range(52) if card not in {*hand, *board, *dead}]
    parts = [count_against_random(hand, [*board, card], dead, low=True) for card in turns]
    assert np.array_equal(2 * whole, np.sum(parts, axis=0))
    cards = 52 - len(hand) - len(board) - 1
    assert whole.sum() == comb(cards, 2) * comb(cards - 2, len(hand))


def test_before_the_flop() -> None:
    found = count_against_random(parse_cards("AsAhKsKh"))
    assert found[:, :, 0].sum(axis=0).tolist() == [148_999_832_330, 707_700_224, 61_607_904_086]
    assert not found[:, :, 1:].any()
    renamed = count_against_random(parse_cards("KdAcAdKc"), low=True)
    assert renamed.sum(axis=2).tolist() == found[:, :, 0].tolist()


def test_progress() -> None:
    told: list[float] = []
    count_against_random(parse_cards("AsAhKsKh"), parse_cards("7s8s9d"), progress=told.append)
    assert told[-1] == 1
    assert told == sorted(told)
