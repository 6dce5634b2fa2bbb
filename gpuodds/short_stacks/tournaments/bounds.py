"""The certificate of a tournament: what who plays best against its strategies can have at most.

He has at most the chances u if u(state) is, in every state, at least the mean of u after the best
actions in it. Such u are found in floats, raised a little, and checked in rational numbers.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.short_stacks.certificate import ONE, in_millionths
from gpuodds.short_stacks.games.deals import TwoHands, two_hands
from gpuodds.short_stacks.search.solver import Floats, Strategy
from gpuodds.short_stacks.settling import orders
from gpuodds.short_stacks.tournaments.hands import TournamentHand

RAISED = Fraction(1, 10**10)  # for each hand that may follow
STEPS = 10**15  # chances of the certificate are decimals of 15 digits

SMALL, BIG = 0, 1


class BestResponse:
    """Who plays best against strategies that both positions keep: his chances in every state.

    Unknowns are his chances by his stack, when he posts the small blind and then the big one.
    """

    def __init__(
        self, hands: list[TournamentHand], strategies: list[Strategy], unit: Fraction, deals: TwoHands
    ) -> None:
        self.hands, self.unit, self.count = hands, unit, len(hands)
        self.total = int(deals.total.sum())
        self.sums = [
            [self._sums(hand, in_millionths(strategy), side, deals) for side in (SMALL, BIG)]
            for hand, strategy in zip(hands, strategies, strict=True)
        ]

    def _sums(
        self, hand: TournamentHand, strategy: npt.NDArray[np.int64], side: int, deals: TwoHands
    ) -> list[tuple[Any, bool | None, npt.NDArray[np.int64]]]:
        """Return for each ending what is counted by his hand; and whether it needs him to be all-in.

        Counts times millionths. None where he has no part in it: the small blind folds before.
        """
        found: list[tuple[Any, bool | None, npt.NDArray[np.int64]]] = []
        for end in hand.rows.ends:
            pot = hand.rows.in_the_pot(end)
            row, is_in = hand.rows.turn_in(end, side)
            other, other_in = hand.rows.turn_in(end, 1 - side)
            chosen = np.full(deals.hands, ONE) if other is None else strategy[other]
            if other is not None and not other_in:
                chosen = ONE - chosen
            for order in orders(len(pot)):
                counts = deals.total if len(pot) == 1 else deals.count(order)
                summed = counts @ chosen if side == SMALL else chosen @ counts
                found.append(((pot, order), None if row is None else is_in, summed))
        return found

    def after(self, number: int, side: int, key: Any) -> tuple[int | None, int]:
        """Return his next unknown after an ending, None after the last hand, and whether he won it."""
        left = self.hands[number].left[key]
        chips = int(left / self.unit)
        if side == BIG:
            chips = self.count + 1 - chips
        if chips == 0 or chips > self.count:
            return None, int(chips > 0)
        return (self.count if side == SMALL else 0) + chips - 1, 0

    def place(self, number: int, side: int) -> int:
        """Return the unknown of a state and a side: by his own stack."""
        return number if side == SMALL else self.count + (self.count - 1 - number)

    def solve(self, reward: float) -> Floats:
        """Return the largest chances to win, or with a reward of 1 the largest number of hands."""
        size = 2 * self.count
        values: Floats = np.zeros(size)
        played: list[npt.NDArray[np.bool_]] | None = None
        for _ in range(100):
            left, right = np.eye(size), np.full(size, reward)
            chosen: list[npt.NDArray[np.bool_]] = []
            for number in range(self.count):
                for side in (SMALL, BIG):
                    better = self._better(number, side, values, reward)
                    chosen.append(better)
                    place = self.place(number, side)
                    for key, needs, counts in self.sums[number][side]:
                        weights = 1.0 if needs is None else better if needs else ~better
                        chance = float((counts * weights).sum()) / self.total / ONE
                        unknown, won = self.after(number, side, key)
                        if unknown is not None:
                            left[place, unknown] -= chance
                        elif not reward:
                            right[place] += chance * won
            if played is not None and all(map(np.array_equal, played, chosen)):
                break
            played = chosen
            values = np.asarray(np.linalg.solve(left, right), np.float64)
        return values

    def _better(self, number: int, side: int, values: Floats, reward: float) -> npt.NDArray[np.bool_]:
        """Return with which hands all-in is better than a fold."""
        worth = np.zeros((2, len(self.sums[number][side][0][2])))
        for key, needs, counts in self.sums[number][side]:
            unknown, won = self.after(number, side, key)
            value = values[unknown] if unknown is not None else (0.0 if reward else won)
            if needs is not None:
                worth[int(needs)] += counts * float(value)
        return np.asarray(worth[1] > worth[0])

    def is_enough(self, values: list[int]) -> bool:
        """Return whether no action anywhere has more than these chances, integers over STEPS: exact."""
        for number in range(self.count):
            for side in (SMALL, BIG):
                worth: list[Any] = [0, 0, 0]
                for key, needs, counts in self.sums[number][side]:
                    unknown, won = self.after(number, side, key)
                    value = values[unknown] if unknown is not None else won * STEPS
                    place = 2 if needs is None else int(needs)
                    worth[place] = worth[place] + counts.astype(object) * value
                best = sum(np.maximum(worth[0] + np.zeros(1, object), worth[1] + np.zeros(1, object)))
                most = best + sum(worth[2] + np.zeros(1, object))
                if values[self.place(number, side)] * self.total * ONE < most:
                    return False
        return True


def certify_tournament(
    hands: list[TournamentHand], strategies: list[Strategy], unit: Fraction
) -> Fraction:
    """Return by how much the bounds of a chance to win differ, at most."""
    best = BestResponse(hands, strategies, unit, two_hands())
    chances, rounds = best.solve(0.0), best.solve(1.0)
    for raised in (RAISED * 10**digits for digits in range(10)):
        values = [
            int((Fraction(chance) + raised * Fraction(number)) * STEPS) + 1
            for chance, number in zip(chances.tolist(), rounds.tolist(), strict=True)
        ]
        if best.is_enough(values):
            break
    else:
        raise RuntimeError("no chances bound the best responses")
    count = len(hands)
    gaps = [values[number] + values[best.place(number, BIG)] - STEPS for number in range(count)]
    return Fraction(max(gaps), STEPS)
