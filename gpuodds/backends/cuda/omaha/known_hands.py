"""Known hands of Omaha against each other, on GPUs: a thread takes a full board.

CUDA C++ through CuPy. Not yet measured on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from threading import Lock

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.cuda.omaha.ranks import packed_omaha_tables
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import THREADS
from gpuodds.backends.cuda.shared.pieces import launches, share_out
from gpuodds.cards import DECK_SIZE
from gpuodds.games.shared.rules import BOARD_CARDS

UInt8s = npt.NDArray[np.uint8]

MAX_HANDS = 1 << 26  # of a launch, boards x players: see pieces.py


def count_known_hands(
    hands: UInt8s,
    board: Sequence[int],
    dead: Sequence[int],
    low: bool,
    progress: Progress | None,
    devices: Sequence[int],
) -> dict[tuple[int, int], int]:
    """Count full boards on some devices: see the operation."""
    players, hole_cards = hands.shape
    known = {*hands.ravel().tolist(), *board, *dead}
    deck = [card for card in range(DECK_SIZE) if card not in known]
    masks = 1 << players
    total = np.zeros((masks if low else 1, masks), np.int64)
    lock = Lock()

    def start() -> Callable[[int, int], None]:
        import cupy

        cards, lying, left = (cupy.asarray(np.array(part, np.uint8)) for part in (hands, board, deck))
        given = (
            *(cards, np.int32(players), np.int32(hole_cards)),
            *(lying, np.int32(len(board)), left, np.int32(len(deck))),
        )

        def work(begin: int, end: int) -> None:
            sums = cupy.zeros(total.shape, np.uint64)
            for first, last in launches(begin, end, MAX_HANDS // players):
                span = np.int64(first), np.int64(last - first)
                arguments = (*given, *span, packed_omaha_tables(), np.int32(low), sums)
                device.launch(
                    "omaha/known_hands", "count_omaha_hands", last - first, THREADS, arguments
                )
            on_host = cupy.asnumpy(sums).astype(np.int64)
            with lock:
                np.add(total, on_host, out=total)

        return work

    boards = comb(len(deck), BOARD_CARDS - len(board))
    share_out(devices, boards, start, lambda: boards, progress)
    return {(high, of_low): int(total[of_low, high]) for of_low, high in np.argwhere(total).tolist()}
