"""What many endings of a hand are worth, in floats: :mod:`gpuodds.short_stacks.settling` by array."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from gpuodds.short_stacks.search.solver import Floats
from gpuodds.short_stacks.settling import Settling
from gpuodds.short_stacks.spot import History, PushFoldSpot

Ints = npt.NDArray[np.int64]

NO_CHIPS = 1e-9  # of all chips: what rounding may leave of a stack that is gone


class Worth(Protocol):
    """What endings of a hand are worth."""

    def values(self, all_in: History, listed: Ints, /) -> Floats:
        """Return a number for each player: see :meth:`Outcomes.values`."""
        ...


class Outcomes:
    """What the endings of one spot are worth, in its unit."""

    def __init__(self, spot: PushFoldSpot) -> None:
        """Prepare the outcomes of a spot."""
        self.spot = spot
        self.settling = Settling(spot)
        self.before = np.array([float(stack) for stack in spot.stacks])
        self.payouts = np.zeros(spot.players)
        self.payouts[: len(spot.payouts)] = [float(prize) for prize in spot.payouts]

    def values(self, all_in: History, orders: Ints) -> Floats:
        """Return how much each player gains.

        Args:
            all_in: The players who are all-in.
            orders: How many of their hands are better than each one's, (n, players all-in).

        Returns:
            Chips, or prize money with bounties, (n, players).
        """
        spot = self.spot
        stacks = np.zeros((len(orders), spot.players))
        for player, posted in enumerate(spot.posted):
            if player not in all_in:
                stacks[:, player] = float(
                    spot.stacks[player] - posted.ante - posted.dead - posted.blind
                )
        wins: list[tuple[tuple[int, ...], Floats]] = []
        for pot in self.settling.pots(all_in):
            places = orders[:, [all_in.index(player) for player in pot.players]]
            won = (places == places.min(axis=1, keepdims=True)).astype(np.float64)
            won /= won.sum(axis=1, keepdims=True)
            stacks[:, pot.players] += float(pot.chips) * won
            wins.append((pot.players, won))
        if not spot.payouts:
            gained: Floats = stacks - self.before
            return gained
        gone = stacks < NO_CHIPS * self.before.sum()
        values = self.prizes(np.where(gone, 0, stacks)) - self.prizes(self.before[None])
        share = 0.5 if spot.progressive else 1.0
        for busted, head in enumerate(spot.bounties):
            if busted in all_in and spot.stacks[busted]:
                players, won = next(pair for pair in reversed(wins) if busted in pair[0])
                values[:, players] += share * float(head) * gone[:, busted, None] * won
        return values

    def prizes(self, stacks: Floats) -> Floats:
        """Return what stacks are worth in prize money, (n, players), for stacks of the same shape."""
        rows, back = np.unique(stacks, axis=0, return_inverse=True)
        players = self.spot.players
        values = np.zeros_like(rows)
        left = rows > 0
        counts = left.sum(axis=1)
        for player in range(players):
            # Who has no chips left is behind all others, in the order of the stacks before the hand.
            larger = ~left & (self.before > self.before[player])
            equal = ~left & (self.before == self.before[player])
            first = counts + larger.sum(axis=1)
            size = equal.sum(axis=1)
            until = np.concatenate([[0.0], np.cumsum(self.payouts)])
            gone = ~left[:, player]
            shared = (until[np.minimum(first + size, players)] - until[np.minimum(first, players)]) / (
                np.maximum(size, 1)
            )
            values[gone, player] = shared[gone]
        # The chance that a set takes the first places, by set; those without chips never do.
        paid = int(np.count_nonzero(self.payouts))
        chances = {0: np.ones(len(rows))}
        for place in range(min(paid, players)):
            further: dict[int, Floats] = {}
            for number, chance in chances.items():
                others = [player for player in range(players) if not number >> player & 1]
                rest = rows[:, others].sum(axis=1)
                share = np.divide(chance, rest, where=rest > 0, out=np.zeros(len(rows)))
                for player in others:
                    finish = share * rows[:, player]
                    values[:, player] += self.payouts[place] * finish
                    after = number | 1 << player
                    further[after] = further[after] + finish if after in further else finish
            chances = further
        found: Floats = values[back.ravel()]
        return found
