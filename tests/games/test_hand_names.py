"""Names of the 7,462 hand ranks."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from gpuodds.cards import RANKS, parse_cards
from gpuodds.errors import InputError
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.hand_names import CATEGORIES, CATEGORY_RANKS, category, hand_name
from gpuodds.methods.hands.evaluate import rank_hand

WORDS = dict(
    zip(
        RANKS,
        [
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "jack",
            "queen",
            "king",
            "ace",
        ],
        strict=True,
    )
)


@pytest.mark.parametrize(
    ("hand", "name"),
    [
        ("AsKsQsJsTs", "royal flush"),
        ("9h8h7h6h5h", "straight flush, nine high"),
        ("As2s3s4s5s", "straight flush, five high"),
        ("TsThTdTcAs", "four of a kind, tens, ace kicker"),
        ("KsKhKd2c2s", "full house, kings over twos"),
        ("6s6h6dAcAs", "full house, sixes over aces"),
        ("AsKs9s7s2s", "flush, ace king nine seven two"),
        ("As2d3h4c5s", "straight, five high"),
        ("AsKdQhJcTs", "straight, ace high"),
        ("7s7h7dKc2s", "three of a kind, sevens, king two kickers"),
        ("AsAh8d8cKs", "two pair, aces and eights, king kicker"),
        ("4h9d4c7dQs", "pair of fours, queen nine seven kickers"),
        ("7s5h4d3c2s", "high card, seven five four three two"),
        ("AsKhQdJc9s", "high card, ace king queen jack nine"),
    ],
)
def test_known_names(hand: str, name: str) -> None:
    assert hand_name(rank_hand(parse_cards(hand), HOLDEM)) == name


def test_names_are_unique() -> None:
    names = [hand_name(rank) for rank in range(1, 7463)]
    assert len(set(names)) == 7462
    for rank, name in enumerate(names, 1):
        assert name.startswith(category(rank)) or name == "royal flush"


def test_every_flush_and_high_card_names_its_cards() -> None:
    for ranks in combinations(reversed(RANKS), 5):
        words = " ".join(WORDS[rank] for rank in ranks)
        name = hand_name(rank_hand(parse_cards("".join(rank + "h" for rank in ranks)), HOLDEM))
        plain = hand_name(rank_hand(parse_cards("s".join(ranks) + "h"), HOLDEM))
        if name.startswith("flush"):
            assert (name, plain) == (f"flush, {words}", f"high card, {words}")
        else:
            assert plain.startswith("straight, ")


def test_every_pair_and_better_names_its_cards() -> None:
    plural = {rank: word + ("es" if rank == "6" else "s") for rank, word in WORDS.items()}
    for high in RANKS:
        for low in RANKS.replace(high, ""):
            full_house = f"{high}c{high}d{high}h{low}c{low}d"
            quads = f"{high}c{high}d{high}h{high}s{low}d"
            assert hand_name(rank_hand(parse_cards(full_house), HOLDEM)) == (
                f"full house, {plural[high]} over {plural[low]}"
            )
            assert hand_name(rank_hand(parse_cards(quads), HOLDEM)) == (
                f"four of a kind, {plural[high]}, {WORDS[low]} kicker"
            )
        for kickers in combinations(reversed(RANKS.replace(high, "")), 3):
            pair = f"{high}c{high}d" + "".join(k + "h" for k in kickers)
            assert hand_name(rank_hand(parse_cards(pair), HOLDEM)) == (
                f"pair of {plural[high]}, {' '.join(WORDS[k] for k in kickers)} kickers"
            )
        for first, second in combinations(reversed(RANKS.replace(high, "")), 2):
            trips = f"{high}c{high}d{high}h{first}c{second}d"
            assert hand_name(rank_hand(parse_cards(trips), HOLDEM)) == (
                f"three of a kind, {plural[high]}, {WORDS[first]} {WORDS[second]} kickers"
            )
    for top, bottom in combinations(reversed(RANKS), 2):
        for kicker in RANKS.replace(top, "").replace(bottom, ""):
            two_pair = f"{top}c{top}d{bottom}c{bottom}d{kicker}h"
            assert hand_name(rank_hand(parse_cards(two_pair), HOLDEM)) == (
                f"two pair, {plural[top]} and {plural[bottom]}, {WORDS[kicker]} kicker"
            )


def test_categories_cover_every_rank_once() -> None:
    assert len(CATEGORIES) == len(CATEGORY_RANKS) == 9
    assert [rank for ranks in CATEGORY_RANKS for rank in ranks] == list(range(1, 7463))


def test_numpy_integers_are_accepted() -> None:
    ranks: Any = np.array([7462, 1], np.uint16)
    assert hand_name(ranks[0]) == "royal flush"
    assert category(ranks[1]) == "high card"


@pytest.mark.parametrize("rank", [-1, 0, 7463])
def test_numbers_that_are_no_rank_are_refused(rank: int) -> None:
    for function in (hand_name, category):
        with pytest.raises(InputError, match=f"hand rank {rank}: expected a number from 1 to 7462"):
            function(rank)
