"""Textures of flops and turn cards, by hand and over all flops."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from gpuodds.cards import DECK_SIZE, parse_cards
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
        assert " ".join(flop_textures(parse_cards(flop))) == expected


def test_all_flops() -> None:
    found = Counter(name for flop in combinations(range(DECK_SIZE), 3) for name in flop_textures(flop))
    assert set(found) == set(FLOP_TEXTURES)
    # 4 C(13, 3); 4 x C(13, 2) x 39; 13 C(4, 3); 13 C(4, 2) x 48.
    assert found["monotone"] == 1144 and found["two-tone"] == 12_168 and found["rainbow"] == 8788
    assert found["trips"] == 52 and found["paired"] == 3744
    # Three of the five ranks of a straight, 64 ways each: 64 rank sets span at most five.
    assert found["connected"] == 64 * 64
    assert found["A-high"] == 4804 and found["2-high"] == 4


def test_turn_cards() -> None:
    flop = parse_cards("2s7s9h")
    names = {card: turn_textures(flop, card) for card in range(DECK_SIZE) if card not in flop}
    assert {name for found in names.values() for name in found} == set(TURN_TEXTURES)
    by_text = {text: names[parse_cards(text)[0]] for text in ("9s", "2h", "Ks", "Kd", "3d")}
    assert by_text == {
        "9s": ("pair", "flush"),
        "2h": ("pair",),
        "Ks": ("flush", "overcard"),
        "Kd": ("overcard",),
        "3d": ("blank",),
    }
