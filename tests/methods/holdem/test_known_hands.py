"""Known hands against random ones: equal to brute force on drawn spots and on edge cases."""

from __future__ import annotations

import random
from typing import cast

import pytest
from oracle import brute_force

import gpuodds
from gpuodds.cards import parse_cards
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.spots.spot import Spot

BOARDS = {
    "three of a suit": "2s7s9sKdJh",
    "four of a suit": "2s7s9sKsJh",
    "five of a suit": "2s7s9sKsJs",
    "a flush on a paired board": "9s9d2s7sKh",
    "four to a straight flush": "5h6h7h8hKd",
    "a straight flush": "5h6h7h8h9h",
    "pair": "9s9d2c7hKs",
    "two pair": "9s9d2c2hKs",
    "trips": "9s9d9c2hKs",
    "full house": "9s9d9c2h2s",
    "quads": "9s9d9c9hKs",
    "quads with the ace": "9s9d9c9hAs",
    "a straight": "5c6d7h8s9c",
    "four to a straight": "5c6d7h8sKc",
    "broadway": "TcJdQhKsAc",
    "the wheel": "Ac2d3h4s5c",
    "four to the wheel": "Ac2d3h4sKc",
    "dry": "2c7d9hJsKc",
}


def compare(spot: Spot) -> None:
    hands = cast("tuple[tuple[int, int], ...]", spot.hands)
    expected = brute_force(hands, spot.opponents, spot.board, spot.dead)
    result = gpuodds.equity(
        spot.hands, opponents=spot.opponents, board=spot.board, dead=spot.dead, table=False
    )
    assert result.outcomes == expected.outcomes
    for player, won in zip(result.players, expected.won, strict=True):
        assert [player.win_outcomes, *player.tie_outcomes] == won


def draw_spot(
    draw: random.Random, board: tuple[int, ...], opponents: int, players: int, dead: int
) -> Spot:
    deck = [card for card in range(52) if card not in board]
    draw.shuffle(deck)
    hands = tuple((deck.pop(), deck.pop()) for _ in range(players))
    return Spot(hands, opponents, board, tuple(deck.pop() for _ in range(dead)), game=HOLDEM)


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_rivers_of_every_category(board: str) -> None:
    draw = random.Random(board)
    for number in range(12):
        # One and two opponents mostly: enumerating three takes a while.
        opponents = (1, 2, 1, 2, 1, 3)[number % 6]
        players = 1 + number % 3
        dead = (0, 0, 5, 14)[number % 4]
        compare(draw_spot(draw, parse_cards(board), opponents, players, dead))


@pytest.mark.parametrize("opponents", [0, 1, 2])
def test_drawn_turns_and_flops(opponents: int) -> None:
    draw = random.Random(opponents)
    for street in (4, 4, 4, 4, 4, 4, 3):
        board = tuple(draw.sample(range(52), street))
        players = draw.randint(2 if opponents == 0 else 1, 3)
        compare(draw_spot(draw, board, opponents, players, draw.choice([0, 3, 12])))


@pytest.mark.parametrize("seed", range(100))
def test_drawn_rivers(seed: int) -> None:
    draw = random.Random(seed)
    board = tuple(draw.sample(range(52), 5))
    compare(draw_spot(draw, board, draw.randint(1, 2), draw.randint(1, 3), draw.choice([0, 4])))


@pytest.mark.parametrize(
    ("hands", "board", "dead"),
    [
        (["2c7d"], "AsKsQsJsTs", ""),  # the board is the nuts
        (["2c2d"], "3c3d3h3s2h", ""),  # nearly every card beats the hand by itself
        (["4s8s"], "2s3s6h7h8h", ""),  # the most two-card losses
        (["AsKs"], "QsJsTs2c3d", ""),  # the nuts
        (["2c3d", "AsKs"], "QsJsTs4h5h", ""),  # drawing dead
        (["AhKh"], "2s7s9sKdJh", "AsKsQsJsTs8s6s5s4s3s"),  # no flush is left
        (["AhKh"], "2s7s9sKdJh", "AcAdAs"),  # one rank is out
        (["AhKh", "AdKd", "AcKc"], "2s7s9sQdJh", ""),  # the same hand thrice
        (["5s5h"], "5c5d9s9h9c", ""),
        (["Ah2h"], "3d4s5cKhKd", ""),
        (["6h6d"], "5h7h8h9hTd", ""),
    ],
)
def test_awkward_rivers(hands: list[str], board: str, dead: str) -> None:
    for opponents in (1, 2):
        compare(Spot.of(hands, opponents=opponents, board=board, dead=dead))


def test_almost_empty_decks() -> None:
    draw = random.Random(1)
    for left in (4, 5, 6, 7, 9):
        cards = draw.sample(range(52), 52)
        spot = Spot(
            ((cards[0], cards[1]),), 2, tuple(cards[2:7]), tuple(cards[7 : 52 - left]), game=HOLDEM
        )
        compare(spot)
    cards = draw.sample(range(52), 52)
    compare(
        Spot(((cards[0], cards[1]),), 1, (), tuple(cards[2:43]), game=HOLDEM)
    )  # preflop, nine cards left
