"""Hand ranks: every hand of five, six and seven cards, against independent evaluators."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from itertools import combinations, pairwise
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuodds.backends.cpu.arrays.ranks import count_all_seven, rank_all_seven, rank_cards
from gpuodds.errors import InputError
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.build_hand_ranks import build
from gpuodds.games.shared.hand_names import CATEGORIES, CATEGORY_RANKS, category
from gpuodds.games.shared.hand_ranks import ARRAYS, hand_rank_tables
from gpuodds.methods.hands.evaluate import rank_hand, rank_hands

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "hand_ranks.json").read_text())
Cards = npt.NDArray[np.uint8]


def all_hands(size: int) -> Cards:
    """List every hand of a size in lexicographic order, shape (C(52, size), size)."""
    hands = np.array(list(combinations(range(52), 2)), np.uint8)
    for _ in range(size - 2):
        hands = np.concatenate([before(first, hands) for first in range(52)])
    return hands


def before(first: int, hands: Cards) -> Cards:
    """Put a card before each of the sorted ``hands`` whose lowest card is higher."""
    rest = hands[np.searchsorted(hands[:, 0], first, side="right") :]
    return np.column_stack([np.full(len(rest), first, np.uint8), rest])


@pytest.fixture(scope="module")
def five_cards() -> Cards:
    return all_hands(5)


def by_category(counts: npt.NDArray[np.int64]) -> list[int]:
    return [int(counts[ranks.start : ranks.stop].sum()) for ranks in CATEGORY_RANKS]


def check_counts(size: int, counts: npt.NDArray[np.int64]) -> None:
    assert tuple(GOLDEN["categories"]) == CATEGORIES
    assert counts.shape == (7463,)
    assert counts.sum() == comb(52, size)
    assert by_category(counts) == GOLDEN["hands_by_category"][str(size)]
    occurring = (counts > 0).astype(np.int64)
    assert occurring.sum() == GOLDEN["distinct_ranks"][str(size)]
    assert by_category(occurring) == GOLDEN["distinct_by_category"][str(size)]


def test_all_five_card_hands(five_cards: Cards) -> None:
    check_counts(5, np.bincount(rank_hands(five_cards), minlength=7463))


def test_all_six_card_hands(five_cards: Cards) -> None:
    counts = np.zeros(7463, np.int64)
    for first in range(47):
        counts += np.bincount(rank_cards(before(first, five_cards), HOLDEM), minlength=7463)
    check_counts(6, counts)


def test_all_seven_card_hands() -> None:
    check_counts(7, count_all_seven())


def test_hands_of_seven_in_order() -> None:
    counts = np.zeros(7463, np.int64)
    for first, second in combinations(range(47), 2):
        ranks = rank_all_seven(first, second)
        assert ranks.shape == (comb(51 - second, 5),)
        counts += np.bincount(ranks, minlength=7463)
    assert np.array_equal(counts, count_all_seven())


@pytest.mark.parametrize("second", [1, 2, 9, 13, 30, 45, 46])
def test_order_is_lexicographic(second: int, five_cards: Cards) -> None:
    hands = before(0, before(second, five_cards))
    assert np.array_equal(rank_all_seven(0, second), rank_cards(hands, HOLDEM))


def brute_strength(cards: tuple[int, ...]) -> tuple[int, ...]:
    """Order five cards by the rules, by sorting and comparing tuples."""
    ranks = sorted((card // 4 for card in cards), reverse=True)
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    shape = [size for size, _ in groups]
    flush = len({card % 4 for card in cards}) == 1
    if ranks == [12, 3, 2, 1, 0]:
        ranks, straight = [3, 2, 1, 0, -1], True
    else:
        straight = shape == [1] * 5 and ranks[0] == ranks[4] + 4
    kinds = [
        shape == [1, 1, 1, 1, 1], shape == [2, 1, 1, 1], shape == [2, 2, 1], shape == [3, 1, 1],
        straight, flush, shape == [3, 2], shape == [4, 1], straight and flush,
    ]  # fmt: skip
    kind = max(i for i, is_kind in enumerate(kinds) if is_kind)
    return (kind, *ranks) if straight else (kind, *(rank for _, rank in groups))


def brute_best(cards: tuple[int, ...]) -> tuple[int, ...]:
    return max(brute_strength(five) for five in combinations(cards, 5))


def test_brute_force_agrees_on_drawn_hands() -> None:
    generator = np.random.default_rng(20240607)
    found: list[tuple[tuple[int, ...], int]] = []
    for size, number in ((5, 3000), (6, 2000), (7, 2000)):
        hands = np.argsort(generator.random((number, 52)), axis=1)[:, :size]
        ranks = rank_hands(hands)
        drawn = [tuple(hand) for hand in hands.tolist()]
        found += [(brute_best(hand), int(r)) for hand, r in zip(drawn, ranks, strict=True)]
        for hand, rank in zip(drawn[:200], ranks[:200], strict=True):
            assert rank_hand(hand, HOLDEM) == rank
    found.sort()
    for (strength, rank), (better, higher) in pairwise(found):
        assert (strength < better) == (rank < higher)
        assert (strength == better) == (rank == higher)


def test_brute_force_agrees_on_every_rank(five_cards: Cards) -> None:
    _, first = np.unique(rank_hands(five_cards), return_index=True)
    strengths = [brute_strength(tuple(hand)) for hand in five_cards[first].tolist()]
    assert len(strengths) == 7462
    assert all(worse < better for worse, better in pairwise(strengths))
    assert [CATEGORIES[s[0]] for s in strengths] == [category(rank) for rank in range(1, 7463)]


decks = st.permutations(range(52))


@given(decks, st.integers(5, 7), st.permutations(range(4)), st.data())
@settings(max_examples=100, deadline=None)
def test_suits_and_order_do_not_matter(
    deck: list[int], size: int, suits: list[int], data: st.DataObject
) -> None:
    hand = deck[:size]
    relabelled = [4 * (card // 4) + suits[card % 4] for card in hand]
    shuffled = data.draw(st.permutations(relabelled))
    assert rank_hand(hand, HOLDEM) == rank_hand(shuffled, HOLDEM)
    assert rank_hands([hand, shuffled]).tolist() == [rank_hand(hand, HOLDEM)] * 2


@given(decks, st.integers(6, 7))
@settings(max_examples=50, deadline=None)
def test_another_card_never_lowers_the_rank(deck: list[int], size: int) -> None:
    fewer = [rank_hand(deck[:i] + deck[i + 1 : size], HOLDEM) for i in range(size)]
    assert rank_hand(deck[:size], HOLDEM) == max(fewer)


def test_the_build_script_gives_the_shipped_tables() -> None:
    built = build()
    shipped = hand_rank_tables()._asdict()
    assert built.keys() == set(ARRAYS)
    for name, array in built.items():
        assert shipped[name].dtype == array.dtype and shipped[name].shape == array.shape
        digest = hashlib.sha256(shipped[name].tobytes()).hexdigest()
        assert digest == hashlib.sha256(array.tobytes()).hexdigest(), name
        assert digest == GOLDEN["sha256_of_tables"][name], name


# The document on exact preflop odds (docs/history.md) ranks a five-card hand by
#     Rank = Type * 13^5 + Faces[0] * 13^4 + ... + Faces[4].
# The digit before each list of faces in its table, "4={Pair,...}", is how many faces there are;
# missing faces count 0. It keeps the royal flush apart as type 9 with no faces, so its table has
# ten rows where poker has nine categories: 36 + 4 straight flushes. The same document gives
# C(52, 2) as 1325 in its formula; it is 1326, as its text and tables say.
DOCUMENT_TABLE = [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4]
DOCUMENT_FACES = {1: (0, 2, 3, 4), 2: (0, 2, 4), 3: (0, 3, 4), 6: (0, 3), 7: (0, 4)}


def document_ranks(hands: Cards) -> npt.NDArray[np.int64]:
    """Rank five-card hands by the document's formula."""
    ranks = (hands >> 2).astype(np.int64)
    times = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
    # Most frequent rank first, higher rank first among equals: the document's order of faces.
    keys = -np.sort(-(13 * times + ranks), axis=1)
    faces, times = keys % 13, keys // 13
    flush = np.ptp(hands & 3, axis=1) == 0
    distinct = (times == 1).all(axis=1)
    wheel = (faces == [12, 3, 2, 1, 0]).all(axis=1) & distinct
    straight = distinct & (faces[:, 0] - faces[:, 4] == 4) | wheel
    top = faces[:, 0].copy()
    top[wheel] = 3

    shape = times[:, 0] * 10 + times[:, 3]
    types = np.zeros(len(hands), np.int64)
    for key, kind in {21: 1, 22: 2, 31: 3, 32: 6, 44: 7}.items():
        types[shape == key] = kind
    types[flush & distinct] = 5
    types[straight] = 4
    types[straight & flush] = 8
    types[straight & flush & (top == 12)] = 9

    columns = np.zeros_like(faces)
    for kind in range(9):
        of_kind = types == kind
        if kind in (4, 8):
            columns[of_kind, 0] = top[of_kind]
        else:
            chosen = DOCUMENT_FACES.get(kind, (0, 1, 2, 3, 4))
            columns[of_kind, : len(chosen)] = faces[of_kind][:, chosen]
    powers = np.array([13**4, 13**3, 13**2, 13, 1], np.int64)
    result: npt.NDArray[np.int64] = types * 13**5 + columns.dot(powers)
    return result


