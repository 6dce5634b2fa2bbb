"""Checks of cards in device memory.

CUDA C++ through CuPy: a loop over bytes and one bit mask per row. Not yet measured on a GPU.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuodds.backends.cuda.shared.device import launch
from gpuodds.backends.cuda.shared.layout import THREADS

NONE = (1 << 64) - 1


def find_repeated_card(cards: Any, more: Any) -> int:
    """Return the first row of ``cards`` that, with that of ``more``, holds a card twice, or -1.

    Both are CuPy arrays with as many rows, uint8, card numbers 0 to 51.
    """
    import cupy

    rows = len(cards)
    if rows == 0:
        return -1
    bad = cupy.asarray(np.array([NONE], np.uint64))
    more = cupy.ascontiguousarray(more)
    arguments = cards, np.int32(cards.shape[1]), more, np.int32(more.shape[1]), np.int64(rows), bad
    launch("shared/check_cards", "check_cards", rows, THREADS, arguments)
    row = int(bad[0])
    return -1 if row == NONE else row
