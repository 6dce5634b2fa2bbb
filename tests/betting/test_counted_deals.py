"""Several pots against hands and ranges: every deal counted, against deals one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import inf, log
from typing import Any

import numpy as np
import pytest
import short_deck_oracle
from omaha_oracle import score_hand
from oracle import score

import gpuodds
from gpuodds.basics.choices import GameName
from gpuodds.betting import kelly_bet
from gpuodds.cards import parse_cards
from gpuodds.errors import InputError
from gpuodds.games import find_game

Weighted = list[tuple[str, float]]


def holdem(hand: Sequence[int], board: Sequence[int]) -> Any:
    return score(np.array([*hand, *board]))


def omaha(hand: Sequence[int], board: Sequence[int]) -> Any:
    return score_hand(np.array(hand), np.array(board))[0]


def short_deck(hand: Sequence[int], board: Sequence[int]) -> Any:
    return short_deck_oracle.strength((*hand, *board), find_game("short-deck"))


SCORES: dict[str, Callable[[Sequence[int], Sequence[int]], Any]] = {
    "holdem": holdem,
    "omaha": omaha,
    "short-deck": short_deck,
}


def deal_all(
    game: GameName, hand: str, ranges: Sequence[Weighted], board: str, dead: str = ""
) -> Counter[tuple[int, ...]]:
    """Deal every hand and every runout; return weights by the opponents' states, 1 if better, or -1."""
    ours, flop = parse_cards(hand), parse_cards(board)
    out = {*ours, *flop, *parse_cards(dead), *find_game(game).missing}
    sides = [[(parse_cards(text), Fraction(weight)) for text, weight in one] for one in ranges]
    rank = SCORES[game]
    found: Counter[tuple[int, ...]] = Counter()
    for more in combinations([card for card in range(52) if card not in out], 5 - len(flop)):
        full = (*flop, *more)
        mine = rank(ours, full)
        signs: dict[tuple[int, ...], int] = {}
        for cards in {cards for side in sides for cards, _ in side}:
            if not out & set(cards) and not set(more) & set(cards):
                theirs = rank(cards, full)
                signs[cards] = (theirs > mine) - (theirs < mine)
        for deal in product(*sides):
            held = [card for cards, _ in deal for card in cards]
            if len(set(held)) == len(held) and all(cards in signs for cards, _ in deal):
                weight = Fraction(1)
                for _, part in deal:
                    weight *= part
                found[tuple(signs[cards] for cards, _ in deal)] += weight  # type: ignore[assignment]
    return found


def growth(
    states: Counter[tuple[int, ...]], bankroll: int, pot: int, stacks: list[int], bet: int
) -> float:
    """Return the growth by a bet that all call with what they have."""
    puts, whole, total = [min(bet, stack) for stack in stacks], sum(states.values()), 0.0
    for state, weight in states.items():
        pots = [(Fraction(pot), range(len(puts)))]
        for low, high in pairwise(sorted({0, bet, *puts})):
            who = [seat for seat, put in enumerate(puts) if put >= high]
            pots.append((Fraction((high - low) * (1 + len(who))), who))  # type: ignore[arg-type]
        won = sum(
            chips / (1 + sum(state[seat] == 0 for seat in who))
            for chips, who in pots
            if all(state[seat] < 1 for seat in who)
        )
        end = float((bankroll - bet + won) / bankroll)
        total += float(Fraction(weight) / whole) * (log(end) if end > 0 else -inf)
    return total


def as_range(game: GameName, hands: Weighted) -> str:
    """Write hands as a range, a single one of weight 1 as a hand."""
    if len(hands) == 1:
        return hands[0][0]
    if game == "omaha":
        return ",".join(f"{text}@{100 * weight:g}" for text, weight in hands)
    return ",".join(f"{text}:{weight}" for text, weight in hands)


CASES: list[tuple[str, str, list[Weighted], str, str]] = [
    ("holdem", "AhKh", [[("QsQd", 1)], [("7c7d", 1)]], "Qh7h2c", ""),
    ("holdem", "AhKh", [[("QsQd", 1), ("AcKc", 0.3)], [("AcKd", 0.1), ("AdKd", 1)]], "Qh7h2c", "2d"),
    (
        "holdem",  # a hand with the player's card, hands that share cards with each other, three ranges
        "AhKd",
        [
            [("AdKc", 1), ("QsQd", 0.25), ("9c9d", 0.7), ("JcTc", 1), ("AhQc", 1)],
            [("QsQd", 1), ("AsKs", 0.5), ("QdJd", 0.5)],
            [("QsJs", 1), ("AcQc", 0.3), ("9c9d", 1), ("AsKc", 1)],
        ],
        "AsQh7h2c",
        "",
    ),
    ("holdem", "AhKd", [[("2s3s", 1)], [("2d3d", 1)], [("2h3c", 1)]], "AcKcQcJcTc", ""),
    ("short-deck", "AhKd", [[("AdKc", 1), ("QsQd", 0.5)], [("9c9d", 1)]], "As6h7h", ""),
    ("omaha", "AhKhQdJd", [[("AsKsQcJc", 1), ("9s9c8s8c", 0.5)], [("7c7d5c5d", 1)]], "Qh7h2cTs", ""),
]


