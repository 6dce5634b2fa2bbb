"""Omaha hands of three players against each other, on GPUs.

CUDA C++ through CuPy: a block takes a board and a part of the first player's hands. Not yet measured on
a GPU.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.cuda.arrays.ranks import packed_pairs
from gpuodds.backends.cuda.omaha.ranks import packed_omaha_tables
from gpuodds.backends.cuda.omaha.showdowns import PARTS, SWEEPS, kind_of, list_hands, new_scratch
from gpuodds.backends.cuda.omaha.weights import (
    are_all_one,
    from_parts,
    in_units,
    product_bits,
    whole_numbers,
)
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import OMAHA_THREADS, OMAHA_THREE
from gpuodds.backends.cuda.shared.pieces import Work, launches, share_out

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

PLAYERS = 3
MASKS = 1 << PLAYERS
WORDS_OF_SETS = {"four": 0, "many": 1, "weighted": 1}  # in device memory, by kind of kernel
ITEMS = 2048  # boards x parts, a few for each block that a device runs at once
MAX_PARTS = 1024  # so that sums of the low halves of counts stay below 2^64
# Hands that a block goes through for an item; for those of a launch and of a piece: see pieces.py.
MAX_ITEM, MAX_LAUNCH, MAX_PIECE = 1 << 24, 1 << 28, 1 << 32


def count_three_players(
    hands: Sequence[UInt8s],
    weights: Sequence[Floats],
    boards: UInt8s,
    times: Ints,
    low: bool,
    progress: Progress | None,
    devices: Sequence[int],
) -> dict[tuple[int, int], Any]:
    """Count three players' hands by who is best, on some devices: see the operation."""
    if 0 in (len(boards), *map(len, hands)):
        return {}
    # The first player's hands are taken one by one; the third's are added to sums, which costs less
    # than to look them up for the second's.
    order = sorted(range(PLAYERS), key=lambda player: len(hands[player]))
    in_order = [hands[player] for player in order]
    units, bits = None, [0] * PLAYERS
    if not are_all_one(weights):
        units, bits = in_units([weights[player] for player in order])
    listed = list_hands(in_order, units)
    boards, times = np.ascontiguousarray(boards), times.astype(np.int64)
    firsts = listed.places[0].astype(np.int32)
    # The sets of a hand's cards grow fourfold with each card.
    work = len(listed.words) * (SWEEPS if low else 1) << 2 * (listed.hole_cards - 4)
    parts = max(-(-ITEMS // len(boards)), -(-len(firsts) * work // MAX_ITEM))
    parts = min(parts, len(firsts), MAX_PARTS)
    item = max(1, work * len(firsts) // parts)
    total = np.zeros((MASKS, MASKS, PARTS), np.int64)
    lock = Lock()

    def start() -> Work:
        import cupy

        arrays = (boards, times, listed.words, listed.weights, firsts)
        on_device = tuple(cupy.asarray(array) for array in arrays)
        sizes = len(boards), len(listed.words), len(firsts), parts, int(low)
        sums = cupy.zeros(total.shape, np.uint64)
        kind = kind_of(listed)
        kernel = device.kernel("omaha/three_players", f"count_three_{kind}")
        tables = packed_pairs(), packed_omaha_tables()
        size = () if kind == "four" else (np.int32(listed.hole_cards),)

        def count(begin: int, end: int) -> None:
            given = OMAHA_THREE.pack(*on_device, *sizes)
            blocks, scratch = new_scratch(kernel, listed, end - begin, WORDS_OF_SETS[kind])
            more = scratch if kind == "four" else [*scratch, np.int64(scratch[-1].shape[1])]
            for first, last in launches(begin, end, max(blocks, MAX_LAUNCH // item)):
                span = np.int64(first), np.int64(last - first)
                arguments = (given, *size, *tables, *span, *more, sums)
                kernel((min(blocks, last - first),), (OMAHA_THREADS,), arguments)
                if last < end:  # so that a long count can be interrupted
                    cupy.cuda.get_current_stream().synchronize()

        def finish() -> None:
            on_host = cupy.asnumpy(sums).view(np.int64)
            with lock:
                np.add(total, on_host, out=total)

        return Work(count, finish)

    share_out(devices, len(boards) * parts, start, lambda: max(1, MAX_PIECE // item), progress)
    numbers = whole_numbers(total) if units is None else from_parts(total, product_bits(bits))
    masks = [
        sum(1 << player for place, player in enumerate(order) if mask >> place & 1)
        for mask in range(MASKS)
    ]
    counts = {
        (masks[high], masks[of_low]): number
        for high, row in enumerate(numbers.tolist())
        for of_low, number in enumerate(row)
        if number
    }
    return dict(sorted(counts.items()))
