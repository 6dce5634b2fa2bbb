"""Threat graphs of full boards against every pair of cards, ranked one by one."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuodds.backends.cpu.arrays.ranks import rank_cards
from gpuodds.backends.cpu.known_hands.matching_counts import board_scan
from gpuodds.backends.cpu.known_hands.threat_graphs.threats import ROW, load_class, new_class_scratch
from gpuodds.backends.cpu.shared.board_classes import SUIT, THRESHOLD, board_classes
from gpuodds.backends.graph_words import TYPES
from gpuodds.cards import parse_cards
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.hand_ranks import hand_rank_tables
from gpuodds.spots.spot import Spot


def check(hand: tuple[int, int], board: tuple[int, ...]) -> None:
    """Compare the graph of a hand on a full board with the ranks of all pairs of cards."""
    tables = hand_rank_tables()
    scan = board_scan(Spot((hand,), 1, board, game=HOLDEM))
    classes = board_classes(scan, 0, 1, tables)
    assert classes.shape[1] == 1
    scratch = new_class_scratch()
    sizes = load_class(
        0, classes, scan.undealt, scan.board, scan.runout_ranks,
        tables.step, tables.rank_7, tables.flush, tables.lowest_flush, tables.flushes_end, *scratch,
    )  # fmt: skip
    suit = classes[SUIT, 0]
    unseen = [card for card in range(52) if card not in (*hand, *board)]
    pairs = list(combinations(unseen, 2))
    hands = np.array([(*pair, *board) for pair in [hand, *pairs]], np.uint8)
    known, *ranks = rank_cards(hands, HOLDEM).astype(int).tolist()
    assert classes[THRESHOLD, 0] == known
    rows = scratch.rows.tolist()
    cards_of = [0] * TYPES
    type_of = {card: (card >> 2) + (13 if card & 3 == suit else 0) for card in unseen}
    for card in unseen:
        cards_of[type_of[card]] += 1
    assert cards_of == [sum((sizes[bit] >> i & 1) << bit for bit in range(3)) for i in range(TYPES)]
    for (one, other), rank in zip(pairs, ranks, strict=True):
        i, j = type_of[one], type_of[other]
        for first, second in ((i, j), (j, i)):
            assert (rows[first] & ROW) >> second & 1 == (rank > known)
            assert rows[first] >> TYPES + second & 1 == (rank == known)


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=40)
def test_edges_are_the_pairs_that_beat_or_tie(seed: int) -> None:
    cards = Random(seed).sample(range(52), 7)
    check((cards[0], cards[1]), tuple(cards[2:]))


@pytest.mark.parametrize(
    ("hand", "board"),
    [
        ("AsKd", "2h5h9h3cKs"),  # three of a suit, no flush in the hand
        ("AhKd", "2h5h9hJhKs"),  # four, one card is enough
        ("2c3d", "2h5h9hJhKh"),  # the board is a flush
        ("AhKh", "2h5h9h3cKs"),  # the best flush
        ("9h8h", "2h5h7h3cKs"),  # flushes above and below it
        ("6c5c", "9h8h7h6h5h"),  # a straight flush on the board
        ("2c2d", "AhAsAcAdKs"),  # the board plays for all
        ("7c7d", "7h7s2c2d2h"),
    ],
)
def test_boards_with_flushes_and_without(hand: str, board: str) -> None:
    low, high = parse_cards(hand)
    check((low, high), tuple(parse_cards(board)))
