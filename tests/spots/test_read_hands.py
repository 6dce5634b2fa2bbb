"""Hands and players as callers write them, and the one line that refuses the rest."""

from __future__ import annotations

from collections.abc import Callable
from sys import getrefcount
from typing import Any

import numpy as np
import pytest

from gpuodds.errors import InputError
from gpuodds.games.catalog import find_game
from gpuodds.games.game import Game
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.spots.hands import (
    is_no_range,
    number_word,
    read_cards,
    read_hand,
    read_text,
    read_texts,
    refuse_several_hands,
    split_hands,
)
from gpuodds.spots.players import (
    list_players,
    read_folded,
    read_known_hands,
    read_opponents,
    read_players,
)
from gpuodds.spots.ranges.range import Range

OMAHA, OMAHA5, SHORT = find_game("omaha"), find_game("omaha5"), find_game("short-deck")
FOUR, OTHER_FOUR = (51, 47, 43, 39), (0, 1, 2, 3)
TWO_READINGS = "two readings: write {0},{1} for a range of combos, or give {0} and {1} as two players"
FIVE: Any = 5
CARDS = "expected text, such as 2s7d9h, or card numbers"
A_RANK = "expected a rank (2-9, T, J, Q, K, A or 1-13)"


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        (None, ()),
        ("", ()),
        ([], ()),
        ("As Ks", (51, 47)),
        (["AsKs", "Qh", 0], (51, 47, 42, 0)),
        ((card for card in (0, 51)), (0, 51)),
        (np.array([51, 0], np.uint8), (51, 0)),
        ([2.0], (2,)),
    ],
)
def test_cards_are_read_from_texts_and_numbers(cards: Any, expected: tuple[int, ...]) -> None:
    assert read_cards(cards) == expected


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ({"As": 1}, f"cards {{'As': 1}}: {CARDS}"),
        (5, f"cards 5: {CARDS}"),
        (b"As", f"cards b'As': {CARDS}"),
        ([52], "card number 52: expected 0 to 51"),
        (["As", -1], "card number -1: expected 0 to 51"),
        ([1.5], "card number 1.5: expected a whole number"),
        (["Ax"], "Ax: column 2: expected a suit (c, d, h or s), found 'x'"),
    ],
)
def test_other_cards_are_refused(cards: Any, message: str) -> None:
    with pytest.raises(InputError) as fault:
        read_cards(cards)
    assert str(fault.value) == message


def test_a_hand_has_the_cards_of_its_game() -> None:
    assert read_hand("KsAs", HOLDEM) == (47, 51) and read_hand([0, 51], HOLDEM) == (0, 51)
    assert read_hand("AsKsQsJs", OMAHA) == FOUR and read_hand([*FOUR, 3], OMAHA5) == (*FOUR, 3)
    assert read_hand("2c2d", SHORT) == (0, 1)  # the spot checks the deck


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (lambda: read_hand("As", HOLDEM), "hand As: a hand has two cards, found 1"),
        (lambda: read_hand("", HOLDEM), "hand '': a hand has two cards, found none"),
        (lambda: read_hand(None, HOLDEM), "hand '': a hand has two cards, found none"),
        (lambda: read_hand([51, 47, 3], HOLDEM), "hand AsKs2s: a hand has two cards, found 3"),
        (lambda: read_hand([51, 51], HOLDEM), "As: a hand has two different cards"),
        (lambda: read_hand([0, 3, 3], HOLDEM), "hand 2c2s2s: a hand has two cards, found 3"),
        (lambda: read_hand("AsKs", OMAHA), "hand AsKs: a hand of omaha has four cards, found 2"),
        (lambda: read_hand([0, 1, 2, 2], OMAHA), "2h: a hand of omaha has four different cards"),
        (lambda: read_hand("AsKs QhQd", HOLDEM), "AsKs QhQd: " + TWO_READINGS.format("AsKs", "QhQd")),
        (
            lambda: read_hand("AsKsQsJs 2c2d2h2s", OMAHA),
            "AsKsQsJs 2c2d2h2s: " + TWO_READINGS.format("AsKsQsJs", "2c2d2h2s"),
        ),
    ],
)
def test_other_hands_are_refused(read: Callable[[], Any], message: str) -> None:
    with pytest.raises(InputError) as fault:
        read()
    assert str(fault.value) == message


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], []),
        (["As", "Ks", "Qs", "Js", "2c2d2h2s"], [FOUR, OTHER_FOUR]),
        (["AsKsQsJs 2c2d2h2s"], [FOUR, OTHER_FOUR]),
        (["AsKsQsJs", "AAKK", "20%"], [FOUR, "AAKK", "20%"]),
        (["AsKsQsJs,2c2d2h2s"], ["AsKsQsJs,2c2d2h2s"]),
    ],
)
def test_words_of_omaha_are_hands_and_ranges(words: list[str], expected: list[Any]) -> None:
    assert read_texts(words, OMAHA) == expected


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["As", "Ks", "Qs"], "AsKsQs: a hand of omaha has four cards, the last hand only these three"),
        (["As", "Ks"], "AsKs: a hand of omaha has four cards, the last hand only these two"),
        (["As"], "As: a hand of omaha has four cards, this is the only card of the last hand"),
        (
            ["As", "Ks", "2c2d2h2s"],
            "AsKs: a hand of omaha has four cards, expected two more before the hand 2c2d2h2s",
        ),
        (
            ["As", "Ks", "Qs", "AAKK"],
            "AsKsQs: a hand of omaha has four cards, expected one more before the hand AAKK",
        ),
        (["As", "Ks", "As"], "As: a hand of omaha has four different cards"),
        (["AsKsQs"], "AsKsQs: a hand of omaha has four cards, found 3"),
        ([""], "'': a hand of omaha has four cards, found none"),
        (
            ["AsKsQsJs", "AsKsQsJs 2c2d2h2s"],
            "AsKsQsJs 2c2d2h2s: " + TWO_READINGS.format("AsKsQsJs", "2c2d2h2s"),
        ),
    ],
)
def test_incomplete_hands_of_omaha_are_refused(words: list[str], message: str) -> None:
    with pytest.raises(InputError) as fault:
        read_texts(words, OMAHA)
    assert str(fault.value) == message


