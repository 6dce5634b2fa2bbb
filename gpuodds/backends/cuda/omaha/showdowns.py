"""Omaha hands of two players against each other, on GPUs: known ranges, and all hands before the flop.

CUDA C++ through CuPy: a block sorts the hands of a board and keeps its sums in shared memory. Weights
are 0 and 1. Not yet measured on a GPU.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import OmahaCounts, Progress
from gpuodds.backends.cuda.arrays.ranks import packed_pairs
from gpuodds.backends.cuda.omaha.against_random import (
    ANY_LOW,
    COLUMNS,
    LOWER_LOW,
    NO_LOW,
    ROWS,
    UP_TO_LOW,
    arrange,
)
from gpuodds.backends.cuda.omaha.ranks import category_ends, packed_omaha_tables
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import OMAHA_RANGES, OMAHA_THREADS
from gpuodds.backends.cuda.shared.pieces import Work, launches, share_out
from gpuodds.cards import DECK_SIZE
from gpuodds.games.omaha.combos import combo_cards, combo_numbers, renamed_cards
from gpuodds.games.shared.combos import SUIT_NAMES
from gpuodds.games.shared.hand_names import CATEGORIES
from gpuodds.games.shared.rules import BOARD_CARDS

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
UInt64s = npt.NDArray[np.uint64]

CARD_BITS = 6  # of a hand's word: its cards, then who may hold it
BELOW, UP_TO, ALL_HIGHS = range(ROWS)
MAX_HANDS = 1 << 30  # boards x hands of a launch, for four cards and no lows: see pieces.py
SWEEPS = 5  # over the hands of a board, on average, if lows count
LAUNCHES = 8  # of a piece, after which work can be stopped
MAX_BY_CATEGORY = 1 << 22  # hands that are counted by category: 1.8 GB, with lows 7.2 GB


class HandList(NamedTuple):
    """The hands of two players, each once.

    Attributes:
        words: (n,) uint64: the cards, ascending, six bits each; then two bits, who may hold the hand.
        hole_cards: Cards of a hand, 4 to 6.
        heroes: 1 or 2: of how many players to count hands.
    """

    words: UInt64s
    hole_cards: int
    heroes: int


def can_count(hole_cards: int, low: bool) -> bool:
    """Return whether the kernels count a game: a hand of six cards has no bits for its low."""
    return hole_cards < 6 or not low


def can_keep(hands: Sequence[UInt8s], made_hands: bool) -> bool:
    """Return whether there is memory for the counts of hands, by category if ``made_hands``."""
    return not made_hands or sum(map(len, hands)) <= MAX_BY_CATEGORY


def count_showdowns(
    hands: Sequence[UInt8s],
    boards: UInt8s,
    times: Ints,
    low: bool,
    made_hands: bool,
    progress: Progress | None,
    devices: Sequence[int],
) -> OmahaCounts:
    """Count two players' hands, all of weight 1, on some devices: see the operation."""
    size = hands[0].shape[1]
    numbers = [combo_numbers(own) for own in hands]
    different, first, places = np.unique(
        np.concatenate(numbers), return_index=True, return_inverse=True
    )
    split = len(hands[0])
    members = np.zeros(len(different), np.uint64)
    members[places[:split]] |= np.uint64(1)
    members[places[split:]] |= np.uint64(2)
    listed = HandList(_words(np.concatenate(hands)[first], members), size, 2)
    by_category = count_boards(listed, boards, times, low, progress, devices, made_hands)
    counts = by_category.sum(axis=0)
    own = counts[places[:split], 0], counts[places[split:], 1]
    made = [_made_columns(by_category[:, :, player]) for player in range(2)] if made_hands else None
    return OmahaCounts([_share_columns(player, low) for player in own], made)


def count_preflop(
    hands: UInt8s,
    low: bool,
    boards: UInt8s,
    times: npt.NDArray[np.uint16],
    progress: Progress | None,
    devices: Sequence[int],
) -> Ints:
    """Count hands against one random hand before the flop, on some devices: see the operation.

    All hands are counted on boards that differ by more than the names of suits. A hand's counts on
    these and all that are like them are the average of what its renamings count.

    Args:
        hands: Shape (n, 4 to 6).
        low: Whether the best low hand takes half of the pot.
        boards: Boards of which no two are alike but for the suits, (m, 5).
        times: How many boards are like each, (m,).
        progress: Called with the fraction done.
        devices: Device numbers.
    """
    size = hands.shape[1]
    cards = combo_cards(size)
    every = HandList(_words(cards, np.full(len(cards), 3, np.uint64)), size, 1)
    counts = count_boards(every, boards, times.astype(np.int64), low, progress, devices)[0, :, 0]
    total = np.zeros((len(hands), *counts.shape[1:]), np.int64)
    for renaming in range(len(SUIT_NAMES)):
        total += counts[combo_numbers(renamed_cards(hands, renaming))]
    out = np.zeros((len(hands), ROWS, COLUMNS), np.int64)
    out[..., : counts.shape[-1]] = total // len(SUIT_NAMES)
    return arrange(out, low)


def _words(cards: UInt8s, members: UInt64s) -> UInt64s:
    size = cards.shape[1]
    shifts = CARD_BITS * np.arange(size, dtype=np.uint64)
    packed: UInt64s = (cards.astype(np.uint64) << shifts).sum(axis=1, dtype=np.uint64)
    return packed | members << np.uint64(CARD_BITS * size)


