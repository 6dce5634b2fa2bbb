"""Bring threat graphs to a normal form and number the distinct ones.

Two board classes with the same normal form have the same matchings, so each distinct graph is solved
once. Normal form here means: cards without a dominating pair are left out, cards that make one with
any partner are counted and left out, types that behave alike are merged, and the rest is
put in an order that depends on the graph alone. The order is not always unique for a graph; that
costs a second solution of the same graph now and then, never a wrong one.

A graph is stored as one int64 a type: loss row (bits 0 to 25), tie row (26 to 51), size (52 to 57).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import inlined, lowest_bit, popcount
from gpuodds.backends.cpu.known_hands.threat_graphs.threats import ROW, Sizes
from gpuodds.backends.graph_words import SIZE_SHIFT, TYPES

Ints = npt.NDArray[np.int64]

SCRATCH_ROWS = 6  # of a normal form's scratch


@inlined
def card_degree(row: int, sizes: Sizes) -> int:
    """Count the cards in the types of ``row``."""
    ones, twos, fours = sizes
    return int(popcount(row & ones) + 2 * popcount(row & twos) + 4 * popcount(row & fours))


@inlined
def size_of(i: int, sizes: Sizes) -> int:
    """Return the number of cards of type ``i``."""
    ones, twos, fours = sizes
    return (ones >> i & 1) + 2 * (twos >> i & 1) + 4 * (fours >> i & 1)


@inlined
def remove_certain(rows: Ints, sizes: Sizes) -> tuple[int, int]:
    """Leave out cards that beat the threshold with any partner, then those without an edge.

    Returns the mask of the types left and how many cards beat it with any partner; the rows of the
    types left are cut to them.
    """
    ones, twos, fours = sizes
    present = ones | twos | fours
    single = ones & ~(twos | fours)
    certain = 0
    left = present
    while left:
        i = lowest_bit(left)
        left &= left - 1
        partners = present & ~(single & 1 << i)
        if rows[i] & ROW == partners and partners:
            certain |= 1 << i
    kept = 0
    left = present & ~certain
    left_edges = left | left << TYPES
    while left:
        i = lowest_bit(left)
        left &= left - 1
        rows[i] &= left_edges
        if rows[i]:
            kept |= 1 << i
    return kept, card_degree(certain, sizes)


@inlined
def normal_form(
    present: int, sizes: Sizes, rows: Ints, scratch: Ints, key: Ints, tags: npt.NDArray[np.int8]
) -> int:
    """Merge twins, order the types, write one word a type to ``key``; return how many there are.

    ``tags`` receives the card rank of each type, a hint for the order in which to solve. ``scratch``
    has the shape (``SCRATCH_ROWS``, ``TYPES``).
    """
    types, code, cards = scratch[0], scratch[1], scratch[2]
    count = 0
    kept = 0
    left = present
    while left:
        i = lowest_bit(left)
        left &= left - 1
        row = rows[i]
        inside = row >> i & (1 | 1 << TYPES)
        losses = card_degree(row & ROW, sizes) - (inside & 1)
        ties = card_degree(row >> TYPES, sizes) - (inside >> TYPES)
        degree = losses << 6 | ties
        several = size_of(i, sizes) > 1
        merged = False
        for slot in range(count):
            if code[slot] != degree:
                continue
            j = types[slot]
            pair = 1 << i | 1 << j
            if (row ^ rows[j]) & ~(pair | pair << TYPES):
                continue
            between = row >> j & (1 | 1 << TYPES)
            if several and inside != between:
                continue
            if cards[slot] > 1 and rows[j] >> j & (1 | 1 << TYPES) != between:
                continue
            rows[j] |= between << j
            cards[slot] += size_of(i, sizes)
            merged = True
            break
        if not merged:
            types[count] = i
            code[count] = degree
            cards[count] = size_of(i, sizes)
            kept |= 1 << i
            count += 1
    _order_types(count, kept, types, code, cards, rows, scratch, key, tags)
    return count


@inlined
def _order_types(
    count: int,
    kept: int,
    types: Ints,
    code: Ints,
    cards: Ints,
    rows: Ints,
    scratch: Ints,
    key: Ints,
    tags: npt.NDArray[np.int8],
) -> None:
    # A type's place follows from its own degrees, size and inner edges, then from its neighbours'.
    slot_of, place, order = scratch[3], scratch[4], scratch[5]
    for slot in range(count):
        i = types[slot]
        slot_of[i] = slot
        inside = rows[i] >> i & (1 | 1 << TYPES)
        code[slot] = (code[slot] * 64 + cards[slot]) * 4 + (inside & 1) + 2 * (inside >> TYPES)
    for slot in range(count):
        i = types[slot]
        around = 0
        row = rows[i] & (kept | kept << TYPES)
        loss = row & ROW
        while loss:
            j = lowest_bit(loss)
            loss &= loss - 1
            around += code[slot_of[j]] * code[slot_of[j]]
        tie = row >> TYPES
        while tie:
            j = lowest_bit(tie)
            tie &= tie - 1
            around += code[slot_of[j]] * 0x9E3779B1
        value = code[slot] << 40 | around & 0xFFFFFFFFFF
        at = slot
        while at > 0 and place[at - 1] < value:
            place[at] = place[at - 1]
            order[at] = order[at - 1]
            at -= 1
        place[at] = value
        order[at] = slot
    for at in range(count):
        slot_of[types[order[at]]] = at
    for at in range(count):
        slot = order[at]
        i = types[slot]
        word = cards[slot] << SIZE_SHIFT
        row = rows[i] & (kept | kept << TYPES)
        loss = row & ROW
        while loss:
            word |= 1 << slot_of[lowest_bit(loss)]
            loss &= loss - 1
        tie = row >> TYPES
        while tie:
            word |= 1 << (TYPES + slot_of[lowest_bit(tie)])
            tie &= tie - 1
        key[at] = word
        tags[at] = i % 13
