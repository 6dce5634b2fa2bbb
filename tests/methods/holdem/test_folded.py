"""Folded players: every method against the deals listed one by one, and what must not change."""

from __future__ import annotations

from itertools import product
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import score

import gpuodds
from gpuodds.cards import parse_cards
from gpuodds.errors import ImpossibleDeal, InputError
from gpuodds.games.shared.boards import full_boards
from gpuodds.games.shared.combos import combo_cards
from gpuodds.methods.holdem.listed_hands import count_listed_hands
from gpuodds.methods.holdem.showdowns import count_showdowns
from gpuodds.methods.options import Options
from gpuodds.spots.normal_form import normal_form
from gpuodds.spots.spot import Spot

TURN = "2s7d9hTc"
FEW = (
    "6s,6h,7c,7h,7s,8c,8d,8h,9c,9d,Td,Th,Js,Jd"  # cards that ranges below share, and make straights of
)


def narrow(seed: int, combos: int) -> Any:
    """Return a range of some combos of a few cards, so that players often want the same one."""
    cards = parse_cards(FEW.replace(",", ""))
    inside = np.flatnonzero(np.isin(combo_cards(), cards).all(axis=1))
    weights = np.zeros(1326)
    weights[np.random.default_rng(seed).choice(inside, combos, replace=False)] = 1.0
    return gpuodds.Range.of(weights)


def list_deals(spot: Spot) -> tuple[int, list[list[int]], dict[str, int]]:
    """List every deal of a spot: outcomes, wins and ties by player, outcomes by winners."""
    cards = combo_cards().tolist()
    named, players = len(spot.hands), spot.players
    shared = [[0] * players for _ in range(named)]
    outcomes = 0
    winners: dict[str, int] = {}
    rows = [np.flatnonzero(row).tolist() for row in (*spot.all_weights, *spot.folded_weights)]
    for board in full_boards(spot.board, spot.dead).tolist():
        scores: dict[int, int] = {}
        for deal in product(*rows):
            held = [card for h in deal for card in cards[h]]
            if len({*held, *board}) < len(held) + 5:
                continue
            for h in deal[:players]:
                if h not in scores:
                    scores[h] = score(np.array([*cards[h], *board]))
            found = [scores[h] for h in deal[:players]]
            best = [player for player in range(players) if found[player] == max(found)]
            outcomes += 1
            name = "".join("ABCDEF"[player] for player in best)
            winners[name] = winners.get(name, 0) + 1
            for player in best:
                if player < named:
                    shared[player][len(best) - 1] += 1
    return outcomes, shared, winners


def check(result: gpuodds.EquityResult, spot: Spot) -> None:
    outcomes, shared, winners = list_deals(spot)
    assert result.exact and result.outcomes == outcomes
    assert [[p.win_outcomes, *p.tie_outcomes] for p in result.players] == shared
    assert result.winners == {name: winners[name] for name in result.winners or ()}
    assert sum((result.winners or {}).values()) == outcomes


@pytest.mark.parametrize(
    ("players", "folded", "board"),
    [(2, 1, TURN), (2, 2, TURN + "3d"), (3, 1, TURN + "3d"), (2, 1, TURN + "8s"), (3, 2, TURN + "8s")],
)
def test_ranges_are_counted_as_the_list_of_deals(players: int, folded: int, board: str) -> None:
    sizes = 7 if players + folded < 5 else 5
    hands = [narrow(number, sizes + number) for number in range(players)]
    out = [narrow(10 + number, sizes) for number in range(folded)]
    spot = Spot.of(hands, board=board, folded=out)
    check(gpuodds.equity(hands, board=board, folded=out, backend="cpu"), spot)


