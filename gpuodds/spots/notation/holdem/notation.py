"""How ranges of two cards are written and shown: hold'em and short deck."""

from __future__ import annotations

from decimal import Decimal
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.cards import format_cards
from gpuodds.games.game import Game
from gpuodds.games.holdem import equity_order as holdem_order
from gpuodds.games.holdem.starting_hands import (
    combos_by_starting_hand,
    mean_by_starting_hand,
    starting_hands,
)
from gpuodds.games.shared.combos import combo_cards, suit_relabellings
from gpuodds.games.short_deck import equity_order as short_deck_order
from gpuodds.spots.hands import refuse_several_hands
from gpuodds.spots.notation.faults import DASHES
from gpuodds.spots.notation.holdem.text import parse_range
from gpuodds.spots.notation.holdem.writing import DIALECTS, write_weights
from gpuodds.spots.notation.notation import ClassRow, Notation

Floats = npt.NDArray[np.float64]


class HoldemNotation(Notation):
    """The notation of :mod:`gpuodds.spots.notation.holdem.text`."""

    dialects = DIALECTS

    def __init__(self, game: Game) -> None:
        """Find the game's starting hands."""
        super().__init__(game)
        self._lowest = len(game.missing) // 4
        self._hands = starting_hands(self._lowest)
        self.all_hands = f"the {len(self._hands)} starting hands, each once"

    def parse(self, text: str, order: Any, by_equity: bool) -> tuple[Floats, tuple[str, ...]]:
        """Return what a text means."""
        return parse_range(text.translate(DASHES), order, self.game)

    def write(self, weights: Floats, dialect: str) -> str:
        """Return the text of weights."""
        return write_weights(weights, dialect, self._lowest)

    def item(self, hands: str, weight: float) -> str:
        """Return the text that gives hands a weight: ``(AK):0.5``."""
        return f"({hands}):{format(Decimal(repr(weight)), 'f')}"

    def refuse_several_hands(self, text: str) -> None:
        """Refuse several hands separated by blanks alone."""
        refuse_several_hands(text, self.game)

    def equity_order(self) -> Any:
        """Return the names of the starting hands, best first."""
        if self._lowest:
            return short_deck_order.equity_order(self.game.name)
        return holdem_order.equity_order()

    def order_of(self, hands: list[str]) -> Any:
        """Return names of starting hands in their order."""
        return tuple(hands) if sorted(hands) == sorted(self._hands) else None

    def by_class(self, weights: Floats) -> list[ClassRow]:
        """Return the starting hands with a weight above 0, in the order of ``starting_hands``."""
        rows = []
        members = combos_by_starting_hand()
        for name in self._hands:
            if total := float(weights[members[name]].sum()):
                rows.append(ClassRow(name[:2], name[2:], len(members[name]), total))
        return rows

    def means(self, weights: Floats) -> dict[str, float]:
        """Return the mean weight of each starting hand, by name."""
        combos = zip(combo_cards().tolist(), weights.tolist(), repeat(1.0))
        return mean_by_starting_hand(combos)

    def weights_by_hand(self, weights: Floats) -> dict[str, float]:
        """Return the weights above 0 by combo, the highest cards first."""
        cards = combo_cards().tolist()
        return {
            format_cards(reversed(cards[h])): float(weights[h])
            for h in np.flatnonzero(weights)[::-1].tolist()
        }

    def suit_group(self, weights: Floats) -> frozenset[int]:
        """Return the rows of ``suit_relabellings`` that leave a range as it is."""
        renamed = weights[suit_relabellings()]
        return frozenset(np.flatnonzero((renamed == weights).all(axis=1)).tolist())
