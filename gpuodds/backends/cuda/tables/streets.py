"""Every combo against one random combo, over all runouts of boards, on GPUs.

CUDA C++ through CuPy: a block compares the combos of a full board in shared memory. Not yet measured
on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gpuodds.backends.cuda.arrays.ranks import packed_pairs, packed_tables
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import THREADS
from gpuodds.backends.cuda.shared.pieces import launches, share_out
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.game import Holdem
from gpuodds.games.holdem.streets import BINS, StreetCounts
from gpuodds.games.shared.boards import subsets
from gpuodds.games.shared.rules import BOARD_CARDS, COMBOS

MAX_FULL_BOARDS = 1 << 18  # of a launch, boards x runouts; at least the runouts of one board
ITEMS_PER_BLOCK = 4  # so that blocks end at about the same time
MAX_BOARDS = 1 << 14  # of a batch
MAX_BOARDS_IN_DETAIL = 1 << 10  # 0.3 MB each


def against_random(boards: Any, detail: bool, devices: Sequence[int], game: Holdem) -> StreetCounts:
    """Count how each combo fares on boards of three to five cards: see the operation."""
    import cupy

    size = boards.shape[1]
    runouts = subsets(DECK_SIZE - len(game.missing) - size, BOARD_CARDS - size)
    missing = np.uint64(sum(1 << card for card in game.missing))
    shape = len(boards), COMBOS
    wins, ties = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
    few = shape if detail else (0, COMBOS)
    squares, histogram = np.zeros(few, np.int64), np.zeros((*few, BINS), np.int32)

    def start() -> Callable[[int, int], None]:
        # A full board has one runout of no cards; the kernel still takes an array.
        places = cupy.asarray(runouts if runouts.size else np.zeros((1, 1), np.uint8))
        count = device.kernel("tables/against_random", "against_random")

        def work(begin: int, end: int) -> None:
            number = end - begin
            in_detail = number if detail else 1
            won, tied = cupy.zeros((2, number, COMBOS), np.int32)
            square = cupy.zeros((in_detail, COMBOS), np.uint64)
            bins = cupy.zeros((in_detail, COMBOS, BINS), np.int32)
            num_runouts = len(runouts)
            on_device = cupy.asarray(boards[begin:end])
            # As many runouts an item as leave every block that can run at once some items.
            most = ITEMS_PER_BLOCK * device.resident_blocks(count, THREADS)
            for first, end_board in launches(0, number, MAX_FULL_BOARDS // num_runouts):
                some = slice(first, end_board)
                fine = some if detail else slice(None)
                share = max(1, (end_board - first) * num_runouts // most)
                arguments = (
                    on_device[some], np.int32(size), np.int64(end_board - first), places,
                    np.int32(num_runouts), np.int32(share), packed_pairs(), packed_tables(game),
                    missing, np.int32(detail), won[some], tied[some], square[fine], bins[fine],
                )  # fmt: skip
                count(((end_board - first) * -(-num_runouts // share),), (THREADS,), arguments)
            wins[begin:end], ties[begin:end] = cupy.asnumpy(won), cupy.asnumpy(tied)
            if detail:
                squares[begin:end] = cupy.asnumpy(square).astype(np.int64)
                histogram[begin:end] = cupy.asnumpy(bins)

        return work

    max_boards = MAX_BOARDS_IN_DETAIL if detail else MAX_BOARDS
    share_out(devices, len(boards), start, lambda: max_boards, None)
    return StreetCounts(wins, ties, squares, histogram)
