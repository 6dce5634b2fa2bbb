"""Count the runouts of each label that contain each set of cards: see the operation."""

from __future__ import annotations

from math import comb

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]


def choose_table(deck: int, size: int) -> Ints:
    """Return the binomials C(n, k) of n up to a deck and k up to a size, shape (n + 1, k + 1)."""
    return np.array([[comb(n, k) for k in range(size + 1)] for n in range(deck + 1)], np.int64)


def first_rows(deck: int, most: int) -> Ints:
    """Return where the sets of each size begin, and where they end: shape (most + 2,)."""
    return np.cumsum([0, *(comb(deck, size) for size in range(most + 1))]).astype(np.int64)


def count_subsets(labels: UInt8s, deck: int, size: int, most: int, kinds: int) -> Ints:
    """Count on the CPU: see the operation."""
    begins = first_rows(deck, most)
    counts = np.zeros((int(begins[-1]), kinds), np.int64)
    _add_subsets(labels, size, most, choose_table(deck, max(size, 1)), begins, counts)
    return counts


@compiled
def _add_subsets(
    labels: UInt8s, size: int, most: int, choose: Ints, begins: Ints, counts: Ints
) -> None:
    cards = np.arange(size)
    for number in range(len(labels)):
        label = labels[number]
        for subset in range(1 << size):
            row, length = np.int64(0), 0
            for place in range(size):
                if subset >> place & 1:
                    length += 1
                    row += choose[cards[place], length]
            if length <= most:
                counts[begins[length] + row, label] += 1
        # The next runout in colexicographic order: raise the first card that has room.
        place = 0
        while place < size - 1 and cards[place] + 1 == cards[place + 1]:
            cards[place] = place
            place += 1
        if size:
            cards[place] += 1
