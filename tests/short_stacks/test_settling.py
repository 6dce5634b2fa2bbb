"""Pots, prizes and bounties: conservation, pokerkit's side pots, cases by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpuodds
from gpuodds.cards import format_card
from gpuodds.short_stacks.outcomes import Outcomes
from gpuodds.short_stacks.settling import Settling, normal_order, orders
from gpuodds.short_stacks.spot import PushFoldSpot, position_names, read_spot

STACKS = st.sampled_from(["0.3", "0.75", "1", "1.5", "2", "3", "3", "7", "10"])


@st.composite
def spots(draw: st.DrawFn, most: int = 5, least: int = 2) -> PushFoldSpot:
    players = draw(st.integers(least, most))
    given_: dict[str, Any] = {
        "ante": draw(st.sampled_from(["0", "0.125", "0.5"])),
        "bb_ante": draw(st.sampled_from(["0", "0", "1"])),
    }
    if draw(st.booleans()):
        prizes = draw(st.lists(st.integers(1, 50), min_size=1, max_size=players))
        given_["payouts"] = sorted(prizes, reverse=True)
        if draw(st.booleans()):
            given_["bounties"] = draw(st.lists(st.integers(0, 9), min_size=players, max_size=players))
            given_["progressive"] = draw(st.booleans())
    return read_spot([draw(STACKS) for _ in range(players)], **given_)


@settings(max_examples=30, deadline=None)
@given(spots())
def test_nothing_is_lost_and_floats_agree(spot: PushFoldSpot) -> None:
    settling, outcomes = Settling(spot), Outcomes(spot)
    for size in range(1, spot.players + 1):
        for all_in in combinations(range(spot.players), size):
            listed = orders(size)[:: 1 + len(orders(size)) // 20]
            floats = outcomes.values(all_in, np.array(listed))
            for order, row in zip(listed, floats.tolist(), strict=True):
                after = settling.stacks_after(all_in, order)
                assert sum(after) == sum(spot.stacks) and min(after) >= 0
                values = settling.values(all_in, order)
                assert row == pytest.approx([float(value) for value in values], abs=1e-9)
                if not spot.bounties:
                    assert sum(values) == 0
                busted = sum(
                    head
                    for player, head in enumerate(spot.bounties)
                    if after[player] == 0 and player in all_in
                )
                assert sum(values) == (busted / 2 if spot.progressive else busted)


def test_orders_of_hands() -> None:
    assert [len(orders(hands)) for hands in range(1, 6)] == [1, 3, 13, 75, 541]
    assert all(normal_order(order) == order for order in orders(4))


def test_positions() -> None:
    assert position_names(3) == ("BTN", "SB", "BB")
    assert position_names(6) == ("LJ", "HJ", "CO", "BTN", "SB", "BB")
    assert position_names(9) == ("UTG", "UTG1", "UTG2", "LJ", "HJ", "CO", "BTN", "SB", "BB")
    assert position_names(7)[:2] == ("UTG", "LJ")


def settle(spot: PushFoldSpot, *names: str, order: tuple[int, ...]) -> list[Fraction]:
    all_in = tuple(spot.read_position(name) for name in names)
    return list(Settling(spot).stacks_after(all_in, order))


def test_a_short_stack_wins_the_main_pot_alone() -> None:
    spot = read_spot([10, 4, 7], ante=1, blinds=(1, 2))
    assert settle(spot, "BTN", "SB", "BB", order=(1, 0, 2)) == [9, 12, 0]
    assert settle(spot, "BTN", "SB", "BB", order=(1, 0, 1)) == [6, 12, 3]
    assert settle(spot, "BTN", "SB", order=(1, 0)) == [6, 11, 4]
    assert settle(spot, "BTN", order=(0,)) == [15, 2, 4]
    assert settle(spot, "BB", order=(0,)) == [9, 2, 10]


def test_the_big_blind_s_ante_is_won_by_the_shortest_stack_too() -> None:
    spot = read_spot([10, "0.5", 8], blinds=("0.5", 1), bb_ante=1)
    assert spot.forced == (False, True, False)
    # The ante, and half a chip of each, go to the best of all three.
    assert settle(spot, "BTN", "SB", "BB", order=(1, 0, 2)) == [16, Fraction(5, 2), 0]
    short = read_spot([10, 10, "0.6"], bb_ante=1)
    assert settle(short, "SB", "BB", order=(1, 0)) == [10, 10, Fraction(3, 5)]


def test_blinds_above_a_stack_force_all_in() -> None:
    spot = read_spot(["0.4", "0.2", 5], ante="0.25")
    assert spot.forced == (False, True, False)
    # After the small blind alone, and after both, nothing is left for the big blind to call.
    assert [spot.describe(*place) for place in spot.histories] == ["BTN"]
    assert gpuodds.push_fold(["0.2", 5], target=1).percent("BB:SB") == 100


def test_who_busts_with_more_chips_is_placed_higher() -> None:
    spot = read_spot([9, 5, 5, 3], payouts=[10, 6, 3, 1])
    settling = Settling(spot)
    everyone = (0, 1, 2, 3)
    after = settling.stacks_after(everyone, (0, 1, 1, 1))
    assert list(settling.prizes(after)) == [10, Fraction(9, 2), Fraction(9, 2), 1]


def test_a_bounty_goes_to_who_wins_the_last_pot() -> None:
    spot = read_spot([10, 2, 6], payouts=[1], bounties=[7, 11, 13])
    settling = Settling(spot)
    chips = read_spot([10, 2, 6], payouts=[1])

    def heads(order: tuple[int, ...]) -> list[Fraction]:
        plain = Settling(chips).values((0, 1, 2), order)
        with_heads = settling.values((0, 1, 2), order)
        return [one - two for one, two in zip(with_heads, plain, strict=True)]

    assert heads((0, 1, 2)) == [24, 0, 0]
    assert heads((1, 0, 2)) == [13, 0, 0]  # the big blind's last pot is the button's
    assert heads((0, 0, 2)) == [13, 0, 0]
    assert heads((0, 2, 0)) == [Fraction(11, 2), 0, Fraction(11, 2)]
    half = Settling(read_spot([10, 2, 6], payouts=[1], bounties=[7, 11, 13], progressive=True))
    values, plain = half.values((0, 1, 2), (0, 1, 2)), Settling(chips).values((0, 1, 2), (0, 1, 2))
    assert values[0] - plain[0] == 12


def play(spot: PushFoldSpot, all_in: tuple[int, ...], cards: list[int]) -> list[Fraction]:
    """Play a hand by pokerkit's rules; return the stacks after it, in order of action."""
    pokerkit = pytest.importorskip("pokerkit")
    players = spot.players
    turned = [(seat - 2) % players for seat in range(players)]  # pokerkit's seats begin with the blinds
    automation = pokerkit.Automation
    state = pokerkit.NoLimitTexasHoldem.create_state(
        tuple(
            each for each in automation if "HOLE_DEALING" not in each.name and "BOARD" not in each.name
        ),
        not spot.bb_ante,
        {1: spot.bb_ante} if spot.bb_ante else spot.ante,
        (spot.small_blind, spot.big_blind),
        spot.big_blind,
        tuple(spot.stacks[player] for player in turned),
        players,
        divmod=lambda chips, winners: (chips / winners, Fraction(0)),
    )
    for seat in range(players):
        player = turned[seat]
        state.deal_hole(
            "".join(map(format_card, cards[2 * player : 2 * player + 2])), player_index=seat
        )
    while state.actor_index is not None:
        player = turned[state.actor_index]
        if player not in all_in:
            state.fold()
        elif state.can_complete_bet_or_raise_to():
            state.complete_bet_or_raise_to(state.max_completion_betting_or_raising_to_amount)
        else:
            state.check_or_call()
    board = "".join(map(format_card, cards[2 * players : 2 * players + 5]))
    for first, last in ((0, 6), (6, 8), (8, 10)):
        if state.status:
            state.deal_board(board[first:last])
    return [Fraction(state.stacks[turned.index(player)]) for player in range(players)]


