"""How ranges of Omaha are written and shown: by rank class and suit pattern, not in a grid."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.cards import SUITS
from gpuodds.games.game import Game
from gpuodds.games.omaha.combos import combo_cards
from gpuodds.games.omaha.equity_order import equity_order
from gpuodds.games.omaha.starting_hands import (
    SUIT_VARIABLES,
    class_names,
    class_of,
    class_of_combos,
    group_names,
    starting_hands,
)
from gpuodds.games.omaha.symmetry import range_group
from gpuodds.spots.hands import refuse_several_hands
from gpuodds.spots.notation.faults import DASHES
from gpuodds.spots.notation.notation import ClassRow, Notation
from gpuodds.spots.notation.omaha.items import hand_texts
from gpuodds.spots.notation.omaha.text import parse_omaha_range
from gpuodds.spots.notation.omaha.writing import weights_by_class, write_omaha_weights

Floats = npt.NDArray[np.float64]


class OmahaNotation(Notation):
    """The notation of :mod:`gpuodds.spots.notation.omaha.text`."""

    dialects = ("plain",)

    def __init__(self, game: Game) -> None:
        """Hold the number of cards of a hand."""
        super().__init__(game)
        self._size = game.hole_cards
        self.all_hands = f"all starting hands of {game.name}, such as AwAxKwKx, each once"

    def parse(self, text: str, order: Any, by_equity: bool) -> tuple[Floats, tuple[str, ...]]:
        """Return what a text means."""
        return parse_omaha_range(text.translate(DASHES), self._size, order, self.game.name, by_equity)

    def write(self, weights: Floats, dialect: str) -> str:
        """Return the text of weights."""
        return write_omaha_weights(weights, self._size)

    def item(self, hands: str, weight: float) -> str:
        """Return the text that gives hands a weight: ``AAKK@50%``."""
        several = any(mark in hands for mark in ",;\n@")
        percent = format((Decimal(repr(weight)) * 100).normalize(), "f")
        return f"({hands})@{percent}%" if several else f"{hands}@{percent}%"

    def refuse_several_hands(self, text: str) -> None:
        """Refuse several hands separated by blanks alone; line ends separate items of one range."""
        if "\n" not in text:
            refuse_several_hands(text, self.game)

    def equity_order(self) -> Any:
        """Return the numbers of the starting hands, best first."""
        return equity_order(self.game.name)

    def order_of(self, hands: list[str]) -> Any:
        """Return the numbers of starting hands, from their names."""
        numbers = _numbers_by_name(self._size)
        order = [numbers.get(hand, -1) for hand in hands]
        return np.array(order) if sorted(order) == list(range(len(numbers))) else None

    def by_class(self, weights: Floats) -> list[ClassRow]:
        """Return the rank classes and suit patterns with a weight above 0, aces first."""
        every = starting_hands(self._size)
        combos = np.flatnonzero(weights)
        classes: npt.NDArray[Any]
        if len(combos) < len(weights) // 10:
            classes = class_of(combo_cards(self._size)[combos])
        else:
            classes = class_of_combos(self._size)[combos]
        by_class = np.bincount(classes, weights[combos], len(every.cards))
        sums = np.bincount(every.groups, by_class)
        sizes = np.bincount(every.groups, every.sizes).astype(np.int64)
        names = group_names(self._size)
        return [
            ClassRow(*names[group], int(sizes[group]), float(sums[group]))
            for group in np.flatnonzero(sums).tolist()
        ]

    def weights_by_hand(self, weights: Floats) -> dict[str, float]:
        """Return the weights above 0, by starting hand where its combos have one weight."""
        by_class, whole = weights_by_class(weights, self._size)
        classes = np.flatnonzero(whole & (by_class > 0))
        names = hand_texts(starting_hands(self._size).cards[classes], SUIT_VARIABLES)
        by_hand = dict(zip(names, by_class[classes].tolist(), strict=True))
        if not whole.all():
            combos = np.flatnonzero(~whole[class_of_combos(self._size)] & (weights > 0))[::-1]
            texts = hand_texts(combo_cards(self._size)[combos, ::-1], SUITS)
            by_hand |= dict(zip(texts, weights[combos].tolist(), strict=True))
        return by_hand

    def suit_group(self, weights: Floats) -> frozenset[int]:
        """Return the numbers of the suit renamings that leave a range as it is."""
        return range_group(self._size, weights)


@lru_cache(maxsize=1)
def _numbers_by_name(size: int) -> dict[str, int]:
    return {name: number for number, name in enumerate(class_names(size))}
