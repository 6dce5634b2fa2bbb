"""Rows of situations and situations of rows on the device: :mod:`gpuodds.games.holdem.canonical`.

numba.cuda: the functions are those that are compiled for the CPU, one thread per row. Not yet measured
on a GPU.
"""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

import numpy as np
from numba import cuda, int64

from gpuodds.backends.cpu.arrays.canonical import FUNCTIONS
from gpuodds.backends.cpu.compile.code_cache import cached_by_numba
from gpuodds.backends.cpu.compile.jit import compile_together
from gpuodds.backends.cuda.shared.pieces import launches
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem import canonical
from gpuodds.games.shared.boards import canonical_boards, canonical_index
from gpuodds.games.shared.rules import HOLE_CARDS

THREADS = 128
MAX_ROWS = 1 << 24  # of a launch: see pieces.py

_compiled = compile_together(canonical.count_bits, *FUNCTIONS, canonical.canonical_row)
canonical_row, find_last = _compiled["canonical_row"], _compiled["find_last"]
hand_of = _compiled["hand_of"]

# A few situations make a small grid; numba's warning about it is not for users.
warnings.filterwarnings("ignore", message="Grid size .* under-utilization")


@partial(cached_by_numba, cuda.jit)
def number_situations(hands: Any, boards: Any, size: int, keys: Any, offsets: Any, rows: Any) -> None:
    """Write the rows (n,) int64 of hands (n, 2) on boards (n, size)."""
    i = cuda.grid(1)
    if i >= rows.shape[0]:
        return
    hand = int64(0)
    board = int64(0)
    for place in range(HOLE_CARDS):
        card = int64(hands[i, place])
        hand |= int64(1) << (16 * (card & 3) + (card >> 2))
    for place in range(size):
        card = int64(boards[i, place])
        board |= int64(1) << (16 * (card & 3) + (card >> 2))
    rows[i] = canonical_row(hand, board, keys, offsets)


@partial(cached_by_numba, cuda.jit)
def list_hands(rows: Any, keys: Any, offsets: Any, hands: Any, places: Any) -> None:
    """Write the canonical hands (n, 2) of rows, and at which of the canonical boards they are."""
    i = cuda.grid(1)
    if i >= rows.shape[0]:
        return
    place = find_last(offsets, rows[i])
    places[i] = place
    left = hand_of(rows[i] - offsets[place], keys[place])
    listed = 0
    for card in range(DECK_SIZE):
        if left >> (16 * (card & 3) + (card >> 2)) & 1:
            hands[i, listed] = card
            listed += 1


def launch(kernel: Any, threads: int, items: int, arguments: tuple[Any, ...]) -> None:
    """Launch a numba.cuda kernel, one thread per item, on CuPy's current device and stream."""
    import cupy

    pointer = cupy.cuda.get_current_stream().ptr
    with cuda.gpus[cupy.cuda.Device().id]:
        stream = cuda.external_stream(pointer) if pointer else 0
        kernel[-(-items // threads), threads, stream](*arguments)


def canonical_rows(hands: Any, boards: Any) -> Any:
    """Return the rows (n,) int64 of situations in CuPy arrays: see the operation."""
    import cupy

    size = boards.shape[1]
    rows = cupy.empty(len(hands), np.int64)
    if len(hands):
        if size == 0:
            boards = cupy.zeros((len(hands), 1), np.uint8)
        keys, offsets = (cupy.asarray(array) for array in canonical_index(size))
        boards = cupy.ascontiguousarray(boards)
        for begin, end in launches(0, len(hands), MAX_ROWS):
            arguments = hands[begin:end], boards[begin:end], size, keys, offsets, rows[begin:end]
            launch(number_situations, THREADS, end - begin, arguments)
    return rows


def canonical_situations(rows: Any, size: int) -> tuple[Any, Any]:
    """Return the hands and boards of rows in a CuPy array: see the operation."""
    import cupy

    hands = cupy.empty((len(rows), HOLE_CARDS), np.uint8)
    places = cupy.zeros(len(rows), np.int64)
    keys, offsets = canonical_index(size)
    if len(rows):
        begins = cupy.asarray(offsets[:-1].copy())
        on_device = cupy.asarray(keys)
        for begin, end in launches(0, len(rows), MAX_ROWS):
            out = hands[begin:end], places[begin:end]
            launch(list_hands, THREADS, end - begin, (rows[begin:end], on_device, begins, *out))
    return hands, cupy.asarray(canonical_boards(size)[0])[places]