def count_boards(
    hands: HandList,
    boards: UInt8s,
    times: Ints,
    low: bool,
    progress: Progress | None,
    devices: Sequence[int],
    made_hands: bool = False,
) -> Ints:
    """Count what hands meet on boards.

    Returns:
        Shape (9 or, without made hands, 1; n, heroes, 3, 4 or, without lows, 1), int64: by the category
        of the hand's high the rows and columns of ``kernels/omaha/counts.cuh``, for the hands of each
        player.
    """
    boards, times = np.ascontiguousarray(boards), times.astype(np.int64)
    categories = len(CATEGORIES) if made_hands else 1
    shape = categories, len(hands.words), hands.heroes, ROWS, COLUMNS if low else 1
    total = np.zeros(shape, np.int64)
    if 0 in (len(hands.words), len(boards)):
        return total
    # A set more for each card, and as many more hands' sums to read.
    work = len(hands.words) * (SWEEPS if low else 1) << 2 * (hands.hole_cards - 4)
    step = max(1, MAX_HANDS // work)
    lock = Lock()

    def start() -> Work:
        import cupy

        words, counts = cupy.asarray(hands.words), cupy.zeros(shape, np.uint64)

        def count(begin: int, end: int) -> None:
            _launch(hands, words, boards[begin:end], times[begin:end], step, counts)

        def finish() -> None:
            on_host = cupy.asnumpy(counts).view(np.int64)
            with lock:
                np.add(total, on_host, out=total)

        return Work(count, finish)

    def max_boards() -> int:
        return LAUNCHES * max(step, device.processors())

    share_out(devices, len(boards), start, max_boards, progress)
    return total


def _launch(hands: HandList, words: Any, boards: UInt8s, times: Ints, step: int, counts: Any) -> None:
    """Add the counts of some boards on the current device, ``step`` in a launch if these fill it."""
    import cupy

    many = hands.hole_cards > 4
    kernel = device.kernel("omaha/showdowns", "count_omaha_many" if many else "count_omaha_four")
    sets = sum(comb(DECK_SIZE - BOARD_CARDS, size) for size in range(hands.hole_cards)) if many else 0
    fitting = device.free_bytes() // 2 // (8 * (len(words) + sets))
    blocks = min(device.grid(kernel, len(boards), OMAHA_THREADS)[0], max(1, fitting))
    scratch = [cupy.empty((blocks, len(words)), np.uint64)]
    if many:
        scratch += [cupy.empty((blocks, sets), np.uint64)]
    rows, factors = cupy.asarray(boards), cupy.asarray(times)
    ends = category_ends() if len(counts) > 1 else cupy.empty(0, np.int32)
    for begin, end in launches(0, len(boards), max(step, blocks)):
        sizes = end - begin, len(words), hands.heroes, counts.shape[-1]
        ranges = OMAHA_RANGES.pack(rows[begin:end], factors[begin:end], words, ends, *sizes)
        tables = packed_pairs(), packed_omaha_tables()
        arguments: tuple[Any, ...] = ranges, *tables, *scratch, counts
        if many:
            arguments = (
                ranges, np.int32(hands.hole_cards), *tables, *scratch, np.int64(sets), counts
            )  # fmt: skip
        kernel((min(blocks, end - begin),), (OMAHA_THREADS,), arguments)
        if end < len(boards):  # so that a long count can be interrupted
            cupy.cuda.get_current_stream().synchronize()


def _made_columns(counts: Ints) -> npt.NDArray[Any]:
    """Return deals won, tied and all, (9, 3) Python integers, from counts (9, n, 3, columns)."""
    deals = counts[..., ANY_LOW]
    high, low = (deals >> 32).sum(axis=1), (deals & 0xFFFFFFFF).sum(axis=1)
    below, up_to, dealt = ((high.astype(object) << 32) + low).T
    return np.stack([below, up_to - below, dealt], axis=1)


def _share_columns(counts: Ints, low: bool) -> Ints:
    """Return the columns of ``OmahaShowdowns`` from counts (n, 3, 4 or 1)."""
    below, up_to, dealt = (counts[:, row] for row in range(ROWS))
    wins, ties = below[:, ANY_LOW], up_to[:, ANY_LOW] - below[:, ANY_LOW]
    if not low:
        return np.stack([wins, ties, dealt[:, ANY_LOW]], axis=1)
    plain_wins, plain_ties = below[:, NO_LOW], up_to[:, NO_LOW] - below[:, NO_LOW]
    # The other player wins both: a better high, and a better low or, against no low, any.
    beaten = dealt[:, ANY_LOW] - up_to[:, ANY_LOW] - dealt[:, UP_TO_LOW] + up_to[:, UP_TO_LOW]
    columns = (
        *(plain_wins, plain_ties, wins - plain_wins, ties - plain_ties),
        *(dealt[:, LOWER_LOW], dealt[:, UP_TO_LOW] - dealt[:, LOWER_LOW]),
        *(below[:, NO_LOW] + below[:, LOWER_LOW], beaten, dealt[:, ANY_LOW]),
    )
    return np.stack(columns, axis=1)
