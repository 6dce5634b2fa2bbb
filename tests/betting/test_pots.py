"""Stacks, side pots, folds and bets to call, against a showdown played hand by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import inf, log, prod
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracle import score

from gpuodds.betting.advice import kelly_bet
from gpuodds.betting.advisor.opening_pot import opening_pot, read_pot
from gpuodds.betting.simulation import simulate
from gpuodds.cards import parse_cards
from gpuodds.errors import InputError

# A river, and all but eleven of the other cards out of play, so that three opponents can be dealt all
# their cards in every way: 55 x 36 x 21.
HAND, BOARD = "AhQd", "Kc7s7h4dQs"
LEFT = parse_cards("Ac Ad Qh Qc Ks 7c 2d 3d 4h 5c 6s")
DEAD = [c for c in range(52) if c not in {*parse_cards(HAND + BOARD), *LEFT}]
STATES: dict[int, Counter[tuple[int, ...]]] = {}


def states(opponents: int) -> Counter[tuple[int, ...]]:
    """Count how the opponents stand to the hand together: -1 worse, 0 tied, 1 better."""
    if opponents not in STATES:
        board = parse_cards(BOARD)
        ours = score(np.array([*parse_cards(HAND), *board]))
        sign = {}
        for pair in combinations(LEFT, 2):
            theirs = score(np.array([*pair, *board]))
            sign[pair] = (theirs > ours) - (theirs < ours)
        found: Counter[tuple[int, ...]] = Counter()

        def deal(left: tuple[int, ...], so_far: tuple[int, ...]) -> None:
            if len(so_far) == opponents:
                found[so_far] += 1
                return
            for pair in combinations(left, 2):
                deal(tuple(c for c in left if c not in pair), (*so_far, sign[pair]))

        deal(LEFT, ())
        STATES[opponents] = found
    return STATES[opponents]


def payout(
    bet: Fraction,
    stacks: list[Fraction],
    state: tuple[int, ...],
    calls: tuple[bool, ...],
    pots: list[tuple[Fraction, set[int]]],
) -> Fraction:
    """Play a showdown; return the chips that the player gets back, from pots and matching bets."""
    puts = [
        min(bet, stack) if calling else Fraction(0)
        for stack, calling in zip(stacks, calls, strict=True)
    ]
    got = Fraction(0)
    layers = sorted({Fraction(0), bet, *puts})
    contested = [(amount, {s for s in who if calls[s]}) for amount, who in pots]
    for low, high in pairwise(layers):
        who = {s for s, put in enumerate(puts) if put >= high}
        contested.append(((high - low) * (1 + len(who)), who))
    for amount, who in contested:
        if all(state[s] < 1 for s in who):
            got += amount / (1 + sum(state[s] == 0 for s in who))
    return got


def expected(
    bet: Fraction,
    bankroll: Fraction,
    stacks: list[Fraction],
    folds: list[Fraction],
    pots: list[tuple[Fraction, set[int]]],
) -> tuple[float, float]:
    """Return the growth and the gain of a bet, over all deals and all ways to fold."""
    opponents = len(stacks)
    deals = sum(states(opponents).values())
    growth = gain = 0.0
    for calls in product([True, False], repeat=opponents):
        # Who is all in can neither call nor fold.
        shares = [
            (Fraction(calling) if stack == 0 else 1 - fold if calling else fold)
            for calling, stack, fold in zip(calls, stacks, folds, strict=True)
        ]
        chance = float(prod(shares))
        if not chance:
            continue
        for state, count in states(opponents).items():
            end = float((bankroll - bet + payout(bet, stacks, state, calls, pots)) / bankroll)
            growth += chance * count / deals * (log(end) if end > 0 else -inf)
            gain += chance * count / deals * (end - 1)
    return growth, gain * float(bankroll)


amounts = st.integers(0, 120).map(Fraction)
chances = st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(9, 10)])


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[Fraction], list[Fraction], list[tuple[Fraction, int]]]:
    number = draw(st.integers(1, 3))
    stacks = draw(st.lists(amounts, min_size=number, max_size=number))
    folds = draw(st.lists(chances, min_size=number, max_size=number))
    counts = draw(st.lists(st.integers(1, number), max_size=2, unique=True))
    sides = [(draw(amounts), count) for count in sorted(counts, reverse=True) if count < number]
    return stacks, folds, sides


# All in against stacks whose shares of the bankroll do not add up to 1 as floats: ruin is still ruin.
ROUNDED = [Fraction(18), Fraction(51), Fraction(100)], [Fraction(0)] * 3, []


@settings(deadline=None, max_examples=25)
@given(tables(), amounts, st.integers(1, 100))
@example(ROUNDED, Fraction(0), 100)
def test_a_bet_equals_playing_it(
    table: tuple[list[Fraction], list[Fraction], list[tuple[Fraction, int]]],
    pot: Fraction,
    bet: int,
) -> None:
    stacks, folds, sides = table
    number, bankroll = len(stacks), Fraction(100)
    advice = kelly_bet(
        HAND,
        board=BOARD,
        dead=DEAD,
        opponents=number,
        bankroll=bankroll,
        pot=pot,
        side_pots=sides,
        stacks=stacks,
        fold=folds,
        backend="cpu",
    )
    order = sorted(range(number), key=lambda s: stacks[s])
    pots = [(pot, set(range(number)))]
    pots += [(amount, set(order[number - count :])) for amount, count in sides]
    growth, gain = expected(Fraction(bet), bankroll, stacks, folds, pots)
    found = advice.option(bet)
    assert found.growth == pytest.approx(growth, abs=1e-12)
    assert found.expected_value == pytest.approx(gain, abs=1e-9)
    best = max(advice.options, key=lambda option: option.growth)
    assert best.growth >= found.growth - 1e-12


@pytest.mark.parametrize("number", [1, 2, 3])
def test_callers_by_number(number: int) -> None:
    options = {"board": BOARD, "dead": DEAD, "opponents": number, "bankroll": 100, "backend": "cpu"}
    same = [Fraction(1, 4)] * number
    by_chance = kelly_bet(HAND, pot=30, fold=0.25, **options)  # type: ignore[arg-type]
    growth, _ = expected(
        Fraction(40),
        Fraction(100),
        [Fraction(100)] * number,
        same,
        [(Fraction(30), set(range(number)))],
    )
    assert by_chance.option(40).growth == pytest.approx(growth, abs=1e-12)
    # The same as a distribution of how many call: binomial.
    counts = {1: [1, 3], 2: [1, 6, 9], 3: [1, 9, 27, 27]}[number]
    callers = [Fraction(count, 4**number) for count in counts]
    by_number = kelly_bet(HAND, pot=30, callers=callers, **options)  # type: ignore[arg-type]
    assert by_number.option(40).growth == pytest.approx(growth, abs=1e-12)
    # All call: nothing but the bet that all call.
    everyone = kelly_bet(HAND, pot=30, callers=number, **options)  # type: ignore[arg-type]
    plain = kelly_bet(HAND, pot=30, **options)  # type: ignore[arg-type]
    assert everyone.options == plain.options
    no_caller = kelly_bet(HAND, pot=30, callers=0, **options)  # type: ignore[arg-type]
    assert no_caller.option(40).growth == pytest.approx(log(1.3))


def test_a_bet_to_call() -> None:
    options = {"board": BOARD, "dead": DEAD, "opponents": 2, "bankroll": 100, "backend": "cpu"}
    advice = kelly_bet(HAND, pot=90, to_call=20, **options)  # type: ignore[arg-type]
    assert [option.action for option in advice.options][:2] == ["fold", "call"]
    ours = [(state, count) for state, count in states(2).items()]
    whole = sum(count for _, count in ours)

    def growth(puts: int) -> float:
        total = 0.0
        for state, count in ours:
            pot = Fraction(90 + 20 + 3 * (puts - 20))
            won = 0 if 1 in state else pot / (1 + state.count(0))
            end = float((100 - puts + won) / 100)
            total += count / whole * (log(end) if end > 0 else -inf)
        return total

    assert advice.option(20).growth == pytest.approx(growth(20), abs=1e-12)
    assert advice.option(55).growth == pytest.approx(growth(55), abs=1e-12)
    assert max(growth(puts) for puts in range(20, 100)) <= max(o.growth for o in advice.options) + 1e-12
    # All in for less than the bet: the excess of the others cannot be won.
    short = kelly_bet(HAND, pot=390, to_call=170, **options)  # type: ignore[arg-type]
    level = kelly_bet(HAND, pot=390 - 2 * 70, to_call=100, **options)  # type: ignore[arg-type]
    assert short.options == level.options and short.bet_chips in (0, 100)


def test_a_hopeless_call_is_folded() -> None:
    facing = kelly_bet("2c3d", board="AhKhQhJhTh", opponents=1, bankroll=100, pot=60, to_call=50)
    assert facing.action == "call"  # the board plays
    facing = kelly_bet("2c3d", board="AhKhQh8h7s", opponents=1, bankroll=100, pot=60, to_call=50)
    assert (facing.action, facing.bet_chips, facing.fraction, facing.growth) == ("fold", 0, 0.0, 0.0)


def test_a_loser_to_a_short_stack_may_win_the_side_pot() -> None:
    # Two humps: G is not concave across a stack, and the best bet is found beyond it.
    advice = kelly_bet("AhQd", board=BOARD, dead=DEAD, opponents=2, bankroll=100, stacks=[30, None])
    grid = [advice.option(chips).growth for chips in range(1, 100)]
    assert max(o.growth for o in advice.options) >= max(grid) - 1e-12


def test_ranges_that_share_one_pot_are_exact() -> None:
    both = kelly_bet("AhKh", opponents=["QQ+", "22+"], board="Qh7h2c", bankroll=1000, pot=100)
    assert both.exact and both.standard_error is None and both.against == ("QQ+", "22+")
    alone = kelly_bet("AhKh", opponents=["random"], board="Qh7h2c", bankroll=1000, pot=100, fold=0.5)
    anyone = kelly_bet("AhKh", opponents=1, board="Qh7h2c", bankroll=1000, pot=100, fold=0.5)
    assert alone.exact and alone.options == anyone.options


def test_ranges_with_stacks_are_drawn_where_counting_takes_long() -> None:
    options = {"bankroll": 1000, "pot": 100, "stacks": [200, None], "fold": [0, 0.4], "samples": 20_000}
    found = kelly_bet("AhKh", opponents=["60%", "70%"], seed=5, **options)  # type: ignore[arg-type]
    assert not found.exact and found.method == "monte-carlo"
    error = found.standard_error
    assert error is not None and 0 < error["growth"] < 0.01
    again = kelly_bet("AhKh", opponents=["60%", "70%"], seed=5, **options)  # type: ignore[arg-type]
    assert again.options == found.options
    # Stacks go with their ranges, in whichever order they are given.
    one = kelly_bet("AhKh", opponents=["QQ+", "60%"], seed=5, **options)  # type: ignore[arg-type]
    options |= {"stacks": [None, 200], "fold": [0.4, 0]}
    other = kelly_bet("AhKh", opponents=["60%", "QQ+"], seed=5, **options)  # type: ignore[arg-type]
    assert not one.exact and one.options == other.options


def test_a_spread_hides_the_hand_at_its_price() -> None:
    options = {"board": "2s7d9h", "opponents": 2, "bankroll": 5000, "pot": 100}
    best = kelly_bet("QdQs", **options)  # type: ignore[arg-type]
    drawn = [kelly_bet("QdQs", spread=0.05, seed=seed, **options) for seed in range(20)]  # type: ignore[arg-type]
    assert len({advice.bet_chips for advice in drawn}) > 15
    least = best.options[0].growth + 0.95 * (best.growth - best.options[0].growth)
    for advice in drawn:
        assert advice.fraction <= best.fraction and advice.growth >= least - 1e-12
        assert advice.options == best.options


def test_the_long_run_grows_at_the_stated_rate() -> None:
    advice = kelly_bet("QdQs", board="2s7d9h", opponents=2, bankroll=5000, pot=100)
    half, best, twice = simulate(advice, 200, seed=1)
    assert best.median == pytest.approx(5000 * 2.718281828 ** (200 * advice.growth), rel=0.9)
    assert half.median < best.median and twice.ruined == 1.0
    assert half.halved < best.halved
    assert [half, best, twice] == simulate(advice, 200, seed=1)
    with pytest.raises(InputError, match="hands 0: expected 1 to 100,000"):
        simulate(advice, 0)


def test_the_pot_of_a_blind() -> None:
    # Examples 1 to 3 of Cassandra: what her rule counts, and what can be won.
    for bet, bets, hers, full in [(0, 0, 0, 0), (30, 3, 90, 120), (15, 2, 30, 45)]:
        assert opening_pot(Fraction(bet), bets, "cassandra") == hers
        assert opening_pot(Fraction(bet), bets) == full
        assert read_pot(f"{bet}x{bets}", "cassandra") == hers and read_pot(f"{bet}*{bets}") == full
    assert read_pot("12.5") == Fraction(25, 2)
    for wrong in ("", "x", "3x", "-1", "1e5", "3x3x3"):
        with pytest.raises(InputError, match="expected chips, or 30x3"):
            read_pot(wrong)
    with pytest.raises(InputError, match="pot mode hers: expected one of full, cassandra"):
        opening_pot(Fraction(1), 1, "hers")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"stacks": [1]}, "stacks: expected one for each of 2 opponents, found 1"),
        ({"stacks": [1, -1]}, "stacks -1: expected at least 0"),
        ({"fold": [0.5]}, "fold: expected one for each of 2 opponents, found 1"),
        ({"fold": 1.5}, "fold 1.5: expected a chance, 0 to 1"),
        ({"fold": 0.5, "callers": 1}, "fold and callers: expected one of them"),
        ({"callers": 3}, "callers 3: expected 0 to 2, who have chips"),
        ({"callers": 2, "stacks": [0, 5]}, "callers 2: expected 0 to 1"),
        ({"callers": [0.5, 0.5]}, "callers: expected 3 chances, of 0 to 2 callers, found 2"),
        ({"callers": [0.5, 0.5, 0.5]}, "callers: expected chances that add up to 1, not 1.5"),
        ({"side_pots": [(10, 2)]}, "side pot 10:2: expected fewer opponents in it than the 2"),
        ({"to_call": 200, "stacks": [5, 5]}, "to_call 200: more than the bankroll 100"),
        ({"to_call": 200}, "pot 0: expected what 2 opponents bet in it, 200 chips each"),
        ({"spread": 1.0}, "spread 1.0: expected at least 0 and less than 1"),
        ({"model": "cassandra", "fold": 0.5}, "model cassandra: expected no ranges, folds"),
        ({"opponents": []}, "no hand given"),
        ({"samples": 0}, "samples 0: expected at least 1"),
        ({"hand": "AhAdAc"}, "AhAdAc: a hand has two cards, found 3"),
        (
            {"opponents": 10, "stacks": list(range(1, 11)), "fold": 0.5},
            "10 opponents: expected 9 at most whose stacks",
        ),
        ({"opponents": ["AA", "AhAd"], "stacks": [1, 2], "hand": "AsAc"}, "cannot be dealt together"),
    ],
)
def test_bad_input(options: dict[str, object], message: str) -> None:
    given = {"hand": "QdQs", "opponents": 2, "bankroll": 100, "backend": "cpu", **options}
    with pytest.raises(InputError) as caught:
        kelly_bet(**given)  # type: ignore[arg-type]
    assert message in str(caught.value)


@pytest.mark.parametrize("opponents", [["random"] * 3, ["random", "100%", "**@50"]])
def test_opponents_with_any_cards_are_counted_however_they_are_spelled(opponents: list[str]) -> None:
    spot: dict[str, Any] = {"board": "2s7d9h", "bankroll": 5000, "pot": 100}
    for stakes in ({"stacks": [200, 500, None]}, {"fold": 0.3}, {}):
        listed = kelly_bet("QdQs", opponents=opponents, **spot, **stakes)
        number = kelly_bet("QdQs", opponents=3, **spot, **stakes)
        assert listed.exact and list(listed.against) == opponents
        assert listed.to_dict() | {"against": []} == number.to_dict()
