"""Ranges of Omaha hands against each other, counted by comparing every pair of hands on every board."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import pytest

from gpuodds.backends.counts import OmahaCounts
from gpuodds.backends.cpu.omaha.ranges import showdowns
from gpuodds.backends.cpu.omaha.ranges.showdowns import Counts, count_showdowns
from gpuodds.cards import parse_cards
from gpuodds.games.shared.hand_names import CATEGORIES, category
from gpuodds.games.shared.hand_ranks import rank_cards

FLUSH, STRAIGHT_FLUSH, QUADS = "2h7h9hKhAc", "5s6s7s8s9s", "8c8d8h8s3c"
WHEEL, FOUR_LOW, PAIRED = "Ac2d3h4s5c", "3c4d7h8sKc", "2c2d3h8s8c"


@cache
def high_of(cards: frozenset[int]) -> int:
    return rank_cards(sorted(cards))


@cache
def low_of(cards: frozenset[int]) -> int:
    """Return a number for a low, higher for a better one; 0 if the five cards are none."""
    ranks = {1 if card >> 2 == 12 else (card >> 2) + 2 for card in cards}
    if len(ranks) < 5 or max(ranks) > 8:
        return 0
    return 10**6 - int("".join(map(str, sorted(ranks, reverse=True))))


def best(hand: list[int], board: list[int]) -> tuple[int, int]:
    """Return the high and the low of a hand: exactly two of its cards with three of the board."""
    fives = [
        frozenset((*two, *three)) for two in combinations(hand, 2) for three in combinations(board, 3)
    ]
    return max(map(high_of, fives)), max(map(low_of, fives))


def brute_force(
    hands: list[list[list[int]]], weights: list[list[float]], boards: list[list[int]], times: list[int],
    low: bool,
) -> tuple[list[list[list[float]]], list[list[list[float]]]]:  # fmt: skip
    """Count as :func:`count_showdowns`, for each hand and by category."""
    counted = [[[0.0] * (9 if low else 3) for _ in own] for own in hands]
    made = [[[0.0] * 3 for _ in CATEGORIES] for _ in hands]
    for board, factor in zip(boards, times, strict=True):
        found = [[(0, 0) if {*hand} & {*board} else best(hand, board) for hand in own] for own in hands]
        for i, j in np.ndindex(len(hands[0]), len(hands[1])):
            cards = [*hands[0][i], *hands[1][j], *board]
            if len({*cards}) < len(cards):
                continue
            for player, (own, other) in enumerate(((i, j), (j, i))):
                mine, theirs = found[player][own], found[1 - player][other]
                deals = factor * weights[1 - player][other]
                row = counted[player][own]
                row[-1] += deals
                win, tie = mine[0] > theirs[0], mine[0] == theirs[0]
                of_category = made[player][CATEGORIES.index(category(mine[0]))]
                for column, counts in enumerate((win, tie, True)):
                    of_category[column] += deals * weights[player][own] * counts
                beside = 2 * (max(mine[1], theirs[1]) > 0) if low else 0
                row[beside] += deals * win
                row[beside + 1] += deals * tie
                if low:
                    low_win, low_tie = mine[1] > theirs[1], 0 < mine[1] == theirs[1]
                    row[4] += deals * low_win
                    row[5] += deals * low_tie
                    row[6] += deals * (win and (low_win or not beside))
                    lost = theirs[0] > mine[0] and (theirs[1] > mine[1] or not beside)
                    row[7] += deals * lost
    return counted, made


def draw(seed: int, size: int) -> tuple[list[list[list[int]]], list[list[int]], list[int]]:
    """Draw two lists of hands that share some, and boards, most of them of few ranks or of one suit."""
    drawn = random.Random(seed)
    decks = [range(52), [*range(28), *range(48, 52)], [*range(2, 52, 4), *range(20)], range(24, 52)]
    deck = sorted({*decks[seed % 4]})
    named = [[*parse_cards(text)] for text in (FLUSH, STRAIGHT_FLUSH, QUADS, WHEEL, FOUR_LOW, PAIRED)]
    boards = [drawn.sample(deck, 5) for _ in range(3)] + [named[seed % 6]]
    lists: list[list[list[int]]] = []
    for count in (drawn.randint(1, 40), drawn.randint(1, 40)):
        own = {tuple(sorted(drawn.sample(deck, size))) for _ in range(count)}
        if lists:
            own |= {tuple(hand) for hand in lists[0][::2]}
        lists.append([list(hand) for hand in drawn.sample(sorted(own), len(own))])
    return lists, boards, [drawn.randint(1, 24) for _ in boards]


def count(
    hands: list[list[list[int]]], weights: list[list[float]], boards: list[list[int]], times: list[int],
    low: bool,
) -> list[Counts]:  # fmt: skip
    return count_both(hands, weights, boards, times, low).counts


def count_both(
    hands: list[list[list[int]]], weights: list[list[float]], boards: list[list[int]], times: list[int],
    low: bool, made_hands: bool = False,
) -> OmahaCounts:  # fmt: skip
    return count_showdowns(
        [np.array(own, np.uint8) for own in hands],
        [np.array(own, np.float64) for own in weights],
        np.array(boards, np.uint8),
        np.array(times, np.int64),
        low,
        made_hands=made_hands,
    )


@pytest.mark.slow
@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("size", [4, 5, 6])
@pytest.mark.parametrize("kind", ["all", "some", "fractions"])
@pytest.mark.parametrize("seeds", [range(6), pytest.param(range(6, 30), marks=pytest.mark.weekly)])
def test_every_pair_of_hands_on_every_board(
    size: int, low: bool, kind: str, seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in seeds:
        hands, boards, times = draw(100 * size + seed, size)
        if seed % 2:  # by a sweep, else by comparing pairs: neither depends on the length of the lists
            monkeypatch.setattr(showdowns, "LONGEST_COMPARED", {size: 0})
        else:
            monkeypatch.setattr(showdowns, "LONGEST_COMPARED", {size: 100})
        drawn = random.Random(seed)
        choices = {"all": [1.0], "some": [0.0, 1.0], "fractions": [0.0, 0.125, 1.0, 0.7]}[kind]
        weights = [[drawn.choice(choices) for _ in own] for own in hands]
        found = count(hands, weights, boards, times, low)
        again, made = count_both(hands, weights, boards, times, low, made_hands=True)
        assert made is not None
        expected, expected_made = brute_force(hands, weights, boards, times, low)
        for player in range(2):
            for ours, rows in (
                (found[player], expected[player]),
                (again[player], expected[player]),
                (made[player], expected_made[player]),
            ):
                if kind == "fractions":
                    np.testing.assert_allclose(ours, rows, rtol=1e-12, atol=1e-9)
                else:
                    np.testing.assert_array_equal(ours, rows)
            if kind != "fractions":
                assert found[player].dtype == again[player].dtype == np.int64
                assert all(type(deals) is int for deals in made[player].ravel())


@pytest.mark.parametrize("low", [False, True])
def test_one_wins_what_the_other_loses(low: bool) -> None:
    hands, boards, times = draw(7, 4)
    ones = [[1.0] * len(own) for own in hands]
    first, second = (found.sum(axis=0) for found in count(hands, ones, boards, times, low))
    assert first[-1] == second[-1]
    if low:
        assert first[6] == second[7] and first[7] == second[6]
        assert first[5] == second[5] and first[3] == second[3] and first[1] == second[1]
        assert first[:4].sum() + second[0] + second[2] == first[-1]
    else:
        assert first[1] == second[1]
        assert first.sum() - first[-1] + second[0] == first[-1]


def test_all_hands_on_a_board_meet_all_others() -> None:
    every = np.array(list(combinations(range(52), 4)), np.uint8)
    ones = np.ones(len(every))
    board = np.array([parse_cards("2s7d9hTcJd")], np.uint8)
    given = [every] * 2, [ones] * 2, board, np.ones(1, np.int64)
    (first, second), made = count_showdowns(*given, low=False, made_hands=True)
    np.testing.assert_array_equal(first, second)
    dealt = np.isin(every, board).sum(axis=1) == 0
    assert (first[dealt, 2] == comb(43, 4)).all() and not first[~dealt].any()
    assert 2 * first[:, 0].sum() + first[:, 1].sum() == comb(47, 4) * comb(43, 4)
    assert made is not None
    for one in made:
        assert one.sum(axis=0).tolist() == first.sum(axis=0).tolist()


def test_large_factors_do_not_overflow() -> None:
    hands, boards, times = draw(8, 4)
    ones = [[1.0] * len(own) for own in hands]
    many = [factor * 10**9 for factor in times]
    found, made = count_both(hands, ones, boards, times, True, made_hands=True)
    large, large_made = count_both(hands, ones, boards, many, True, made_hands=True)
    assert made is not None and large_made is not None
    for few, more in zip([*found, *made], [*large, *large_made], strict=True):
        np.testing.assert_array_equal(more, few * 10**9)


def test_golden_counts_of_two_known_hands() -> None:
    flop = [*parse_cards("2s7d9h")]
    hands = [[sorted(parse_cards("AsAh2c3h"))], [sorted(parse_cards("7c8c9dTd"))]]
    rest = [card for card in range(52) if card not in {*flop, *hands[0][0], *hands[1][0]}]
    boards = [[*flop, *two] for two in combinations(rest, 2)]
    ones = [[1.0], [1.0]]
    first, second = count(hands, ones, boards, [1] * len(boards), True)
    assert first[0, 0] + first[0, 2] == 174 and second[0, 0] + second[0, 2] == 646
    assert (first[0, 4], first[0, 5], second[0, 4], first[0, 8]) == (495, 0, 6, 820)
