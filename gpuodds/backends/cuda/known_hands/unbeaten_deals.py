"""Deals in which no opponent beats a hand, for many hands, on devices."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.cuda.known_hands.spots import count_runouts, pack_spots
from gpuodds.backends.cuda.known_hands.sums import close_groups
from gpuodds.backends.cuda.known_hands.worker import Worker, max_items
from gpuodds.backends.cuda.shared.pieces import Work, share_out, working_on
from gpuodds.games.holdem.game import Holdem
from gpuodds.games.shared.rules import BOARD_CARDS
from gpuodds.spots.arrays import device_of, is_on_device

Ints = npt.NDArray[np.int64]
UInt64s = npt.NDArray[np.uint64]

MAX_TERMS = 1 << 34  # that close_sums adds for one group a spot


def unbeaten_deals(
    hands: Any,
    boards: Any,
    most: int,
    game: Holdem,
    progress: Progress | None,
    devices: Sequence[int],
) -> UInt64s:
    """Count deals: see :class:`gpuodds.backends.operations.known_hands.UnbeatenDeals`."""
    import cupy

    count, size = boards.shape
    shape = (count, most, most + 1, 2)
    here = is_on_device(hands)
    devices = (device_of(hands),) if here else devices
    out: UInt64s
    with working_on(devices[0]):
        out = cupy.empty(shape, np.uint64) if here else np.empty(shape, np.uint64)
    per_spot = count_runouts(BOARD_CARDS - size)

    def start() -> Work:
        worker = Worker(most)

        def work(begin: int, end: int) -> None:
            def receive(first: int, last: int, groups: Ints, sums: Any) -> None:
                closed = close_groups(first, last, groups, sums, most)
                out[begin + first : begin + last] = closed if here else cupy.asnumpy(closed)

            given = (hands[begin:end, None], boards[begin:end], boards[begin:end, :0])
            one, board, dead = (cupy.ascontiguousarray(cupy.asarray(cards)) for cards in given)
            spots = pack_spots(one, board, dead, game)
            worker.add_items(spots, 0, spots.items, receive)

        return Work(work, worker.finish)

    def max_spots() -> int:
        terms = comb(most + 2, 2) * most * (most + 1)  # edges and ties; entries of a spot
        fitting = max_items(most, size, 1) // per_spot
        return max(1, min(fitting, MAX_TERMS // terms))

    share_out(devices, count, start, max_spots, progress)
    return out
