"""Rows of situations and situations of rows: :mod:`gpuodds.games.holdem.canonical`, compiled."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compile_together, compiled
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem import canonical
from gpuodds.games.shared.boards import canonical_boards, canonical_index

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

_compiled = compile_together(
    canonical.count_bits,
    canonical.descend,
    canonical.sort_suits,
    canonical.board_key,
    canonical.find_last,
    canonical.hand_sections,
    canonical.hand_number,
    canonical.lift,
    canonical.triangle,
    canonical.hand_of,
    canonical.canonical_row,
)
canonical_row = _compiled["canonical_row"]
board_key = _compiled["board_key"]
find_last = _compiled["find_last"]
hand_number = _compiled["hand_number"]
hand_of = _compiled["hand_of"]
sort_suits = _compiled["sort_suits"]


@compiled
def _find_rows(
    hands: UInt8s, boards: UInt8s, keys: Ints, offsets: Ints, rows: Ints, begin: int, end: int
) -> None:
    key = keys[0]
    first = offsets[0]
    for i in range(begin, end):
        hand = board = 0
        for place in range(2):
            hand |= 1 << int(16 * np.int64(hands[i, place] & 3) + np.int64(hands[i, place] >> 2))
        for place in range(boards.shape[1]):
            board |= 1 << int(16 * np.int64(boards[i, place] & 3) + np.int64(boards[i, place] >> 2))
        suits = sort_suits(hand, board)
        if board_key(suits) != key:  # many hands in turn may be on one board
            key = board_key(suits)
            first = offsets[find_last(keys, key)]
        rows[i] = first + hand_number(suits)


@compiled
def _fill_hands(
    rows: Ints, keys: Ints, offsets: Ints, hands: UInt8s, places: Ints, begin: int, end: int
) -> None:
    for i in range(begin, end):
        place = find_last(offsets, rows[i])
        places[i] = place
        left = hand_of(rows[i] - offsets[place], keys[place])
        column = 0
        for card in range(DECK_SIZE):
            if left >> (16 * (card & 3) + (card >> 2)) & 1:
                hands[i, column] = card
                column += 1


def canonical_rows(hands: UInt8s, boards: UInt8s) -> Ints:
    """Return the rows of situations: hands (n, 2) and boards (n, 0 to 5) uint8; nothing is checked."""
    keys, offsets = canonical_index(boards.shape[1])
    rows = np.empty(len(hands), np.int64)
    with thread_pool(thread_count()) as run:
        run(lambda begin, end: _find_rows(hands, boards, keys, offsets, rows, begin, end), len(hands))
    return rows


def canonical_situations(rows: Ints, size: int) -> tuple[UInt8s, UInt8s]:
    """Return the canonical situations of rows: hands (n, 2) and boards (n, size) uint8, ascending."""
    keys, offsets = canonical_index(size)
    hands = np.empty((len(rows), 2), np.uint8)
    places = np.empty(len(rows), np.int64)
    # The last offset is how many rows there are, not where a board begins.
    with thread_pool(thread_count()) as run:
        run(
            lambda begin, end: _fill_hands(rows, keys, offsets[:-1], hands, places, begin, end),
            len(rows),
        )
    return hands, canonical_boards(size)[0][places]
