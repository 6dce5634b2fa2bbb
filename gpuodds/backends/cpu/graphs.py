"""Bring threat graphs to a normal form and number the distinct ones.

Two board classes with the same normal form have the same matchings, so each distinct graph is solved
once. Normal form here means: cards that no opponent can use to do harm are left out, cards that do
harm with any partner are counted and left out, types that behave alike are merged, and the rest is
put in an order that depends on the graph alone. The order is not always unique for a graph; that
costs a second solution of the same graph now and then, never a wrong one.

A graph is stored as one int64 a type: loss row (bits 0 to 25), tie row (26 to 51), size (52 to 57).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.jit import compiled, inlined, lowest_bit, popcount
from gpuodds.backends.cpu.threats import ROW, TYPES, Sizes

Ints = npt.NDArray[np.int64]

SIZE_SHIFT = 2 * TYPES


class Registry(NamedTuple):
    """Numbers the distinct sequences of int64 words it is shown: an open-addressing hash table.

    Entry ``e`` is ``words[start[e]:start[e + 1]]``; ``used[0]`` entries are held. ``slots`` holds
    entry + 1, 0 for free.
    """

    slots: Ints
    start: Ints
    words: Ints
    used: Ints


def new_registry(entries: int, words: int) -> Registry:
    """Make a registry with room for so many entries and words."""
    size = 1 << (2 * entries).bit_length()
    start = np.empty(entries + 1, np.int64)
    start[0] = 0
    slots = np.zeros(size, np.int64)
    return Registry(slots, start, np.empty(words, np.int64), np.zeros(1, np.int64))


@inlined
def register(registry: Registry, key: Ints, length: int) -> int:
    """Return the number of the entry equal to ``key[:length]``, entering it first if it is new."""
    code = np.uint64(length)
    for i in range(length):
        code = (code ^ np.uint64(key[i])) * np.uint64(0x9E3779B97F4A7C15)
        code ^= code >> np.uint64(31)
    mask = registry.slots.size - 1
    slot = np.int64(code) & mask
    while True:
        entry = registry.slots[slot] - 1
        if entry < 0:
            entry = registry.used[0]
            begin = registry.start[entry]
            for i in range(length):
                registry.words[begin + i] = key[i]
            registry.start[entry + 1] = begin + length
            registry.used[0] = entry + 1
            registry.slots[slot] = entry + 1
            return entry
        begin = registry.start[entry]
        if registry.start[entry + 1] - begin == length:
            same = True
            for i in range(length):
                if registry.words[begin + i] != key[i]:
                    same = False
                    break
            if same:
                return entry
        slot = (slot + 1) & mask


@compiled
def copy_registry(source: Registry, target: Registry, numbers: Ints) -> None:
    """Enter all of ``source`` into ``target``; ``numbers`` receives each entry's number there."""
    for entry in range(source.used[0]):
        begin, end = source.start[entry], source.start[entry + 1]
        numbers[entry] = register(target, source.words[begin:end], end - begin)


@inlined
def card_degree(row: int, sizes: Sizes) -> int:
    """Count the cards in the types of ``row``."""
    ones, twos, fours = sizes
    return popcount(row & ones) + 2 * popcount(row & twos) + 4 * popcount(row & fours)


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
        others = present & ~(single & 1 << i)
        if rows[i] & ROW == others and others:
            certain |= 1 << i
    kept = 0
    left = present & ~certain
    both = left | left << TYPES
    while left:
        i = lowest_bit(left)
        left &= left - 1
        rows[i] &= both
        if rows[i]:
            kept |= 1 << i
    return kept, card_degree(certain, sizes)


@inlined
def normal_form(present: int, sizes: Sizes, rows: Ints, key: Ints, tags: npt.NDArray[np.int8]) -> int:
    """Merge twins, order the types, write one word a type to ``key``; return how many there are.

    ``tags`` receives the card rank of each type, a hint for the order in which to solve.
    """
    types = np.empty(TYPES, np.int64)
    code = np.empty(TYPES, np.int64)
    cards = np.empty(TYPES, np.int64)
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
    _order_types(count, kept, types, code, cards, rows, key, tags)
    return count


@inlined
def _order_types(
    count: int,
    kept: int,
    types: Ints,
    code: Ints,
    cards: Ints,
    rows: Ints,
    key: Ints,
    tags: npt.NDArray[np.int8],
) -> None:
    # A type's place follows from its own degrees, size and inner edges, then from its neighbours'.
    slot_of = np.empty(TYPES, np.int64)
    place = np.empty(TYPES, np.int64)
    order = np.empty(TYPES, np.int64)
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
