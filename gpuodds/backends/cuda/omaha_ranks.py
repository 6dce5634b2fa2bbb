"""Hand ranks of Omaha on a GPU, high and low, and the tables that its kernels share.

CUDA C++ through CuPy: the look-ups are a header that kernels share. Not yet measured on a GPU.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.boards import rank_multisets
from gpuodds.backends.cpu.omaha.ranks import PAIRS, TWO_CARDS
from gpuodds.backends.cuda import device
from gpuodds.backends.cuda.layout import OMAHA_TABLES, THREADS
from gpuodds.backends.cuda.pieces import launches
from gpuodds.backends.cuda.ranks import rank_tables
from gpuodds.games.holdem.hand_ranks import FIVE_CARDS, SIX_CARDS, hand_rank_tables
from gpuodds.games.omaha.low_ranks import best_lows

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
UInt16s = npt.NDArray[np.uint16]

THREE_CARDS = TWO_CARDS + PAIRS  # the automaton's first state with three cards
MAX_HANDS = 1 << 27  # of a launch: see pieces.py


def pair_ranks() -> UInt16s:
    """Return the rank of every two ranks of hole cards on every board, flushes left aside.

    Returns:
        Shape (8450, 91), uint16: by the state of the board's three to five ranks, less THREE_CARDS, and
        the number b(b + 1)/2 + a of two ranks a <= b. Entries for a fifth card of a rank mean nothing.
    """
    step, rank_5 = hand_rank_tables().step, hand_rank_tables().rank_5
    found = np.zeros((SIX_CARDS - THREE_CARDS, PAIRS), np.uint16)
    low, high = rank_multisets(2).T
    number = high * (high + 1) // 2 + low
    three = _states(rank_multisets(3))[:, None]
    five = step[step[three, low], high].astype(np.int64)
    found[three - THREE_CARDS, number] = np.where(five > 0, rank_5[np.maximum(five - FIVE_CARDS, 0)], 0)
    for size in (4, 5):
        boards = rank_multisets(size)
        boards = boards[_states(boards) > 0]  # five of a rank have no state
        rows = np.zeros((len(boards), PAIRS), np.uint16)
        for left_out in range(size):
            fewer = _states(np.delete(boards, left_out, axis=1)) - THREE_CARDS
            np.maximum(rows, found[fewer], out=rows)
        found[_states(boards) - THREE_CARDS] = rows
    return found


def _states(boards: Ints) -> Ints:
    """Return the automaton's states of multisets of ranks."""
    step = hand_rank_tables().step
    states = np.zeros(len(boards), np.int64)
    for ranks in boards.T:
        states = step[states, ranks].astype(np.int64)
    return states


def _tables() -> tuple[UInt16s, UInt8s]:
    return pair_ranks(), best_lows()


def packed_omaha_tables() -> Any:
    """Return the tables that rank hands of Omaha as the argument of a kernel."""
    step, _, _, _, flush = rank_tables()
    plain, lows = device.kept_arrays(_tables)
    # Kernels count boards from the first of five cards.
    return OMAHA_TABLES.pack(step, flush, plain[FIVE_CARDS - THREE_CARDS :], lows)


def rank_hands(hands: Any, boards: Any) -> Any:
    """Return the hand rank of each hand on its board.

    Args:
        hands: CuPy array (n, 4..6) uint8, card numbers.
        boards: CuPy array (n, 3..5) uint8, card numbers; nothing is checked.

    Returns:
        CuPy array (n,) uint16.
    """
    return _launch("rank_omaha", hands, boards, np.uint16)


def low_ranks(hands: Any, boards: Any) -> Any:
    """Return the low rank of each hand on its board, 0 for none: as :func:`rank_hands`, uint8."""
    return _launch("rank_omaha_lows", hands, boards, np.uint8)


def _launch(name: str, hands: Any, boards: Any, dtype: Any) -> Any:
    import cupy

    hands = cupy.ascontiguousarray(hands, np.uint8)
    boards = cupy.ascontiguousarray(boards, np.uint8)
    (count, hole_cards), size = hands.shape, boards.shape[1]
    ranks = cupy.empty(count, dtype)
    for begin, end in launches(0, count, MAX_HANDS):
        cards = hands[begin:end], np.int32(hole_cards), boards[begin:end], np.int32(size)
        given = (*cards, np.int64(end - begin), packed_omaha_tables(), ranks[begin:end])
        device.launch("omaha_ranks", name, end - begin, THREADS, given)
    return ranks
