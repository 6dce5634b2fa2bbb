"""The hands of a tournament: one for each stack of who posts the small blind."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from gpuodds.short_stacks.games.deals import TwoHands
from gpuodds.short_stacks.games.rows import Rows, reached
from gpuodds.short_stacks.search.solver import Floats, Strategy
from gpuodds.short_stacks.settling import Order, Settling, orders
from gpuodds.short_stacks.spot import History, PushFoldSpot

Ending = tuple[History, Order]
"""Who contests the pot, and in which order the hands end."""


class TournamentHand:
    """The hand of one state: its ends, and the chips of the small blind after each."""

    def __init__(self, chips: Fraction, stack: Fraction, small: Fraction, big: Fraction) -> None:
        """Settle all ends.

        Args:
            chips: All chips.
            stack: Those of who posts the small blind.
            small: The small blind.
            big: The big blind.
        """
        self.spot = PushFoldSpot((stack, chips - stack), small, big)
        self.rows = Rows(self.spot)
        settling = Settling(self.spot)
        self.left: dict[Ending, Fraction] = {}
        for pot in ((0,), (1,), (0, 1)):
            for order in orders(len(pot)):
                self.left[pot, order] = settling.stacks_after(pot, order)[0]


@dataclass(frozen=True)
class Chances:
    """Chances to win the tournament after a hand, for the small blind; less for the other."""

    chances: dict[Ending, float]

    def values(self, all_in: History, listed: npt.NDArray[np.int64]) -> Floats:
        """Return the chances, (n, 2)."""
        won = np.array([self.chances[all_in, tuple(order)] for order in listed.tolist()])
        return np.stack([won, -won], axis=1)


def list_ends(hand: TournamentHand, strategy: Strategy, deals: TwoHands) -> list[tuple[Ending, float]]:
    """Return the chances of all endings of a hand."""
    total = float(deals.total.sum())
    found: list[tuple[Ending, float]] = []
    for end in hand.rows.ends:
        pot = hand.rows.in_the_pot(end)
        first, second = (reached(strategy, *hand.rows.turn_in(end, player)) for player in (0, 1))
        if len(pot) == 1:
            found.append(((pot, (0,)), float(first @ deals.total @ second) / total))
        else:
            found += [
                ((pot, order), float(first @ deals.count(order) @ second) / total)
                for order in orders(2)
            ]
    return found


def evaluate(
    hands: list[TournamentHand], strategies: list[Strategy], unit: Fraction, deals: TwoHands
) -> Floats:
    """Return the small blind's chances to win the tournament, if both play these strategies."""
    count = len(hands)
    left, right = np.eye(count), np.zeros(count)
    for number, (hand, strategy) in enumerate(zip(hands, strategies, strict=True)):
        for key, chance in list_ends(hand, strategy, deals):
            after = int(hand.left[key] / unit)
            if after > count:
                right[number] += chance
            elif after:
                # The other one posts the small blind next, with the other chips.
                right[number] += chance
                left[number, count - after] += chance
    return np.asarray(np.linalg.solve(left, right), np.float64)
