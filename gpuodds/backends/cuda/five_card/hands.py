"""The five-card hands of decks by rank and by high card, on GPUs.

CUDA C++ through CuPy: a thread takes a hand rank of a deck. Not yet measured on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.cuda.arrays.ranks import category_ends
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import THREADS
from gpuodds.backends.cuda.shared.pieces import share_out
from gpuodds.cards import DECK_SIZE
from gpuodds.games.five_card import HAND_CARDS, HIGHEST_RANK
from gpuodds.games.shared.hand_names import CATEGORIES, CATEGORY_RANKS, card_ranks

Ints = npt.NDArray[np.int64]

MAX_DECKS = 1 << 12  # of a piece: 245 MB of counts, and a launch: see pieces.py
RANK_BITS = 4
FLUSHES = [CATEGORY_RANKS[CATEGORIES.index(name)] for name in ("flush", "straight flush")]


def shapes() -> tuple[npt.NDArray[np.uint32]]:
    """Return the five ranks of each hand rank and whether it is a flush, as ``kernels`` have them."""
    ranks = np.array([card_ranks(rank) for rank in range(1, HIGHEST_RANK + 1)], np.uint32)
    packed = np.zeros(HIGHEST_RANK + 1, np.uint32)
    packed[1:] = (ranks << RANK_BITS * np.arange(HAND_CARDS, dtype=np.uint32)).sum(axis=1)
    for of_category in FLUSHES:
        packed[of_category.start : of_category.stop] |= 1 << RANK_BITS * HAND_CARDS
    return (packed,)


def count_by_rank(decks: Ints, progress: Progress | None, devices: Sequence[int]) -> Ints:
    """Count hands by rank on some devices: see the operation."""
    out = np.zeros((len(decks), HIGHEST_RANK + 1), np.int64)

    def count(sets: Any) -> Any:
        import cupy

        counts = cupy.empty((len(sets), HIGHEST_RANK + 1), np.int64)
        given = sets, np.int64(len(sets)), *device.kept_arrays(shapes), counts
        device.launch("five_card/hands", "count_five_card_hands", counts.size, THREADS, given)
        return counts

    _share(decks, out, count, progress, devices)
    return out


def count_by_high_card(decks: Ints, progress: Progress | None, devices: Sequence[int]) -> Ints:
    """Count hands by category and high card on some devices: see the operation."""
    out = np.zeros((len(decks), len(CATEGORIES), DECK_SIZE), np.int64)

    def count(sets: Any) -> Any:
        import cupy

        counts = cupy.zeros((len(sets), *out.shape[1:]), np.uint64)
        given = sets, np.int64(len(sets)), *device.kept_arrays(shapes), category_ends(), counts
        threads = len(sets) * HIGHEST_RANK
        device.launch("five_card/hands", "count_five_card_high_cards", threads, THREADS, given)
        return counts

    _share(decks, out, count, progress, devices)
    return out


def _share(
    decks: Ints,
    out: Ints,
    count: Callable[[Any], Any],
    progress: Progress | None,
    devices: Sequence[int],
) -> None:
    """Fill the rows of ``out``, one for each deck."""
    sets = np.ascontiguousarray(decks).astype(np.uint64)

    def start() -> Callable[[int, int], None]:
        import cupy

        def work(begin: int, end: int) -> None:
            out[begin:end] = cupy.asnumpy(count(cupy.asarray(sets[begin:end]))).astype(np.int64)

        return work

    share_out(devices, len(decks), start, lambda: MAX_DECKS, progress)