@pytest.mark.slow
def test_the_document_orders_hands_alike(five_cards: Cards) -> None:
    found = document_ranks(five_cards)
    assert np.bincount(found // 13**5).tolist() == DOCUMENT_TABLE
    values, numbers = np.unique(found, return_inverse=True)
    assert len(values) == 7462
    assert values[-1] == 9 * 13**5 < 2**32
    assert np.array_equal(numbers.ravel() + 1, rank_hands(five_cards))


def test_known_hands() -> None:
    hands = {
        "royal flush": [51, 47, 43, 39, 35],
        "wheel": [51, 0, 5, 10, 15],
        "six high straight": [16, 0, 5, 10, 15],
        "seven high": [0, 5, 8, 12, 20],
    }
    ranks = {name: rank_hand(hand, HOLDEM) for name, hand in hands.items()}
    assert ranks["royal flush"] == 7462
    assert ranks["seven high"] == 1
    assert ranks["six high straight"] == ranks["wheel"] + 1
    three_pairs = [51, 50, 47, 46, 43, 42, 39]  # AAKKQQJ: the queen is the kicker, not a third pair
    assert rank_hand(three_pairs, HOLDEM) == rank_hand([51, 50, 47, 46, 43], HOLDEM)
    two_threes = [51, 50, 49, 47, 46, 45, 0]  # AAAKKK2: a full house
    assert category(rank_hand(two_threes, HOLDEM)) == "full house"


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int16, np.uint16, np.int64, np.uint64])
def test_any_integer_dtype_and_layout(dtype: type[np.integer[Any]]) -> None:
    hands = np.array([[51, 47, 43, 39, 35, 0, 5], [0, 5, 8, 12, 20, 51, 50]], dtype)
    expected = [rank_hand(hand, HOLDEM) for hand in hands.tolist()]
    frozen = np.asfortranarray(hands)
    frozen.flags.writeable = False
    assert rank_hands(hands).tolist() == expected
    assert rank_hands(frozen).tolist() == expected
    assert rank_hands(np.repeat(hands, 2, axis=1)[:, ::2]).tolist() == expected
    assert rank_hands(hands).dtype == np.uint16