def test_both_methods_count_alike_and_weights_scale() -> None:
    hands, out = ["JcTs", narrow(3, 8)], [narrow(1, 9), narrow(2, 6)]
    spot = Spot.of(hands, board="2s7d9h", folded=out)
    options = Options(by_hand=True, backend="cpu")
    shown, listed = (count(spot, options)[0] for count in (count_showdowns, count_listed_hands))
    assert (shown.outcomes, shown.shared, shown.winners) == (
        listed.outcomes,
        listed.shared,
        listed.winners,
    )
    assert np.array_equal(shown.by_combo, listed.by_combo)  # type: ignore[arg-type]
    half = gpuodds.Range.of(out[0].weights / 2)
    weighted = gpuodds.equity(hands, board="2s7d9h", folded=[half, out[1]], backend="cpu")
    assert weighted.outcomes == shown.outcomes / 2
    assert weighted.equity == pytest.approx(
        gpuodds.equity(hands, board="2s7d9h", folded=out, backend="cpu").equity, abs=1e-15
    )


def test_a_known_hand_against_random_players_while_a_range_folded() -> None:
    out = gpuodds.Range.of(narrow(4, 6).weights)
    listed = gpuodds.equity("JcTs", opponents=2, board=TURN + "2c", folded=[out], backend="cpu")
    cards = combo_cards()[np.flatnonzero(out.weights)].tolist()
    apart = [
        gpuodds.equity("JcTs", opponents=2, board=TURN + "2c", dead=hand, backend="cpu")
        for hand in cards
        if not {*hand} & {*parse_cards("JcTs" + TURN + "2c")}
    ]
    assert listed.outcomes == sum(one.outcomes for one in apart)
    for place in range(2):
        counts = [one.players[0].tie_outcomes[place] for one in apart]
        assert listed.players[0].tie_outcomes[place] == sum(counts)
    assert listed.players[0].win_outcomes == sum(one.players[0].win_outcomes for one in apart)


@pytest.mark.parametrize(
    ("hands", "opponents", "board"),
    [("AsKs", 3, ""), (["AsKs", "QQ+"], 0, ""), (["QQ+", "AKs", "JTs"], 0, TURN), ("AsKs", 1, TURN)],
)
def test_players_who_fold_any_hand_change_no_equity(hands: Any, opponents: int, board: str) -> None:
    spot: dict[str, Any] = {"opponents": opponents, "board": board, "backend": "cpu"}
    plain = gpuodds.equity(hands, **spot)
    folded = gpuodds.equity(hands, folded=["random", "100%"], **spot)
    assert [p.equity_exact for p in folded.players] == [p.equity_exact for p in plain.players]
    left = 47 - 2 * (plain.spot.players)
    assert folded.outcomes == plain.outcomes * comb(left, 2) * comb(left - 2, 2)
    assert sum((folded.winners or {}).values()) in (0, folded.outcomes)


def test_random_and_narrow_folded_players_are_counted_together() -> None:
    # The showdowns themselves, not the shortcut that takes a random folded player out.
    spot = Spot.of([narrow(1, 6), narrow(2, 7)], board=TURN + "3d", folded=["random", narrow(3, 6)])
    counts, _ = count_showdowns(spot, Options(backend="cpu"))
    reduced = normal_form(spot)
    rest, _ = count_showdowns(reduced.spot, Options(backend="cpu"))
    assert len(reduced.spot.folded) == 1 and counts.outcomes == rest.outcomes * reduced.factor
    assert counts.shared == [[count * reduced.factor for count in row] for row in rest.shared]


@pytest.mark.slow
@pytest.mark.parametrize("folded", [["QhJh"], ["QhJh", "2c2d"], [{"QhJh": 1.0}]])
def test_a_folded_hand_is_two_dead_cards(folded: Any) -> None:
    dead = "QhJh2c2d" if len(folded) == 2 else "QhJh"
    for hands in (["AsKs", "QdQs"], ["AsKs"], ["AsKs", "QQ,JJ"]):
        one = gpuodds.equity(hands, folded=folded, backend="cpu")
        two = gpuodds.equity(hands, dead=dead, backend="cpu")
        assert (one.players, one.winners, one.outcomes) == (two.players, two.winners, two.outcomes)


SPOTS = st.tuples(st.integers(0, 50), st.integers(1, 2), st.integers(0, 23), st.randoms())


