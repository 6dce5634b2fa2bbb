"""Made hands and draws in Omaha, against the definitions of docs/hits.md, card by card."""

from __future__ import annotations

import hits_oracle
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpuodds
from gpuodds.basics.choices import GameName
from gpuodds.cards import format_cards, parse_cards
from gpuodds.errors import InputError

GAMES: dict[GameName, int] = {"omaha": 4, "omaha5": 5, "omaha6": 6, "omaha-hi-lo": 4}


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=[pytest.mark.weekly] if size == 6 else [])
        for game, size in GAMES.items()
    ],
)
def test_hits_are_those_of_the_definitions(game: GameName) -> None:
    random, size = np.random.default_rng(43), GAMES[game]
    seen: set[str] = set()
    for lowest in range(0, 7, size - 3):
        # Few ranks, so that much is made.
        cards = random.permutation(np.arange(4 * lowest, 4 * lowest + 28)).tolist()
        board, dead, deck = cards[:5], cards[5 : 5 + lowest % 4], cards[8:]
        count = 40 // (size - 2)  # the definitions take the longer, the more cards a hand has
        hands = [random.permutation(deck)[:size].tolist() for _ in range(count)]
        held = gpuodds.Range.of_combos(hands, game=game)
        for street in gpuodds.range_hits(held, board=board, dead=dead, game=game).streets:
            assert len(street.by_hand) == len({frozenset(hand) for hand in hands})
            for row in street.by_hand:
                hand, where = parse_cards(row.hand), (row.hand, format_cards(street.board), dead)
                assert row.made == hits_oracle.omaha_made_hand(hand, street.board), where
                assert {*row.draws} == hits_oracle.omaha_draws(hand, street.board, dead), where
                seen |= {row.made, *row.draws}
    assert {"set", "two pair", "top pair", "wrap", "gutshot", "wrap + pair"} <= seen


@pytest.mark.slow
@given(st.permutations(range(52)))
@settings(max_examples=60, deadline=None)
def test_hits_are_those_of_the_definitions_with_any_cards(cards: list[int]) -> None:
    hand, board, dead = cards[:4], cards[4:9], cards[9:11]
    for street in gpuodds.range_hits(hand, board=board, dead=dead, game="omaha").streets:
        (row,) = street.by_hand
        assert row.made == hits_oracle.omaha_made_hand(hand, street.board)
        assert {*row.draws} == hits_oracle.omaha_draws(hand, street.board, dead)


@pytest.mark.parametrize(
    ("hand", "board", "made", "draws"),
    [
        ("JhTs7c6d", "9h8d2s", "no made hand", {"wrap"}),  # the wrap of 20 cards
        ("QhJsTc2d", "9h8d3s", "no made hand", {"wrap"}),  # of 13
        ("Th7s2c2d", "9h8dKs", "weak pair", {"open-ended straight draw", "open-ended + pair"}),
        (
            "AsKs5d4c",
            "QsJs2h",
            "ace high",
            {"flush draw", "nut flush draw", "gutshot", "flush draw + gutshot"},
        ),
        ("AsKd5d4c", "Qs8s2s", "ace high", set()),  # one spade makes no flush with three
        ("AhKh7d2c", "7s7c7h", "four of a kind", set()),
        ("AhKhQd2c", "7s7c7h", "ace high", set()),
        ("7dAh4c3c", "7s7c2h2dKs", "trips", set()),  # the full house needs both hole cards
        ("AcTc5h4d", "KsQsJs", "straight", set()),
        ("AcTcTs9s", "KsQsJd", "straight", {"flush draw"}),
    ],
)
def test_hands_by_name(hand: str, board: str, made: str, draws: set[str]) -> None:
    row = gpuodds.range_hits(hand, board=board, game="omaha").streets[-1].by_hand[0]
    assert (row.made, {*row.draws} - {"backdoor flush draw"}) == (made, draws)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "hand", "board", "dead"),
    [
        ("omaha6", "TsThTdTc9s8s", "Jd7h2c", ""),  # no ten is left
        ("omaha", "AhKh5d4c", "2s3s9d", "AsKsQsJsTs9s8s7s6s5s4s"),  # no spade is left
    ],
)
def test_cards_that_are_gone(game: GameName, hand: str, board: str, dead: str) -> None:
    (row,) = gpuodds.range_hits(hand, board=board, dead=dead, game=game).streets[-1].by_hand
    cards = parse_cards(hand), parse_cards(board), parse_cards(dead)
    assert row.made == hits_oracle.omaha_made_hand(*cards[:2])
    assert {*row.draws} == hits_oracle.omaha_draws(*cards)


def test_a_range_is_the_sum_of_its_hands() -> None:
    found = gpuodds.range_hits("AAKK:$ds,QJT9@50", board="Ts9s2d", dead="Ac", game="omaha")
    hands = gpuodds.Range("AAKK:$ds,QJT9@50", game="omaha").without("Ts9s2d").without("Ac")
    (flop,) = found.streets
    assert found.combos == hands.weight == sum(row.weight for row in flop.by_hand)
    for name, hit in flop.draws.items():
        assert hit.combos == sum(row.weight for row in flop.by_hand if name in row.draws)
    assert "wrap" in flop.draws and "overcards" not in flop.draws


def test_all_flops_of_omaha_are_refused() -> None:
    with pytest.raises(InputError, match="in omaha5: expected a board of three to five cards"):
        gpuodds.range_hits("AA", game="omaha5")
