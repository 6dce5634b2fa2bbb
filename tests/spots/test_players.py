"""Words of a command line and texts of callers, read as players: hands or ranges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gpuodds
from gpuodds import Range
from gpuodds.basics.choices import GameName
from gpuodds.cards import format_cards
from gpuodds.errors import InputError
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.spots.hands import read_text, read_texts
from gpuodds.spots.spot import Spot

# Texts of the characters of cards give more near misses.
texts = st.text() | st.text("0123456789TJQKAtjqkacdhsCDHS ,+-:%xX\u2660\u2661\ufe0f\u017f\u0661")


@given(st.lists(texts, max_size=4))
def test_any_words_are_hands_or_a_named_error(words: list[str]) -> None:
    try:
        hands = read_texts(words, HOLDEM)
    except InputError as error:
        assert str(error).isprintable()
    else:
        assert all(isinstance(hand, str) or hand[0] != hand[1] for hand in hands)


@pytest.mark.parametrize(
    ("words", "hands"),
    [
        ("", ""),
        ("1s 13s 12h 12d", "AsKs QhQd"),
        ("AsKs QhQd", "AsKs QhQd"),
        ("AsKs Qh Qd 2c3c", "AsKs QhQd 2c3c"),
        ("KsAs", "KsAs"),
        ("As,Ks", "AsKs"),
        ("10s9s", "Ts9s"),
    ],
)
def test_words_of_cards_become_hands(words: str, hands: str) -> None:
    read = [hand for hand in read_texts(words.split(), HOLDEM) if isinstance(hand, tuple)]
    assert [format_cards(hand) for hand in read] == hands.split()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["As"], "As: a hand has two cards, this is the only card of the last hand"),
        (["AsKs", "1h"], "Ah: a hand has two cards, this is the only card of the last hand"),
        (
            ["As", "KsKd"],
            "As: a hand has two cards, expected the second one before the hand KsKd",
        ),
        (["AsKsQs"], "AsKsQs: a hand has two cards, found 3"),
        (["As", "KsQsJs"], "KsQsJs: a hand has two cards, found 3"),
        ([""], "'': a hand has two cards, found none"),
        (["As", "", "Ks"], "'': a hand has two cards, found none"),
        (["As", "As"], "As: a hand has two different cards"),
        (["AsAs"], "AsAs: column 3: expected a card not named before, found 'As'"),
        (["14s"], "14s: column 1: expected a rank (2-9, T, J, Q, K, A or 1-13), found '14'"),
        (["AsK"], "AsK: column 4: expected a suit (c, d, h or s), found the end"),
    ],
)
def test_incomplete_hands_are_refused(words: list[str], message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_texts(words, HOLDEM)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "word",
    [
        "AA",
        "AK",
        "AKs",
        "AKo",
        "akS",
        "22+",
        "ATs+",
        "QQ-88",
        "A9s-A6s",
        "JTs-67s",
        "22-77",
        "1010",
        "T9s",
        "109s",
        "QQ+,AK",
        "AsKh,AK",
        "random",
        "any",
        "RANDOM",
        "**",
        "XxXx",
        "100%",
        "15%",
        "16%-50%",
        "-(AK)",
        "!AKs",
        "AK:0.5",
        "[50]AK[/50]",
        "AK@50",
        "AsKh:0.5",
        "0.5(AK,QQ)",
        "Ax",
        "AX",
        "XX",
        "66-",
        "{AA,KK}",
        "80%(AKs)",
        "AA(0.5)",
        "8s8h+",
        "8h8s :.67",
        "9d8d - 6d5d",
        "A\u2660K\u2660-A\u2660T\u2660",
        "1s13s-1s10s",
        "set_range_oop AA",
        "AsKs,QhQd",
        "AsKs, QhQd",
        "QQ+ AK",
        "AsKs:0.5 QQ",
        "{AsKs QQ}",
        "QQ {JJ AsKs}:0.5",
        "[50]QQ AsKs JJ[/50]",
        "AsKs !AsKs",
        "random -(AsKs)",
        "AsTs - AsJs QQ",
        "AsKs;QQ",
        "set_range_oop AsKs QQ",
    ],
)
def test_range_texts_stay_as_they_are(word: str) -> None:
    assert read_texts(["AsKs", word], HOLDEM) == [(51, 47), word]


def test_one_text_of_whole_hands_is_several_players() -> None:
    assert read_texts(["AsKs QhQd"], HOLDEM) == [(51, 47), (42, 41)]
    assert read_texts(["1s13s\n12h12d  2c2d"], HOLDEM) == [(51, 47), (42, 41), (0, 1)]
    assert read_texts(["As Ks"], HOLDEM) == [(51, 47)]


@pytest.mark.parametrize("words", [["AsKs QhQd", "AA"], ["2c2d", "AsKs QhQd"]])
def test_whole_hands_in_the_place_of_one_player_name_both_readings(words: list[str]) -> None:
    expected = (
        "AsKs QhQd: two readings: write AsKs,QhQd for a range of combos, or give AsKs and QhQd as"
    )
    with pytest.raises(InputError, match=expected):
        read_texts(words, HOLDEM)
    with pytest.raises(InputError, match=expected):
        read_text("AsKs QhQd", HOLDEM)


HANDS_AND_RANGES = [
    ("AsKs QQ", "holdem", "AsKs,QQ for a range, or give AsKs and QQ as two players"),
    ("QQ+\t1s13s", "holdem", "QQ+,1s13s for a range, or give QQ+ and 1s13s as two players"),
    ("AsKs QhQd AA", "holdem", "AsKs,QhQd,AA for a range, or give AsKs, QhQd, AA as players"),
    ("AsKs 15%", "short-deck", "AsKs,15% for a range, or give AsKs and 15% as two players"),
    ("(QQ KK) AsKs", "holdem", "(QQ KK),AsKs for a range, or give (QQ KK) and AsKs as two players"),
    ("AsKs random : 0.5", "holdem", "AsKs,random:0.5 for a range, or give AsKs and random:0.5 as two"),
    (
        "AsKs AsQs+ !AsJs",
        "holdem",
        "AsKs,AsQs+,!AsJs for a range, or give AsKs, AsQs+, !AsJs as",
    ),
    ("AsAhKsKh AAKK", "omaha", "AsAhKsKh,AAKK for a range, or give AsAhKsKh and AAKK as two players"),
    (
        "AA : $ds AsAhKsKh2c",
        "omaha5",
        "AA:$ds,AsAhKsKh2c for a range, or give AA:$ds and AsAhKsKh2c",
    ),
]


@pytest.mark.parametrize(("text", "game", "readings"), HANDS_AND_RANGES)
def test_a_hand_and_a_range_apart_by_blanks_name_both_readings(
    text: str, game: GameName, readings: str
) -> None:
    asks: list[Callable[[], Any]] = [
        lambda: Range(text, game=game),
        lambda: Range([text, text], game=game),
        lambda: gpuodds.equity(text, game=game),
        lambda: gpuodds.equity([text, text], game=game),
        lambda: gpuodds.equity("random", folded=text, game=game),
        lambda: Spot.of(text, game=game),
    ]
    for ask in asks:
        with pytest.raises(InputError) as fault:
            ask()
        assert f": two readings: write {readings}" in str(fault.value)
    (row,) = gpuodds.equities({"hand_1": [text], "game": [game]}, errors="column").errors.values()
    assert f": two readings: write {readings}" in str(row)


@pytest.mark.parametrize("text", ["AAKK\nAsAhKsKh", "AsAhKsKh,AAKK", "AsAhKsKh @ 50", "AsAhKsKh : $ds"])
def test_lists_and_operators_of_omaha_are_one_range(text: str) -> None:
    assert Range(text, game="omaha").weight == (36 if "AAKK" in text else 0.5 if "@" in text else 1)
    assert len(gpuodds.equity([text, "QsQhJsJh"], game="omaha", board="2s7d9h").players) == 2


EVERY_HAND = ("random", "Any", "**", "XX", "XxXx")


@pytest.mark.parametrize("weight", ["", ":0.5", " : 0.5", "@50", "(0.5)", "(50%)"])
@pytest.mark.parametrize(
    "item",
    ["AA", "AKs", "AK", "AsKh,AsQh", "22+", "66-", "9d8d-6d5d", "AX", "{22+, A2s+}", *EVERY_HAND],
)
def test_what_a_range_may_be_a_player_may_be(item: str, weight: str) -> None:
    read = gpuodds.equity(item + weight, opponents=1, board="2s7d9h3c4c", backend="cpu")
    assert read.spot.hands == (gpuodds.Range(item + weight),)
    assert read.players[0].hand == item + weight
