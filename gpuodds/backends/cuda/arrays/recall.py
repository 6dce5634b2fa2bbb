"""Numbers with perfect recall on the device: :mod:`gpuodds.games.holdem.recall`.

numba.cuda: the functions are those that are compiled for the CPU, one thread per number. Not yet
measured on a GPU.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numba import cuda, int64

from gpuodds.backends.cpu.arrays.canonical import FUNCTIONS
from gpuodds.backends.cpu.arrays.recall import FLOP, RECALL_FUNCTIONS, RIVER, recall_table
from gpuodds.backends.cpu.compile.code_cache import cached_by_numba
from gpuodds.backends.cpu.compile.jit import compile_together
from gpuodds.backends.cuda.arrays.canonical import THREADS, canonical_rows, canonical_situations, launch
from gpuodds.backends.cuda.shared.pieces import launches
from gpuodds.games.holdem import canonical
from gpuodds.games.shared.rules import HOLE_CARDS

MAX_ROWS = 1 << 24  # of a launch: see pieces.py

_compiled = compile_together(canonical.count_bits, *FUNCTIONS, *RECALL_FUNCTIONS)
descend, find_last, turn_place, river_place, turn_of, river_of = (
    _compiled[name]
    for name in ("descend", "find_last", "turn_place", "river_place", "turn_of", "river_of")
)


@partial(cached_by_numba, cuda.jit)
def add_places(hands: Any, boards: Any, size: int, offsets: Any, rows: Any) -> None:
    """Turn rows of flops (n,) into numbers of turns or rivers, of hands (n, 2) on boards (n, size)."""
    i = cuda.grid(1)
    if i >= rows.shape[0]:
        return
    ranks = cuda.local.array(4, int64)
    for suit in range(4):
        ranks[suit] = 0
    for place in range(FLOP):
        card = int64(boards[i, place])
        ranks[card & 3] |= int64(1) << (13 + (card >> 2))
    for place in range(HOLE_CARDS):
        card = int64(hands[i, place])
        ranks[card & 3] |= int64(1) << (card >> 2)
    suits = descend(ranks[0], ranks[1], ranks[2], ranks[3])
    turn = int64(boards[i, FLOP])
    own = ranks[turn & 3]
    rank = int64(1) << (turn >> 2)
    if size == RIVER:
        river = int64(boards[i, FLOP + 1])
        other = ranks[river & 3]
        last = int64(1) << (river >> 2)
        place = river_place(suits, own, rank, other, last, turn & 3 == river & 3)
    else:
        place = turn_place(suits, own, rank)
    rows[i] = offsets[rows[i]] + place


@partial(cached_by_numba, cuda.jit)
def find_flops(rows: Any, offsets: Any, flops: Any) -> None:
    """Write the row of the flop of each number, and leave in ``rows`` its place on the flop."""
    i = cuda.grid(1)
    if i >= rows.shape[0]:
        return
    row = find_last(offsets, rows[i])
    flops[i] = row
    rows[i] -= offsets[row]


@partial(cached_by_numba, cuda.jit)
def list_later_cards(hands: Any, flops: Any, places: Any, size: int, boards: Any) -> None:
    """Write boards (n, size) of canonical hands on canonical flops, and places of turns or rivers."""
    i = cuda.grid(1)
    if i >= places.shape[0]:
        return
    ranks = cuda.local.array(4, int64)
    for suit in range(4):
        ranks[suit] = 0
    for place in range(FLOP):
        card = int64(flops[i, place])
        boards[i, place] = card
        ranks[card & 3] |= int64(1) << (13 + (card >> 2))
    for place in range(HOLE_CARDS):
        card = int64(hands[i, place])
        ranks[card & 3] |= int64(1) << (card >> 2)
    suits = (ranks[0], ranks[1], ranks[2], ranks[3])
    if size == RIVER:
        both = river_of(suits, places[i])
        boards[i, FLOP] = (both >> 8 & 15) << 2 | both >> 12
        boards[i, FLOP + 1] = (both & 15) << 2 | both >> 4 & 15
    else:
        turn = turn_of(suits, places[i])
        boards[i, FLOP] = (turn & 15) << 2 | turn >> 4


def recall_rows(hands: Any, boards: Any) -> Any:
    """Return the numbers (n,) int64 of situations in CuPy arrays: see the operation."""
    import cupy

    size = boards.shape[1]
    boards = cupy.ascontiguousarray(boards)
    rows = canonical_rows(hands, cupy.ascontiguousarray(boards[:, :FLOP]))
    offsets = cupy.asarray(recall_table(size).offsets)
    for begin, end in launches(0, len(rows), MAX_ROWS):
        arguments = hands[begin:end], boards[begin:end], size, offsets, rows[begin:end]
        launch(add_places, THREADS, end - begin, arguments)
    return rows


def recalled_situations(rows: Any, size: int) -> tuple[Any, Any]:
    """Return the hands and boards of numbers in a CuPy array: see the operation."""
    import cupy

    places, flops = rows.copy(), cupy.zeros(len(rows), np.int64)
    boards = cupy.empty((len(rows), size), np.uint8)
    offsets = cupy.asarray(recall_table(size).offsets[:-1].copy())
    for begin, end in launches(0, len(rows), MAX_ROWS):
        arguments = places[begin:end], offsets, flops[begin:end]
        launch(find_flops, THREADS, end - begin, arguments)
    hands, of_flops = canonical_situations(flops, FLOP)
    of_flops = cupy.ascontiguousarray(of_flops)
    for begin, end in launches(0, len(rows), MAX_ROWS):
        piece = hands[begin:end], of_flops[begin:end], places[begin:end], size, boards[begin:end]
        launch(list_later_cards, THREADS, end - begin, piece)
    return hands, boards
