"""One- and two-card losses, f(S, k), and the deals in which a hand is not beaten."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpuodds
from gpuodds import InputError, count_disjoint, losses
from gpuodds.cards import format_cards, parse_cards
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.multiway import deals
from gpuodds.methods.hands.evaluate import rank_hand
from gpuodds.methods.hands.losses import Losses

DISJOINT = [268, 31480, 2154651, 96366138, 2993160333, 66975306240, 1105166289846, 13652181872325]
WIN_OR_DRAW = [
    *(722, 236461, 46613209, 6189048942, 586901932422, 41133728936835),
    *(2175402935906934, 87883712183841165),
]


def list_disjoint(pairs: list[tuple[int, int]], count: int) -> int:
    chosen = (set().union(*choice) for choice in combinations(pairs, count))
    return sum(len(cards) == 2 * count for cards in chosen)


def count_cliques(pairs: list[tuple[int, int]], most: int) -> list[int]:
    """Count cliques by size: pairs are vertices, with an edge between two that share no card."""
    n = len(pairs)
    rows = [sum(1 << j for j in range(i + 1, n) if not {*pairs[i]} & {*pairs[j]}) for i in range(n)]
    counts = [0] * (most + 1)
    counts[0] = 1

    def extend(candidates: int, size: int) -> None:
        counts[size] += candidates.bit_count()
        while candidates and size < most:
            i = (candidates & -candidates).bit_length() - 1
            candidates &= candidates - 1
            extend(candidates & rows[i], size + 1)

    # A candidate left of the one taken is not taken again: rows have later pairs alone.
    extend((1 << n) - 1, 1)
    return counts


def test_the_most_two_card_losses() -> None:
    found = losses("4s8s", "2s3s6h7h8h")
    assert (found.one_card, found.remaining, len(found.two_card)) == ((), 45, 268)
    assert [found.count_disjoint(k) for k in range(9)] == [1, *DISJOINT]
    assert [found.win_or_draw(k) for k in range(1, 9)] == WIN_OR_DRAW
    assert count_cliques(list(found.two_card), 4) == [1, *DISJOINT[:4]]
    assert len(losses("8c4d", "2s3s6h7h8h").two_card) == 268  # offsuit, too
    assert list_disjoint(list(found.two_card), 2) == DISJOINT[1]


@pytest.mark.parametrize(("hand", "board"), [("2c2d", "3c3d3h3s2h"), ("3c3d", "2c2d2h2s3h")])
def test_the_most_one_card_losses(hand: str, board: str) -> None:
    found = losses(hand, board)
    assert (len(found.one_card), found.remaining, found.two_card) == (44, 1, ())
    assert found.win_or_draw(1) == found.win_or_draw(22) == 0


def test_the_sum_written_out() -> None:
    # Two opponents, no one-card loss, two disjoint pairs: 446,985 - 1,806 + 1.
    pairs = (tuple(sorted(parse_cards("AsKs"))), tuple(sorted(parse_cards("QsJs"))))
    found = Losses((0, 1), (2, 3, 4, 5, 6), (), pairs)  # type: ignore[arg-type]
    assert deals(45, 2) == 446_985 and 2 * deals(43, 1) == 1_806 and found.count_disjoint(2) == 1
    assert found.win_or_draw(2) == 445_180
    assert losses("9s9h", "9d5c5h2s2d").win_or_draw(2) == 445_180


def test_five_pairs_as_a_graph() -> None:
    # A and D share a card, so do B and E: of five vertices all other eight edges are there.
    a, b, c, d, e = "AsKs", "QsJs", "Ts9s", "AsKd", "QsJd"
    assert [count_disjoint([a, b, c, d, e], k) for k in range(6)] == [1, 5, 8, 4, 0, 0]
    assert count_disjoint([a, b, c, d, e], 27) == 0
    assert count_disjoint([], 0) == 1 and count_disjoint([], 1) == 0
    assert count_disjoint([a, "KsAs", (51, 47)], 1) == 1  # one pair, given three times
    every = list(combinations(range(52), 2))
    assert count_disjoint(every, 26) == 2980227913743310874726229193921875  # 51!!
    assert count_disjoint(every, 3) == deals(52, 3)


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_choices_are_those_listed(data: st.DataObject) -> None:
    cards = data.draw(st.integers(2, 10))
    every = list(combinations(range(cards), 2))
    pairs = data.draw(st.lists(st.sampled_from(every), unique=True, max_size=14))
    for k in range(5):
        assert count_disjoint(pairs, k) == list_disjoint(pairs, k)


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
def test_deals_are_those_of_the_engine(seed: int) -> None:
    draw = Random(seed)
    cards = draw.sample(range(52), 7)
    found = losses(cards[:2], cards[2:])
    for k in (1, 2, 3, draw.randrange(4, 23)):
        exact = gpuodds.equity([cards[:2]], opponents=k, board=cards[2:], table=False, backend="cpu")
        player = exact.players[0]
        assert exact.outcomes == deals(45, k)
        assert found.win_or_draw(k) == player.win_outcomes + sum(player.tie_outcomes)
        assert found.win_or_draw(k) / deals(45, k) >= exact.equity - 1e-12


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None)
def test_losses_are_the_cards_that_beat_the_hand(seed: int) -> None:
    cards = Random(seed).sample(range(52), 7)
    hand, board = cards[:2], cards[2:]
    found = losses(hand, board)
    rank = rank_hand(cards, HOLDEM)
    unseen = [card for card in range(52) if card not in cards]
    for card in unseen:
        five = max(rank_hand([*four, card], HOLDEM) for four in combinations(board, 4))
        assert (card in found.one_card) == (max(five, rank_hand(board, HOLDEM)) > rank)
    for pair in combinations([card for card in unseen if card not in found.one_card], 2):
        assert (pair in found.two_card) == (rank_hand([*pair, *board], HOLDEM) > rank)
    # An opponent with a one-card loss beats the hand with any second card.
    for card in found.one_card:
        assert all(rank_hand([card, other, *board], HOLDEM) > rank for other in unseen if other != card)
    assert found.win_or_draw(1) == deals(found.remaining, 1) - len(found.two_card)


@pytest.mark.parametrize(
    ("hand", "board", "message"),
    [
        ("As", "2s3s6h7h8h", "AsAs|a hand has two cards"),
        ("AsKs", "2s3s6h", "board 2s3s6h: expected five cards, found 3"),
        ("AsKs", "", "board '': expected five cards, found 0"),
        ("AsKs", "2s3s6h7h8h9h", "expected at most 5 cards"),
        ("AsKs", "As3s6h7h8h", "As: the same card is in AsKs and the board"),
        ("AsKx", "2s3s6h7h8h", "AsKx: column 4"),
        ("QQ+", "2s3s6h7h8h", "expected a hand of two named cards"),
    ],
)
def test_bad_hands_and_boards(hand: str, board: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        losses(hand, board)


def test_bad_counts() -> None:
    found = losses("4s8s", "2s3s6h7h8h")
    for k in (0, 23, -1):
        with pytest.raises(InputError, match=f"opponents {k}: expected 1 to 22"):
            found.win_or_draw(k)
    with pytest.raises(InputError, match="count -1: expected 0 or more"):
        found.count_disjoint(-1)
    with pytest.raises(InputError, match="As: a hand has two different cards"):
        count_disjoint([(51, 51)], 1)
    with pytest.raises(InputError, match="pairs AsKs: expected a list of pairs"):
        count_disjoint("AsKs", 1)
    assert format_cards(found.hand) == "4s8s" and format_cards(found.board) == "2s3s6h7h8h"
