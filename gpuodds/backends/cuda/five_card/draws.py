"""The wins and ties of each discard of a five-card draw, counted or drawn, and discards, on GPUs.

CUDA C++ through CuPy: the hands of the deck are listed by the cards they hold, then a thread takes a
draw. Not yet measured on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from math import comb
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.cuda.five_card.names import number_of_names, packed_names, subset_sums
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import LISTING, THREADS
from gpuodds.backends.cuda.shared.pieces import launches, share_out
from gpuodds.games.five_card import HAND_CARDS, DrawSpot, list_discards

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
UInt16s = npt.NDArray[np.uint16]

COUNTED_SIZES, LISTED_SIZES = range(3), range(3, 5)  # cards of sets whose hands are counted, or listed
MAX_SAMPLES = {False: 1 << 24, True: 1 << 22}  # of a launch, if the opponent draws: see pieces.py
LAUNCHES = 16  # of a piece, after which work can be stopped
MAX_HANDS = 1 << 22  # of a launch that finds discards


class _Listing:
    """The hands of a deck on the current device, by the cards they hold."""

    def __init__(self, deck: UInt8s, names: UInt16s) -> None:
        """List the hands; ``deck`` is ascending."""
        import cupy

        cards, columns = len(deck), number_of_names(names) + 1
        sets = [comb(cards, size) for size in COUNTED_SIZES]
        self.deck, self.on_device = cupy.asarray(deck), cupy.asarray(names)
        self.five = packed_names(names, self.on_device)
        self.below = cupy.empty((sum(sets), columns), np.uint32)
        self.lists = [
            cupy.empty((comb(cards, size), comb(cards - size, HAND_CARDS - size)), np.uint16)
            for size in LISTED_SIZES
        ]
        firsts = [sum(sets[:size]) for size in COUNTED_SIZES]
        counted = [self.below[first : first + many] for first, many in zip(firsts, sets, strict=True)]
        for name, sizes, rows in (
            ("count_names", COUNTED_SIZES, counted),
            ("list_names", LISTED_SIZES, self.lists),
        ):
            for size, out in zip(sizes, rows, strict=True):
                given = self.deck, np.int32(cards), np.int32(size), self.five, out
                device.launch("five_card/draws", name, len(out) * THREADS, THREADS, given)

    def packed(self) -> Any:
        """Return the listing as the argument of a kernel."""
        return LISTING.pack(self.below, *self.lists, len(self.deck))


def count_draws(spot: DrawSpot, progress: Progress | None, devices: Sequence[int]) -> Ints:
    """Count the deals that each discard wins and ties on some devices: see the operation."""
    groups = [(drawn, [*group]) for drawn, group in groupby(list_discards(spot.max_discards), len)]
    counts: dict[int, Ints] = {}

    def start() -> Callable[[int, int], None]:
        import cupy

        listing = _Listing(spot.deck, spot.names)

        def work(begin: int, end: int) -> None:
            for drawn, discards in groups[begin:end]:
                kept = np.array([np.delete(spot.hand, places) for places in discards], np.uint8)
                sums = cupy.zeros((len(kept), 2), np.uint64)
                given = (
                    *(listing.deck, listing.packed(), np.int32(drawn)),
                    *(cupy.asarray(kept), np.int32(len(kept)), listing.five, sums),
                )
                draws = comb(len(spot.deck), drawn)
                device.launch("five_card/draws", "count_draws", draws, THREADS, given)
                counts[drawn] = cupy.asnumpy(sums).astype(np.int64)

        return work

    # A device lists all hands before it counts the first draw: more of them would not be quicker.
    share_out(devices[:1], len(groups), start, lambda: 1, progress)
    return np.concatenate([counts[drawn] for drawn, _ in groups])


def sample_draws(
    spot: DrawSpot,
    opponent_draws: bool,
    runs: int,
    seed: int,
    progress: Progress | None,
    devices: Sequence[int],
) -> Ints:
    """Draw deals and count those that each discard wins and ties: see the operation."""
    discards = list_discards(spot.max_discards)
    masks = np.array([sum(1 << place for place in places) for places in discards], np.uint8)
    total = np.zeros((len(masks), 2), np.int64)
    lock = Lock()

    def start() -> Callable[[int, int], None]:
        import cupy

        hand, deck, of_row, names = map(cupy.asarray, (spot.hand, spot.deck, masks, spot.names))
        sums = subset_sums(spot.names) if opponent_draws else cupy.empty(0, np.int64)

        def work(begin: int, end: int) -> None:
            counts = cupy.zeros(total.shape, np.uint64)
            for first, last in launches(begin, end, MAX_SAMPLES[opponent_draws]):
                given = (
                    *(np.int64(first), np.int64(last), np.uint64(seed)),
                    *(hand, deck, np.int32(len(spot.deck)), of_row, np.int32(len(masks))),
                    *(np.int32(spot.max_discards), np.int32(opponent_draws)),
                    *(packed_names(spot.names, names), sums, counts),
                )
                device.launch("five_card/discards", "sample_draws", last - first, THREADS, given)
            on_host = cupy.asnumpy(counts).astype(np.int64)
            with lock:
                np.add(total, on_host, out=total)

        return work

    share_out(devices, runs, start, lambda: LAUNCHES * MAX_SAMPLES[opponent_draws], progress)
    return total


def best_discards(
    hands: UInt8s,
    max_discards: int,
    names: UInt16s,
    progress: Progress | None,
    devices: Sequence[int],
) -> Ints:
    """Return what hands discard: see the operation."""
    out = np.empty(len(hands), np.int64)

    def start() -> Callable[[int, int], None]:
        import cupy

        on_device, sums = cupy.asarray(names), subset_sums(names)

        def work(begin: int, end: int) -> None:
            found = cupy.empty(end - begin, np.int64)
            given = (
                *(cupy.asarray(hands[begin:end]), np.int64(end - begin), np.int32(max_discards)),
                *(packed_names(names, on_device), sums, found),
            )
            device.launch("five_card/discards", "find_discards", end - begin, THREADS, given)
            out[begin:end] = cupy.asnumpy(found)

        return work

    share_out(devices, len(hands), start, lambda: MAX_HANDS, progress)
    return out
