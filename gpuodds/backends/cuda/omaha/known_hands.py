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
ROWS = 1 << 12  # of a piece


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


def count_rows(
    hands: UInt8s,
    boards: UInt8s,
    dead: UInt8s,
    low: bool,
    progress: Progress | None,
    devices: Sequence[int],
) -> npt.NDArray[np.int32]:
    """Count full boards of rows on some devices: see the operation. Each row is a launch or more."""
    rows, players, hole_cards = hands.shape
    known = np.concatenate([hands.reshape(rows, -1), boards, dead], axis=1)
    is_left = np.ones((rows, DECK_SIZE), bool)
    is_left[np.arange(rows)[:, None], known] = False
    deck = np.nonzero(is_left)[1].reshape(rows, DECK_SIZE - known.shape[1]).astype(np.uint8)
    to_come, cards = BOARD_CARDS - boards.shape[1], deck.shape[1]
    out = np.empty((rows, 1 << players if low else 1, 1 << players), np.int32)

    def start() -> Callable[[int, int], None]:
        import cupy

        def work(begin: int, end: int) -> None:
            given = (cupy.asarray(part[begin:end]) for part in (hands, boards, deck))
            sums = cupy.zeros((end - begin, *out.shape[1:]), np.uint64)
            for held, lying, left, total in zip(*given, sums, strict=True):
                for first, last in launches(0, comb(cards, to_come), MAX_HANDS // players):
                    arguments = (
                        *(held, np.int32(players), np.int32(hole_cards)),
                        *(lying, np.int32(BOARD_CARDS - to_come), left, np.int32(cards)),
                        *(np.int64(first), np.int64(last - first)),
                        *(packed_omaha_tables(), np.int32(low), total),
                    )
                    device.launch(
                        "omaha/known_hands", "count_omaha_hands", last - first, THREADS, arguments
                    )
            out[begin:end] = cupy.asnumpy(sums)

        return work

    share_out(devices, rows, start, lambda: ROWS, progress)
    return out
