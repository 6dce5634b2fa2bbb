"""Five-card odds and draws: golden counts, and brute force that lists every hand."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuodds.cards import format_cards, parse_cards
from gpuodds.errors import InputError
from gpuodds.five_card.decks import (
    count_hands,
    count_high_cards,
    deck_without,
    five_odds,
    high_card,
)
from gpuodds.five_card.draw import best_discards_of, best_draw
from gpuodds.games.five_card import RANKINGS, draw_chooser_value, rank_names
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.hand_names import CATEGORY_RANKS, card_ranks, category
from gpuodds.methods.hands.evaluate import rank_hand, rank_hands

FULL = (1 << 52) - 1


def as_deck(cards: Sequence[int]) -> int:
    return sum(1 << card for card in cards)


def listed(cards: list[int]) -> np.ndarray:
    return np.array(list(combinations(cards, 5)), np.uint8).reshape(-1, 5)


def test_a_whole_deck() -> None:
    by_category = [40, 624, 3744, 5108, 10200, 54912, 123552, 1098240, 1302540]
    odds = count_hands([FULL])[0]
    assert odds.sum() == comb(52, 5) == 2_598_960
    assert [int(odds[r.start : r.stop].sum()) for r in CATEGORY_RANKS][::-1] == by_category
    assert count_high_cards([FULL])[0].sum(axis=1).tolist() == by_category[::-1]


def test_the_47_card_deck_of_the_golden_tests() -> None:
    odds = five_odds("KsKh7d4c2c")
    assert list(odds.categories.values()) == [
        27,
        387,
        2271,
        2811,
        6629,
        33075,
        73683,
        650163,
        764893,
    ]
    assert (odds.beat, odds.tie, odds.outcomes) == (190117, 27, 1533939)
    assert odds.ahead == 179081  # by category and high card alone
    assert {name: sum(cards.values()) for name, cards in odds.high_cards.items()} == odds.categories
    assert odds.to_dict()["schema"] == "gpuodds.five_odds/1"


decks = st.sets(st.integers(0, 51), min_size=10, max_size=17).map(sorted)


@pytest.mark.slow
@settings(deadline=None, max_examples=25)
@given(decks)
def test_counts_equal_listing(cards: list[int]) -> None:
    hands = listed(cards)
    ranks = rank_hands(hands)
    assert count_hands([as_deck(cards)])[0].tolist() == np.bincount(ranks, minlength=7463).tolist()
    by_card = Counter(
        (category(int(rank)), high_card(hand.tolist())) for rank, hand in zip(ranks, hands, strict=True)
    )
    found = count_high_cards([as_deck(cards)])[0]
    names = [category(ranks.start) for ranks in CATEGORY_RANKS]
    shown = {
        (names[place], card): int(found[place, card])
        for place in range(9)
        for card in range(52)
        if found[place, card]
    }
    assert shown == by_card


@pytest.mark.slow
@pytest.mark.parametrize("size", [30, 41, 52])
def test_counts_of_large_decks(size: int) -> None:
    cards = sorted(random.Random(size).sample(range(52), size))
    ranks = rank_hands(listed(cards))
    assert count_hands([as_deck(cards)])[0].tolist() == np.bincount(ranks, minlength=7463).tolist()


def test_many_decks_at_once() -> None:
    some = [as_deck(random.Random(i).sample(range(52), 10 + i)) for i in range(40)]
    together = count_hands(np.array(some, np.uint64))
    assert together.shape == (40, 7463)
    assert all((count_hands([deck])[0] == row).all() for deck, row in zip(some, together, strict=True))
    assert count_high_cards(some).shape == (40, 9, 52)


def test_ranks_of_cards() -> None:
    for rank in range(1, 7463):
        ranks = card_ranks(rank)
        times = Counter(ranks)
        assert len(ranks) == 5 and max(times.values()) <= 4
        suits = [0, 0, 0, 0, 0] if "flush" in category(rank) else [0, 1, 2, 3, 0]
        used: Counter[int] = Counter()
        cards = []
        for face, suit in zip(ranks, suits, strict=True):
            if "flush" not in category(rank) and times[face] > 1:
                suit = used[face]
                used[face] += 1
            cards.append(4 * face + suit)
        assert rank_hand(cards, HOLDEM) == rank


# The draw


class Ranked(dict[frozenset[int], int]):
    """The rank of each five cards, by the names of a ranking; each is ranked once."""

    def __init__(self, ranking: str) -> None:
        self.names = rank_names(ranking)

    def __missing__(self, cards: frozenset[int]) -> int:
        suits = {card & 3 for card in cards}
        rank = int(self.names[min(suits) if len(suits) == 1 else 0, rank_hand(list(cards), HOLDEM)])
        self[cards] = rank
        return rank


def brute(
    hand: tuple[int, ...], left: list[int], away: tuple[int, ...], rank: Ranked
) -> tuple[int, int, int]:
    kept = frozenset(hand) - set(away)
    wins = ties = outcomes = 0
    for drawn in combinations(left, len(away)):
        ours = rank[kept.union(drawn)]
        for theirs in combinations([card for card in left if card not in drawn], 5):
            value = rank[frozenset(theirs)]
            wins += ours > value
            ties += ours == value
            outcomes += 1
    return wins, ties, outcomes


@pytest.mark.slow
@pytest.mark.parametrize("ranking", RANKINGS)
@pytest.mark.parametrize("start", range(4))
def test_draws_equal_listing(start: int, ranking: str) -> None:
    draw = random.Random(start)
    deck = draw.sample(range(52), 52)
    if start == 3:
        deck.sort()  # low cards of all suits: many ties
    hand, left = tuple(deck[:5]), sorted(deck[5:16])
    found = best_draw(hand, seen=deck[16:], ranking=ranking)
    assert len(found.draws) == 32
    by_discard, ranked = {one.discard: one for one in found.draws}, Ranked(ranking)
    for drawn in range(6):
        for away in combinations(hand, drawn):
            one = by_discard[format_cards(away)]
            counted = one.win_outcomes, one.tie_outcomes, one.outcomes
            assert counted == brute(hand, left, away, ranked)


def test_the_draw_of_the_golden_tests() -> None:
    found = best_draw("4h9d4c7dQs", max_discards=3)
    assert len(found.draws) == 26
    best = found.best
    assert best.discard == "9d7dQs"
    assert (best.win_outcomes, best.tie_outcomes) == (12166721175, 256500)
    assert best.outcomes == 17609619720 and best.equity == pytest.approx(0.690921, abs=1e-6)
    assert best.win == pytest.approx(0.690913, abs=1e-6)
    second = found.draws[1]
    assert second.discard == "9d7d" and (second.win_outcomes, second.outcomes) == (
        898962687,
        1320721479,
    )
    pat = next(one for one in found.draws if not one.discard)
    assert (pat.win_outcomes, pat.tie_outcomes, pat.outcomes) == (891812, 27, 1533939)
    assert [one.equity for one in found.draws] == sorted((d.equity for d in found.draws), reverse=True)


def test_suits_make_no_difference_and_two_unseen_hands_neither() -> None:
    one, other = best_draw("4h9d4c7dQs"), best_draw("4s9c4d7cQh")
    everything = next(draw for draw in one.draws if len(draw.discard) == 10)
    assert 2 * everything.win_outcomes + everything.tie_outcomes == everything.outcomes
    assert [(d.win_outcomes, d.tie_outcomes) for d in one.draws] == [
        (d.win_outcomes, d.tie_outcomes) for d in other.draws
    ]


@pytest.mark.slow
@pytest.mark.parametrize("ranking", RANKINGS)
def test_samples_are_near_the_counts(ranking: str) -> None:
    exact = {d.discard: d for d in best_draw("4h9d4c7dQs", ranking=ranking).draws}
    sampled = best_draw("4h9d4c7dQs", ranking=ranking, method="monte-carlo", runs=200_000, seed=3)
    assert sampled.method == "monte-carlo" and not sampled.to_dict()["exact"]
    for one in sampled.draws:
        assert one.standard_error is not None
        assert abs(one.equity - exact[one.discard].equity) < 5 * one.standard_error
    again = best_draw("4h9d4c7dQs", ranking=ranking, method="monte-carlo", runs=200_000, seed=3)
    assert again == sampled


class AllHands(NamedTuple):
    bits: np.ndarray
    suits: np.ndarray  # of flushes, else 0
    ranks: np.ndarray


@pytest.fixture(scope="module")
def all_hands() -> AllHands:
    rows = listed(list(range(52)))
    suits = np.where((rows & 3 == rows[:, :1] & 3).all(axis=1), rows[:, 0] & 3, 0)
    return AllHands((1 << rows.astype(np.int64)).sum(axis=1), suits, rank_hands(rows))


@pytest.mark.slow
@pytest.mark.parametrize("ranking", RANKINGS)
def test_an_opponent_discards_for_the_highest_equity(ranking: str, all_hands: AllHands) -> None:
    # The mean worth of all completions, hand by hand, against the sums that are looked up.
    bits, suits, plain = all_hands
    called = rank_names(ranking)[suits, plain]
    counts = np.bincount(called)
    worth = 2 * (np.cumsum(counts) - counts) + counts
    for hand in ("4h9d4c7dQs", "AsKsQsJs2d", "2c3d4h5s9c", "KsKhKd7d7c"):
        cards = sorted(parse_cards(hand))
        best, highest = [], -1.0
        for drawn in range(4):
            for away in combinations(cards, drawn):
                kept = as_deck([card for card in cards if card not in away])
                fits = bits & as_deck(cards) == kept
                mean = float(worth[called[fits]].mean())
                if mean > highest + 1e-6:
                    best, highest = list(away), mean
        assert best_discards_of(hand, 3, ranking=ranking) == best


def test_an_opponent_who_draws() -> None:
    # The slow reference: deal, let the other discard what is best for it, compare.
    draw, wins, runs = random.Random(5), 0.0, 4000
    hand = parse_cards("4h9d4c7dQs")
    kept = parse_cards("4h4c")
    left = [card for card in range(52) if card not in hand]
    for _ in range(runs):
        deck = draw.sample(left, len(left))
        ours = rank_hand([*kept, *(deck.pop() for _ in range(3))], HOLDEM)
        theirs = [deck.pop() for _ in range(5)]
        away = best_discards_of(theirs, 3)
        rank = rank_hand(
            [card for card in theirs if card not in away] + [deck.pop() for _ in away], HOLDEM
        )
        wins += (ours > rank) + (ours == rank) / 2
    found = best_draw("4h9d4c7dQs", opponent="draws", max_discards=3, runs=300_000, seed=1)
    one = next(d for d in found.draws if d.discard == "9d7dQs")
    assert one.equity == pytest.approx(wins / runs, abs=5 * 0.5 / runs**0.5)
    assert one.equity < 0.6  # 0.69 against a pat hand


def test_the_old_ranking() -> None:
    # A pair of fours with a queen, nine and seven: type 0, then the ranks to the base 13.
    assert draw_chooser_value([2, 2, 10, 7, 5], "pair", 0) == int("22a75", 13)
    names = rank_names("draw-chooser")

    def value(text: str) -> int:
        cards = parse_cards(text)
        suit = cards[0] & 3 if len({card & 3 for card in cards}) == 1 else 0
        return int(names[suit, rank_hand(cards, HOLDEM)])

    order = [
        "AsKdQhJc9s",  # no pair
        "2s2d4h5c7s",
        "2s2d3h3c4s",
        "2s2d2h4c5s",
        "2s2d2hAcAd",  # a full house is three of a kind, by its ranks
        "3s3d3h4c5s",
        "2s2d2h2c3s",
        "AcKcQcJc9c",  # of flushes only the suit counts
        "2d3d4d5d7d",
        "As2d3h4c5s",
        "2d3d4d5d6d",  # a straight flush is a straight
        "3s4d5h6c7s",
    ]
    values = [value(text) for text in order]
    assert values == sorted(values) and len(set(values)) == len(values)
    assert value("2c3c4c5c7c") == value("AcKcQcJc9c")
    assert value("2s3s4s5s6s") == value("2d3h4d5d6d")


@pytest.mark.parametrize(
    ("hand", "options", "message"),
    [
        ("4h9d4c7d", {}, "hand 4h9d4c7d: expected five cards, found 4"),
        ("4h9d4c7dQsQh", {}, "expected five cards, found 6"),
        ([10, 10, 1, 2, 3], {}, "4h: the same card is twice in the hand"),
        ("4h9d4c7dQs", {"seen": "4h"}, "4h: the same card is in the hand and the seen cards"),
        ("4h9d4c7dQs", {"seen": [0, 0]}, "2c: the same card is twice in the seen cards"),
        ("4h9d4c7dQs", {"seen": list(range(0, 42))}, "is in the hand and the seen cards"),
        ("AsAhAdAcKs", {"seen": list(range(0, 44))}, "3 cards are unseen: expected 10 at least"),
        ("4h9d4c7dQs", {"max_discards": 6}, "max discards 6: expected 0 to 5"),
        ("4h9d4c7dQs", {"opponent": "me"}, "opponent me: expected one of pat, draws"),
        ("4h9d4c7dQs", {"ranking": "mine"}, "ranking mine: expected one of standard, draw-chooser"),
        ("4h9d4c7dQs", {"method": "guess"}, "method guess: expected one of exact, monte-carlo"),
        ("4h9d4c7dQs", {"method": "exact", "opponent": "draws"}, "method exact: expected an opponent"),
        ("4h9d4c7dQs", {"method": "exact", "runs": 9}, "runs 9: expected method monte-carlo"),
        ("4h9d4c7dQs", {"runs": 0}, "runs 0: expected 1 to 10,000,000,000"),
        ("4h9d4c7dQs", {"method": "monte-carlo", "runs": 0}, "runs 0: expected 1 to 10,000,000,000"),
        ("4h9d4c7dQs", {"method": "monte-carlo", "seed": -1}, "seed -1: expected 0 or more"),
    ],
)
def test_bad_input(hand: str | list[int], options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        best_draw(hand, **options)  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_results_name_the_backend() -> None:
    assert five_odds("KsKh7d4c2c").backend == "cpu"
    assert best_draw("4h9d4c7dQs", max_discards=0).backend == "cpu"
    assert best_draw("4h9d4c7dQs", max_discards=0, runs=10).backend == "cpu"


def test_runs_alone_ask_for_sampling() -> None:
    found = best_draw("4h9d4c7dQs", runs=1000, seed=1)
    assert found == best_draw("4h9d4c7dQs", runs=1000, seed=1, method="monte-carlo")
    assert {draw.outcomes for draw in found.draws} == {1000}


@pytest.mark.parametrize(
    ("decks", "message"),
    [
        ([[1]], "decks: expected integers of shape (n,)"),
        ([1.5], "decks: expected integers of shape (n,)"),
        ([1 << 52], "decks: expected sets of the 52 cards as bits"),
        ([-1], "decks: expected sets of the 52 cards as bits"),
    ],
)
def test_bad_decks(decks: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        count_hands(decks)
    assert message in str(caught.value)


def test_an_empty_deck() -> None:
    with pytest.raises(InputError, match="0 cards are unseen: expected 5 at least"):
        five_odds("AsAhAdAcKs", seen=[c for c in range(47)])
    assert deck_without(range(52)) == 0 and count_hands([0]).sum() == 0
