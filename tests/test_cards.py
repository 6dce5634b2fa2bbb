"""Cards in and out: notation and the 52-bit mask."""

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
    refuse_repeats,
    to_seed_mask,
)
from gpuodds.errors import InputError

card_sets = st.lists(st.integers(0, 51), unique=True)
# Texts of the characters of cards give more near misses.
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
def test_every_notation_is_read(text: str, cards: str) -> None:
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
        ("As, 1s, Ks", "As, 1s, Ks: column 5: expected a card not named before, found '1s'"),
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
    expected = "expected a rank (2-9, T, J, Q, K, A or 1-13)"
    assert str(caught.value) == f"{'9' * 40}...: column 1: {expected}, found '{'9' * 8}...'"


@given(card_sets)
def test_text_round_trip(cards: list[int]) -> None:
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


@pytest.mark.parametrize("card", [-1, 52])
def test_numbers_outside_the_deck_are_refused(card: int) -> None:
    for function in (format_card, lambda c: format_cards([c]), lambda c: to_seed_mask([c])):
        with pytest.raises(InputError, match=f"card {card}: expected a number from 0"):
            function(card)


def test_seed_mask_examples() -> None:
    assert to_seed_mask(parse_cards("7d")) == 0x80000
    assert to_seed_mask(parse_cards("Jc2h")) == 0x8000400
    assert to_seed_mask(parse_cards("Ac")) == 1
    assert to_seed_mask(parse_cards("Ks")) == 1 << 51
    assert from_seed_mask((1 << 52) - 1) == tuple(range(52))


def test_seed_mask_accepts_small_array_integers() -> None:
    assert to_seed_mask(np.array([51, 47], np.uint8)) == to_seed_mask([51, 47])


@given(card_sets)
def test_seed_mask_round_trip(cards: list[int]) -> None:
    mask = to_seed_mask(cards)
    assert from_seed_mask(mask) == tuple(sorted(cards))
    assert bin(mask).count("1") == len(cards)


def test_a_repeated_card_is_named_with_its_places() -> None:
    refuse_repeats(("AsKs", (51, 47)), ("the board", (0, 1)), ("the dead cards", ()))
    with pytest.raises(InputError) as caught:
        refuse_repeats(("AsKs", (51, 47)), ("QsJs", (43, 39)), ("the board", (0, 43)))
    assert str(caught.value) == "Qs: the same card is in QsJs and the board"
    with pytest.raises(InputError) as caught:
        refuse_repeats(("AsKs", (51, 47)), ("the board", (0, 43, 0)))
    assert str(caught.value) == "2c: the same card is twice in the board"


def test_seed_mask_refuses_repeated_cards_and_long_masks() -> None:
    with pytest.raises(InputError, match="As: the same card is twice in AsAs"):
        to_seed_mask([51, 51])
    for mask in (-1, 1 << 52, 1 << 10_000):
        with pytest.raises(InputError, match="expected a number of at most 52 bits"):
            from_seed_mask(mask)


def test_reading_cards_loads_no_numpy() -> None:
    code = (
        "import sys, gpuodds.cards, gpuodds.methods.hands.evaluate, gpuodds.games.shared.hand_names;"
        + ("sys.exit('numpy' in sys.modules or 'numba' in sys.modules)")
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
