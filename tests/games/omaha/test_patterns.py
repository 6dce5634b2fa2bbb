"""Patterns of Omaha hands against brute force in plain Python."""

from __future__ import annotations

import random
from itertools import permutations

import numpy as np
import pytest

from gpuodds.games.omaha import patterns
from gpuodds.games.omaha.combos import combo_cards
from gpuodds.games.omaha.patterns import (
    ANY_CARD,
    SUIT_CARDS,
    Place,
    is_narrow,
    matching_combos,
    matching_numbers,
)

LOOKED_AT = 150  # hands of a pattern, half of them among those that match


def draw_place(draw: random.Random) -> Place:
    rank, suit = draw.choice(("", "", "R", "R", "O", "N")), draw.choice(("", "", "w", "x", "y", "z"))
    ranks = draw.sample(range(13), draw.choice((1, 1, 2, 5)))
    allowed = draw.choice(
        (ANY_CARD, 1 << draw.randrange(52), draw.choice(SUIT_CARDS), sum(15 << 4 * r for r in ranks))
    )
    return Place(ANY_CARD, rank, suit) if rank else Place(allowed, rank, suit)


def fits(hand: tuple[int, ...], pattern: list[Place]) -> bool:
    """Return whether cards, one for each place in order, are what the places ask for."""
    if not all(place.allowed >> card & 1 for card, place in zip(hand, pattern, strict=True)):
        return False
    for one, other in permutations(range(len(hand)), 2):
        for field, value in (("rank", [card >> 2 for card in hand]), ("suit", [c & 3 for c in hand])):
            names = getattr(pattern[one], field), getattr(pattern[other], field)
            if all(names) and (names[0] == names[1]) != (value[one] == value[other]):
                return False
    return True


@pytest.mark.parametrize("size", [4, pytest.param(5, marks=pytest.mark.slow)])
@pytest.mark.parametrize("most", [patterns.MAX_STATES, pytest.param(5, marks=pytest.mark.weekly)])
def test_patterns_match_what_brute_force_finds(
    size: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patterns, "MAX_STATES", most)
    draw = random.Random(size)
    cards = combo_cards(size)
    narrow = 0
    drawn = [[draw_place(draw) for _ in range(draw.randrange(1, size + 1))] for _ in range(60)]
    named = [Place(1 << 51), Place(1 << 46), Place(1 << 40)]
    for pattern in [*drawn, named, [*named, Place(15, suit="x"), Place(ANY_CARD, suit="y")][:size]]:
        found = matching_combos(size, pattern)
        if is_narrow(size, pattern):
            narrow += 1
            assert np.array_equal(matching_numbers(size, pattern), np.flatnonzero(found))
        numbers = [draw.randrange(len(cards)) for _ in range(LOOKED_AT // 2)]
        if found.any():
            numbers += draw.choices(np.flatnonzero(found).tolist(), k=LOOKED_AT // 2)
        for number in numbers:
            hand = cards[number].tolist()
            wanted = any(fits(chosen, pattern) for chosen in permutations(hand, len(pattern)))
            assert found[number] == wanted, (pattern, hand)
    assert narrow


def test_every_place_of_the_same_card_needs_one_of_its_own() -> None:
    assert not len(matching_numbers(4, [Place(1), Place(1), Place(2), Place(4)]))
    assert not matching_combos(4, [Place(1), Place(1)]).any()
    assert not matching_combos(4, [Place(0)]).any()
    assert matching_combos(4, []).all()
