"""Numbers with perfect recall, and their situations: :mod:`gpuodds.games.holdem.recall`, compiled."""

from __future__ import annotations

from functools import cache, partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.arrays.canonical import (
    BATCH,
    FUNCTIONS,
    ROW_BITS,
    BoardTable,
    board_table,
    canonical_rows,
    card_of,
    hand_of,
)
from gpuodds.backends.cpu.compile.jit import (
    compile_together,
    compiled,
    empty,
    inlined,
    lowest_bit,
    popcount,
)
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.games.holdem import recall
from gpuodds.games.shared.boards import canonical_boards, canonical_index

Ints = npt.NDArray[np.int64]
Int32s = npt.NDArray[np.int32]
UInt8s = npt.NDArray[np.uint8]

RECALL_FUNCTIONS = (
    recall.used_ranks,
    recall.free_ranks,
    recall.place_in_suit,
    recall.is_new,
    recall.has_more,
    recall.count_turns,
    recall.count_rivers_after,
    recall.count_rivers,
    recall.turn_place,
    recall.river_place,
    recall.turn_of,
    recall.river_of,
)
"""What each backend compiles after those of canonical situations."""

_compiled = compile_together(*FUNCTIONS, *RECALL_FUNCTIONS, count_bits=popcount)
descend, count_turns, count_rivers = (
    _compiled[name] for name in ("descend", "count_turns", "count_rivers")
)
turn_place, river_place, turn_of, river_of = (
    _compiled[name] for name in ("turn_place", "river_place", "turn_of", "river_of")
)

FLOP, RIVER = 3, 5  # cards


class RecallTable(NamedTuple):
    """Where the numbers of turns or rivers of each flop begin: :mod:`gpuodds.games.holdem.recall`.

    Attributes:
        offsets: The number of each row's first one, and of all, (1286793,).
        bits: Numbers of a bucket, as a power of two.
        first: The row of the first number of each bucket, int32.
    """

    offsets: Ints
    bits: int
    first: Int32s


@inlined
def _suits_of(key: int, hand: int) -> tuple[int, int, int, int]:
    """Return the ranks in each suit, board << 13 | hand, of a canonical board and a canonical hand."""
    return (
        (key >> 39) << 13 | hand & 0x1FFF,
        (key >> 26 & 0x1FFF) << 13 | hand >> 16 & 0x1FFF,
        (key >> 13 & 0x1FFF) << 13 | hand >> 32 & 0x1FFF,
        (key & 0x1FFF) << 13 | hand >> 48 & 0x1FFF,
    )


@compiled
def _count_later(table: BoardTable, river: bool, counts: Ints, begin: int, end: int) -> None:
    for board in range(begin, end):
        key = table.keys[board]
        last = table.offsets[board + 1] if board + 1 < table.offsets.size else counts.size
        for row in range(table.offsets[board], last):
            suits = _suits_of(key, hand_of(row - table.offsets[board], key))
            counts[row] = count_rivers(suits) if river else count_turns(suits)


