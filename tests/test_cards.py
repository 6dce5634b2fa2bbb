"""Cards in and out: notation, the 52-bit mask, hands on a command line."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuodds.cards import (
    RANKS,
    SUITS,
    format_card,
    format_cards,
    from_seed_mask,
    parse_cards,
    to_seed_mask,
)
from gpuodds.errors import InputError
from gpuodds.spots.players import read_text, read_words

card_sets = st.lists(st.integers(0, 51), unique=True)
# Near misses are found more often in texts made of what cards are made of.
texts = st.text() | st.text("0123456789TJQKAtjqkacdhsCDHS ,+-:%xX\u2660\u2661\ufe0f\u017f\u0661")


def test_numbers_are_four_times_rank_plus_suit() -> None:
    names = [rank + suit for rank in RANKS for suit in SUITS]
    assert [format_card(card) for card in range(52)] == names
    assert [parse_cards(name) for name in names] == [(card,) for card in range(52)]


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("", ""),
        (" , ", ""),
        ("AsKs", "AsKs"),
        ("askS", "AsKs"),
        ("aSKs", "AsKs"),
        ("2s7d9h", "2s7d9h"),
        ("2s 7d,9h", "2s7d9h"),
        (" 2s,  7d\t9h\n", "2s7d9h"),
        ("1s13s", "AsKs"),
        ("1s 13s 12h 12d", "AsKsQhQd"),
        ("11d", "Jd"),
        ("10s", "Ts"),
        ("10s10h1c", "TsThAc"),
        ("2s10d", "2sTd"),
        ("A\u2660K\u2665Q\u2666J\u2663", "AsKhQdJc"),
        ("A\u2664K\u2661Q\u2662J\u2667", "AsKhQdJc"),
        ("A\u2660\ufe0fK\u2665\ufe0f", "AsKh"),
    ],
)
def test_notation(text: str, cards: str) -> None:
    assert format_cards(parse_cards(text)) == cards


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("14s", "14s: column 1: expected a rank (2-9, T, J, Q, K, A or 1-13), found '14'"),
        ("0s", "0s: column 1: expected a rank (2-9, T, J, Q, K, A or 1-13), found '0'"),
        ("As01s", "As01s: column 3: expected a rank (2-9, T, J, Q, K, A or 1-13), found '01'"),
        ("Xs", "Xs: column 1: expected a rank (2-9, T, J, Q, K, A or 1-13), found 'X'"),
        ("sA", "sA: column 1: expected a rank (2-9, T, J, Q, K, A or 1-13), found 's'"),
        ("-1s", "-1s: column 1: expected a rank (2-9, T, J, Q, K, A or 1-13), found '-'"),
        ("AsK", "AsK: column 4: expected a suit (c, d, h or s), found the end"),
        ("10", "10: column 3: expected a suit (c, d, h or s), found the end"),
        ("AK", "AK: column 2: expected a suit (c, d, h or s), found 'K'"),
        ("A s", "A s: column 2: expected a suit (c, d, h or s), found ' '"),
        ("AsAs", "AsAs: column 3: expected a card not named before, found 'As'"),
        ("As, 1s", "As, 1s: column 5: expected a card not named before, found '1s'"),
        ("A\u017f", "A\u017f: column 2: expected a suit (c, d, h or s), found '\u017f'"),
        (
            "\u0661s",  # an Arabic-Indic one
            "\u0661s: column 1: expected a rank (2-9, T, J, Q, K, A or 1-13), found '\u0661'",
        ),
        ("A\n", "A\\n: column 2: expected a suit (c, d, h or s), found '\\n'"),
        (
            "\x1b[2J",
            "\\x1b[2J: column 1: expected a rank (2-9, T, J, Q, K, A or 1-13), found '\\x1b'",
        ),
        (
            "\udcff",
            "\\udcff: column 1: expected a rank (2-9, T, J, Q, K, A or 1-13), found '\\udcff'",
        ),
    ],
)
def test_errors_name_text_place_and_expectation(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_cards(text)
    assert str(caught.value) == message


def test_long_texts_are_cut() -> None:
    with pytest.raises(InputError) as caught:
        parse_cards("9" * 100_000)
    assert str(caught.value).startswith("9" * 40 + "...: column 1: expected a rank")
    assert len(str(caught.value)) < 150


@given(card_sets)
def test_text_and_back(cards: list[int]) -> None:
    assert parse_cards(format_cards(cards)) == tuple(cards)
    assert parse_cards(" ".join(format_card(card) for card in cards)) == tuple(cards)


@given(texts)
def test_any_text_is_cards_or_a_named_error(text: str) -> None:
    try:
        cards = parse_cards(text)
    except InputError as error:
        assert str(error).isprintable() and "column" in str(error)
    else:
        assert len(set(cards)) == len(cards) and all(0 <= card < 52 for card in cards)


@given(st.lists(texts, max_size=4))
def test_any_words_are_hands_or_a_named_error(words: list[str]) -> None:
    try:
        hands = read_words(words)
    except InputError as error:
        assert str(error).isprintable()
    else:
        assert all(isinstance(hand, str) or hand[0] != hand[1] for hand in hands)


@pytest.mark.parametrize("card", [-1, 52])
def test_other_numbers_are_no_cards(card: int) -> None:
    for function in (format_card, lambda c: format_cards([c]), lambda c: to_seed_mask([c])):
        with pytest.raises(InputError, match=f"card {card}: expected a number from 0"):
            function(card)


def test_seed_mask_examples() -> None:
    assert to_seed_mask(parse_cards("7d")) == 0x80000
    assert to_seed_mask(parse_cards("Jc2h")) == 0x8000400
    assert to_seed_mask(parse_cards("Ac")) == 1
    assert to_seed_mask(parse_cards("Ks")) == 1 << 51
    assert from_seed_mask((1 << 52) - 1) == tuple(range(52))


def test_seed_mask_takes_small_integers_of_arrays() -> None:
    assert to_seed_mask(np.array([51, 47], np.uint8)) == to_seed_mask([51, 47])


@given(card_sets)
def test_seed_mask_and_back(cards: list[int]) -> None:
    mask = to_seed_mask(cards)
    assert from_seed_mask(mask) == tuple(sorted(cards))
    assert bin(mask).count("1") == len(cards)


def test_seed_mask_faults() -> None:
    with pytest.raises(InputError, match="As: the same card is twice in AsAs"):
        to_seed_mask([51, 51])
    for mask in (-1, 1 << 52, 1 << 10_000):
        with pytest.raises(InputError, match="expected a number of at most 52 bits"):
            from_seed_mask(mask)


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
def test_hands(words: str, hands: str) -> None:
    read = [hand for hand in read_words(words.split()) if isinstance(hand, tuple)]
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
def test_words_that_are_no_hands(words: list[str], message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_words(words)
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
        "AsKs QhQd AA",
    ],
)
def test_ranges_are_left_as_they_are(word: str) -> None:
    assert read_words(["AsKs", word]) == [(51, 47), word]


def test_one_text_of_whole_hands_is_several_players() -> None:
    assert read_words(["AsKs QhQd"]) == [(51, 47), (42, 41)]
    assert read_words(["1s13s\n12h12d  2c2d"]) == [(51, 47), (42, 41), (0, 1)]
    assert read_words(["As Ks"]) == [(51, 47)]


@pytest.mark.parametrize("words", [["AsKs QhQd", "AA"], ["2c2d", "AsKs QhQd"]])
def test_whole_hands_in_the_place_of_one_player_name_both_readings(words: list[str]) -> None:
    said = "AsKs QhQd: two readings: write AsKs,QhQd for a range of combos, or give AsKs and QhQd as"
    with pytest.raises(InputError, match=said):
        read_words(words)
    with pytest.raises(InputError, match=said):
        read_text("AsKs QhQd")


def test_reading_cards_loads_no_numpy() -> None:
    code = "import sys, gpuodds.cards, gpuodds.methods.evaluate, gpuodds.games.holdem.hand_names;" + (
        "sys.exit('numpy' in sys.modules or 'numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
