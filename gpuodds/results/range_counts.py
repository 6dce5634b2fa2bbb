"""Counts of players with ranges, and the result that they make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.cards import format_cards
from gpuodds.errors import ImpossibleDeal
from gpuodds.games.holdem.hand_names import CATEGORIES
from gpuodds.results.result import EquityResult, HandEquity, MadeHand, PlayerEquity, name_winners
from gpuodds.spots.spot import Spot

Counts = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class RangeCounts:
    """What a spot counts up to: integers if all weights are 0 or 1, else float64.

    Attributes:
        outcomes: Boards times deals, the order of random opponents ignored.
        shared: Outcomes in which named player p is best together with exactly t others, at [p][t].
        winners: Without random opponents, outcomes by the set of best players, a mask; else None.
        by_combo: ``shared`` of each combo, its own weight left out, shape (named, combos, players);
            None unless it was asked for.
        dealt: All outcomes with each combo, likewise, shape (named, combos).
        made: Outcomes by the category of a player's final hand, shape (named, 9, players + 1) float64:
            ``shared``, and in the last column all; None unless it was asked for.
    """

    outcomes: Any
    shared: list[list[Any]]
    winners: dict[int, Any] | None
    by_combo: Counts | None = None
    dealt: Counts | None = None
    made: Floats | None = None

    def result(self, spot: Spot, method: str, backend: str) -> EquityResult:
        """Return the answer to the spot that was counted; its seconds are not known here.

        Args:
            spot: The spot.
            method: ``"table"`` or ``"exact"``.
            backend: The name of the backend that counted.

        Raises:
            ImpossibleDeal: There are no outcomes.
        """
        if not self.outcomes:
            raise ImpossibleDeal
        outcomes = self.outcomes if isinstance(self.outcomes, int) else float(self.outcomes)
        kind = type(outcomes)
        players = tuple(
            PlayerEquity(name, outcomes, kind(row[0]), tuple(kind(count) for count in row[1:]))
            for name, row in zip(spot.names, self.shared, strict=True)
        )
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
            made_hands=None if self.made is None else tuple(map(_made_hands, self.made)),
        )

    def _hands(self, spot: Spot) -> tuple[tuple[HandEquity, ...], ...]:
        assert self.by_combo is not None and self.dealt is not None
        cards = spot.game.combo_cards().tolist()
        players = []
        for weights, by_combo, dealt in zip(spot.weights, self.by_combo, self.dealt, strict=True):
            hands = []
            for h in np.flatnonzero(weights).tolist():
                whole = float(dealt[h])
                if whole == 0:
                    continue  # the others leave no cards for it
                counted = [float(value) for value in by_combo[h]]
                shares = [value / whole for value in counted]
                # Divided once: counts of two players give the double that is nearest.
                equity = sum(value / (others + 1) for others, value in enumerate(counted)) / whole
                name = format_cards(reversed(cards[h]))
                hands.append(HandEquity(name, float(weights[h]), equity, shares[0], sum(shares[1:])))
            players.append(tuple(sorted(hands, key=lambda hand: -hand.equity)))
        return tuple(players)


def _made_hands(rows: Floats) -> dict[str, MadeHand]:
    # Columns: won alone, split with one, two, ... others, all outcomes.
    won, split, every = rows[:, 0], rows[:, 1:-1].sum(axis=1), rows[:, -1]
    shares = [part / (part.sum() or 1.0) for part in (every, won, split)]
    return {
        name: MadeHand(*(float(share[place]) for share in shares))
        for place, name in enumerate(CATEGORIES)
        if every[place]
    }