@cache
def recall_table(size: int) -> RecallTable:
    """Return the table of turns (4) or rivers (5), made on the first call: in a tenth of a second."""
    table, rows = board_table(FLOP), canonical_index(FLOP)[1]
    offsets = np.zeros(rows[-1] + 1, np.int64)
    with thread_pool(thread_count()) as run:
        run(
            lambda begin, end: _count_later(table, size == RIVER, offsets[1:], begin, end),
            len(table.keys),
        )
    np.cumsum(offsets, out=offsets)
    bits = (int(offsets[-1]) // len(offsets)).bit_length()
    every = np.arange(0, offsets[-1], 1 << bits)
    first = (np.searchsorted(offsets, every, side="right") - 1).astype(np.int32)
    return RecallTable(offsets, bits, first)


@compiled
def _add_places(hands: UInt8s, boards: UInt8s, offsets: Ints, rows: Ints, begin: int, end: int) -> None:
    ranks, places = empty(4, np.int64), empty(end - begin, np.int32)
    for i in range(begin, end):
        ranks[:] = 0
        for place in range(FLOP):
            card = np.int64(boards[i, place])
            ranks[card & 3] |= 1 << (13 + (card >> 2))
        for place in range(2):
            card = np.int64(hands[i, place])
            ranks[card & 3] |= 1 << (card >> 2)
        suits = descend(ranks[0], ranks[1], ranks[2], ranks[3])
        turn = np.int64(boards[i, FLOP])
        own, rank = ranks[turn & 3], 1 << (turn >> 2)
        if boards.shape[1] == RIVER:
            river = np.int64(boards[i, FLOP + 1])
            other, last = ranks[river & 3], 1 << (river >> 2)
            place = river_place(suits, own, rank, other, last, turn & 3 == river & 3)
        else:
            place = turn_place(suits, own, rank)
        places[i - begin] = place
    for i in range(begin, end):
        rows[i] = offsets[rows[i]] + places[i - begin]


@compiled
def _fill_recalled(
    rows: Ints, table: BoardTable, begins: RecallTable, flops: UInt8s, hands: UInt8s, boards: UInt8s,
    begin: int, end: int,
) -> None:  # fmt: skip
    # In steps, so that the machine waits for many look-ups at once.
    of_flops, places = empty(BATCH, np.int64), empty(BATCH, np.int64)
    last, rivers = table.offsets.size - 1, boards.shape[1] == RIVER
    for start in range(begin, end, BATCH):
        size = min(BATCH, end - start)
        for i in range(size):
            of_flops[i] = begins.first[rows[start + i] >> begins.bits]
        for i in range(size):
            row = of_flops[i]
            while begins.offsets[row + 1] <= rows[start + i]:
                row += 1
            of_flops[i] = row
        for i in range(size):
            place = np.int64(table.first[of_flops[i] >> ROW_BITS])
            while place < last and table.offsets[place + 1] <= of_flops[i]:
                place += 1
            places[i] = place
        for i in range(size):
            row, place, at = of_flops[i], places[i], start + i
            left = rows[at] - begins.offsets[row]
            hand = hand_of(row - table.offsets[place], table.keys[place])
            one, other = card_of(lowest_bit(hand)), card_of(lowest_bit(hand & (hand - 1)))
            hands[at, 0], hands[at, 1] = min(one, other), max(one, other)
            for card in range(FLOP):
                boards[at, card] = flops[place, card]
            suits = _suits_of(table.keys[place], hand)
            if rivers:
                both = river_of(suits, left)
                boards[at, FLOP], boards[at, FLOP + 1] = card_of(both >> 8), card_of(both & 255)
            else:
                boards[at, FLOP] = card_of(turn_of(suits, left))


def recall_rows(hands: UInt8s, boards: UInt8s) -> Ints:
    """Return numbers with perfect recall: of hands (n, 2), flops, turns and rivers (n, 4 or 5)."""
    rows = canonical_rows(hands, boards[:, :FLOP])
    offsets = recall_table(boards.shape[1]).offsets
    with thread_pool(thread_count()) as run:
        run(lambda begin, end: _add_places(hands, boards, offsets, rows, begin, end), len(hands))
    return rows


def recalled_situations(rows: Ints, size: int) -> tuple[UInt8s, UInt8s]:
    """Return hands (n, 2) and boards (n, size), the flop ascending, of numbers with perfect recall."""
    table, begins, flops = board_table(FLOP), recall_table(size), canonical_boards(FLOP)[0]
    hands, boards = np.empty((len(rows), 2), np.uint8), np.empty((len(rows), size), np.uint8)
    fill = partial(_fill_recalled, rows, table, begins, flops, hands, boards)
    with thread_pool(thread_count()) as run:
        run(fill, len(rows))
    return hands, boards
