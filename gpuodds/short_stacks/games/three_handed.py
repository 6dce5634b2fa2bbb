"""Three players: values are sums over arrays of 169 x 169 x 169, the cards of who folded included."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gpuodds.short_stacks.games.deals import ThreeHands
from gpuodds.short_stacks.games.rows import Rows, reached
from gpuodds.short_stacks.outcomes import Worth
from gpuodds.short_stacks.search.solver import Floats, Strategy
from gpuodds.short_stacks.settling import orders
from gpuodds.short_stacks.spot import History, PushFoldSpot

OTHERS = ((1, 2), (0, 2), (0, 1))


class _Pair(NamedTuple):
    # A pot of two: who they are, who folded, and by player what a tie is worth, and how much more it is
    # that the first wins, and that the second does.
    first: int
    second: int
    folded: int
    tie: Floats
    first_wins: Floats
    second_wins: Floats


@dataclass(frozen=True)
class ThreeChances:
    """What all games of three players share: counts as chances, (hands, hands, hands) each.

    Attributes:
        counts: The counts.
        total: The chance of three hands.
        beats: That of three hands of which the first beats the second, the third having folded.
    """

    counts: ThreeHands
    total: Floats
    beats: Floats

    @classmethod
    def of(cls, counts: ThreeHands) -> ThreeChances:
        """Divide counts by their sum."""
        whole = float(counts.total.sum())
        return cls(counts, counts.total / whole, counts.beats / whole)


class ThreeHanded:
    """The game of three players. Values are of one deal, in the spot's unit."""

    def __init__(self, spot: PushFoldSpot, chances: ThreeChances, worth: Worth) -> None:
        """Make the arrays of a spot."""
        self.rows = Rows(spot)
        self.chances = chances
        self.single: dict[History, Floats] = {}
        self.pairs: dict[History, _Pair] = {}
        for end in self.rows.ends:
            pot = self.rows.in_the_pot(end)
            if len(pot) == 1:
                self.single[end] = worth.values(pot, np.zeros((1, 1), np.int64))[0]
            elif len(pot) == 2:
                tie, wins, loses = worth.values(pot, np.array(orders(2)))
                (folded,) = {0, 1, 2} - {*pot}
                self.pairs[end] = _Pair(*pot, folded, tie, wins - tie, loses - tie)
        counts = chances.counts
        # Of a pot of three, by player: (his hand, hand of the next of the others, of the last).
        self.three: list[Floats] = []
        if (0, 1, 2) in self.rows.ends:
            whole = float(counts.total.sum())
            values = [np.zeros(counts.total.shape) for _ in range(3)]
            listed = orders(3)
            for order, of_order in zip(listed, worth.values((0, 1, 2), np.array(listed)), strict=True):
                counted = counts.count(order) * (1 / whole)
                for player, value in enumerate(of_order.tolist()):
                    if value:
                        values[player] += counted * value
            axes = ((0, 1, 2), (1, 0, 2), (2, 0, 1))
            self.three = [
                np.ascontiguousarray(value.transpose(axis))
                for value, axis in zip(values, axes, strict=True)
            ]
        self.hand_chances = chances.total.sum(axis=(1, 2))
        self.shape = len(self.rows.histories), counts.hands
        self.turns = self.rows.turns

    def reach(self, strategy: Strategy, turn: int) -> None:
        """Return None: a player acts once."""
        return

    def advantages(self, strategy: Strategy, turn: int) -> Floats:
        """Return how much more all-in is worth than a fold."""
        player, rows = self.rows.turn_players[turn], self.turns[turn]
        first, last = OTHERS[player]
        hands = self.shape[1]
        count = rows.stop - rows.start
        total = np.zeros((count, hands, hands))  # weights of the others' hands
        folded = np.zeros((count, hands, hands))  # weights of the pair, where this player folded
        found = np.zeros((count, hands))
        for end in self.rows.ends:
            row, all_in = self.rows.turn_in(end, player)
            if row is None:
                continue
            number, sign = row - rows.start, 1.0 if all_in else -1.0
            vectors = {
                other: reached(strategy, *self.rows.turn_in(end, other)) for other in (first, last)
            }
            both = np.outer(vectors[first], vectors[last])
            if end in self.single:
                total[number] += sign * self.single[end][player] * both
            elif end in self.pairs:
                pair = self.pairs[end]
                total[number] += sign * pair.tie[player] * both
                wins, loses = sign * pair.first_wins[player], sign * pair.second_wins[player]
                if player == pair.folded:
                    if wins or loses:
                        folded[number] += wins * both + loses * both.T
                else:
                    other = pair.second if player == pair.first else pair.first
                    won = self._over_folded(vectors[pair.folded])
                    ahead, behind = (wins, loses) if player == pair.first else (loses, wins)
                    found[number] += ahead * (won @ vectors[other]) + behind * (vectors[other] @ won)
            else:
                found[number] += sign * (self.three[player].reshape(hands, -1) @ both.ravel())
        found += total.reshape(count, -1) @ self.chances.total.reshape(hands, -1).T
        if folded.any():
            found += folded.reshape(count, -1) @ self.chances.beats.reshape(-1, hands)
        return found

    def _over_folded(self, vector: Floats) -> Floats:
        # How often a first hand beats a second, (hands, hands), by what the third plays.
        hands = self.shape[1]
        return (self.chances.beats.reshape(-1, hands) @ vector).reshape(hands, hands)

    def slopes(self, strategy: Strategy) -> Floats:
        """Return the derivatives of all advantages by all probabilities."""
        rows, hands = self.shape
        found = np.zeros((rows, hands, rows, hands))
        total = self.chances.total.reshape(-1, hands)
        for end in self.rows.ends:
            turns = [self.rows.turn_in(end, player) for player in range(3)]
            for player in range(3):
                for other in OTHERS[player]:
                    row, all_in = turns[player]
                    column, other_in = turns[other]
                    if row is None or column is None:
                        continue
                    third = 3 - player - other
                    vector = reached(strategy, *turns[third])
                    block = np.zeros((hands, hands))
                    if end in self.single or end in self.pairs:
                        worth = self.single[end] if end in self.single else self.pairs[end].tie
                        if worth[player]:
                            block += worth[player] * (total @ vector).reshape(hands, hands)
                    if end in self.pairs:
                        self._add_pair(block, self.pairs[end], player, other, vector)
                    elif end not in self.single:
                        value = self.three[player]
                        block += value @ vector if third > other else np.matmul(vector, value)
                    sign = (1 if all_in else -1) * (1 if other_in else -1)
                    found[row, :, column] += sign * block
        return found.reshape(rows * hands, rows * hands)

    def _add_pair(self, block: Floats, pair: _Pair, player: int, other: int, vector: Floats) -> None:
        # Add to a block (player's hand, other's hand) what it changes that one of the pair wins.
        beats, third = self.chances.beats, 3 - player - other
        for winner, loser, worth in (
            (pair.first, pair.second, pair.first_wins[player]),
            (pair.second, pair.first, pair.second_wins[player]),
        ):
            if not worth:
                continue
            axes = (winner, loser, pair.folded)
            at = axes.index(third)
            if at == 2:
                summed = beats @ vector
            elif at == 1:
                summed = np.matmul(vector, beats)
            else:
                summed = (vector @ beats.reshape(len(vector), -1)).reshape(len(vector), -1)
            left = [axis for axis in axes if axis != third]
            block += worth * (summed if left == [player, other] else summed.T)
