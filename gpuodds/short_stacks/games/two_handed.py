"""Two players: each value is a product of a matrix of 169 x 169 and a range."""

from __future__ import annotations

import numpy as np

from gpuodds.short_stacks.games.deals import TwoHands
from gpuodds.short_stacks.games.rows import Rows, reached
from gpuodds.short_stacks.outcomes import Worth
from gpuodds.short_stacks.search.solver import Floats, Strategy
from gpuodds.short_stacks.settling import orders
from gpuodds.short_stacks.spot import PushFoldSpot


class TwoHanded:
    """The game of two players. Values are of one deal, in the spot's unit."""

    def __init__(self, spot: PushFoldSpot, deals: TwoHands, worth: Worth) -> None:
        """Make the matrices of a spot."""
        self.rows = Rows(spot)
        whole = float(deals.total.sum())
        chances = deals.total / whole
        # By the set of players all-in and by player, (hands, hands): first player, second player.
        self.values: dict[tuple[tuple[int, ...], int], Floats] = {}
        for end in self.rows.ends:
            pot = self.rows.in_the_pot(end)
            listed = orders(len(pot))
            values = worth.values(pot, np.array(listed))
            for player in range(2):
                if len(pot) == 1:
                    self.values[end, player] = chances * values[0, player]
                else:
                    counted = zip(listed, values[:, player] / whole, strict=True)
                    whole_value = np.zeros_like(chances)
                    for order, each in counted:
                        whole_value += deals.count(order) * each
                    self.values[end, player] = whole_value
        self.hand_chances = chances.sum(axis=1)
        self.shape = len(self.rows.histories), deals.hands
        self.turns = self.rows.turns

    def advantages(self, strategy: Strategy, turn: int) -> Floats:
        """Return how much more all-in is worth than a fold."""
        player = self.rows.turn_players[turn]
        rows = self.turns[turn]
        found = np.zeros((rows.stop - rows.start, self.shape[1]))
        for end in self.rows.ends:
            row, all_in = self.rows.turn_in(end, player)
            if row is None:
                continue
            other, other_in = self.rows.turn_in(end, 1 - player)
            value = self.values[end, player]
            against = reached(strategy, other, other_in)
            here = value @ against if player == 0 else against @ value
            found[row - rows.start] += here if all_in else -here
        return found

    def reach(self, strategy: Strategy, turn: int) -> None:
        """Return None: a player acts once."""
        return

    def slopes(self, strategy: Strategy) -> Floats:
        """Return the derivatives of all advantages by all probabilities."""
        rows, hands = self.shape
        found = np.zeros((rows, hands, rows, hands))
        for end in self.rows.ends:
            (first, first_in), (second, second_in) = (self.rows.turn_in(end, p) for p in range(2))
            if first is not None and second is not None:
                sign = (1 if first_in else -1) * (1 if second_in else -1)
                found[first, :, second] += sign * self.values[end, 0]
                found[second, :, first] += sign * self.values[end, 1].T
        return found.reshape(rows * hands, rows * hands)
