"""Hand ranks of short deck against a plain evaluator."""

from __future__ import annotations

from itertools import combinations, pairwise
from random import Random

import numpy as np
import pytest
from short_deck_oracle import DECK, strength, strength_of_five

from gpuodds.backends.operations.ranks import RankCards
from gpuodds.errors import InputError
from gpuodds.games.short_deck.game import SHORT_DECK, SHORT_DECK_TRIPS, ShortDeck

SIZES = {
    "high card": 120, "pair": 504, "two pair": 252, "three of a kind": 252, "straight": 6,
    "full house": 72, "flush": 120, "four of a kind": 72, "straight flush": 6,
}  # fmt: skip
GAMES = (SHORT_DECK, SHORT_DECK_TRIPS)


@pytest.mark.parametrize("game", GAMES)
def test_categories(game: ShortDeck) -> None:
    assert {
        name: len(ranks) for name, ranks in zip(game.categories, game.category_ranks, strict=True)
    } == SIZES
    assert [rank for ranks in game.category_ranks for rank in ranks] == list(range(1, 1405))
    order = game.categories.index("straight") - game.categories.index("three of a kind")
    assert order == (-1 if game.trips_beat_straights else 1)
    names = [game.hand_name(rank) for rank in range(1, 1405)]
    assert len({*names}) == 1404 and names[-1] == "royal flush"
    for rank in (0, 1405):
        with pytest.raises(InputError, match=f"hand rank {rank}: expected a number from 1 to 1404"):
            game.hand_name(rank)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_hand_of_five_cards(game: ShortDeck) -> None:
    # Every other hand is one of these with its suits renamed.
    hands = [hand for hand in combinations(DECK, 5) if hand[0] % 4 == 0]
    ranks = RankCards(game, np.array(hands, np.uint8)).on_cpu().tolist()
    plain = strength_of_five.__wrapped__  # the cache would keep every hand
    strengths = {hand: plain(hand, game.trips_beat_straights) for hand in hands}
    number = {value: place for place, value in enumerate(sorted({*strengths.values()}))}
    by_rank = dict(zip(hands, ranks, strict=True))
    found = {(by_rank[hand], number[value]) for hand, value in strengths.items()}
    assert len(found) == len({rank for rank, _ in found}) == len({value for _, value in found}) == 1404
    assert sorted(found) == sorted(found, key=lambda pair: pair[1])


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", [6, 7])
def test_drawn_hands_of_more_cards(game: ShortDeck, size: int) -> None:
    random = Random(size)
    hands = [random.sample(DECK, size) for _ in range(4000)]
    ranks = RankCards(game, np.array(hands, np.uint8)).on_cpu().tolist()
    assert ranks == [game.rank_hand(hand[:2], hand[2:]) for hand in hands]
    order = sorted(zip(ranks, (strength(hand, game) for hand in hands), strict=True))
    for (rank, value), (next_rank, next_value) in pairwise(order):
        assert value <= next_value and (rank == next_rank) == (value == next_value)
