"""A hand of Omaha against one random hand, on one board or many, on GPUs.

CUDA C++ through CuPy: cliques of a graph in bit masks, which the threads of a block share. Not yet
measured on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress, part_of
from gpuodds.backends.cuda.arrays.ranks import category_ends, packed_pairs
from gpuodds.backends.cuda.known_hands.spots import (
    WHOLE_DECK,
    Spots,
    card_set,
    count_runouts,
    list_classes,
    load_runouts,
)
from gpuodds.backends.cuda.omaha.ranks import packed_omaha_tables
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import CLASS_WORDS, CLIQUE_THREADS
from gpuodds.backends.cuda.shared.pieces import launches, share_out
from gpuodds.cards import DECK_SIZE, SUITS
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.hand_names import CATEGORIES
from gpuodds.games.shared.rules import BOARD_CARDS

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

ROWS, COLUMNS = 3, 4  # of the kernel's sums
ANY_LOW, NO_LOW, LOWER_LOW, UP_TO_LOW = range(COLUMNS)
MAX_CLASSES = {4: 1 << 16, 5: 1 << 14, 6: 1 << 11}  # of a launch, by hole cards: see pieces.py
ITEMS = 2048  # rank multisets of a piece, at most
CLASS_BYTES = 4 * CLASS_WORDS
_CARD_SETS = np.array([card_set([card]) for card in range(DECK_SIZE)], np.uint64)
MAX_BOARDS = 1024  # of a piece, each with some thousand classes at most
SHARE_OF_CLASSES = 0.8  # of the time, for the progress


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

        spots = _load_spots(hand, [board], dead)

        def work(begin: int, end: int) -> None:
            classes = _list_classes(spots, begin, end)
            sums = cupy.zeros(total.shape, np.uint64)
            _count_cliques(spots, classes, begin, hand, low, sums, by_class=False)
            on_host = cupy.asnumpy(sums).astype(np.int64)
            with lock:
                np.add(total, on_host, out=total)

        return work

    items = count_runouts(BOARD_CARDS - len(board))
    share_out(devices, items, start, lambda: ITEMS, progress)
    return arrange(total, low)


def count_on_boards(
    hand: Sequence[int],
    board: Sequence[int],
    dead: Sequence[int],
    boards: UInt8s,
    low: bool,
    progress: Progress | None,
    devices: Sequence[int],
) -> Ints:
    """Count how a hand fares on boards that have one in common, on some devices: see the operation.

    Each class of full boards is counted once; each board then adds up those that it can become.
    """
    alike = _alike_suits(hand, board, dead)
    parts: list[tuple[Ints, Ints]] = []

    def start_classes() -> Callable[[int, int], None]:
        import cupy

        spots, of_suit = _load_spots(hand, [board], dead), cupy.asarray(alike)

        def work(begin: int, end: int) -> None:
            classes = _list_classes(spots, begin, end)
            hands = cupy.zeros((len(classes), ROWS, COLUMNS), np.uint64)
            _count_cliques(spots, classes, begin, hand, low, hands, by_class=True)
            keys = _number_classes(spots, classes, begin, of_suit)
            parts.append((cupy.asnumpy(keys), cupy.asnumpy(hands)))

        return work

    items = count_runouts(BOARD_CARDS - len(board))
    share = part_of(progress, 0.0, SHARE_OF_CLASSES)
    share_out(devices, items, start_classes, lambda: ITEMS, share)
    keys = np.concatenate([part[0] for part in parts])
    order = np.argsort(keys)
    keys, hands = keys[order], np.concatenate([part[1] for part in parts])[order]
    counts = np.zeros((len(boards), ROWS, COLUMNS), np.int64)

    def start_boards() -> Callable[[int, int], None]:
        import cupy

        all_keys, all_hands, of_suit = map(cupy.asarray, (keys, hands, alike))

        def work(begin: int, end: int) -> None:
            spots = _load_spots(hand, boards[begin:end].tolist(), dead)
            classes = _list_classes(spots, 0, spots.items)
            of_class = _number_classes(spots, classes, 0, of_suit)
            places = cupy.searchsorted(all_keys, of_class).astype(np.int64)
            sums = cupy.zeros((end - begin, ROWS, COLUMNS), np.uint64)
            span = np.int64(0), np.int64(len(classes))
            given = spots.packed, classes, *span, places, all_hands, sums
            numbers = len(classes) * ROWS * COLUMNS
            device.launch("omaha/against_random", "add_omaha_classes", numbers, CLIQUE_THREADS, given)
            counts[begin:end] = cupy.asnumpy(sums).astype(np.int64)

        return work

    share = part_of(progress, SHARE_OF_CLASSES, 1 - SHARE_OF_CLASSES)
    share_out(devices, len(boards), start_boards, lambda: MAX_BOARDS, share)
    return arrange(counts, low)


def _list_classes(spots: Spots, begin: int, end: int) -> Any:
    return list_classes(spots, begin, end, device.free_bytes() // 4 // CLASS_BYTES)


def _count_cliques(
    spots: Spots, classes: Any, first: int, hand: Sequence[int], low: bool, sums: Any, *, by_class: bool
) -> None:
    """Add the hands that a hand meets on some classes of boards, of items from ``first`` on."""
    import cupy

    kernel = device.kernel("omaha/against_random", "count_omaha_cliques")
    cards = cupy.asarray(np.array(hand, np.uint8))
    for begin, end in launches(0, len(classes), MAX_CLASSES[len(hand)]):
        arguments = (
            *(spots.packed, classes[begin:end], np.int64(first), np.int64(end - begin)),
            *(cards, np.int32(len(hand)), packed_pairs(), packed_omaha_tables(), category_ends()),
            *(np.int32(low), np.int32(by_class), sums[begin:end] if by_class else sums),
        )
        blocks = device.grid(kernel, end - begin, CLIQUE_THREADS)
        kernel(blocks, (CLIQUE_THREADS,), arguments)


def _number_classes(spots: Spots, classes: Any, first: int, alike: Any) -> Any:
    """Return the numbers of classes of boards, of items from ``first`` on, (n,) int64."""
    import cupy

    keys = cupy.empty(len(classes), np.int64)
    given = spots.packed, classes, np.int64(first), np.int64(len(classes)), alike, keys
    file, kernel = "omaha/against_random", "number_omaha_classes"
    device.launch(file, kernel, len(classes), CLIQUE_THREADS, given)
    return keys


def _alike_suits(hand: Sequence[int], board: Sequence[int], dead: Sequence[int]) -> UInt8s:
    """Return for each suit the first that no card tells apart from it, and 4 for none of them."""
    cards = [
        [{card >> 2 for card in of if card & 3 == suit} for of in (hand, board, dead)]
        for suit in range(len(SUITS))
    ]
    return np.array([*map(cards.index, cards), len(SUITS)], np.uint8)


def _load_spots(hand: Sequence[int], boards: Sequence[Sequence[int]], dead: Sequence[int]) -> Spots:
    """Copy spots of one hand, of four cards or more, and boards of one size to the current device."""
    import cupy

    rows = np.array(boards, np.uint8).reshape(len(boards), -1)
    to_come = BOARD_CARDS - rows.shape[1]
    on_board = np.bitwise_or.reduce(_CARD_SETS[rows], axis=1)
    own, known = card_set(hand), card_set({*hand, *dead})
    undealt = ~on_board & np.uint64(WHOLE_DECK & ~known)
    hands = np.full((len(rows), 1), own, np.uint64)
    left = np.full(len(rows), DECK_SIZE - known.bit_count() - BOARD_CARDS, np.int32)
    return Spots(
        *(cupy.asarray(undealt), cupy.asarray(on_board), cupy.asarray(hands), cupy.asarray(left)),
        *(load_runouts(to_come), left, HOLDEM),
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
