"""Known hands against each other on many boards, on devices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.cuda.arrays.ranks import packed_tables
from gpuodds.backends.cuda.known_hands.spots import SPOT_THREADS, pack_spots
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.pieces import launches, share_out, working_on
from gpuodds.games.holdem.game import Holdem
from gpuodds.spots.arrays import device_of, is_on_device

Ints = npt.NDArray[np.int64]

RESULTS = 1 << 22  # sums of a piece, each for a row and a set of winners
MAX_ITEMS = 1 << 24  # of a launch, some hundred instructions each


def count_hands(
    hands: Any,
    boards: Any,
    dead: Any,
    game: Holdem,
    progress: Progress | None,
    devices: Sequence[int],
) -> Ints:
    """Count boards: see :class:`gpuodds.backends.operations.known_hands.HandsVersusHands`."""
    import cupy

    here = is_on_device(hands)
    devices = (device_of(hands),) if here else devices
    results = (1 << hands.shape[1]) - 1
    kind: Any = np.int64 if hands.shape[1] == 2 else np.int32
    out: Ints
    with working_on(devices[0]):
        out = (cupy if here else np).empty((len(hands), results), kind)

    def start() -> Any:
        def work(begin: int, end: int) -> None:
            given = (hands[begin:end], boards[begin:end], dead[begin:end])
            pairs, board, out_of_play = (cupy.ascontiguousarray(cupy.asarray(cards)) for cards in given)
            spots = pack_spots(pairs, board, out_of_play, game)
            sums = cupy.zeros((end - begin, results), np.uint64)
            for first, last in launches(0, spots.items, MAX_ITEMS):
                span = np.int64(first), np.int64(last - first)
                device.launch(
                    "known_hands/winners",
                    "sum_winners",
                    last - first,
                    SPOT_THREADS,
                    (spots.packed, packed_tables(game), *span, sums),
                )
            counts = sums.astype(kind)
            out[begin:end] = counts if here else cupy.asnumpy(counts)

        return work

    share_out(devices, len(hands), start, lambda: RESULTS // results, progress)
    return out
