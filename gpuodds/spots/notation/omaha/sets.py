"""Sets of Omaha hands while range text is read, and the weights that items give them."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.basics.present import present
from gpuodds.cards import DECK_SIZE
from gpuodds.games.omaha.patterns import Place, is_narrow, matching_combos, matching_numbers
from gpuodds.games.omaha.starting_hands import class_of_combos, combos_of_classes, starting_hands

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

MANY = 24  # combos are named by number up to 1 of this many


class HandSet(NamedTuple):
    """A set of hands: whether it has each combo, or the numbers of few combos."""

    size: int
    """The number of cards of a hand."""
    combos: Bools | None
    """Whether the set has each combo, shape (combos,); None for a set of few."""
    numbers: Ints
    """The numbers of its combos, ascending, if they are few; else empty."""

    def both(self, other: HandSet) -> HandSet:
        """Return the hands that are in both sets."""
        if self.combos is not None and other.combos is not None:
            return of_combos(self.size, self.combos & other.combos)
        few, other_set = (self, other) if self.combos is None else (other, self)
        return of_numbers(self.size, few.numbers[other_set._has(few.numbers)])

    def without(self, other: HandSet) -> HandSet:
        """Return the hands that are in this set alone."""
        if self.combos is None:
            return of_numbers(self.size, self.numbers[~other._has(self.numbers)])
        if other.combos is not None:
            return of_combos(self.size, self.combos & ~other.combos)
        left = self.combos.copy()
        left[other.numbers] = False
        return of_combos(self.size, left)

    def add_to(self, combos: Bools) -> None:
        """Set what a wider set has to true for the hands of this one."""
        if self.combos is None:
            combos[self.numbers] = True
        else:
            combos |= self.combos

    def _has(self, numbers: Ints) -> Bools:
        """Return which combos are in the set."""
        if self.combos is not None:
            return self.combos[numbers]
        return np.isin(numbers, self.numbers, assume_unique=True)


def of_combos(size: int, combos: Bools) -> HandSet:
    """Return the set of the combos for which an array is true."""
    return HandSet(size, combos, np.zeros(0, np.int64))


def of_numbers(size: int, numbers: Ints) -> HandSet:
    """Return the set of some combos, from their numbers, ascending."""
    return HandSet(size, None, numbers)


def of_classes(size: int, classes: Bools) -> HandSet:
    """Return the set of some starting hands."""
    return of_combos(size, classes[class_of_combos(size)])


def of_pattern(size: int, pattern: list[Place]) -> HandSet:
    """Return the hands that match a pattern."""
    if is_narrow(size, pattern):
        return of_numbers(size, matching_numbers(size, pattern))
    return of_combos(size, matching_combos(size, pattern))


def union(size: int, sets: Iterable[HandSet]) -> HandSet:
    """Return the hands that are in one of some sets, at least one."""
    combos = comb(DECK_SIZE, size)
    united: HandSet | None = None
    shared = False  # whether the array of what is found is another set's
    for each in sets:
        if united is None:
            united, shared = each, True
            continue
        if united.combos is None and each.combos is None:
            numbers = np.union1d(united.numbers, each.numbers)
            if MANY * len(numbers) <= combos:
                united = of_numbers(size, numbers)
                continue
        if united.combos is None or shared:
            wide = np.zeros(combos, bool)
            united.add_to(wide)
            united, shared = of_combos(size, wide), False
        each.add_to(present(united.combos))
    return present(united)


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
        self._combos: Floats | None = None
        self._largest = 0.0  # weight in _combos, or more
        # What came last and is not in _combos yet: one weight for a set, or weights of starting hands.
        self._set: Bools | None = None
        self._set_weight = 0.0
        self._classes: Floats | None = None

    def give(self, hands: HandSet, weight: float) -> None:
        """Give the hands of a set a weight."""
        if self._set is None or weight != self._set_weight:
            if hands.combos is None:
                self.give_combos(hands.numbers, weight)
                return
            self._put()
            self._set, self._set_weight = np.zeros(comb(DECK_SIZE, self.size), bool), weight
        hands.add_to(self._set)

    def give_classes(self, numbers: Ints, weights: Any) -> None:
        """Give starting hands, each named once, a weight, or one weight each."""
        if self._classes is None:
            self._put()
            self._classes = np.full(len(starting_hands(self.size).cards), np.nan)
        self.lowered |= bool((self._classes[numbers] > weights).any())
        self._classes[numbers] = weights

    def give_combos(self, numbers: Ints, weights: Any) -> None:
        """Give combos, each named once, a weight, or one weight each."""
        combos = self.finish()
        self.lowered |= bool((combos[numbers] > weights).any())
        self._largest = max(self._largest, float(np.max(weights)))
        combos[numbers] = weights

    def finish(self) -> Floats:
        """Return the weights of all combos, shape (combos,)."""
        self._put()
        if self._combos is None:
            self._combos = np.zeros(comb(DECK_SIZE, self.size))
        return self._combos

    def _put(self) -> None:
        """Put what came last into the weights of all combos."""
        hands, self._set = self._set, None
        if hands is not None:
            self._put_set(hands, self._set_weight)
        by_class, self._classes = self._classes, None
        if by_class is not None:
            self._put_classes(by_class)

    def _put_set(self, hands: Bools, weight: float) -> None:
        if self._combos is None:
            self._combos = np.where(hands, weight, 0.0)
        else:
            if self._largest > weight and not self.lowered:
                self.lowered = bool((self._combos[hands] > weight).any())
            np.copyto(self._combos, weight, where=hands)
        self._largest = max(self._largest, weight)

    def _put_classes(self, by_class: Floats) -> None:
        classes = np.flatnonzero(~np.isnan(by_class))
        if not len(classes):
            return
        largest = float(by_class[classes].max())
        if MANY * len(classes) < len(by_class):
            numbers = combos_of_classes(self.size, classes)
            weights = np.broadcast_to(by_class[classes], numbers.shape)
            self.give_combos(numbers, weights)
        elif self._combos is None:
            if len(classes) == len(by_class) and largest == by_class.min():
                self._combos = np.full(comb(DECK_SIZE, self.size), largest)
            else:
                self._combos = np.nan_to_num(by_class)[class_of_combos(self.size)]
        else:
            weights = by_class[class_of_combos(self.size)]
            new = ~np.isnan(weights)
            self.lowered |= bool((self._combos[new] > weights[new]).any())
            self._combos[new] = weights[new]
        self._largest = max(self._largest, largest)
