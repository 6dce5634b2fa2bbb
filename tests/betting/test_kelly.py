"""Kelly bets: by hand, by golden rows, by properties, and as Cassandra printed them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import log
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_backend import Slow

import gpuodds
from gpuodds.betting.advice import kelly_bet
from gpuodds.betting.cassandra import cassandra_fraction, cassandra_odds
from gpuodds.betting.kelly import Wager
from gpuodds.betting.odds import Odds
from gpuodds.cards import format_cards, parse_cards
from gpuodds.errors import InputError
from gpuodds.games import combo_cards

# Cassandra's bet and the exact one, in whole chips, by bankroll and pot; two opponents. Her column was
# computed from her text; Example 6 there prints its own.
ROWS = [
    ("AhQh", "Kh7h2c", 2, [(5000, 0, 1386, 1856), (5000, 100, 1428, 1835), (1000, 400, 364, 287)]),
    ("AhQh", "Kh7h2c9d", 2, [(5000, 0, 65, 516), (5000, 100, 301, 486), (1000, 400, 185, 0)]),
    ("AsJd", "KcKd7h7sQc", 2, [(5000, 0, 592, 524), (5000, 100, 708, 494), (1000, 400, 268, 0)]),
    ("1c1s", "4h7h8s", 3, [(5000, 100, 1538, 1650), (5000, 200, 1555, 1633)]),
    ("1c1s", "4h7h8s", 2, [(4950, 400, 2151, 2064)]),
]


def kelly_fraction(odds: Odds, pot_share: Fraction) -> float:
    return float(Wager.of(odds, pot_share).best())


def growth(odds: Odds, fraction: float, pot_share: float) -> float:
    return Wager.of(odds, Fraction(pot_share)).growth(fraction)


def exact(hand: str, board: str, opponents: int) -> Odds:
    result = gpuodds.equity(hand, opponents=opponents, board=board, backend="cpu")
    counts = result.players[0].win_outcomes, *result.players[0].tie_outcomes
    return Odds(tuple(Fraction(count, result.outcomes) for count in counts))


def estimated(hand: str, board: str, opponents: int) -> Odds:
    result = gpuodds.equity(hand, opponents=1, board=board, backend="cpu")
    player = result.players[0]
    return cassandra_odds(player.win_outcomes, player.tie_outcomes[0], int(result.outcomes), opponents)


@pytest.mark.parametrize(("hand", "board", "opponents", "rows"), ROWS)
def test_golden_bets(
    hand: str, board: str, opponents: int, rows: list[tuple[int, int, int, int]]
) -> None:
    ours, hers = exact(hand, board, opponents), estimated(hand, board, opponents)
    for bankroll, pot, her_bet, our_bet in rows:
        assert int(cassandra_fraction(hers, pot / bankroll) * bankroll) == her_bet
        assert int(kelly_fraction(ours, Fraction(pot, bankroll)) * bankroll) == our_bet
        spot = {"opponents": opponents, "board": board, "bankroll": bankroll, "pot": pot}
        assert kelly_bet(hand, **spot).bet_chips == our_bet  # type: ignore[arg-type]
        assert kelly_bet(hand, model="cassandra", **spot).bet_chips == her_bet  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("hand", "board", "opponents", "bankroll", "pot", "fraction"),
    [
        ("QdQs", "2s7d9h", 2, 5000, 100, 0.50290334),
        ("AhKh", "Qh7h2c", 3, 2000, 300, 0.34225532),
        ("AsAh", "", 2, 1000, 30, 0.60079471),
        ("AhQh", "Kh7h2c9d3h", 2, 1000, 30, 1.0),
    ],
)
def test_golden_fractions(
    hand: str, board: str, opponents: int, bankroll: int, pot: int, fraction: float
) -> None:
    found = kelly_fraction(exact(hand, board, opponents), Fraction(pot, bankroll))
    assert found == pytest.approx(fraction, abs=1e-8)


def test_golden_odds() -> None:
    odds = exact("AhQh", "Kh7h2c", 2)
    chances = [Fraction(25183531, 43926435), Fraction(210586, 21008295), Fraction(17656, 69027255)]
    assert list(odds.split) == chances and odds.equity == Fraction(838445332, 1449572355)
    assert list(estimated("AhQh", "Kh7h2c", 2).split) == [
        Fraction(26545772246, 52059343905),
        Fraction(3481713424, 286326659025),
        Fraction(13836572, 190884260985),
    ]


chances = st.lists(st.integers(0, 1000), min_size=3, max_size=6)
shares = st.fractions(0, 3, max_denominator=100)


def odds_of(counts: list[int]) -> Odds | None:
    # The last is the chance to lose.
    total = sum(counts)
    return Odds(tuple(Fraction(n, total) for n in counts[:-1])) if total else None


@settings(deadline=None, max_examples=50)
@given(chances, shares)
def test_no_bet_grows_more(counts: list[int], pot: Fraction) -> None:
    odds = odds_of(counts)
    if odds is None:
        return
    best = kelly_fraction(odds, pot)
    assert 0 <= best <= 1
    top = growth(odds, best, float(pot))
    assert all(growth(odds, x, float(pot)) <= top + 1e-12 for x in np.linspace(0, 0.999999, 60))


@given(chances, shares)
def test_the_pot_makes_bets_smaller(counts: list[int], pot: Fraction) -> None:
    # What is in the pot already is won without a bet: it adds to the bankroll where the bet wins.
    odds = odds_of(counts)
    if odds is not None:
        assert kelly_fraction(odds, pot) <= kelly_fraction(odds, Fraction(0)) + 1e-12


@given(st.integers(1, 99), st.integers(1, 9), shares)
def test_without_splits_it_is_the_closed_form(percent: int, opponents: int, pot: Fraction) -> None:
    p = Fraction(percent, 100)
    odds = Odds((p, *[Fraction(0)] * opponents))
    expected = max(Fraction(0), p - (1 - p) * (1 + pot) / opponents)
    assert kelly_fraction(odds, pot) == pytest.approx(float(expected), abs=1e-12)


def test_equity_makes_bets_larger() -> None:
    last = -1.0
    for won in range(101):
        odds = Odds((Fraction(won, 100), Fraction(0), Fraction(0)))
        found = kelly_fraction(odds, Fraction(1, 10))
        assert found >= last
        last = found
    assert last == 1.0


def test_fraction_and_growth_at_their_limits() -> None:
    losing, splitting = Odds((Fraction(1, 3), Fraction(0))), Odds((Fraction(0), Fraction(1)))
    assert kelly_fraction(losing, Fraction(0)) == 0.0
    assert kelly_fraction(splitting, Fraction(1)) == 0.0
    assert growth(losing, 1.0, 0.5) == -np.inf
    assert growth(Odds((Fraction(1), Fraction(0))), 1.0, 0.5) == pytest.approx(log(2.5))


def test_cassandras_derivative_bets_too_much() -> None:
    # One opponent, no ties, an even chance and a pot of a tenth: nothing should be bet.
    odds = Odds((Fraction(1, 2), Fraction(0)))
    assert kelly_fraction(odds, Fraction(1, 10)) == 0.0
    assert cassandra_fraction(odds, 0.1) == pytest.approx(0.179129, abs=1e-6)
    assert cassandra_fraction(Odds((Fraction(1), Fraction(0))), 0.1) == 0.999
    assert cassandra_fraction(Odds((Fraction(1, 10), Fraction(0))), 0.0) == 0.0


BETTING = {"board": "2s7d9h", "bankroll": 5000, "pot": 100, "backend": "cpu"}


@pytest.mark.parametrize("others", [[], ["QQ+,AK"], ["AcKc", "22+"]])
def test_random_opponents_are_ranges_of_every_hand(others: list[str]) -> None:
    # Counted as the engine counts random opponents; for nine no other method is exact.
    for number in (1, 2, 9 if not others else 3):
        advice = kelly_bet("JdJs", opponents=[*others, *["random"] * number], **BETTING)  # type: ignore[arg-type]
        truth = gpuodds.equity(
            ["JdJs", *others], opponents=number, board="2s7d9h", backend="cpu"
        ).players[0]
        assert advice.exact and advice.opponents == len(others) + number
        assert advice.odds.equity == truth.equity_exact
        assert advice.against[-1] == "random"
        if not others:
            assert advice.odds == kelly_bet("JdJs", opponents=number, **BETTING).odds  # type: ignore[arg-type]


CHIPS: dict[str, Any] = {"bankroll": 5000, "pot": 400}


def test_a_hand_that_is_bet_on_is_read() -> None:
    with pytest.raises(InputError, match="QdQx: column 4"):
        kelly_bet("QdQx", opponents=1, bankroll=100)
    with pytest.raises(InputError, match="hand 100%: any cards, as others have: all win alike"):
        kelly_bet("100%", opponents=["random", "30%"], bankroll=100)


@pytest.mark.parametrize("opponents", [1, 3, ["30%"], ["30%", "random"], ["QQ,AKs:0.5", "22+"]])
def test_a_range_has_the_odds_of_its_equity(opponents: int | list[str]) -> None:
    own = "QQ+,AKs,AKo:0.5"
    advice = kelly_bet(own, opponents=opponents, board="2s7d9h", **CHIPS)
    number, ranges = (opponents, []) if isinstance(opponents, int) else (0, opponents)
    result = gpuodds.equity([own, *ranges], opponents=number, board="2s7d9h")
    assert advice.hand == own and advice.exact
    assert float(advice.odds.equity) == pytest.approx(result.equity, abs=1e-12)
    assert float(advice.odds.win) == pytest.approx(result.players[0].win, abs=1e-12)


def test_a_range_of_one_hand_bets_as_the_hand() -> None:
    one = gpuodds.Range.of_combos(["JdJs"])
    for opponents in (2, ["30%", "22+"]):
        options: dict[str, Any] = {"opponents": opponents, "board": "2s7d9hTc3d", **CHIPS}
        assert kelly_bet(one, **options).options == kelly_bet("JdJs", **options).options
        if isinstance(opponents, list):
            options |= {"stacks": [50, None]}
            of_range, of_hand = kelly_bet(one, **options), kelly_bet("JdJs", **options)
            assert of_range.options == of_hand.options and of_range.exact


def test_a_range_in_several_pots_is_counted_hand_by_hand() -> None:
    """The reference deals every hand to every player, and compares them one by one."""
    own, others, board = {"AsKs": 2, "QdQh": 1, "Jc9c": 2}, ("QQ,AKs:0.5", "JJ,T9s"), "Js9h4d2c2h"
    weights = [gpuodds.Range(text).weights for text in others]
    ranked = {text: rank(text, board) for text in own}
    combos = combo_cards().tolist()
    totals: dict[str, Fraction] = dict.fromkeys(("all", "win", "split"), Fraction(0))
    for text, weight in own.items():
        used = {*parse_cards(text), *parse_cards(board)}
        for first, second in product(*(np.flatnonzero(each).tolist() for each in weights)):
            cards = [*combos[first], *combos[second]]
            if len({*cards}) < 4 or used & {*cards}:
                continue
            ways = weight * Fraction(weights[0][first]) * Fraction(weights[1][second])
            best = max(rank(format_cards(cards[:2]), board), rank(format_cards(cards[2:]), board))
            totals["all"] += ways
            totals["win"] += ways * (ranked[text] > best)
            totals["split"] += ways * (ranked[text] == best)
    text = "AsKs,QdQh:0.5,Jc9c"
    options: dict[str, Any] = {
        "opponents": list(others),
        "board": board,
        **CHIPS,
        "stacks": [50, None],
    }
    advice = kelly_bet(text, **options)
    assert advice.exact and advice.method == "exact"
    assert advice.odds.win == totals["win"] / totals["all"]
    assert sum(advice.odds.split[1:]) == totals["split"] / totals["all"]
    drawn = kelly_bet(text, **options, time_limit=1e-9, seed=3)
    assert not drawn.exact
    assert float(drawn.odds.win) == pytest.approx(float(advice.odds.win), abs=0.005)
    growth = advice.advised.growth
    assert drawn.option(advice.advised.chips).growth == pytest.approx(growth, abs=0.01)


def test_a_range_against_any_cards_in_several_pots() -> None:
    options: dict[str, Any] = {"opponents": 2, "board": "2s7d9hTc", **CHIPS, "stacks": [50, None]}
    advice = kelly_bet("QQ+,AK", **options, seed=1)
    expected = gpuodds.equity("QQ+,AK", opponents=2, board="2s7d9hTc").equity
    assert float(advice.odds.equity) == pytest.approx(expected, abs=0.005)


def rank(hand: str, board: str) -> int:
    return int(gpuodds.rank_hands(np.array([parse_cards(hand + board)], np.uint8))[0])


def test_a_time_limit_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    Slow(monkeypatch, 1e-8)
    wide = ["60%", "70%", "80%"]
    advice = kelly_bet("JdJs", opponents=wide, time_limit=0.001, **BETTING)  # type: ignore[arg-type]
    assert not advice.exact and advice.method == "monte-carlo"


@pytest.mark.parametrize("options", [{}, {"fold": 0.3}])
def test_progress_ends_it(options: dict[str, float]) -> None:
    class Stop(Exception):
        pass

    def stop(share: float) -> None:
        assert 0 <= share <= 1
        raise Stop

    with pytest.raises(Stop):
        kelly_bet("JdJs", opponents=["60%", "70%"], progress=stop, **options, **BETTING)  # type: ignore[arg-type]
