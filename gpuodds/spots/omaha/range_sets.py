"""Sets of Omaha hands while range text is read, and the weights that items give them."""

from __future__ import annotations

from functools import reduce
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.cards import DECK_SIZE
from gpuodds.games.omaha.combos import combo_cards
from gpuodds.games.omaha.patterns import Place, matching_classes, matching_combos, names_no_suit
from gpuodds.games.omaha.starting_hands import class_of, class_of_combos, starting_hands

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class HandSet(NamedTuple):
    """A set of hands: whole starting hands where no suit is named, else combos."""

    size: int
    """The number of cards of a hand."""
    classes: Bools | None
    """Which starting hands the set has; None for a set of combos."""
    combos: Ints
    """The numbers of its combos, ascending; empty for a set of starting hands."""

    def both(self, other: HandSet) -> HandSet:
        """Return the hands that are in both sets."""
        if self.classes is not None and other.classes is not None:
            return of_classes(self.size, self.classes & other.classes)
        if self.classes is None and other.classes is None:
            common = np.intersect1d(self.combos, other.combos, assume_unique=True)
            return HandSet(self.size, None, common)
        combos, classes = (self, other) if self.classes is None else (other, self)
        return HandSet(self.size, None, combos.combos[classes._has(combos.combos)])

    def without(self, other: HandSet) -> HandSet:
        """Return the hands that are in this set alone."""
        if self.classes is not None and other.classes is not None:
            return of_classes(self.size, self.classes & ~other.classes)
        held = self._numbers()
        return HandSet(self.size, None, held[~other._has(held)])

    def either(self, other: HandSet) -> HandSet:
        """Return the hands that are in one of the sets."""
        if self.classes is not None and other.classes is not None:
            return of_classes(self.size, self.classes | other.classes)
        return HandSet(self.size, None, np.union1d(self._numbers(), other._numbers()))

    def _numbers(self) -> Ints:
        if self.classes is None:
            return self.combos
        return np.flatnonzero(self.classes[class_of_combos(self.size)])

    def _has(self, combos: Ints) -> Bools:
        """Return which combos are in the set."""
        if self.classes is not None:
            found: Bools = self.classes[class_of(combo_cards(self.size)[combos])]
            return found
        return np.isin(combos, self.combos, assume_unique=True)


def of_classes(size: int, classes: Bools) -> HandSet:
    """Return a set of starting hands."""
    return HandSet(size, classes, np.zeros(0, np.int64))


def of_pattern(size: int, pattern: list[Place]) -> HandSet:
    """Return the hands that match a pattern."""
    if names_no_suit(pattern):
        return of_classes(size, matching_classes(size, pattern))
    return HandSet(size, None, matching_combos(size, pattern))


def of_patterns(size: int, patterns: list[list[Place]]) -> HandSet:
    """Return the hands that match one of some patterns."""
    return reduce(HandSet.either, (of_pattern(size, pattern) for pattern in patterns))


class Weights:
    """The weights that items give to hands, a later item in place of an earlier one.

    Args:
        size: The number of cards of a hand.
    """

    def __init__(self, size: int) -> None:
        """Begin without weights."""
        self.size = size
        self.lowered = False
        """Whether an item took weight from a hand."""
        self._classes: Floats | None = None  # of what came since the last combos
        self._combos: Floats | None = None

    def give(self, hands: HandSet, weight: float) -> None:
        """Give the hands of a set a weight."""
        if hands.classes is not None:
            self.give_classes(np.flatnonzero(hands.classes), weight)
        else:
            self.give_combos(hands.combos, weight)

    def give_classes(self, numbers: Ints, weights: Any) -> None:
        """Give starting hands, each named once, a weight, or one weight each."""
        if self._classes is None:
            self._classes = np.full(len(starting_hands(self.size).cards), np.nan)
        self.lowered |= bool((self._classes[numbers] > weights).any())
        self._classes[numbers] = weights

    def give_combos(self, numbers: Ints, weights: Any) -> None:
        """Give combos, each named once, a weight, or one weight each."""
        combos = self._by_combo()
        self.lowered |= bool((combos[numbers] > weights).any())
        combos[numbers] = weights

    def finish(self) -> Floats:
        """Return the weights of all combos, shape (combos,)."""
        return self._by_combo()

    def _by_combo(self) -> Floats:
        by_class, self._classes = self._classes, None
        if self._combos is None:
            if by_class is None or np.isnan(by_class).all():
                self._combos = np.zeros(comb(DECK_SIZE, self.size))
            elif (by_class == by_class[0]).all():
                self._combos = np.full(comb(DECK_SIZE, self.size), by_class[0])
            else:
                self._combos = np.nan_to_num(by_class)[class_of_combos(self.size)]
        elif by_class is not None:
            given = by_class[class_of_combos(self.size)]
            new = ~np.isnan(given)
            self.lowered |= bool((self._combos[new] > given[new]).any())
            self._combos[new] = given[new]
        return self._combos