@pytest.mark.filterwarnings("ignore:A card being dealt")
@pytest.mark.parametrize("seed", range(40))
def test_side_pots_are_those_of_pokerkit(seed: int) -> None:
    rng = np.random.default_rng(seed)
    players = int(rng.integers(3, 7))
    stacks = rng.choice([2, 3, 3, 5, 8, 8, 13, 21], players).tolist()
    choices: list[dict[str, Any]] = [{}, {"ante": Fraction(1, 4)}, {"bb_ante": 1}]
    antes = choices[seed % 3]
    spot = read_spot(stacks, **antes)
    size = int(rng.integers(2, players + 1))
    all_in = tuple(sorted(rng.choice(players, size, replace=False).tolist()))
    if any(
        not spot.has_decision(player, tuple(other for other in all_in if other < player))
        and player not in all_in
        for player in range(players)
    ):
        pytest.skip("a player without a choice")
    cards = rng.permutation(52).tolist()
    board = cards[2 * players : 2 * players + 5]
    hands = [[*cards[2 * player : 2 * player + 2], *board] for player in all_in]
    ranks = [-int(rank) for rank in gpuodds.rank_hands(np.array(hands, np.uint8))]
    ours = Settling(spot).stacks_after(all_in, normal_order(ranks))
    assert list(ours) == play(spot, all_in, cards)
