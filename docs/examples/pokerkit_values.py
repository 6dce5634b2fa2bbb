"""Beat a bot on the river, in pokerkit: its range by buckets, the best move by values of all hands.

    pip install gpuodds pokerkit
    gpuodds abstraction build --street flop --buckets 200
    gpuodds abstraction build --street turn --buckets 200
    gpuodds abstraction build --street river --buckets 200
    python pokerkit_values.py --deals 1000

Two players limp into no-limit hold'em, pokerkit keeps the rules. After the flop the bot bets the pot if
its bucket has 60 % equity, and calls a bet if it has 45 %. So each of its moves tells which buckets it
may have, and gpuodds.Table.take gives those of all 1,326 hands in one call. Its opponent plays the same
until the river; there it works out what each of its own moves wins against the hands that are left, by
gpuodds.showdown_values and gpuodds.fold_values, and makes the best. Each deal is played twice, seats
changed, so that the cards of two equal players would cancel out. A demonstration, not a product.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from pokerkit import Automation, NoLimitTexasHoldem

import gpuodds
from gpuodds.cards import format_cards
from gpuodds.numbering import combo_cards

STREETS = ("flop", "turn", "river")
BET, CALL = 0.60, 0.45  # equity of a bucket against a random hand
BIG_BLIND, STACK = 2, 40
RIVER = 3
AUTOMATIC = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


class Move(NamedTuple):
    """A move after the flop."""

    player: int
    street: int
    """1 the flop, 2 the turn, 3 the river."""
    name: str
    """"check", "bet", "call" or "fold"."""


class Buckets:
    """The equity of the bucket of every hand on a board."""

    def __init__(self, names: Sequence[str]) -> None:
        self.tables: list[Any] = [gpuodds.table(name) for name in names]

    def equities(self, board: Sequence[int]) -> Any:
        """Return equities, (1326,), -1 for hands that meet the board."""
        table, hands = self.tables[len(board) - 3], combo_cards()
        left = ~np.isin(hands, board).any(axis=1)
        boards = np.tile(np.array(board, np.uint8), (int(left.sum()), 1))
        equities = np.full(len(hands), -1.0)
        equities[left] = table.clustering.equities[
            table.take(hands[left], boards, ["bucket"])["bucket"]
        ]
        return equities


def may_move(name: str, equities: Any) -> Any:
    """Return which hands the bot makes a move with, (1326,)."""
    dealt = equities >= 0
    return (
        dealt
        & {
            "bet": equities >= BET,
            "check": equities < BET,
            "call": equities >= CALL,
            "fold": equities < CALL,
        }[name]
    )


def bot_move(hand: int, equities: Any, faces_bet: bool) -> str:
    """Return what the bot does: it knows its bucket."""
    names = ("call", "fold") if faces_bet else ("bet", "check")
    return next(name for name in names if may_move(name, equities)[hand])


def best_move(
    hand: int,
    board: Sequence[int],
    by_street: list[Any],
    moves: list[Move],
    me: int,
    pot: int,
    bet: int,
) -> str:
    """Return the move on the river that wins most against what the bot may have.

    Args:
        hand: The number of our combo.
        board: Five cards.
        by_street: The equities of all hands' buckets on the flop, turn and river.
        moves: All moves after the flop.
        me: Our place.
        pot: Chips in the pot without a bet on the river; each has put in half.
        bet: Chips that a bet on the river is, or was.
    """
    left = np.ones(1326, bool)
    for move in moves:
        if move.player != me:
            left &= may_move(move.name, by_street[move.street - 1])
    now, on_river = by_street[2], [move.name for move in moves if move.street == RIVER]
    parts = {"all": left} | {
        name: left & may_move(name, now) for name in ("call", "fold", "bet", "check")
    }
    reach = np.ones((len(parts), 2, 1326), np.float32)
    reach[:, 1] = list(parts.values())
    wins = dict(zip(parts, gpuodds.showdown_values(board, reach)[:, 0, hand], strict=True))
    weigh = dict(zip(parts, gpuodds.fold_values(reach, board)[:, 0, hand], strict=True))
    small, large = pot / 2, pot / 2 + bet
    if on_river[-1:] == ["bet"]:
        return "call" if wins["all"] * large > -weigh["all"] * small else "fold"
    check = wins["all"] * small
    if not on_river:  # the bot may bet, and we may fold
        check = wins["check"] * small + max(-weigh["bet"] * small, wins["bet"] * large)
    return "bet" if weigh["fold"] * small + wins["call"] * large > check else "check"


def play(cards: Sequence[int], clever: int, buckets: Buckets) -> int:
    """Play a deal, hands of two cards and a board; return what the player at a place wins."""
    blinds = BIG_BLIND // 2, BIG_BLIND
    state = NoLimitTexasHoldem.create_state(AUTOMATIC, True, 0, blinds, BIG_BLIND, STACK, 2)
    hands = [sorted(cards[place : place + 2]) for place in (0, 2)]
    for hand in hands:
        state.deal_hole(format_cards(hand))
    numbers = [high * (high - 1) // 2 + low for low, high in hands]
    while state.actor_index is not None:
        state.check_or_call()
    moves: list[Move] = []
    by_street: list[Any] = []
    for street, size in enumerate((3, 4, 5), 1):
        if not state.status:
            break
        board = list(cards[4 : 4 + size])
        state.burn_card("??")
        state.deal_board(format_cards(board[-1:] if street > 1 else board))
        by_street.append(buckets.equities(board))
        pot, bet = state.total_pot_amount, min(state.total_pot_amount, min(state.stacks))
        while (player := state.actor_index) is not None:
            faces_bet = bool(state.checking_or_calling_amount)
            if street == RIVER and player == clever:
                name = best_move(numbers[player], board, by_street, moves, player, pot, bet)
            else:
                name = bot_move(numbers[player], by_street[-1], faces_bet)
            moves.append(Move(player, street, name))
            if name == "bet":
                state.complete_bet_or_raise_to(bet)
            elif name == "fold":
                state.fold()
            else:
                state.check_or_call()
    return int(state.payoffs[clever])


def main() -> None:
    """Play deals, and print what the best reply wins."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", nargs=3, default=[f"{street}-buckets" for street in STREETS])
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    buckets, draw = Buckets(given.tables), np.random.default_rng(given.seed)
    won = np.zeros(given.deals)
    for number in range(given.deals):
        cards = draw.permutation(52)[:9].tolist()
        won[number] = sum(play(cards, clever, buckets) for clever in (0, 1)) / 2
    won *= 100 / BIG_BLIND
    error = 1.96 * won.std() / given.deals**0.5
    print(
        f"the best reply on the river wins {won.mean():+.1f} big blinds per 100 hands (+- {error:.1f})"
    )


if __name__ == "__main__":
    main()