def test_one_hand_gives_a_scalar() -> None:
    rank = rank_hands(np.array([51, 47, 43, 39, 35], np.uint8))
    assert isinstance(rank, np.uint16) and rank == 7462
    assert rank_hand(np.array([51, 47, 43, 39, 35], np.uint8).tolist(), HOLDEM) == 7462
    assert rank_hand(list(np.array([51, 47, 43, 39, 35], np.uint8)), HOLDEM) == 7462


def test_no_hands_give_no_ranks() -> None:
    ranks = rank_hands(np.empty((0, 6), np.uint8))
    assert ranks.shape == (0,) and ranks.dtype == np.uint16


def faults() -> Iterator[tuple[object, str]]:
    yield [[0, 1, 2, 3, 4], [5, 6, 7, 8, 52]], "row 1: expected card numbers from 0 to 51, found 52"
    yield [[0, 1, 2, 3, -1]], "row 0: expected card numbers from 0 to 51, found -1"
    yield [[0, 1, 2, 3, 256]], "row 0: expected card numbers from 0 to 51, found 256"
    yield [[0, 1, 2, 3, 4], [5, 6, 7, 8, 5]], "row 1: a hand cannot hold a card twice"
    yield [[0, 1, 2, 3]], r"found \(1, 4\)"
    yield [list(range(8))], r"found \(1, 8\)"
    yield [[[0, 1, 2, 3, 4]]], r"found \(1, 1, 5\)"
    yield [], r"found \(0,\)"
    yield 7, r"found \(\)"
    yield [[0.0, 1.0, 2.0, 3.0, 4.0]], "expected an array of integers, found float64"
    yield [[True] * 5], "expected an array of integers, found bool"
    yield [[0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5]], "expected rows of one length"
    yield [0, 1, 2, 3, 3], "2s: the same card is twice in 2c2d2h2s2s"
    yield [0, 1, 2, 3, 52], "card 52: expected a number from 0"


@pytest.mark.parametrize(("cards", "message"), list(faults()))
def test_errors_name_the_fault(cards: Any, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        rank_hands(cards)
    assert "\n" not in str(caught.value)


def test_one_hand_has_five_to_seven_cards() -> None:
    for size in (0, 4, 8):
        with pytest.raises(InputError, match=f"five to seven cards, found {size}"):
            rank_hand(range(size), HOLDEM)
