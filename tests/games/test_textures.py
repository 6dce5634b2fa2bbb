"""Textures of flops and turn cards, by hand and over all flops."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, combinations_with_replacement

import pytest
from hits_oracle import category

import gpuodds
from gpuodds.cards import DECK_SIZE, parse_cards
from gpuodds.games import find_game
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.textures import FLOP_TEXTURES, TURN_TEXTURES, flop_textures, turn_textures


def test_flops_by_hand() -> None:
    for flop, expected in {
        "2s7d9h": "rainbow unpaired disconnected 9-high",
        "AhKhQh": "monotone unpaired connected A-high",
        "Ad2c3c": "two-tone unpaired connected A-high",  # the wheel
        "Ad6c3c": "two-tone unpaired disconnected A-high",
        "9d5c7c": "two-tone unpaired connected 9-high",
        "KdKcQs": "rainbow paired disconnected K-high",
        "4d4c4s": "rainbow trips disconnected 4-high",
    }.items():
        assert " ".join(flop_textures(parse_cards(flop), HOLDEM)) == expected


def test_all_flops() -> None:
    flops = combinations(range(DECK_SIZE), 3)
    found = Counter(name for flop in flops for name in flop_textures(flop, HOLDEM))
    assert set(found) == set(FLOP_TEXTURES)
    # 4 C(13, 3); 4 x C(13, 2) x 39; 13 C(4, 3); 13 C(4, 2) x 48.
    assert found["monotone"] == 1144 and found["two-tone"] == 12_168 and found["rainbow"] == 8788
    assert found["trips"] == 52 and found["paired"] == 3744
    # Three of the five ranks of a straight, 64 ways each: 64 rank sets span at most five.
    assert found["connected"] == 64 * 64
    assert found["A-high"] == 4804 and found["2-high"] == 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "flops", "connected"),
    # 64 ways each for the sets of three ranks within five; six of the sets have the ace below.
    [("holdem", 22_100, 64 * 64), ("short-deck", 7140, 40 * 64), ("short-deck-trips", 7140, 40 * 64)],
)
def test_flops_are_connected_if_two_more_cards_make_a_straight(
    name: str, flops: int, connected: int
) -> None:
    game = find_game(name)
    deck = [card for card in range(DECK_SIZE) if card not in game.missing]

    @cache
    def makes_straight(ranks: tuple[int, ...]) -> bool:
        two = combinations_with_replacement({card >> 2 for card in deck}, 2)
        hands = ([4 * rank for rank in (*ranks, *more)] for more in two)
        return any(category(hand, name, flushes=False) == "straight" for hand in hands)

    found = Counter[str]()
    for flop in combinations(deck, 3):
        textures = flop_textures(flop, game)
        expected = makes_straight(tuple(card >> 2 for card in flop))
        assert ("connected" in textures, "disconnected" in textures) == (expected, not expected), flop
        found.update(textures)
    assert found["connected"] == connected
    assert found["connected"] + found["disconnected"] == flops


def test_a_report_of_short_deck_knows_its_lowest_straight() -> None:
    report = gpuodds.flop_report(["AA", "KK"], game="short-deck", backend="cpu")
    connected, _ = report.by_texture()["connected"]
    assert connected == 40 * 64


def test_turn_cards() -> None:
    flop = parse_cards("2s7s9h")
    names = {card: turn_textures(flop, card) for card in range(DECK_SIZE) if card not in flop}
    assert {name for found in names.values() for name in found} == {*TURN_TEXTURES} - {"four-flush"}
    by_text = {text: names[parse_cards(text)[0]] for text in ("9s", "2h", "Ks", "Kd", "3d")}
    assert by_text == {
        "9s": ("pair", "flush"),
        "2h": ("pair",),
        "Ks": ("flush", "overcard"),
        "Kd": ("overcard",),
        "3d": ("blank",),
    }


def test_a_flush_is_possible_anew_only_with_the_third_card_of_a_suit() -> None:
    report = gpuodds.turn_report(["AhAd", "KhKd"], board="2s7s9s", backend="cpu")
    boards = {name: boards for name, (boards, _) in report.by_texture().items()}
    assert boards == {"pair": 9, "four-flush": 10, "overcard": 20, "blank": 15}
    assert list(boards) == [name for name in TURN_TEXTURES if name != "flush"]
    four = report.select("four-flush").rows
    assert {*turn_textures(parse_cards("2s7s9s"), four[0].cards[0])} == {"four-flush", "overcard"}
    (rainbow,) = {*turn_textures(parse_cards("2s7d9h"), *parse_cards("3s"))}
    assert rainbow == "blank"