def test_a_word_between_hands_and_ranges_is_read_as_cards() -> None:
    assert read_texts(["As,Ks", "AsKs;QhQd", "2c", "3c"], HOLDEM) == [(51, 47), "AsKs;QhQd", (0, 4)]
    for word, column, found in (("As;Ks", 3, ";"), ("AsKs/QhQd", 5, "/"), ("Zz", 1, "Z")):
        with pytest.raises(InputError) as fault:
            read_texts(["2c2d", word], HOLDEM)
        assert str(fault.value) == f"{word}: column {column}: {A_RANK}, found '{found}'"


def test_a_text_is_one_hand_or_a_range() -> None:
    assert (read_text("As Ks", HOLDEM), read_text("AK", HOLDEM), read_text("AAKK", OMAHA)) == (
        (51, 47),
        "AK",
        "AAKK",
    )
    assert read_text("AsKsQsJs", OMAHA) == FOUR
    for text, game, hands in (
        ("AsKs QhQd", find_game("holdem"), ("AsKs", "QhQd")),
        ("AsKsQsJs 2c2d2h2s", OMAHA, ("AsKsQsJs", "2c2d2h2s")),
    ):
        for read in (read_text, refuse_several_hands):
            with pytest.raises(InputError) as fault:
                read(text, game)
            assert str(fault.value) == f"{text}: {TWO_READINGS.format(*hands)}"
    refuse_several_hands("AsKs,QhQd", HOLDEM)
    refuse_several_hands("AsKs", HOLDEM)


@pytest.mark.parametrize(
    ("text", "hands"),
    [
        ("AsKs QhQd", ["AsKs", "QhQd"]),
        ("1s13s\n12h12d\t2c2d", ["1s13s", "12h12d", "2c2d"]),
        ("AsKs", []),
        ("", []),
        ("AsKs,QhQd", []),
        ("AsKs QhQd AA", []),
        ("As Ks", []),
        ("AsKs Qh", []),
        ("AsKsQs QhQd", []),
        ("AsAs KsKd", []),  # no hand has a card twice
        ("AsKsQsJs 2c2d2h2s", []),
    ],
)
def test_whole_hands_are_parted_at_blanks(text: str, hands: list[str]) -> None:
    assert split_hands(text, HOLDEM) == hands


def test_whole_hands_of_omaha_are_parted_at_blanks() -> None:
    assert split_hands("AsKsQsJs 2c2d2h2s", OMAHA) == ["AsKsQsJs", "2c2d2h2s"]
    assert split_hands("AsKs QhQd", OMAHA) == split_hands("AsKsQsJs 2c2d2h2s3s", OMAHA) == []


def test_numbers_of_cards_are_words() -> None:
    assert [number_word(n) for n in range(1, 7)] == ["one", "two", "three", "four", "five", "six"]


@pytest.mark.parametrize(
    ("players", "expected"),
    [
        ("AsKs QhQd", [(51, 47), (42, 41)]),
        ("AsKs,QhQd", [Range("AsKs,QhQd")]),
        ([51, 47], [(51, 47)]),
        (np.array([51, 47]), [(51, 47)]),
        (np.array([[51, 47], [0, 1]]), [(51, 47), (0, 1)]),
        ([(51, 47), "AA", ["Qh", "Qd"]], [(51, 47), Range("AA"), (42, 41)]),
        ({"AA": 0.5}, [Range("AA:0.5")]),
        ([{"AA": 0.5}, "KK"], [Range("AA:0.5"), Range("KK")]),
        (Range("AA"), [Range("AA")]),
        (iter([Range("AA"), "KsKd"]), [Range("AA"), (47, 45)]),
    ],
)
def test_players_have_hands_or_ranges(players: Any, expected: list[Any]) -> None:
    assert read_players(players, HOLDEM) == expected


