"""Names of five-card hands in a ranking, and what they are worth, on a GPU."""

from __future__ import annotations

from functools import lru_cache
from math import comb
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cuda.arrays.ranks import rank_tables
from gpuodds.backends.cuda.five_card.hands import FLUSHES, count_by_rank
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import FIVE_CARDS, THREADS
from gpuodds.cards import DECK_SIZE
from gpuodds.games.five_card import HAND_CARDS
from gpuodds.games.holdem.game import HOLDEM

Ints = npt.NDArray[np.int64]
UInt16s = npt.NDArray[np.uint16]

WORTHS = sum(comb(DECK_SIZE, size) for size in range(HAND_CARDS))  # where these stand behind the sums
_lock = Lock()


def number_of_names(names: UInt16s) -> int:
    """Return the highest name, plus 1."""
    return int(names.max()) + 1


def packed_names(names: UInt16s, on_device: Any) -> Any:
    """Return what names hands as the argument of a kernel.

    Args:
        names: Shape (4, 7463), uint16: the ranking, as in ``DrawSpot``.
        on_device: The same on the current device; it stays alive until the kernel is launched.
    """
    step, rank_5, _, _, flush = rank_tables(HOLDEM)
    return FIVE_CARDS.pack(step, rank_5, flush, on_device, number_of_names(names))


def subset_sums(names: UInt16s) -> Any:
    """Return, on the current device, what the hands with each set of up to four cards are worth.

    They are those of :func:`gpuodds.backends.cpu.five_card.discards.add_up_subsets`, added once.
    """
    import cupy

    with _lock:
        return _subset_sums(cupy.cuda.Device().id, names.tobytes())


@lru_cache(8)
def _subset_sums(number: int, order: bytes) -> Any:
    import cupy

    names = np.frombuffer(order, np.uint16).reshape(4, -1)
    sums = cupy.zeros(WORTHS + number_of_names(names), np.int64)
    sums[WORTHS:] = cupy.asarray(_worth(names, number))
    on_device = cupy.asarray(names)
    given = packed_names(names, on_device), sums
    fours = comb(DECK_SIZE, HAND_CARDS - 1)
    device.launch("five_card/discards", "sum_fours", fours, THREADS, given)
    for size in range(HAND_CARDS - 2, -1, -1):
        arguments = np.int32(size), sums
        device.launch("five_card/discards", "sum_sets", comb(DECK_SIZE, size), THREADS, arguments)
    cupy.cuda.get_current_stream().synchronize()  # whichever stream reads them next
    return sums


def _worth(names: UInt16s, number: int) -> Ints:
    """Return what the hands of each name are worth: twice those they beat, once those that tie."""
    of_rank = count_by_rank(np.array([(1 << DECK_SIZE) - 1], np.int64), None, [number])[0]
    is_flush = np.zeros(len(of_rank), bool)
    for ranks in FLUSHES:
        is_flush[ranks.start : ranks.stop] = True
    hands = np.zeros(number_of_names(names), np.int64)
    np.add.at(hands, names[0, ~is_flush], of_rank[~is_flush])
    for by_rank in names:  # a hand of each rank in each suit
        np.add.at(hands, by_rank[is_flush], 1)
    return 2 * (np.cumsum(hands) - hands) + hands
