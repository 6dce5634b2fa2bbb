"""Every holding against one random opponent, over all ways to fill a board up, on GPUs.

CUDA C++ through CuPy, a block a full board: all 1,326 ranks lie in shared memory, and each is compared
with all others. Not yet measured on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gpuodds.backends.cuda import device
from gpuodds.backends.cuda.pieces import share_out
from gpuodds.backends.cuda.ranks import packed_pairs, rank_tables
from gpuodds.games.holdem.boards import subsets
from gpuodds.games.holdem.combos import COMBOS
from gpuodds.games.holdem.rules import BOARD_CARDS
from gpuodds.games.holdem.streets import BINS, StreetCounts

DECK = 52
MOST_BOARDS = 1 << 14
MOST_BOARDS_IN_DETAIL = 1 << 10  # 0.3 MB each


def against_random(boards: Any, detail: bool, devices: Sequence[int]) -> StreetCounts:
    """Count how each holding fares on boards of three to five cards: see the protocol."""
    import cupy

    size = boards.shape[1]
    fillings = subsets(DECK - size, BOARD_CARDS - size)
    shape = len(boards), COMBOS
    wins, ties = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
    few = shape if detail else (0, COMBOS)
    squares, histogram = np.zeros(few, np.int64), np.zeros((*few, BINS), np.int32)

    def start() -> Callable[[int, int], None]:
        # No room is needed for no cards, but an array is.
        places = cupy.asarray(fillings if fillings.size else np.zeros((1, 1), np.uint8))
        count = device.kernel("against_random", "against_random")

        def work(begin: int, end: int) -> None:
            number = end - begin
            in_detail = number if detail else 1
            won, tied = cupy.zeros((2, number, COMBOS), np.int32)
            square = cupy.zeros((in_detail, COMBOS), np.uint64)
            bins = cupy.zeros((in_detail, COMBOS, BINS), np.int32)
            ways = len(fillings)
            arguments = (
                cupy.asarray(boards[begin:end]), np.int32(size), np.int64(number), places,
                np.int32(ways), packed_pairs(), *rank_tables(), np.int32(detail),
                won, tied, square, bins,
            )  # fmt: skip
            count(device.grid(number * ways, 1), (device.BLOCK,), arguments)
            wins[begin:end], ties[begin:end] = cupy.asnumpy(won), cupy.asnumpy(tied)
            if detail:
                squares[begin:end] = cupy.asnumpy(square).astype(np.int64)
                histogram[begin:end] = cupy.asnumpy(bins)

        return work

    most = MOST_BOARDS_IN_DETAIL if detail else MOST_BOARDS
    share_out(devices, len(boards), start, lambda: most, None)
    return StreetCounts(wins, ties, squares, histogram)