@settings(max_examples=12, deadline=None)
@given(SPOTS)
def test_order_and_names_of_suits_change_nothing(drawn: Any) -> None:
    from gpuodds.games.shared.combos import SUIT_NAMES, suit_relabellings

    seed, number, suits, random = drawn
    ranges = [narrow(seed + place, 5 + place) for place in range(2 + number)]
    board = parse_cards(TURN)
    plain = gpuodds.equity(ranges[:2], board=board, folded=ranges[2:], backend="cpu")
    turned = []
    for one in ranges:
        weights = np.empty(1326)
        weights[suit_relabellings()[suits]] = one.weights
        turned.append(gpuodds.Range.of(weights))
    out = turned[2:]
    random.shuffle(out)
    on = [card & ~3 | int(SUIT_NAMES[suits, card & 3]) for card in board]
    other = gpuodds.equity(turned[1::-1], board=on, folded=out, backend="cpu")
    assert plain.outcomes == other.outcomes
    assert [p.win_outcomes for p in plain.players] == [p.win_outcomes for p in other.players][::-1]


def test_samples_agree_with_the_count_and_depend_on_the_seed_alone() -> None:
    spot: dict[str, Any] = {"board": "2s7d9h", "folded": ["A2s+", "QQ+,AK"], "backend": "cpu"}
    counted = gpuodds.equity(["22+,AK", "55+,KQ"], **spot)
    drawn: dict[str, Any] = {"method": "monte-carlo", "samples": 200_000, "seed": 3}
    one, two = (gpuodds.equity(["22+,AK", "55+,KQ"], **spot, **drawn) for _ in range(2))
    assert counted.exact and not one.exact and one.players == two.players
    for sampled, exact in zip(one.players, counted.players, strict=True):
        assert abs(sampled.equity - exact.equity) < 4 * (sampled.standard_error or 0)
    # Folded players move the equity by more than that error: they are not left out.
    plain = gpuodds.equity(["22+,AK", "55+,KQ"], board="2s7d9h", backend="cpu")
    assert abs(plain.equity - counted.equity) > 8 * (one.players[0].standard_error or 0)


def test_sampled_random_opponents_and_folded_players() -> None:
    spot: dict[str, Any] = {"opponents": 2, "board": "2s7d9h", "folded": ["A2+,K2+"], "backend": "cpu"}
    counted = gpuodds.equity("QsJs", **spot)
    drawn = gpuodds.equity("QsJs", **spot, method="monte-carlo", samples=200_000, seed=1)
    assert abs(counted.equity - drawn.equity) < 4 * (drawn.players[0].standard_error or 0)


def test_four_folded_players_are_sampled() -> None:
    found = gpuodds.equity(["QQ+,AK", "JJ-77"], folded=["A2+"] * 4, samples=2000, backend="cpu")
    assert not found.exact and found.to_dict()["folded"] == ["A2+"] * 4


def test_details_by_hand_and_of_final_hands() -> None:
    spot: dict[str, Any] = {"board": TURN, "folded": ["77,99,AT+", "A2s+"], "backend": "cpu"}
    found = gpuodds.equity(["JTs,98s", "QQ+"], by_hand=True, made_hands=True, **spot)
    assert found.by_hand is not None and found.made_hands is not None
    whole = sum(made.all for made in found.made_hands[0].values())
    won = sum(made.win for made in found.made_hands[0].values())
    assert whole == pytest.approx(1) and won == pytest.approx(1)
    for hand in found.by_hand[0]:
        alone = gpuodds.equity([hand.hand, "QQ+"], **spot)
        assert hand.equity == pytest.approx(alone.equity, abs=1e-15)


@pytest.mark.parametrize(
    ("folded", "message"),
    [
        (["AsQd"], "As: the same card is in AsKs and folded AsQd"),
        (["7d2c"], "7d: the same card is in folded 7d2c and the board"),
        ([{"7d2c": 1.0}], "every hand of the range has a card of the board"),
        (["QQQ"], "QQQ"),
        (["random"] * 22, "24 players"),
    ],
)
def test_what_cannot_be_dealt_is_refused(folded: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        gpuodds.equity(["AsKs", "QhQc"], board="2s7d9h", folded=folded)
    assert message in str(caught.value)


def test_ranges_that_need_each_others_cards_are_refused() -> None:
    with pytest.raises(ImpossibleDeal):
        gpuodds.equity(["AA", "KK"], folded=["AsAh,AsAd", "AcAh,AcAd"], backend="cpu")