def test_players_of_other_games_have_its_hands_and_ranges() -> None:
    given: list[Any] = ["AsKsQsJs", "AAKK", {"AAAA": 0.5}]
    assert read_players(given, game=OMAHA) == [
        FOUR,
        Range("AAKK", game="omaha"),
        Range("AAAA@50", game="omaha"),
    ]
    assert read_players("AsKsQsJs 2c2d2h2s", game=OMAHA) == [FOUR, OTHER_FOUR]
    assert read_players([[*FOUR]], game=OMAHA) == [FOUR]
    ours = Range("AA", game="short-deck")
    players: list[Any] = [ours, "KK"]
    assert read_players(players, game=SHORT) == [ours, Range("KK", game="short-deck")]


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (lambda: read_players([], HOLDEM), "no hand given: expected at least one, such as AsKs"),
        (lambda: read_players(FIVE, HOLDEM), "hands 5: expected a hand, a range, or a list of them"),
        (lambda: list_players(FIVE, HOLDEM), "hands 5: expected a hand, a range, or a list of them"),
        (
            lambda: read_players(b"AA", HOLDEM, "folded"),
            "folded b'AA': expected a hand, a range, or a list of them",
        ),
        (lambda: read_players([None], HOLDEM), "hand '': a hand has two cards, found none"),
        (lambda: read_players([[51]], HOLDEM), "hand As: a hand has two cards, found 1"),
        (lambda: read_players([FIVE], HOLDEM), "hand 3d: a hand has two cards, found 1"),
        (
            lambda: read_players([[51, 47]], game=OMAHA),
            "hand AsKs: a hand of omaha has four cards, found 2",
        ),
        (
            lambda: read_players(Range("AA", game=SHORT), HOLDEM),
            "AA: a range of short-deck, not holdem",
        ),
        (lambda: read_players([Range("AA")], game=OMAHA), "AA: a range of holdem, not omaha"),
        (lambda: read_folded(FIVE, HOLDEM), "folded 5: expected a hand, a range, or a list of them"),
        (lambda: read_known_hands(["AsKs", "22"], HOLDEM), "22: expected a hand of two named cards"),
        (lambda: read_known_hands("AAAA", OMAHA), "AAAA: expected a hand of four named cards"),
        (lambda: read_opponents("x", 1), "opponents x: expected a whole number"),
    ],
)
def test_other_players_are_refused(read: Callable[[], Any], message: str) -> None:
    with pytest.raises(InputError) as fault:
        read()
    assert str(fault.value) == message


@pytest.mark.parametrize("nothing", [None, "", [], ()])
def test_no_folded_players_are_an_empty_list(nothing: Any) -> None:
    assert read_folded(nothing, HOLDEM) == []


def test_folded_players_have_hands_or_ranges() -> None:
    assert read_folded("22", HOLDEM) == [Range("22")]
    assert read_folded(["AsKs", "22"], HOLDEM) == [(51, 47), Range("22")]
    for folded in ("AsKs QhQd", np.array([[51, 47], [42, 41]])):
        assert read_folded(folded, HOLDEM) == [(51, 47), (42, 41)]
    assert read_folded("AsKsQsJs", OMAHA) == [FOUR]


def test_known_hands_are_hands() -> None:
    assert read_known_hands("AsKs QhQd", HOLDEM) == ((51, 47), (42, 41))
    assert read_known_hands(["AsKsQsJs"], OMAHA) == (FOUR,)


def test_an_argument_is_a_player_or_a_list_of_them() -> None:
    assert list_players("AsKs QhQd", HOLDEM) == ["AsKs", "QhQd"]
    assert list_players("AsKs,QhQd", HOLDEM) == ["AsKs,QhQd"]
    assert list_players("AsKsQsJs 2c2d2h2s", game=OMAHA) == ["AsKsQsJs", "2c2d2h2s"]
    assert list_players([51, 47], HOLDEM) == [[51, 47]]
    assert list_players([(51, 47), (1, 2)], HOLDEM) == [(51, 47), (1, 2)]
    assert list_players([51, "Ks"], HOLDEM) == [51, "Ks"] and list_players([], HOLDEM) == []
    assert list_players({"AA": 1}, HOLDEM) == [{"AA": 1}]


@pytest.mark.parametrize(
    ("opponents", "players", "expected"),
    [(None, 1, 1), (None, 2, 0), (None, 0, 0), (3, 1, 3), (0.0, 1, 0)],
)
def test_one_player_meets_one_random_opponent_by_default(
    opponents: Any, players: int, expected: int
) -> None:
    assert read_opponents(opponents, players) == expected


@pytest.mark.parametrize("read", [read_text, is_no_range])
def test_short_texts_are_kept_and_long_ones_are_not(read: Callable[[str, Game], object]) -> None:
    """A solver's range may have a hundred thousand characters."""
    short, long = "AKs,QQ:0." + "1" * 50, "AKs,QQ:0." + "1" * 5000
    for text, is_kept in ((short, True), (long, False)):
        before = getrefcount(text)
        read(text, HOLDEM)
        assert (getrefcount(text) > before) == is_kept
