"""Sums of the weights of hands by the cards that they hold, and inclusion and exclusion over them.

For each set S of fewer cards than a hand has, and each field, a sum holds the weight of the hands with
all cards of S. The weight of the hands that share no card with a hand h is the sum over the subsets S
of h of (-1)^|S| times the sum of S, where the whole of h stands for h itself.

Two numbers, one for each player, are summed as one: as the halves of a uint64, or as the two floats of
a complex128. Unsigned sums are taken modulo 2^64, so the halves of a result are right if neither is
negative nor above 2^32, whatever the sums on the way.

A hand is a word: 8 bits for each of its cards, ascending, the lowest first; bits 48 and up are its
field. Sets of k cards are numbered colexicographically after those of k - 1 cards: the number of a set
is the sum over its cards of ``steps[i, card]`` for the i-th lowest card, i from 0.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import inlined_without_refcounts
from gpuodds.cards import DECK_SIZE

Ints = npt.NDArray[np.int64]
UInt64s = npt.NDArray[np.uint64]

FIELD_SHIFT = 48
MAX_HOLE_CARDS = 6

_CARD = np.uint64(63)
_ZERO, _EIGHT, _SIXTEEN, _TWENTY_FOUR, _THIRTY_TWO, _FORTY = (np.uint64(8 * i) for i in range(6))
_FIELD = np.uint64(FIELD_SHIFT)
_NONE, _ALL = np.uint64(0), np.uint64(2**64 - 1)

# Columns of sums over the other hands: those without a low (all, in high games), with any low, with a
# worse low than the hand's, and with a low up to the hand's.
NO_LOW, ANY_LOW, WORSE_LOW, LOW_TO_OWN = range(4)


def sum_steps(cards: Ints, hole_cards: int) -> tuple[UInt64s, int]:
    """Number the sets of fewer than ``hole_cards`` of some cards.

    Args:
        cards: (m,) ascending cards, those that any hand holds.
        hole_cards: Cards of a hand, 4 to 6.

    Returns:
        Steps (6, 52), see above, and how many sets there are.
    """
    sizes = [comb(len(cards), size) for size in range(hole_cards)]
    steps = np.zeros((MAX_HOLE_CARDS, DECK_SIZE), np.uint64)
    for place in range(hole_cards - 1):
        # sets of place + 1 cards come after those of place cards
        steps[place, cards] = [sizes[place] + comb(i, place + 1) for i in range(len(cards))]
    return steps, sum(sizes)


@inlined_without_refcounts
def _sets_of_four(word: np.uint64, steps: UInt64s, field: np.uint64) -> tuple[np.uint64, ...]:
    """Return where a field's sums of one, two and three of a hand's four lowest cards are."""
    a, b = word & _CARD, word >> _EIGHT & _CARD
    c, d = word >> _SIXTEEN & _CARD, word >> _TWENTY_FOUR & _CARD
    one_a, one_b = steps[0, a] + field, steps[0, b] + field
    one_c, one_d = steps[0, c] + field, steps[0, d] + field
    ab, ac, bc = one_a + steps[1, b], one_a + steps[1, c], one_b + steps[1, c]
    ad, bd, cd = one_a + steps[1, d], one_b + steps[1, d], one_c + steps[1, d]
    abc, abd, acd, bcd = ab + steps[2, c], ab + steps[2, d], ac + steps[2, d], bc + steps[2, d]
    return one_a, one_b, one_c, one_d, ab, ac, bc, ad, bd, cd, abc, abd, acd, bcd


@inlined_without_refcounts
def _signed(
    sets: tuple[np.uint64, ...], zero: np.uint64, one: np.uint64, two: np.uint64, three: np.uint64,
    sums: Any,
) -> Any:  # fmt: skip
    """Return the signed sum over the sets, and the empty one; a size's sums begin at an offset."""
    a, b, c, d, ab, ac, bc, ad, bd, cd, abc, abd, acd, bcd = sets
    return (
        sums[zero]
        - (sums[a + one] + sums[b + one] + sums[c + one] + sums[d + one])
        + (sums[ab + two] + sums[ac + two] + sums[bc + two])
        + (sums[ad + two] + sums[bd + two] + sums[cd + two])
        - (sums[abc + three] + sums[abd + three] + sums[acd + three] + sums[bcd + three])
    )


