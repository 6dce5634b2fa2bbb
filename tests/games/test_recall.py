"""Numbers with perfect recall: the published counts, the way there and back, which ways are alike."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpuodds
from gpuodds import InputError
from gpuodds.backends.cpu.arrays.recall import recall_table
from gpuodds.games.holdem import canonical, recall

# Waugh, "A fast and optimal hand isomorphism algorithm" (2013), table 2.
COUNTS = {4: 55_190_538, 5: 2_428_287_420}


def numbers(hands: Any, boards: Any) -> Any:
    return gpuodds.canonical_rows(hands, boards, perfect_recall=True)


def rounds(hand: Any, board: Any) -> tuple[tuple[int, ...], ...]:
    """Return what a renaming of the suits leaves as it is: each suit's ranks, round by round."""
    parts = hand, board[:3], board[3:4], board[4:5]
    return tuple(
        sorted(
            tuple(sum(1 << (card >> 2) for card in part if card & 3 == suit) for part in parts)
            for suit in range(4)
        )
    )


@pytest.mark.parametrize("size", COUNTS)
def test_counts_are_the_published_ones(size: int) -> None:
    offsets = recall_table(size).offsets
    assert offsets[-1] == COUNTS[size] and (np.diff(offsets) > 0).all()


# Suits of hand and flop: all apart, some alike, three that are, all in one.
SITUATIONS = ["AsKh 2s7d9c", "AsKs 2s7s9s", "AhAd 7h7d7s", "KhQh JcJdJs", "4c4d 9c9d2s", "3d3s AhKhQh"]


@pytest.mark.parametrize("text", SITUATIONS)
@pytest.mark.parametrize("size", COUNTS)
def test_numbers_are_those_of_what_differs(text: str, size: int) -> None:
    hand, flop = (gpuodds.cards.parse_cards(part) for part in text.split())
    left = [card for card in range(52) if card not in (*hand, *flop)]
    ways = [(*flop, *later) for later in permutations(left, size - 3)]
    found = numbers(np.tile(np.array(hand), (len(ways), 1)), np.array(ways))
    kinds: dict[Any, set[int]] = {}
    for way, number in zip(ways, found.tolist(), strict=True):
        kinds.setdefault(rounds(hand, way), set()).add(number)
    assert all(len(same) == 1 for same in kinds.values())
    row = int(gpuodds.canonical_rows([hand], [flop])[0])
    offsets = recall_table(size).offsets
    assert sorted(n for (n,) in kinds.values()) == [*range(offsets[row], offsets[row + 1])]


@pytest.mark.parametrize("size", COUNTS)
def test_there_and_back(size: int) -> None:
    rows = np.random.default_rng(size).integers(0, COUNTS[size], 200_000)
    rows[:2] = 0, COUNTS[size] - 1
    hands, boards = gpuodds.canonical_cards(rows, size, perfect_recall=True)
    assert hands.dtype == boards.dtype == np.uint8 and boards.shape == (200_000, size)
    assert np.array_equal(numbers(hands, boards), rows)
    assert (np.diff(hands.astype(int), axis=1) > 0).all()
    assert (np.diff(boards[:, :3].astype(int), axis=1) > 0).all()
    flops = gpuodds.canonical_cards(gpuodds.canonical_rows(hands, boards[:, :3]), 3)
    assert np.array_equal(flops[0], hands) and np.array_equal(flops[1], boards[:, :3])


decks = st.permutations(range(52)).map(lambda deck: deck[:7])


@given(decks, st.permutations(range(4)), st.permutations(range(3)), st.sampled_from([4, 5]))
@settings(max_examples=60, deadline=None)
def test_suits_and_the_order_of_a_flop_say_nothing(
    deck: list[int], names: list[int], order: list[int], size: int
) -> None:
    renamed = [4 * (card >> 2) + names[card & 3] for card in deck]
    board = [*(renamed[2 + place] for place in order), *renamed[5 : 2 + size]]
    (number,) = numbers([deck[:2]], [deck[2 : 2 + size]])
    assert numbers([renamed[1::-1]], [board])[0] == number
    hand, cards = gpuodds.canonical_cards([number], size, perfect_recall=True)
    assert rounds(hand[0].tolist(), cards[0].tolist()) == rounds(deck[:2], deck[2 : 2 + size])


@given(decks, st.sampled_from([4, 5]))
@settings(max_examples=60, deadline=None)
def test_plain_python(deck: list[int], size: int) -> None:
    """The functions as Python reads them, which are compiled for the rest."""
    of = [0, 0, 0, 0]
    for place, card in enumerate(deck[:5]):
        of[card & 3] |= 1 << ((card >> 2) + (13 if place >= 2 else 0))
    suits = canonical.descend(*of)
    turn, river = deck[5], deck[6]
    own, rank = of[turn & 3], 1 << (turn >> 2)
    row = int(gpuodds.canonical_rows([deck[:2]], [deck[2:5]])[0])
    begin, end = recall_table(size).offsets[row : row + 2].tolist()
    board = [*deck[2:5], turn, river][:size]
    if size == 4:
        assert end - begin == recall.count_turns(suits)
        place = recall.turn_place(suits, own, rank)
        back = recall.turn_of(suits, place)
        assert suits[back >> 4] == own and 1 << (back & 15) == rank
    else:
        assert end - begin == recall.count_rivers(suits)
        other, last = of[river & 3], 1 << (river >> 2)
        place = recall.river_place(suits, own, rank, other, last, turn & 3 == river & 3)
        back = recall.river_of(suits, place)
        assert (suits[back >> 12], suits[back >> 4 & 15]) == (own, other)
        assert (1 << (back >> 8 & 15), 1 << (back & 15)) == (rank, last)
    assert numbers([deck[:2]], [board])[0] == begin + place


def test_a_flop_has_nothing_to_recall() -> None:
    hands, flops = [[51, 47], [50, 46]], [[0, 21, 30], [3, 20, 29]]
    assert numbers(hands, flops).tolist() == [216046, 216046]
    assert gpuodds.canonical_cards([216046], 3, perfect_recall=True)[1].tolist() == [[2, 21, 28]]


def test_the_order_of_turn_and_river_counts() -> None:
    first, second = numbers([[51, 47]] * 2, [[0, 21, 30, 9, 13], [0, 21, 30, 13, 9]])
    assert first != second
    rows = gpuodds.canonical_rows([[51, 47]] * 2, [[0, 21, 30, 9, 13], [0, 21, 30, 13, 9]])
    assert rows[0] == rows[1]


@pytest.mark.parametrize("size", COUNTS)
def test_wrong_rows(size: int) -> None:
    with pytest.raises(InputError, match=f"row {COUNTS[size]}: expected 0 to {COUNTS[size] - 1}"):
        gpuodds.canonical_cards([COUNTS[size]], size, perfect_recall=True)
    with pytest.raises(InputError, match="perfect_recall yes: expected True or False"):
        gpuodds.canonical_cards([0], size, perfect_recall="yes")  # type: ignore[arg-type]
