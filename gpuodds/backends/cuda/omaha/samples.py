"""Deals of Omaha drawn at random on GPUs: see :mod:`gpuodds.games.omaha.draws`.

Not yet measured on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cuda.omaha.ranks import packed_omaha_tables
from gpuodds.backends.cuda.sampling.samples import DECK_BYTES, MAX_SAMPLES
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import OMAHA_DRAWS, OMAHA_GAME, OMAHA_SAMPLE_THREADS
from gpuodds.backends.cuda.shared.pieces import launches, share_out
from gpuodds.games.omaha.draws import OmahaDraws, OmahaSamples

Ints = npt.NDArray[np.int64]

MAX_OMAHA_HANDS = 1 << 26  # of a launch, samples x players: see pieces.py


def sample_omaha(
    draws: OmahaDraws,
    opponents: int,
    board: Sequence[int],
    dead: Sequence[int],
    seed: int,
    begin: int,
    end: int,
    low: bool,
    folded: int,
    devices: Sequence[int],
) -> tuple[OmahaSamples, int]:
    """Draw samples on some devices: see the operation."""
    import cupy

    ranges, size = draws.players, draws.hole_cards
    named = ranges - folded
    players = named + opponents
    shape = named, players + 1, players + 2 if low else 1
    known = sum(1 << card for card in {*board, *dead})
    total, shared, tried = (np.zeros(of, np.int64) for of in (shape, (named, players), 2))
    lock = Lock()

    def start() -> Callable[[int, int], None]:
        known_board = cupy.asarray(np.array([*board, 0], np.uint8))
        tables = tuple(cupy.asarray(table) for table in draws[:4])
        launched: Any = device.kernel("omaha/samples", f"sample_omaha_{size}")
        # An odd number of words keeps banks apart.
        each = 4 * ((DECK_BYTES + size * ranges + 3) // 4 | 1)

        def work(first: int, last: int) -> None:
            game = OMAHA_GAME.pack(known_board, known, seed, ranges, folded, opponents, len(board), low)
            packed = OMAHA_DRAWS.pack(*tables)
            counts = tuple(cupy.zeros(part.shape, np.uint64) for part in (total, shared, tried))
            for start_at, end_at in launches(begin + first, begin + last, MAX_OMAHA_HANDS // players):
                span = np.int64(start_at), np.int64(end_at)
                arguments = *span, game, packed, packed_omaha_tables(), *counts
                blocks = device.grid(
                    launched,
                    -(-(end_at - start_at) // OMAHA_SAMPLE_THREADS),
                    OMAHA_SAMPLE_THREADS,
                )
                launched(
                    blocks, (OMAHA_SAMPLE_THREADS,), arguments, shared_mem=each * OMAHA_SAMPLE_THREADS
                )
            on_host = [cupy.asnumpy(part).astype(np.int64) for part in counts]
            with lock:
                for part, more in zip((total, shared, tried), on_host, strict=True):
                    part += more

        return work

    share_out(devices, end - begin, start, lambda: MAX_SAMPLES, None)
    high = total.sum(axis=2)[:, 1:]
    if not low:
        return OmahaSamples(high, total[:, :0, :0], shared[:, :0]), int(tried[0])
    # Deals in which a player has no share: those without a low, and the others.
    total[:, 0, 0] = tried[1] - total[:, :, 0].sum(axis=1)
    total[:, 0, 1] = end - begin - total.sum(axis=(1, 2))
    return OmahaSamples(high, total, shared), int(tried[0])
