"""Deals drawn at random on GPUs: see :mod:`gpuodds.games.shared.draws`.

CUDA C++ through CuPy: 32-bit multiplications and tables, as in the other kernels. Not yet measured on a
GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cuda.arrays.ranks import SEVEN, packed_sums, table_bytes
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import DRAWS, SAMPLE_THREADS
from gpuodds.backends.cuda.shared.pieces import launches, share_out
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.game import Holdem
from gpuodds.games.shared.draws import Draws, board_grid
from gpuodds.games.shared.rules import BOARD_CARDS

Ints = npt.NDArray[np.int64]

TABLES = tuple(name for name, code in DRAWS.fields.items() if code[0] == "*")  # of draws
DECK_BYTES = 52  # of each thread, and HAND_BYTES for each player with a range, in whole words
HAND_BYTES = 2
THREADS_WITHOUT_TABLE = 256  # of a block, where shared memory is too small for the table
MAX_SAMPLES = 1 << 30  # of a piece, whose counts are copied to the host
MAX_HANDS = 1 << 26  # of a launch, samples x players: see pieces.py; a block's counters have 32 bits


def _launch(
    name: str,
    samples: int,
    each: int,
    counters: int,
    before: tuple[Any, ...],
    after: tuple[Any, ...],
    game: Holdem,
) -> None:
    """Launch a kernel: a block a multiprocessor, or several where the table has no room.

    Args:
        name: The kernel.
        samples: How many samples it draws.
        each: Bytes of dynamic shared memory of each thread.
        counters: Bytes that a block has besides.
        before: The arguments before the table.
        after: Those after it.
        game: The game.
    """
    import cupy

    here = cupy.cuda.Device()
    file = f"sampling/{name}"
    kernel: Any = device.kernel(file, name)
    each = 4 * (-(-each // 4) | 1)  # an odd number of words keeps banks apart
    for threads in (SAMPLE_THREADS, SAMPLE_THREADS // 2):
        shared = table_bytes(here.id, file, name, SEVEN, game, each * threads + counters)
        if in_shared := shared > 0:
            blocks = max(1, min(-(-samples // threads), device.processors()))
            break
    else:
        threads = THREADS_WITHOUT_TABLE
        shared = each * threads + counters
        blocks = device.grid(kernel, -(-samples // threads), threads)[0]
    arguments = (*before, packed_sums(SEVEN, game), np.int32(in_shared), *after)
    kernel((blocks,), (threads,), arguments, shared_mem=shared)


def sample_deals(
    draws: Draws,
    opponents: int,
    board: Sequence[int],
    dead: Sequence[int],
    seed: int,
    begin: int,
    end: int,
    devices: Sequence[int],
    game: Holdem,
    folded: int,
) -> tuple[Ints, int]:
    """Draw samples on some devices: see the operation."""
    import cupy

    ranges = draws.players
    shape = ranges - folded, ranges - folded + opponents
    known = sum(1 << card for card in (*board, *dead, *game.missing))
    total = np.zeros(shape, np.int64)
    tuples = 0
    lock = Lock()

    def start() -> Callable[[int, int], None]:
        known_board = cupy.asarray(np.array([*board, 0], np.uint8))
        tables = tuple(cupy.asarray(getattr(draws, name)) for name in TABLES)
        spare = draws.leave_words(2 * opponents + BOARD_CARDS - len(board))

        def work(first: int, last: int) -> None:
            nonlocal tuples
            counts = cupy.zeros(shape, np.uint64)
            tried = cupy.zeros(1, np.uint64)
            for start_at, end_at in launches(begin + first, begin + last, MAX_HANDS // shape[1]):
                before = (
                    np.int64(start_at),
                    np.int64(end_at),
                    np.uint64(seed),
                    np.int32(ranges),
                    np.int32(folded),
                    np.int32(opponents),
                    known_board,
                    np.int32(len(board)),
                    np.uint64(known),
                    DRAWS.pack(*tables, len(draws.words), draws.blocks, spare),
                )
                each = DECK_BYTES + HAND_BYTES * ranges
                _launch("sample_deals", end_at - start_at, each, 0, before, (counts, tried), game)
            on_host = cupy.asnumpy(counts).astype(np.int64)
            with lock:
                total[:] += on_host
                tuples += int(tried[0])

        return work

    share_out(devices, end - begin, start, lambda: MAX_SAMPLES, None)
    return total, tuples


def sample_pairs(
    draws: Draws,
    opponents: int,
    board: Sequence[int],
    dead: Sequence[int],
    seed: int,
    begin: int,
    end: int,
    devices: Sequence[int],
    game: Holdem,
) -> Ints:
    """Draw pairs of deals on some devices: see the operation."""
    import cupy

    known_pairs = np.array(draws.hands, np.uint8)
    players = len(known_pairs) + opponents
    shape = len(known_pairs), players + 1, players + 1
    known = sum(1 << card for card in {*known_pairs.ravel().tolist(), *board, *dead, *game.missing})
    boards = comb(DECK_SIZE - known.bit_count(), BOARD_CARDS - len(board))
    columns, rows = board_grid(boards)
    total = np.zeros(shape, np.int64)
    lock = Lock()

    def start() -> Callable[[int, int], None]:
        cards, known_board = cupy.asarray(known_pairs), cupy.asarray(np.array([*board, 0], np.uint8))

        def work(first: int, last: int) -> None:
            counts = cupy.zeros(shape, np.uint64)
            for start_at, end_at in launches(begin + first, begin + last, MAX_HANDS // (2 * players)):
                before = (
                    np.int64(start_at),
                    np.int64(end_at),
                    np.uint64(seed),
                    cards,
                    np.int32(len(known_pairs)),
                    np.int32(opponents),
                    known_board,
                    np.int32(len(board)),
                    np.uint64(known),
                    np.int64(boards),
                    np.int32(columns),
                    np.int32(rows),
                )
                counters = 4 * total.size
                _launch(
                    "sample_pairs",
                    end_at - start_at,
                    DECK_BYTES,
                    counters,
                    before,
                    (counts,),
                    game,
                )
            on_host = cupy.asnumpy(counts).astype(np.int64)
            with lock:
                total[:] += on_host

        return work

    share_out(devices, end - begin, start, lambda: MAX_SAMPLES // 2, None)
    return total
