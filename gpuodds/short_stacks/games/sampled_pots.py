"""Pots of four hands and more: what they change, averaged over a fixed sample."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.short_stacks.games.rows import Rows
from gpuodds.short_stacks.games.samples import Sample
from gpuodds.short_stacks.outcomes import Worth
from gpuodds.short_stacks.search.solver import Floats, Strategy
from gpuodds.short_stacks.spot import History

Singles = npt.NDArray[np.float32]


class _Turn(NamedTuple):
    # A player's turn in a hand that ends with some players all-in.
    player: int
    history: History
    row: int | None


class _SampledPot(NamedTuple):
    # A pot: its sample, what it changes for each player by drawn hand, and the turns of those in it and
    # of those who fold.
    sample: Sample
    weights: Singles
    change: Singles
    inside: list[_Turn]
    outside: list[_Turn]


class SampledPots:
    """What all pots of four and more change, against the pot of their first three players."""

    def __init__(self, rows: Rows, worth: Worth, samples: dict[int, Sample], prior: Floats) -> None:
        """Settle the drawn hands of a spot.

        Args:
            rows: The spot's decisions.
            worth: What its endings are worth.
            samples: Drawn hands by the number of players, for all from 4 on.
            prior: The chance of each hand.
        """
        self.prior, self.players = prior, rows.spot.players
        self.pots: list[_SampledPot] = []
        for size in range(4, self.players + 1):
            sample = samples[size]
            places = sample.orders[:, :3]
            first = (places[:, None] < places[:, :, None]).sum(axis=2)
            weights = sample.weights.astype(np.float32)
            for end in combinations(range(self.players), size):
                change = worth.values(end, sample.orders) - worth.values(end[:3], first)
                of_rows = change[sample.boards].mean(axis=1).astype(np.float32)
                turns = [_turn(rows, end, player) for player in range(self.players)]
                inside = [turn for turn in turns if turn.player in end]
                outside = [turn for turn in turns if turn.player not in end]
                self.pots.append(_SampledPot(sample, weights, of_rows, inside, outside))

    def add(
        self,
        strategy: Strategy,
        played: Callable[[Strategy, int, History], Floats],
        found: Floats,
    ) -> Floats:
        """Add to the advantages of all rows; return what is added to each player's value."""
        values = np.zeros(self.players)
        for pot in self.pots:
            folds = [
                float(self.prior @ (1 - played(strategy, turn.player, turn.history)))
                for turn in pot.outside
            ]
            if folds.count(0) > 1:
                continue
            outside = float(np.prod(folds))
            drawn = pot.sample.hands.T
            factors = [
                played(strategy, turn.player, turn.history)[hands].astype(np.float32)
                for turn, hands in zip(pot.inside, drawn, strict=True)
            ]
            before = [pot.weights]
            for factor in factors:
                before.append(before[-1] * factor)
            whole = before[-1] @ pot.change
            values += outside * whole
            behind = np.ones_like(pot.weights)
            for place in range(len(factors) - 1, -1, -1):
                player, _, row = pot.inside[place]
                if row is not None:
                    here = outside * before[place] * behind * pot.change[:, player]
                    found[row] += np.bincount(drawn[place], here, found.shape[1])
                behind = behind * factors[place]
            for place, (player, _, row) in enumerate(pot.outside):
                if row is not None:
                    others = float(np.prod(folds[:place] + folds[place + 1 :]))
                    found[row] -= self.prior * (others * whole[player])
        return values


def _turn(rows: Rows, end: History, player: int) -> _Turn:
    history = tuple(other for other in end if other < player)
    return _Turn(player, history, rows.row_of.get((player, history)))
