"""Boards in a random order on the CPU: see :mod:`gpuodds.games.shared.draws` for the order."""

from __future__ import annotations

from functools import cache
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, inlined
from gpuodds.backends.cpu.shared.random_words import HALF, LOW
from gpuodds.cards import DECK_SIZE
from gpuodds.games.shared.draws import ORDER_FACTORS, ORDER_ROUNDS
from gpuodds.games.shared.rules import BOARD_CARDS

Ints = npt.NDArray[np.int64]
UInt64s = npt.NDArray[np.uint64]
UInt8s = npt.NDArray[np.uint8]

FACTORS = tuple(np.uint64(factor) for factor in ORDER_FACTORS)
FOLD = np.uint64(16)
ONE = np.uint64(1)
SHIFTS = (0, 0, 0, 3, 6, 9)  # by the size of a subset


class Subsets(NamedTuple):
    """What finds a subset of places by its number in colexicographic order.

    Attributes:
        choose: Shape (6, 53), uint64: binomial coefficients, [size, count].
        tops: uint8: the highest place of a subset, or a lower one, by its number without its last bits.
        begins: Shape (6,), int64: where in ``tops`` each size of subsets begins.
        shifts: Shape (6,), uint64: how many bits each size leaves out.
    """

    choose: UInt64s
    tops: UInt8s
    begins: Ints
    shifts: UInt64s


@cache
def subsets() -> Subsets:
    """Return the tables for subsets of a deck."""
    sizes, cards = range(BOARD_CARDS + 1), range(DECK_SIZE + 1)
    choose = np.array([[comb(count, size) for count in cards] for size in sizes], np.uint64)
    numbers = (np.arange(0, choose[size, -1], 1 << SHIFTS[size]) for size in sizes)
    tops = [
        np.searchsorted(row, number, "right") - 1 for row, number in zip(choose, numbers, strict=True)
    ]
    begins = np.cumsum([0, *map(len, tops)])[:-1]
    shifts = np.array(SHIFTS, np.uint64)
    return Subsets(choose, np.concatenate(tops).astype(np.uint8), begins.astype(np.int64), shifts)


@inlined
def _moved(number: Any, by: Any, key: Any, below: Any) -> Any:
    """Return ``number`` plus one that looks random and is a function of ``by``, modulo ``below``."""
    mixed = by * FACTORS[0] + key & LOW
    mixed = (mixed ^ mixed >> FOLD) * FACTORS[1] & LOW
    moved = number + (mixed * below >> HALF)
    return moved - below if moved >= below else moved


@inlined
def _shuffled(across: Any, down: Any, columns: Any, rows: Any, keys: Any) -> tuple[Any, Any]:
    """Return where the rounds of a Feistel network put a place of the grid."""
    for turn in range(0, ORDER_ROUNDS, 2):
        across = _moved(across, down, keys[turn], columns)
        down = _moved(down, across, keys[turn + 1], rows)
    return across, down


@compiled
def number_boards(
    begin: int, size: int, boards: int, columns: int, rows: int, keys: Any, words: UInt64s
) -> None:
    """Write the numbers of the boards of the pairs from ``begin`` on into row 0, with rows 1 and 2."""
    numbers, across, down = words[0], words[1], words[2]
    turn = begin % boards
    x, y = turn % columns, turn // columns
    for i in range(size):
        across[i], down[i] = x, y
        turn += 1
        x += 1
        if x == columns:
            x = 0
            y += 1
        if turn == boards:
            turn = x = y = 0
    width, height, count = np.uint64(columns), np.uint64(rows), np.uint64(boards)
    for i in range(numbers.size):
        across[i], down[i] = _shuffled(across[i], down[i], width, height, keys)
        numbers[i] = down[i] * width + across[i]
    for i in range(size):
        while numbers[i] >= count:
            across[i], down[i] = _shuffled(across[i], down[i], width, height, keys)
            numbers[i] = down[i] * width + across[i]


@compiled
def lay_boards(
    numbers: UInt64s, size: int, to_come: int, cards: int, tables: Subsets,
    decks: UInt8s, dealt: UInt8s, row: int,
) -> None:  # fmt: skip
    """Lay boards into the rows from ``row`` on, and decks of ``cards`` cards without theirs.

    A card is its place in a deck that nothing has left.
    """
    for at in range(cards):
        laid, card = decks[at], np.uint8(at)
        for i in range(laid.size):
            laid[i] = card
    for place in range(to_come):
        wanted = to_come - place
        choose, shift = tables.choose[wanted], tables.shifts[wanted]
        tops = tables.tops[tables.begins[wanted] :]
        last, card = decks[cards - 1 - place], dealt[row + place]
        for i in range(size):
            number = numbers[i]
            top = np.uint64(tops[number >> shift])
            top += np.uint64(choose[top + ONE] <= number)  # this far without a branch
            while choose[top + ONE] <= number:
                top += ONE
            numbers[i] = number - choose[top]
            card[i] = top
            decks[top, i] = last[i]
