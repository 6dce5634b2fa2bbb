"""Prove a strategy: what best responses gain against it, in rational numbers from exact counts.

Probabilities are decimals of six digits, so integers over 1,000,000. A sum over the hands of one player
stays below 2^63: counts of three hands are below 2^32, their sums over one hand below 2^38. All else is
Python's integers, and one fraction at the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.short_stacks.games.deals import ThreeHands, TwoHands
from gpuodds.short_stacks.games.rows import Rows
from gpuodds.short_stacks.search.solver import Strategy
from gpuodds.short_stacks.settling import Settling, orders
from gpuodds.short_stacks.spot import History, PushFoldSpot

ONE = 1_000_000
Ints = npt.NDArray[np.int64]
Objects = npt.NDArray[np.object_]


@dataclass(frozen=True)
class Certificate:
    """What is proved about a strategy.

    Attributes:
        gain: What best responses gain, added up over the players who are free to deviate.
        values: How much each player gains by the hand, in the spot's unit.
    """

    gain: Fraction
    values: tuple[Fraction, ...]


def in_millionths(strategy: Strategy) -> Ints:
    """Return probabilities as integers over 1,000,000, the nearest."""
    return np.rint(np.asarray(strategy) * ONE).astype(np.int64)


def certify(
    spot: PushFoldSpot, deals: TwoHands | ThreeHands, strategy: Ints, free: npt.NDArray[np.bool_]
) -> Certificate:
    """Certify a strategy of two or three players.

    Args:
        spot: The spot.
        deals: The counts of as many hands as there are players.
        strategy: Millionths, (rows, hands).
        free: Which rows a best response may change, (rows,).
    """
    exact = _Exact(spot, deals, strategy)
    gain, scale = 0, exact.scale
    for row in np.flatnonzero(free):
        for here, probability in zip(exact.advantages[row], strategy[row].tolist(), strict=True):
            gain += here * (ONE - probability) if here > 0 else -here * probability
    return Certificate(Fraction(gain, scale), tuple(Fraction(total, scale) for total in exact.totals))


class _Exact:
    # Advantages of all rows times scale / ONE, and the players' values times scale: Python's integers.

    def __init__(self, spot: PushFoldSpot, deals: TwoHands | ThreeHands, strategy: Ints) -> None:
        self.rows, self.deals, self.strategy = Rows(spot), deals, strategy
        settling = Settling(spot)
        self.players = spot.players
        outcomes = [
            (end, counts, settling.values(pot, order))
            for end in self.rows.ends
            for pot in [self.rows.in_the_pot(end)]
            for order, counts in _coarse(deals, self.players, pot)
        ]
        unit = lcm(*(value.denominator for _, _, values in outcomes for value in values))
        self.scale = unit * ONE**self.players * int(deals.total.sum())
        self.advantages: Objects = np.zeros((len(self.rows.histories), deals.hands), object)
        self.totals = [0] * self.players
        for end, counts, values in outcomes:
            if any(values):
                self._add(end, counts, [int(value * unit) for value in values])

    def _add(self, end: History, counts: Ints, values: list[int]) -> None:
        turns = [self.rows.turn_in(end, player) for player in range(self.players)]
        probabilities = [self._millionths(*turn) for turn in turns]
        for player, vector in enumerate(_sums(counts, probabilities)):
            if values[player] == 0:
                continue
            here = vector * values[player]
            self.totals[player] += int(np.dot(here, probabilities[player].astype(object)))
            row, all_in = turns[player]
            if row is not None:
                self.advantages[row] += here if all_in else -here

    def _millionths(self, row: int | None, all_in: bool) -> Ints:
        if row is None:
            return np.full(self.deals.hands, ONE, np.int64)
        chosen: Ints = self.strategy[row]
        return chosen if all_in else ONE - chosen


def _sums(counts: Ints, vectors: list[Ints]) -> list[Any]:
    """Return for each player the sums over the other players' hands, as Python's integers."""
    exact = [vector.astype(object) for vector in vectors]
    if len(vectors) == 2:
        whole = counts.astype(object)
        return [whole @ exact[1], exact[0] @ whole]
    over_last = (counts @ vectors[2]).astype(object)
    over_middle = np.einsum("abc,b->ac", counts, vectors[1]).astype(object)
    return [over_last @ exact[1], exact[0] @ over_last, exact[0] @ over_middle]


def _coarse(deals: Any, players: int, pot: History) -> list[tuple[tuple[int, ...], Ints]]:
    """Return the orders of the hands in a pot, and how often they are among all hands."""
    if len(pot) == 1:
        return [((0,), deals.total)]
    if len(pot) == players:
        return [(order, deals.count(order)) for order in orders(players)]
    # Two of three: axes are first, second, folded; bring them into the order of the players.
    folded = next(player for player in range(3) if player not in pot)
    axes = tuple(np.argsort([*pot, folded]))
    beats = deals.beats
    counts: dict[tuple[int, ...], Ints] = {
        (0, 0): deals.folded_tie,
        (0, 1): beats,
        (1, 0): beats.transpose(1, 0, 2),
    }
    return [(order, counts[order].transpose(axes)) for order in orders(2)]
