"""Know board classes by a key: spots of one known hand meet most threat graphs again and again.

The graph of a class follows from the ranks on the board, the ranks of the hole cards, and where a flush
is possible the ranks on the board and the hole cards that are of its suit; nothing else is known. So
hands that differ only in suits that do not matter share their graphs, on one flop and from one to the
next, and a look-up in place of the graph's normal form takes a tenth of the time.

Keys stand in a hash table with open addressing: an array of shape (slots, 2), 2^n slots, of a key, or 0
where it is free, and what it stands for. At most half of the slots are taken.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.boards import COMPLETION, FLUSH_RANKS, NO_SUIT, SUIT, BoardScan
from gpuodds.backends.cpu.jit import compiled, inlined

Ints = npt.NDArray[np.int64]

# A key: how many cards of each rank are on the board, in three bits a rank; then these.
HOLE_SHIFT = 39  # the ranks of the two hole cards, four bits each
FLUSH_SHIFT = 47  # the ranks on the board of the flush suit, a mask, or 0 if no flush is possible
HELD_SHIFT = 60  # whether each hole card is of the flush suit, two bits


def new_keys(slots: int = 2) -> Ints:
    """Make a table of 2^n slots, all free."""
    return np.zeros((slots, 2), np.int64)


def make_room(keys: Ints, count: int) -> Ints:
    """Return a table with the same keys that has room for ``count`` of them."""
    if 2 * count <= len(keys):
        return keys
    larger = new_keys(1 << (2 * count - 1).bit_length())
    copy_keys(keys, larger)
    return larger


@inlined
def slot_of_key(keys: Ints, key: int) -> int:
    """Return the slot of a key: where it stands, or the free one where it belongs."""
    mask = len(keys) - 1
    slot = np.int64(np.uint64(key) * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(32)) & mask
    while keys[slot, 0] != key and keys[slot, 0] != 0:
        slot = (slot + 1) & mask
    return int(slot)


@compiled
def list_keys(scan: BoardScan, classes: Ints, out: Ints) -> None:
    """Write the key of each board class of a spot with one known hand."""
    board, completions, hole_ranks, hands = scan.board, scan.completions, scan.hole_ranks, scan.hands
    one, two = hole_ranks[0, 0], hole_ranks[0, 1]
    given = one << HOLE_SHIFT | two << HOLE_SHIFT + 4
    for suit in range(4):
        for rank in range(13):
            given += (board[suit] >> rank & 1) << 3 * rank
    for c in range(classes.shape[1]):
        key = given
        for i in range(completions.shape[1]):
            key += 1 << 3 * completions[classes[COMPLETION, c], i]
        suit = classes[SUIT, c]
        if suit != NO_SUIT:
            held = (hands[0, suit] >> one & 1) + 2 * (hands[0, suit] >> two & 1)
            key += classes[FLUSH_RANKS, c] << FLUSH_SHIFT | held << HELD_SHIFT
        out[c] = key


@compiled
def copy_keys(source: Ints, target: Ints) -> int:
    """Enter all keys of a table in another one, which has room; return how many are new there."""
    new = 0
    for row in range(len(source)):
        key = source[row, 0]
        if key:
            slot = slot_of_key(target, key)
            new += target[slot, 0] == 0
            target[slot, 0], target[slot, 1] = key, source[row, 1]
    return new
