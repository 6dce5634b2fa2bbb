"""Counts of players with ranges, and their conversion to a result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.basics.present import present
from gpuodds.cards import format_cards
from gpuodds.errors import ImpossibleDeal
from gpuodds.results.player_equity import HandEquity, MadeHand, counted_players
from gpuodds.results.result import EquityResult, WinnerCounts, name_winners
from gpuodds.results.rounding import without_rounding
from gpuodds.spots.spot import Spot

Counts = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class RangeCounts:
    """The counts of a spot: integers if all weights are 0 or 1, else float64.

    Attributes:
        outcomes: Boards times deals, the order of random opponents ignored.
        shared: Outcomes in which named player p is best together with exactly t others, at [p][t].
        winners: Without random opponents, outcomes by the set of best players, a mask; else None.
        by_winners: With random opponents, outcomes by all winners; else, and unless known, None.
        by_combo: ``shared`` of each combo, without its own weight, shape (named, combos, players); None
            unless requested.
        dealt: All outcomes with each combo, without its own weight, shape (named, combos); None unless
            requested.
        made: Outcomes by the category of a player's final hand, shape (named, 9, players + 1) float64:
            ``shared``, and all outcomes in the last column; None unless requested.
    """

    outcomes: Any
    shared: list[list[Any]]
    winners: dict[int, Any] | None
    by_combo: Counts | None = None
    dealt: Counts | None = None
    made: Floats | None = None
    by_winners: WinnerCounts | None = None

    def result(self, spot: Spot, method: str, backend: str) -> EquityResult:
        """Return the answer to the spot that was counted, with 0 seconds: the caller measures them.

        Args:
            spot: The spot.
            method: ``"table"`` or ``"exact"``.
            backend: The name of the backend that counted.

        Raises:
            ImpossibleDeal: There are no outcomes.
        """
        if not isinstance(self.outcomes, int):
            return self._without_rounding(spot)._result(spot, method, backend)
        return self._result(spot, method, backend)

    def _without_rounding(self, spot: Spot) -> RangeCounts:
        weights = spot.least_weights
        least = prod(weights)
        by_combo, dealt, made = self.by_combo, self.dealt, self.made
        if by_combo is not None and dealt is not None:  # both are without the combo's own weight
            others = np.array([least / weight for weight in weights[: len(dealt)]])
            by_combo = without_rounding(by_combo, others[:, None, None])
            dealt = without_rounding(dealt, others[:, None])
        winners = self.winners
        if winners is not None:
            counted = without_rounding(list(winners.values()), least).tolist()
            winners = {mask: count for mask, count in zip(winners, counted, strict=True) if count}
        by_winners = self.by_winners
        if by_winners is not None:
            counted = without_rounding(list(by_winners.values()), least).tolist()
            by_winners = dict(zip(by_winners, counted, strict=True))
        return replace(
            self,
            outcomes=float(without_rounding(self.outcomes, least)),
            shared=without_rounding(self.shared, least).tolist(),
            winners=winners,
            by_combo=by_combo,
            dealt=dealt,
            made=None if made is None else without_rounding(made, least),
            by_winners=by_winners,
        )

    def _result(self, spot: Spot, method: str, backend: str) -> EquityResult:
        if not self.outcomes:
            raise ImpossibleDeal
        outcomes = self.outcomes if isinstance(self.outcomes, int) else float(self.outcomes)
        kind = type(outcomes)
        shared = [[kind(count) for count in row] for row in self.shared]
        won, split = [row[0] for row in shared], [row[1:] for row in shared]
        players = counted_players(spot.names, outcomes, won, split)
        winners = None
        if self.winners is not None:
            counts = {mask: kind(count) for mask, count in self.winners.items()}
            winners = name_winners(counts, len(spot.hands))
        return EquityResult(
            spot,
            players,
            method,
            backend,
            winners,
            0.0,
            by_hand=None if self.by_combo is None else self._hands(spot),
            made_hands=None if self.made is None else _made_hands(self.made, spot.game.categories),
            by_winners=self.by_winners,
        )

    def _hands(self, spot: Spot) -> tuple[tuple[HandEquity, ...], ...]:
        by_player = zip(spot.weights, present(self.by_combo), present(self.dealt), strict=True)
        cards = spot.game.combo_cards().tolist()
        players = []
        for weights, by_combo, dealt in by_player:
            hands = []
            for h in np.flatnonzero(weights).tolist():
                whole = float(dealt[h])
                if whole == 0:
                    continue  # every deal of the others takes one of its cards
                counted = [float(value) for value in by_combo[h]]
                shares = [value / whole for value in counted]
                # Divide once: with two players the result is the nearest double.
                equity = sum(value / (others + 1) for others, value in enumerate(counted)) / whole
                name = format_cards(reversed(cards[h]))
                hands.append(HandEquity(name, float(weights[h]), equity, shares[0], sum(shares[1:])))
            players.append(tuple(sorted(hands, key=lambda hand: -hand.equity)))
        return tuple(players)


def _made_hands(made: Floats, categories: Sequence[str]) -> tuple[dict[str, MadeHand], ...]:
    return tuple(_made_hands_of_one(rows, categories) for rows in made)


def _made_hands_of_one(rows: Floats, categories: Sequence[str]) -> dict[str, MadeHand]:
    # Columns: won alone, split with one, two, ... others, all outcomes.
    won, split, every = rows[:, 0], rows[:, 1:-1].sum(axis=1), rows[:, -1]
    shares = [part / (part.sum() or 1.0) for part in (every, won, split)]
    return {
        name: MadeHand(*(float(share[place]) for share in shares))
        for place, name in enumerate(categories)
        if every[place]
    }
