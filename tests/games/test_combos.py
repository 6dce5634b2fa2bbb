"""All combos at once on the CPU: ranks on boards, and counts of combo against combo."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from starting_hand_sums import by_starting_hand

import gpuodds
from gpuodds import equity
from gpuodds.backends.cpu.arrays.combos import heads_up_matrix, rank_combos
from gpuodds.cards import format_cards, parse_cards
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.starting_hands import combinations, example_combo, starting_hands
from gpuodds.games.shared.combos import (
    COMBOS,
    average_over_suits,
    boards_dealt,
    combo_cards,
    combo_index,
    suit_relabellings,
)
from gpuodds.methods.hands.evaluate import rank_hands
from gpuodds.tables.shipped.preflop_random import preflop_counts

BOARDS = [
    "2c2d2h2s3c",  # quads
    "AcKcQcJcTc",  # the board plays
    "Ac2d3h4s9c",  # wheels to come
    "2h5h9h3cKd",  # three suited
    "2h5h9hJhKd",  # four suited
    "2h5h9hJhKh",  # five suited
    "5d6d7d8d9d",  # a straight flush
    "AhAdKhKd2c",
]


def number(text: str) -> int:
    first, second = parse_cards(text)
    return combo_index(first, second)


def ranks_by_hand(board: np.ndarray) -> np.ndarray:
    """Rank every combo on a board as seven cards, 0 where it shares a card with the board."""
    cards = combo_cards()
    dealt = ~np.isin(cards, board).any(axis=1)
    hands = np.hstack([np.tile(board, (dealt.sum(), 1)), cards[dealt]])
    ranks = np.zeros(COMBOS, np.uint16)
    ranks[dealt] = rank_hands(hands)
    return ranks


def test_every_combo_has_its_number() -> None:
    cards = combo_cards()
    assert cards.shape == (COMBOS, 2) and (cards[:, 0] < cards[:, 1]).all()
    for i, (low, high) in enumerate(cards.tolist()):
        assert combo_index(low, high) == combo_index(high, low) == i


def test_suit_relabellings_permute_the_combos() -> None:
    relabellings = suit_relabellings()
    assert relabellings.shape == (24, COMBOS)
    assert np.array_equal(relabellings[0], np.arange(COMBOS))
    assert all(len(np.unique(row)) == COMBOS for row in relabellings)
    names = list(permutations(range(4)))[9]
    row = suit_relabellings()[9]
    first, second = parse_cards("AsKd")
    renamed = [card // 4 * 4 + names[card % 4] for card in (first, second)]
    assert row[combo_index(first, second)] == combo_index(*renamed)


@pytest.mark.parametrize("board", BOARDS)
def test_rank_combos_on_a_board(board: str) -> None:
    cards = np.array([parse_cards(board)], np.uint8)
    ranks = rank_combos(cards, HOLDEM)
    assert ranks.shape == (1, COMBOS) and ranks.dtype == np.uint16
    assert np.array_equal(ranks[0], ranks_by_hand(cards[0]))


def test_rank_combos_on_many_boards() -> None:
    rng = np.random.default_rng(3)
    boards = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (60, 1)), axis=1)[:, :5].copy()
    ranks = rank_combos(boards, HOLDEM)
    assert np.array_equal(ranks, [ranks_by_hand(board) for board in boards])
    assert rank_combos(boards[:0], HOLDEM).shape == (0, COMBOS)


@pytest.mark.parametrize(
    ("board", "dead"),
    [
        *[(board, "") for board in BOARDS],
        ("2h5h9hJhKd", "AhAd7c"),
        ("2c2d2h2s", ""),
        ("2h5h9hJh", "AhQh"),
        ("QsJsTs", "2c"),
    ],
)
def test_matrix_equals_pairs_compared_one_by_one(board: str, dead: str) -> None:
    given, out = parse_cards(board), parse_cards(dead)
    wins, ties = heads_up_matrix(HOLDEM, given, out)
    assert wins.shape == ties.shape == (COMBOS, COMBOS) and wins.dtype == ties.dtype == np.int64
    unseen = [card for card in range(52) if card not in (*given, *out)]
    rng = np.random.default_rng(1)
    for _ in range(6):
        hands = rng.permutation(unseen)[:4].tolist()
        h, v = combo_index(*hands[:2]), combo_index(*hands[2:])
        result = equity([hands[:2], hands[2:]], board=given, dead=out, backend="cpu")
        assert result.winners is not None
        found = {"A": wins[h, v], "B": wins[v, h], "AB": ties[h, v]}
        assert {who: count for who, count in found.items() if count} == {
            who: int(count) for who, count in result.winners.items()
        }
        assert ties[v, h] == ties[h, v]


@pytest.mark.parametrize("board", BOARDS)
def test_matrix_of_a_full_board(board: str) -> None:
    cards = parse_cards(board)
    ranks = ranks_by_hand(np.array(cards, np.uint8)).astype(int)
    wins, ties = heads_up_matrix(HOLDEM, cards)
    dealt = boards_dealt(cards, ()) > 0
    assert dealt.sum() == 1081 * 990
    assert np.array_equal(wins, dealt & (ranks[:, None] > ranks))
    assert np.array_equal(ties, dealt & (ranks[:, None] == ranks))


@pytest.mark.parametrize("hero", ["AsAh", "7c2d", "QhJh", "9h9d"])
def test_rows_against_a_random_combo(hero: str) -> None:
    board = "KhTh2c"
    wins, ties = heads_up_matrix(HOLDEM, parse_cards(board))
    player = equity(hero, board=board, backend="cpu").players[0]
    row = number(hero)
    assert wins[row].sum() == player.win_outcomes
    assert ties[row].sum() == player.tie_outcomes[0]
    assert (wins[row] + ties[row] + wins[:, row]).sum() == player.outcomes


def test_preflop(all_pairs: Any) -> None:
    wins, ties = all_pairs
    aces = number("AsAh")
    assert (wins[aces].sum(), ties[aces].sum()) == (1_781_508_418, 11_402_312)
    assert wins[:, aces].sum() == 2_097_572_400 - 1_781_508_418 - 11_402_312
    suited, queens = number("AsKs"), number("QhQd")
    assert wins[suited, queens] == 787_966
    assert wins[queens, suited] == 917_606
    assert ties[suited, queens] == 6_732
    assert ties.min() == 0 and np.array_equal(ties, ties.T)
    for order in suit_relabellings()[1:]:
        assert np.array_equal(wins[np.ix_(order, order)], wins)
    cards = combo_cards()
    for h in np.random.default_rng(2).integers(COMBOS, size=5).tolist():
        hand = format_cards(cards[h].tolist())
        player = equity(hand, backend="cpu").players[0]
        assert (wins[h].sum(), ties[h].sum()) == (player.win_outcomes, player.tie_outcomes[0])

    by_name = by_starting_hand(wins), by_starting_hand(ties)
    for i, name in enumerate(starting_hands()):
        counts = preflop_counts(example_combo(name), 1)
        assert [int(table[i].sum()) for table in by_name] == [combinations(name) * n for n in counts]
    aces, kings = (starting_hands().index(name) for name in ("AA", "KK"))
    # Each of 6 x 6 pairs of combos, on 1,712,304 boards each.
    assert sum(t[aces, kings] for t in (*by_name, by_name[0].T)) == 36 * 1_712_304


def test_average_is_exact_only_over_whole_classes() -> None:
    one = np.zeros((COMBOS, COMBOS), np.int64)
    one[number("AsKs"), number("QhQd")] = 24
    average = average_over_suits(one, suit_relabellings())
    # The board distinguishes two suits and leaves two alike: 12 pairs of combos, each met twice.
    assert average.sum() == 24 and set(average[average > 0].tolist()) == {2}


def test_too_few_cards_for_two_combos_give_zeros() -> None:
    wins, ties = heads_up_matrix(HOLDEM, (0, 1, 2, 3, 4), range(5, 49))
    assert not wins.any() and not ties.any()


def test_progress_rises_to_one() -> None:
    shares: list[float] = []
    heads_up_matrix(HOLDEM, parse_cards("KhTs2c"), progress=shares.append)
    assert shares == sorted(shares) and shares[-1] == 1.0 and len(shares) == 2


@pytest.mark.parametrize(
    ("board", "dead", "message"),
    [
        ("2c2d2h2s3c3d", "", "board 2c2d2h2s3c3d: expected at most 5 cards, found 6"),
        ([0, 52], "", "card number 52: expected 0 to 51"),
        ("", [-1], "card number -1"),
        ("2c2d", "2d", "2d: the same card is in the board and the dead cards"),
    ],
)
def test_heads_up_matrix_refuses_invalid_cards(board: Any, dead: Any, message: str) -> None:
    with pytest.raises(gpuodds.InputError, match=message):
        gpuodds.heads_up_matrix(board, dead=dead)