@pytest.mark.parametrize(("game", "hand", "ranges", "board", "dead"), CASES)
def test_counted_deals_are_all_deals(
    game: GameName, hand: str, ranges: list[Weighted], board: str, dead: str
) -> None:
    given = [as_range(game, one) for one in ranges]
    stacks = [300, 40, 120][: len(ranges)]
    found = kelly_bet(
        hand,
        opponents=given,
        stacks=stacks,
        board=board,
        dead=dead,
        game=game,
        bankroll=1000,
        pot=50,
        backend="cpu",
    )
    states = deal_all(game, hand, ranges, board, dead)
    whole = sum(states.values())
    split = [Fraction(0)] * (len(ranges) + 1)
    for state, weight in states.items():
        if 1 not in state:
            split[state.count(0)] += Fraction(weight) / whole
    assert (found.exact, found.method, found.standard_error) == (True, "exact", None)
    assert found.advice_changes is None and found.odds.split == tuple(split)
    for bet in (20, 70, 200, 290):
        expected = growth(states, 1000, 50, stacks, bet)
        assert found.option(bet).growth == pytest.approx(expected, abs=1e-12)


ONE_POT: list[tuple[str, str, list[str], str]] = [
    ("holdem", "AhKh", ["QsQd", "7c7d"], ""),  # 1.4 million boards
    ("holdem", "AhKh", ["QsQd", "7c7d", "2s2h", "3c4c", "8d9d"], ""),
    ("holdem", "AhKh", ["22+,AT+", "30%", "QQ"], "Qh7h2c"),
    ("short-deck", "AhKh", ["QsQd", "7c7d"], ""),
    ("omaha", "AsAhKsKh", ["7c8c9dTd", "QcQdJcJh"], ""),
    ("omaha", "AsAhKsKh", ["QQ**", "7c8c9dTd"], "2s7d9h"),
]


@pytest.mark.parametrize(("game", "hand", "opponents", "board"), ONE_POT)
def test_the_odds_against_all_are_those_of_one_pot(
    game: GameName, hand: str, opponents: list[str], board: str
) -> None:
    spot: dict[str, Any] = {"board": board, "game": game, "bankroll": 1000, "backend": "cpu"}
    one = kelly_bet(hand, opponents=opponents, time_limit=60, **spot)
    several = kelly_bet(hand, opponents=opponents, fold=0.3, **spot)
    assert one.exact and several.exact and several.method == "exact"
    assert several.odds == one.odds


def test_weights_as_floats_give_the_same_odds() -> None:
    spot: dict[str, Any] = {"board": "Qh7h2c", "bankroll": 1000, "backend": "cpu"}
    ranges = ["QQ:0.1,AK:0.7,JTs", "99+:0.3,87s:0.9"]
    one = kelly_bet("AhKh", opponents=ranges, **spot)
    several = kelly_bet("AhKh", opponents=ranges, fold=0.3, **spot)
    assert several.exact and one.exact
    for ours, theirs in zip(several.odds.split, one.odds.split, strict=True):
        assert float(ours) == pytest.approx(float(theirs), abs=1e-12)
    # Twice the weights are the same range.
    twice = kelly_bet("AhKh", opponents=["QQ:0.125,AK", "99+:0.25"], fold=0.3, **spot)
    again = kelly_bet("AhKh", opponents=["QQ:0.0625,AK:0.5", "99+:0.5"], fold=0.3, **spot)
    assert twice.odds == again.odds
    # What cannot lose does not lose by a rounding.
    nuts: dict[str, Any] = {"board": "QhJhTh2c3d", "bankroll": 1000, "opponents": ranges}
    for fold in (0, 0.3):
        found = kelly_bet("AhKh", fold=fold, **nuts)
        assert found.exact and found.odds.lose == 0 and found.odds.win == 1


def test_all_hands_are_any_cards() -> None:
    options: dict[str, Any] = {
        "board": "Qh7h2c",
        "bankroll": 1000,
        "pot": 100,
        "stacks": [200, None],
        "fold": [0, 0.4],
        "backend": "cpu",
    }
    counted = kelly_bet("AhKh", opponents=2, **options)
    anyone = gpuodds.Range("random")
    listed = kelly_bet("AhKh", opponents=[anyone, anyone], **options)
    assert listed.exact and listed.options == counted.options and listed.odds == counted.odds


def test_a_time_limit_draws_deals() -> None:
    options: dict[str, Any] = {
        "opponents": ["60%", "70%"],
        "board": "2s7d9h",
        "bankroll": 1000,
        "pot": 100,
        "stacks": [200, None],
        "fold": [0, 0.4],
        "backend": "cpu",
    }
    exact = kelly_bet("JdJs", **options)
    drawn = kelly_bet("JdJs", time_limit=0.01, seed=5, **options)
    assert exact.exact and not drawn.exact and drawn.method == "monte-carlo"
    error = drawn.standard_error
    assert error is not None and 0 < error["growth"] < 0.001
    assert abs(drawn.option(500).growth - exact.option(500).growth) < 5 * error["growth"]
    assert abs(drawn.options[-1].fraction - exact.options[-1].fraction) < 5 * error["fraction"] + 1e-9
    for name in ("win", "lose", "equity"):
        off = abs(float(getattr(drawn.odds, name) - getattr(exact.odds, name)))
        assert off < 5 * error[name] < 0.01


def test_ranges_that_leave_one_another_no_cards_are_refused() -> None:
    for opponents in (["AA", "AhAd,AcAd"], ["AhAs,AcAd", "KK"]):
        with pytest.raises(
            InputError, match=r"the ranges (cannot be dealt|leave one another no cards)"
        ):
            kelly_bet("AsAc", opponents=opponents, bankroll=100, board="2s7d9h", fold=0.5)


def test_progress_goes_up_to_the_end() -> None:
    shares: list[float] = []
    kelly_bet(
        "AhKh",
        opponents=["22+,AT+", "30%", "QQ"],
        board="Qh7h2c",
        bankroll=100,
        fold=0.3,
        progress=shares.append,
    )
    assert shares == sorted(shares) and shares[0] == 0 and shares[-1] <= 1 and len(shares) > 2