@inlined_without_refcounts
def _raise(
    sets: tuple[np.uint64, ...], zero: np.uint64, one: np.uint64, two: np.uint64, three: np.uint64,
    sums: Any, value: Any,
) -> None:  # fmt: skip
    """Add a value to the sums of the sets and of the empty one."""
    a, b, c, d, ab, ac, bc, ad, bd, cd, abc, abd, acd, bcd = sets
    sums[zero] += value
    sums[a + one] += value
    sums[b + one] += value
    sums[c + one] += value
    sums[d + one] += value
    sums[ab + two] += value
    sums[ac + two] += value
    sums[bc + two] += value
    sums[ad + two] += value
    sums[bd + two] += value
    sums[cd + two] += value
    sums[abc + three] += value
    sums[abd + three] += value
    sums[acd + three] += value
    sums[bcd + three] += value


@inlined_without_refcounts
def _others(word: np.uint64, part: int, steps: UInt64s) -> tuple[np.uint64, ...]:
    """Return what a part of a hand's fifth and sixth card adds to the numbers of sets of 0 to 4 others.

    Bit 0 of ``part`` stands for the fifth card, bit 1 for the sixth.
    """
    fifth, sixth = word >> _THIRTY_TWO & _CARD, word >> _FORTY & _CARD
    if part == 1:
        return steps[0, fifth], steps[1, fifth], steps[2, fifth], steps[3, fifth], steps[4, fifth]
    if part == 2:
        return steps[0, sixth], steps[1, sixth], steps[2, sixth], steps[3, sixth], steps[4, sixth]
    return (
        steps[0, fifth] + steps[1, sixth],
        steps[1, fifth] + steps[2, sixth],
        steps[2, fifth] + steps[3, sixth],
        steps[3, fifth] + steps[4, sixth],
        _ZERO,
    )


@inlined_without_refcounts
def add_hands(
    words: UInt64s, order: Any, values: Any, begin: int, end: int, hole_cards: int, fields: int,
    steps: UInt64s, sums: Any,
) -> None:  # fmt: skip
    """Add hands to the sums.

    A hand without a field (0) counts in field 0 alone; a hand of field f in the fields f to the last.
    ``words`` and ``order`` (n,) are taken from ``begin`` to ``end``, ``values`` at the places in
    ``order``; ``steps`` and ``sums`` have ``fields`` sums a set, beside each other.
    """
    parts = 1 << hole_cards - 4
    for place in range(np.uint64(begin), np.uint64(end)):
        word, value = words[place], values[order[place]]
        own = word >> _FIELD
        last = np.uint64(fields) if own else own + np.uint64(1)
        for field in range(own, last):
            at = np.uint64(field)
            sets = _sets_of_four(word, steps, at)
            _raise(sets, at, _ZERO, _ZERO, _ZERO, sums, value)
            if parts == 1:
                continue
            four = sets[10] + steps[3, word >> _TWENTY_FOUR & _CARD]
            sums[four] += value
            for part in range(1, parts):
                others = _others(word, part, steps)
                _raise(sets, others[0] + at, others[1], others[2], others[3], sums, value)
                if part < parts - 1:
                    sums[four + others[4]] += value


@inlined_without_refcounts
def sum_apart(
    column: int, words: UInt64s, begin: int, end: int, hole_cards: int, fields: int, steps: UInt64s,
    sums: Any, out: Any,
) -> None:  # fmt: skip
    """Fill a column of ``out``: the weight, in one field, of the hands that share no card with each.

    Row i of ``out`` (n, 4) belongs to the hand ``begin`` + i. Column 0 is field 0, column 1 the last
    field; columns 2 and 3 are the fields f - 1 and f of a hand of field f, left as they are where f is
    0. Other arguments as in :func:`add_hands`. The whole of a hand is left out: if the hand itself is
    in a field's sums, its weight is to be added to what is found there, or taken off if a hand has an
    odd number of cards.
    """
    fixed, moving, at_column = np.uint64(0), _NONE, np.uint64(column)
    if column == ANY_LOW:
        fixed = np.uint64(fields - 1)
    elif column >= WORSE_LOW:
        fixed, moving = np.uint64(column) - np.uint64(LOW_TO_OWN), _ALL
    parts = 1 << hole_cards - 4
    for place in range(np.uint64(begin), np.uint64(end)):
        word = words[place]
        own = word >> _FIELD
        if moving and not own:
            continue
        at = fixed + (own & moving)
        sets = _sets_of_four(word, steps, at)
        apart = _signed(sets, at, _ZERO, _ZERO, _ZERO, sums)
        if parts > 1:
            four = sets[10] + steps[3, word >> _TWENTY_FOUR & _CARD]
            apart += sums[four]
            for part in range(1, parts):
                others = _others(word, part, steps)
                more = _signed(sets, others[0] + at, others[1], others[2], others[3], sums)
                if part == 3:
                    apart += more
                    continue
                apart -= more
                if part < parts - 1:
                    apart -= sums[four + others[4]]
        out[place - np.uint64(begin), at_column] = apart
