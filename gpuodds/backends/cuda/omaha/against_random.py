"""A hand of Omaha against one random hand, on GPUs.

CUDA C++ through CuPy: cliques of a graph in bit masks, which the threads of a block share. Not yet
measured on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.cuda.arrays.ranks import packed_pairs
from gpuodds.backends.cuda.known_hands.spots import (
    WHOLE_DECK,
    Spots,
    card_set,
    count_runouts,
    list_classes,
    load_runouts,
)
from gpuodds.backends.cuda.omaha.ranks import category_ends, packed_omaha_tables
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import CLIQUE_THREADS
from gpuodds.backends.cuda.shared.pieces import launches, share_out
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.hand_names import CATEGORIES
from gpuodds.games.shared.rules import BOARD_CARDS

Ints = npt.NDArray[np.int64]

ROWS, COLUMNS = 3, 4  # of the kernel's sums
ANY_LOW, NO_LOW, LOWER_LOW, UP_TO_LOW = range(COLUMNS)
MAX_CLASSES = {4: 1 << 16, 5: 1 << 14, 6: 1 << 11}  # of a launch, by hole cards: see pieces.py
ITEMS = 2048  # rank multisets of a piece, at most


def count_against_random(
    hand: Sequence[int],
    board: Sequence[int],
    dead: Sequence[int],
    low: bool,
    progress: Progress | None,
    devices: Sequence[int],
) -> Ints:
    """Count how a hand fares against one random hand, on some devices: see the operation."""
    total = np.zeros((len(CATEGORIES), ROWS, COLUMNS), np.int64)
    lock = Lock()

    def start() -> Callable[[int, int], None]:
        import cupy

        spots, cards = _load_spot(hand, board, dead), cupy.asarray(np.array(hand, np.uint8))

        def work(begin: int, end: int) -> None:
            classes = list_classes(spots, begin, end, device.free_bytes() // 4 // 16)
            sums = cupy.zeros(total.shape, np.uint64)
            kernel = device.kernel("omaha/against_random", "count_omaha_cliques")
            for first, last in launches(0, len(classes), MAX_CLASSES[len(hand)]):
                part = classes[first:last], np.int64(begin), np.int64(last - first)
                arguments = (
                    cards,
                    np.int32(len(hand)),
                    packed_pairs(),
                    packed_omaha_tables(),
                    category_ends(),
                    np.int32(low),
                )
                blocks = device.grid(kernel, last - first, CLIQUE_THREADS)
                kernel(blocks, (CLIQUE_THREADS,), (spots.packed, *part, *arguments, sums))
            on_host = cupy.asnumpy(sums).astype(np.int64)
            with lock:
                np.add(total, on_host, out=total)

        return work

    items = count_runouts(BOARD_CARDS - len(board))
    share_out(devices, items, start, lambda: ITEMS, progress)
    return arrange(total, low)


def _load_spot(hand: Sequence[int], board: Sequence[int], dead: Sequence[int]) -> Spots:
    """Copy the spot to the current device; its hand has four cards or more."""
    import cupy

    known = {*hand, *board, *dead}
    sets = np.array([WHOLE_DECK & ~card_set(known), card_set(board), card_set(hand)], np.uint64)
    undealt, on_board, hands = (cupy.asarray(sets[i : i + 1]) for i in range(3))
    cards = np.full(1, DECK_SIZE - len(known) - BOARD_CARDS + len(board), np.int32)
    runout_ranks = load_runouts(BOARD_CARDS - len(board))
    return Spots(
        undealt, on_board, hands.reshape(1, 1), cupy.asarray(cards), runout_ranks, cards, HOLDEM
    )


def arrange(sums: Ints, low: bool) -> Ints:
    """Return the operation's counts from the kernel's sums.

    Args:
        sums: Shape (..., 3, 4): random hands below a hand, not above it, all; by their lows.
        low: Whether the game has a low.

    Returns:
        Shape (..., 3, 4): who has the best high (hand, both, other) and the best low (neither, hand,
        both, other).
    """
    out = np.zeros_like(sums)
    if low:
        out[..., 0] = sums[..., NO_LOW]
        out[..., 1] = sums[..., LOWER_LOW]
        out[..., 2] = sums[..., UP_TO_LOW] - sums[..., LOWER_LOW]
        out[..., 3] = sums[..., ANY_LOW] - sums[..., NO_LOW] - sums[..., UP_TO_LOW]
    else:
        out[..., 0] = sums[..., ANY_LOW]
    return np.diff(out, axis=-2, prepend=0)
