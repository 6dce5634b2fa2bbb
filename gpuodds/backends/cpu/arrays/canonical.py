"""Rows of situations and situations of rows: :mod:`gpuodds.games.holdem.canonical`, compiled."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import (
    compile_together,
    compiled,
    empty,
    inlined,
    lowest_bit,
    popcount,
)
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.games.holdem import canonical
from gpuodds.games.shared.boards import canonical_boards, canonical_index

Ints = npt.NDArray[np.int64]
Int32s = npt.NDArray[np.int32]
UInt8s = npt.NDArray[np.uint8]

FUNCTIONS = (
    canonical.descend,
    canonical.sort_suits,
    canonical.board_key,
    canonical.find_last,
    canonical.hand_sections,
    canonical.hand_number,
    canonical.lift,
    canonical.triangle,
    canonical.hand_of,
)
"""What each backend compiles, after a function that counts bits."""

_compiled = compile_together(*FUNCTIONS, count_bits=popcount)
board_key = _compiled["board_key"]
hand_number = _compiled["hand_number"]
hand_of = _compiled["hand_of"]
sort_suits = _compiled["sort_suits"]

BATCH = 128  # rows
ROW_BITS = 10  # rows of a bucket, as a power of two
FIBONACCI = np.uint64(0x9E3779B97F4A7C15)


class BoardTable(NamedTuple):
    """The canonical boards of a size by key and by row.

    Attributes:
        by_key: A hash table with open addressing, shape (2^n, 2): a board's key, -1 in a free slot, and
            the row of its first hand.
        shift: What shifts a product of 64 bits to a slot.
        keys: The boards' keys, (boards,).
        offsets: The row of each board's first hand, (boards,).
        first: The place of the board of each 1,024th row, (rows / 1024,), int32.
    """

    by_key: Ints
    shift: np.uint64
    keys: Ints
    offsets: Ints
    first: Int32s


@inlined
def _slot(key: int, shift: np.uint64) -> Any:
    return np.uint64(key) * FIBONACCI >> shift


@compiled
def _enter(keys: Ints, offsets: Ints, shift: np.uint64, by_key: Ints) -> None:
    last = np.uint64(by_key.shape[0] - 1)
    for place in range(keys.size):
        slot = _slot(keys[place], shift)
        while by_key[slot, 0] >= 0:
            slot = slot + np.uint64(1) & last
        by_key[slot, 0], by_key[slot, 1] = keys[place], offsets[place]


@cache
def board_table(size: int) -> BoardTable:
    """Return the table of the boards of a size, made on the first call: in 10 ms for five cards."""
    keys, offsets = canonical_index(size)
    bits = (2 * len(keys) - 1).bit_length()
    by_key, shift = np.full((1 << bits, 2), -1, np.int64), np.uint64(64 - bits)
    _enter(keys, offsets, shift, by_key)
    every = np.arange(0, offsets[-1], 1 << ROW_BITS)
    first = (np.searchsorted(offsets[:-1], every, side="right") - 1).astype(np.int32)
    return BoardTable(by_key, shift, keys, offsets[:-1].copy(), first)


@inlined
def _first_row(key: int, table: BoardTable) -> int:
    """Return the row of the first hand on the board of a key, which is one."""
    slot, last = _slot(key, table.shift), np.uint64(table.by_key.shape[0] - 1)
    while table.by_key[slot, 0] != key:
        slot = slot + np.uint64(1) & last
    return int(table.by_key[slot, 1])


@compiled
def _find_rows(
    hands: UInt8s, boards: UInt8s, table: BoardTable, rows: Ints, begin: int, end: int
) -> None:
    # In steps, so that the machine waits for many look-ups at once.
    suits, keys = empty((4, BATCH), np.int64), empty(BATCH, np.int64)
    for start in range(begin, end, BATCH):
        size = min(BATCH, end - start)
        for i in range(size):
            hand = board = np.int64(0)
            for place in range(2):
                card = np.int64(hands[start + i, place])
                hand |= 1 << (16 * (card & 3) + (card >> 2))
            for place in range(boards.shape[1]):
                card = np.int64(boards[start + i, place])
                board |= 1 << (16 * (card & 3) + (card >> 2))
            of_suits = sort_suits(hand, board)
            suits[0, i], suits[1, i], suits[2, i], suits[3, i] = of_suits
            keys[i] = board_key(of_suits)
        for i in range(size):
            rows[start + i] = _first_row(keys[i], table)
        for i in range(size):
            rows[start + i] += hand_number((suits[0, i], suits[1, i], suits[2, i], suits[3, i]))


@inlined
def card_of(bit: int) -> int:
    """Return the number of a card by its bit in a mask of 16 bits per suit."""
    return (bit & 15) << 2 | bit >> 4


@compiled
def _fill_hands(
    rows: Ints, table: BoardTable, hands: UInt8s, places: Ints, begin: int, end: int
) -> None:
    last = table.offsets.size - 1
    for i in range(begin, end):
        place = np.int64(table.first[rows[i] >> ROW_BITS])
        while place < last and table.offsets[place + 1] <= rows[i]:
            place += 1
        places[i] = place
        left = hand_of(rows[i] - table.offsets[place], table.keys[place])
        one, other = card_of(lowest_bit(left)), card_of(lowest_bit(left & (left - 1)))
        hands[i, 0], hands[i, 1] = min(one, other), max(one, other)


def canonical_rows(hands: UInt8s, boards: UInt8s) -> Ints:
    """Return the rows of situations: hands (n, 2) and boards (n, 0 to 5) uint8; nothing is checked."""
    table = board_table(boards.shape[1])
    rows = np.empty(len(hands), np.int64)
    with thread_pool(thread_count()) as run:
        run(lambda begin, end: _find_rows(hands, boards, table, rows, begin, end), len(hands))
    return rows


def canonical_situations(rows: Ints, size: int) -> tuple[UInt8s, UInt8s]:
    """Return the canonical situations of rows: hands (n, 2) and boards (n, size) uint8, ascending."""
    table = board_table(size)
    hands = np.empty((len(rows), 2), np.uint8)
    places = np.empty(len(rows), np.int64)
    with thread_pool(thread_count()) as run:
        run(lambda begin, end: _fill_hands(rows, table, hands, places, begin, end), len(rows))
    return hands, canonical_boards(size)[0][places]
