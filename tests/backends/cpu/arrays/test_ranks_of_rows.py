"""Rows of cards as words: hands of each size and dtype, and every kind of row that is no hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuodds.backends.cpu.arrays import words
from gpuodds.backends.cpu.arrays.ranks import rank_cards
from gpuodds.errors import InputError
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.hand_ranks import rank_cards as rank_one
from gpuodds.methods.hands.evaluate import rank_hands

SIZES = pytest.mark.parametrize("size", [5, 6, 7])


def draw(size: int, hands: int = 700, seed: int = 7) -> npt.NDArray[np.uint8]:
    """Draw hands, every tenth of one suit."""
    drawn = np.random.default_rng(seed)
    rows = np.array([drawn.permutation(52)[:size] for _ in range(hands)], np.uint8)
    suited = [4 * drawn.permutation(13)[:size] + drawn.integers(4) for _ in range(0, hands, 10)]
    rows[::10] = suited
    return rows


@SIZES
@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int32, np.int64, np.uint64])
def test_ranks_of_any_dtype(size: int, dtype: Any) -> None:
    cards = draw(size)
    expected = [rank_one(hand) for hand in cards.tolist()]
    assert rank_hands(cards.astype(dtype)).tolist() == expected
    wide = np.zeros((len(cards), 9), dtype)
    wide[:, 1 : size + 1] = cards
    assert rank_hands(wide[:, 1 : size + 1]).tolist() == expected
    assert rank_hands(np.asfortranarray(cards.astype(dtype))).tolist() == expected
    assert rank_hands(cards[::-3].astype(dtype)).tolist() == expected[::-3]


@SIZES
@pytest.mark.parametrize("hands", [0, 1, 2, 511, 512, 513])
def test_ranks_of_batches_that_are_not_full(size: int, hands: int) -> None:
    cards = draw(size, 600)[:hands]
    expected = [rank_one(hand) for hand in cards.tolist()]
    for dtype in (np.uint8, np.int64):
        assert rank_cards(cards.astype(dtype), HOLDEM).tolist() == expected


def test_many_hands_are_ranked_as_few_are() -> None:
    cards = np.tile(draw(7), (150, 1))
    assert np.array_equal(rank_hands(cards).reshape(150, -1), np.tile(rank_hands(draw(7)), (150, 1)))
    cards[-1] = 0
    with pytest.raises(InputError, match="row 104999: a hand cannot hold a card twice"):
        rank_hands(cards)


@SIZES
def test_both_ways_to_add_keys_agree(size: int) -> None:
    batch = np.zeros(words.BATCH, np.uint64)
    assert words.read(draw(size).reshape(-1), size, 0, words.BATCH, batch)
    found = []
    for add in (words.add_keys, words._add_one_by_one):
        sums, flushes = np.empty(words.BATCH, np.uint32), np.empty(words.BATCH, np.uint8)
        add(batch, size, sums, flushes)
        found.append((sums.tolist(), flushes.tolist()))
    assert found[0] == found[1]


@SIZES
@pytest.mark.parametrize("number", [52, 63, 64, 127, 128, 200, 255, 256, 1 << 40, -1, -(1 << 63)])
def test_a_number_that_is_no_card(size: int, number: int) -> None:
    for column in range(size):
        cards = draw(size).astype(np.int64)
        cards[600, column] = number
        with pytest.raises(InputError, match=f"row 600: .* from 0 to 51, found {number}$"):
            rank_hands(cards)
        if 0 <= number < 256:
            with pytest.raises(InputError, match=f"row 600: .* from 0 to 51, found {number}$"):
                rank_hands(cards.astype(np.uint8))


@pytest.mark.slow
@SIZES
@given(data=st.data())
def test_a_card_twice(size: int, data: st.DataObject) -> None:
    cards = draw(size)
    one, other = data.draw(st.lists(st.integers(0, size - 1), min_size=2, max_size=2, unique=True))
    row = data.draw(st.integers(0, len(cards) - 1))
    cards[row, one] = cards[row, other]
    for dtype in (np.uint8, np.int64):
        with pytest.raises(InputError, match=f"row {row}: a hand cannot hold a card twice"):
            rank_hands(cards.astype(dtype))


def test_a_card_that_short_deck_lacks() -> None:
    cards = np.array([[16, 17, 21, 30, 40, 44, 51]] * 3)
    assert (rank_hands(cards, game="short-deck") > 0).all()
    for card in (0, 15):
        cards[1, 3] = card
        with pytest.raises(InputError, match=r"row 1: .*: short-deck has cards from 6 to A"):
            rank_hands(cards, game="short-deck")
