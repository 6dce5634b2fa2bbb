"""Known hands of Omaha against each other: golden integers, and brute force on drawn spots."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest
from omaha_oracle import known_hands

from gpuodds.backends.cpu.omaha.known_hands.known_hands import count_known_hands
from gpuodds.backends.cpu.omaha.shared.ranks import low_ranks, rank_omaha_hands
from gpuodds.cards import parse_cards


def count(hands, board=(), dead=(), low=True):
    rows = np.array([parse_cards(h) if isinstance(h, str) else h for h in hands], np.uint8)
    board = parse_cards(board) if isinstance(board, str) else board
    return count_known_hands(rows, board, dead, low)


def totals(counts, half):
    """Add up the counts by the winners of the high (0) or the low (1)."""
    sums: Counter[int] = Counter()
    for masks, number in counts.items():
        sums[masks[half]] += number
    return dict(sums)


@pytest.mark.parametrize(
    ("board", "hands", "highs"),
    [
        ("2s7d9h", "AsAhKsKh 7c8c9dTd", {1: 257, 2: 563}),
        ("", "AsAhKsKh 7c8c9dTd", {1: 654_359, 2: 431_649}),
        ("2s7d9h", "AsAhKsKhQd 7c8c9dTdJd", {1: 214, 2: 527}),
        ("2s7d9h", "AsAhKsKhQd2h 7c8c9dTdJd3c", {1: 204, 2: 462}),
    ],
)
def test_golden_highs(board, hands, highs):
    assert count(hands.split(), board, low=False) == {(mask, 0): n for mask, n in highs.items()}


@pytest.mark.parametrize(
    ("board", "hands", "highs", "lows"),
    [
        ("2s7d9h", "AsAh2c3h 7c8c9dTd", {1: 174, 2: 646}, {0: 319, 1: 495, 2: 6}),
        ("3s4d8h", "AcAd2c5h AhAs2s5c", {2: 45, 3: 775}, {3: 820}),
        (
            "3s4d8h",
            "Ac2cKhKd Ad2dQhQs Ah2h9c9d",
            {1: 383, 2: 81, 4: 77, 7: 125},
            {7: 666},
        ),
        ("", "AsAh2c3d KcKdQcJd", {1: 626_714, 2: 459_294}, {0: 480_024, 1: 605_984}),
    ],
)
def test_golden_highs_and_lows(board, hands, highs, lows):
    counts = count(hands.split(), board)
    assert totals(counts, 0) == highs
    assert totals(counts, 1) == lows


def draw(generator: random.Random, number: int):
    """Draw a spot with few boards left: few cards to come, or few cards that may come."""
    hole = generator.choice((4, 4, 4, 5, 6))
    on_board = generator.randrange(6)
    players = generator.randint(2, min(5, (47 - on_board) // hole))
    deck = list(range(52))
    if number % 3 == 0:  # many lows, and ties of them
        deck = [card for card in deck if card < 32 or card >= 48]
    elif number % 3 == 1:  # many flushes
        deck = [card for card in deck if card & 3 != 1]
    players = min(players, (len(deck) - 5) // hole)
    cards = generator.sample(deck, len(deck))
    hands = [cards[hole * i : hole * (i + 1)] for i in range(players)]
    at = hole * players
    board, rest = cards[at : at + on_board], cards[at + on_board :]
    rest += [card for card in range(52) if card not in deck]
    left = {0: 11, 1: 11, 2: 12, 3: 22, 4: 40, 5: 52}[on_board]
    generator.shuffle(rest)
    return hands, board, rest[left:]


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.weekly) for seed in range(4, 16))]
)
def test_brute_force_on_drawn_spots(seed):
    generator = random.Random(seed)
    shapes = set()
    for number in range(40):
        hands, board, dead = draw(generator, number)
        expected = known_hands(hands, board, dead)
        assert count(hands, board, dead) == expected
        highs = {(mask, 0): n for mask, n in totals(expected, 0).items()}
        assert count(hands, board, dead, low=False) == highs
        shapes |= {(mask.bit_count(), low.bit_count()) for mask, low in expected}
    assert {(1, 0), (1, 1), (2, 1), (1, 2)} <= shapes


def test_ties_of_three_lows():
    hands = [parse_cards(text) for text in ("Ac2cKhKd", "Ad2dQhQs", "Ah2h9c9d", "3s5s6d7d")]
    dead = parse_cards("Tc Th Jh Qc Kc Ks Td Jd Qd 9s 2s As")
    board = parse_cards("3d4d")
    expected = known_hands(hands, board, dead)
    assert max(mask.bit_count() for _, mask in expected) == 3
    assert count(hands, board, dead) == expected


def test_most_players():
    cards = random.Random(5).sample(range(52), 52)
    for hole, players in ((4, 11), (5, 9), (6, 7)):
        hands = [cards[hole * i : hole * (i + 1)] for i in range(players)]
        rest = cards[hole * players :]
        expected = known_hands(hands, [], rest[10:])
        assert count(hands, [], rest[10:]) == expected
        assert count(hands, rest[:5], []) == known_hands(hands, rest[:5], [])


@pytest.mark.parametrize("on_board", [0, 3, 4, 5])
def test_properties(on_board):
    generator = random.Random(on_board)
    for _ in range(20):
        cards = generator.sample(range(52), 24)
        hands, board, dead = [cards[:4], cards[4:8], cards[8:12]], cards[12 : 12 + on_board], cards[20:]
        counts = count(hands, board, dead)
        assert sum(counts.values()) == comb(52 - 12 - on_board - 4, 5 - on_board)

        suits = generator.sample(range(4), 4)
        renamed = [[card & ~3 | suits[card & 3] for card in c] for c in (*hands, board, dead)]
        assert count(renamed[:3], renamed[3], renamed[4]) == counts

        shuffled = [generator.sample(c, len(c)) for c in (*hands, board, dead)]
        assert count(shuffled[:3], shuffled[3], shuffled[4]) == counts

        seats = generator.sample(range(3), 3)
        moved = count([hands[seat] for seat in seats], board, dead)

        def back(mask, seats=seats):
            return sum(1 << seat for place, seat in enumerate(seats) if mask >> place & 1)

        assert {(back(high), back(low)): n for (high, low), n in moved.items()} == counts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hole", "players"), [(4, 2), pytest.param(4, 3, marks=pytest.mark.weekly), (5, 3), (6, 4)]
)
def test_every_board_of_a_drawn_spot_before_the_flop(hole, players):
    cards = random.Random(hole + players).sample(range(52), 52)
    hands = np.array(cards[: hole * players], np.uint8).reshape(players, hole)
    deck = np.array(cards[hole * players :], np.uint8)
    chosen = np.fromiter(combinations(range(deck.size), 5), np.dtype((np.uint8, 5)))
    boards = deck[chosen]
    masks = []
    for rank in (rank_omaha_hands, low_ranks):
        ranks = np.array([rank(np.tile(hand, (len(boards), 1)), boards) for hand in hands])
        shared = (ranks == ranks.max(axis=0)) & (ranks > 0)
        masks.append((shared << np.arange(players)[:, None]).sum(axis=0))
    pairs, numbers = np.unique(masks, axis=1, return_counts=True)
    expected = dict(zip(zip(*pairs.tolist(), strict=True), numbers.tolist(), strict=True))
    assert count(hands.tolist()) == expected
