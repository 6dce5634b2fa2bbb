"""Give equal sequences of words one number: threat graphs, their cases, sets of winners.

Equality is that of the words, not of their hash: a collision costs another look, never an answer.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, inlined

Ints = npt.NDArray[np.int64]


class InternTable(NamedTuple):
    """Numbers of distinct sequences of int64 words: a hash table with open addressing.

    Attributes:
        slots: The hash table: entry + 1, or 0 where a slot is free, (2^n,).
        start: Entry ``e`` is ``words[start[e]:start[e + 1]]``.
        words: The words of all entries, one entry after another.
        used: The number of entries, (1,).
    """

    slots: Ints
    start: Ints
    words: Ints
    used: Ints


def new_intern_table(entries: int, words: int) -> InternTable:
    """Make a table that holds up to ``entries`` entries with ``words`` words together."""
    size = 1 << (2 * entries).bit_length()
    start = np.empty(entries + 1, np.int64)
    start[0] = 0
    slots = np.zeros(size, np.int64)
    return InternTable(slots, start, np.empty(words, np.int64), np.zeros(1, np.int64))


@inlined
def intern(table: InternTable, key: Ints, length: int) -> int:
    """Return the number of the entry equal to ``key[:length]``, which is added if it is new."""
    code = np.uint64(length)
    for i in range(length):
        code = (code ^ np.uint64(key[i])) * np.uint64(0x9E3779B97F4A7C15)
        code ^= code >> np.uint64(31)
    slots, start, words, used = table
    mask = slots.size - 1
    slot = np.int64(code) & mask
    while True:
        entry = int(slots[slot]) - 1
        if entry < 0:
            entry = int(used[0])
            begin = start[entry]
            for i in range(length):
                words[begin + i] = key[i]
            start[entry + 1] = begin + length
            used[0] = entry + 1
            slots[slot] = entry + 1
            return entry
        begin = start[entry]
        if start[entry + 1] - begin == length:
            same = True
            for i in range(length):
                if words[begin + i] != key[i]:
                    same = False
                    break
            if same:
                return entry
        slot = (slot + 1) & mask


@compiled
def copy_intern_table(source: InternTable, first: int, target: InternTable, numbers: Ints) -> None:
    """Add the entries of ``source`` from ``first`` on to ``target``; ``numbers`` receives theirs."""
    for entry in range(first, source.used[0]):
        begin, end = source.start[entry], source.start[entry + 1]
        numbers[entry - first] = intern(target, source.words[begin:end], end - begin)


def grown_intern_table(table: InternTable, entries: int, words: int) -> InternTable:
    """Return a table with the same entries and room for more, each of up to ``words`` words."""
    used = int(table.used[0])
    if used + entries < table.start.size:
        return table
    size = 2 * (used + entries)
    larger = new_intern_table(size, size * words)
    copy_intern_table(table, 0, larger, np.empty(used, np.int64))
    return larger
