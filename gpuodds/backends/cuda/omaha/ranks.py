"""Hand ranks of Omaha on a GPU, high and low, and the tables that its kernels share.

CUDA C++ through CuPy: the look-ups are a header that kernels share. Not yet measured on a GPU.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cuda.arrays.ranks import rank_tables
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import OMAHA_TABLES, THREADS
from gpuodds.backends.cuda.shared.pieces import launches
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.omaha.low_ranks import best_lows
from gpuodds.games.omaha.plain_ranks import plain_ranks

UInt8s = npt.NDArray[np.uint8]
UInt16s = npt.NDArray[np.uint16]

MAX_HANDS = 1 << 27  # of a launch: see pieces.py


def _tables() -> tuple[UInt16s, UInt8s]:
    return plain_ranks(), best_lows()


def packed_omaha_tables() -> Any:
    """Return the tables that rank hands of Omaha as the argument of a kernel."""
    step, _, _, _, flush = rank_tables(HOLDEM)
    return OMAHA_TABLES.pack(step, flush, *device.kept_arrays(_tables))


def rank_omaha_hands(hands: Any, boards: Any) -> Any:
    """Return the hand rank of each hand on its board.

    Args:
        hands: CuPy array (n, 4..6) uint8, card numbers.
        boards: CuPy array (n, 3..5) uint8, card numbers; nothing is checked.

    Returns:
        CuPy array (n,) uint16.
    """
    return _launch("rank_omaha", hands, boards, np.uint16)


def low_ranks(hands: Any, boards: Any) -> Any:
    """Return the low rank of each hand on its board, 0 for none: as :func:`rank_omaha_hands`, uint8."""
    return _launch("rank_omaha_lows", hands, boards, np.uint8)


def _launch(name: str, hands: Any, boards: Any, dtype: Any) -> Any:
    import cupy

    hands = cupy.ascontiguousarray(hands, np.uint8)
    boards = cupy.ascontiguousarray(boards, np.uint8)
    (count, hole_cards), size = hands.shape, boards.shape[1]
    ranks = cupy.empty(count, dtype)
    for begin, end in launches(0, count, MAX_HANDS):
        cards = hands[begin:end], np.int32(hole_cards), boards[begin:end], np.int32(size)
        arguments = (*cards, np.int64(end - begin), packed_omaha_tables(), ranks[begin:end])
        device.launch("omaha/ranks", name, end - begin, THREADS, arguments)
    return ranks
