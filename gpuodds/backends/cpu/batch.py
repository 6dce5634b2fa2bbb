"""Many spots of one hand each against random opponents: graphs are solved once, and kept.

Spots share most of their threat graphs: all flops together have no more of them than the 169 hands
before the flop. So the solutions stay in memory for the next spots, as long as they are not too many.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb
from threading import Lock, get_ident
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.accumulator import SUM_LIMBS, Accumulator, add_up, most_cards_in_one_limb
from gpuodds.backends.cpu.boards import BoardScan
from gpuodds.backends.cpu.class_keys import Ints, copy_keys, make_room, new_keys
from gpuodds.backends.cpu.elimination_order import measure
from gpuodds.backends.cpu.graph_cases import CERTAIN_BITS, WINNER_BITS
from gpuodds.backends.cpu.intern_table import copy_intern_table, new_intern_table
from gpuodds.backends.cpu.jit import compiled, empty, multiply_high, zeros
from gpuodds.backends.cpu.matchings import Counts, solve_graphs
from gpuodds.backends.cpu.threads import Run, thread_count, thread_pool
from gpuodds.backends.cpu.threats import TYPES
from gpuodds.backends.protocol import Progress
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.multiway import deals

UInt64s = npt.NDArray[np.uint64]

BATCH = 1000  # spots whose graphs are solved together
GATHERING = 0.2  # of the time, about, where no graph is known yet
MAX_KEPT = 1 << 29  # bytes of solutions that are kept for the next spots
MAX_KEYS = 1 << 23  # keys of board classes that are kept: 256 MiB
LOW_HALF = (1 << 64) - 1


class SolvedGraphs:
    """Threat graphs by number, and their matchings with up to ``most`` edges."""

    def __init__(self, most: int) -> None:
        """Start empty."""
        self.most = most
        self.graphs = new_intern_table(1024, 1024 * TYPES)
        self.tags = np.zeros(self.graphs.words.size, np.int8)
        self.shape = np.zeros((0, 3), np.int32)
        self.place = np.zeros(1, np.int64)
        self.results = np.zeros(0, np.uint64)
        self.classes = new_keys()
        self.keys = 0

    def enter(self, accumulator: Accumulator) -> None:
        """Enter the graphs and the board classes of an accumulator; number the graphs as here."""
        count = int(accumulator.graphs.used[0])
        if self.graphs.used[0] + count >= self.graphs.start.size:
            size = 2 * (int(self.graphs.used[0]) + count)
            larger = new_intern_table(size, size * TYPES)
            copy_intern_table(self.graphs, larger, np.empty(self.graphs.used[0], np.int64))
            self.graphs = larger
            self.tags = np.resize(self.tags, larger.words.size)
        known = int(self.graphs.used[0])
        numbers = np.empty(count, np.int64)
        copy_intern_table(accumulator.graphs, self.graphs, numbers)
        for graph in np.flatnonzero(numbers >= known).tolist():
            begin, end = accumulator.graphs.start[graph], accumulator.graphs.start[graph + 1]
            at = self.graphs.start[numbers[graph]]
            self.tags[at : at + end - begin] = accumulator.tags[begin:end]
        cases = cases_of(accumulator)
        new = cases[:, 0] < 0
        cases[new, 0] = numbers[-1 - cases[new, 0]]
        self._enter_classes(accumulator.found[accumulator.found[:, 0] != 0], numbers)

    def _enter_classes(self, found: Ints, numbers: Ints) -> None:
        certain = found[:, 1] & (1 << CERTAIN_BITS) - 1
        found[:, 1] = numbers[-1 - (found[:, 1] >> CERTAIN_BITS)] << CERTAIN_BITS | certain
        if self.keys + len(found) > MAX_KEYS:
            self.classes, self.keys = new_keys(), 0
        self.classes = make_room(self.classes, self.keys + len(found))
        self.keys += copy_keys(found, self.classes)

    def solve(self, run: Run) -> None:
        """Solve the graphs that have been entered since the last time."""
        known, count = len(self.shape), int(self.graphs.used[0])
        if count == known:
            return
        shape = np.empty((count, 3), np.int32)
        shape[:known] = self.shape
        measure(self.graphs, known, self.most, most_cards_in_one_limb(), shape)
        place = np.zeros(count + 1, np.int64)
        np.cumsum(shape.prod(axis=1, dtype=np.int64), out=place[1:])
        if place[-1] > self.results.size:
            self.results = np.resize(self.results, int(1.5 * place[-1]))

        def work(begin: int, end: int) -> None:
            solve_graphs(
                self.graphs,
                self.tags,
                known + begin,
                known + end,
                self.most,
                shape,
                place,
                self.results,
            )

        run(work, count - known)
        self.shape, self.place = shape, place


def cases_of(accumulator: Accumulator) -> Ints:
    """Return the cases of an accumulator, of shape (n, 3)."""
    return accumulator.cases.words[: 3 * int(accumulator.cases.used[0])].reshape(-1, 3)


_kept: dict[int, SolvedGraphs] = {}
_lock = Lock()


@lru_cache
def _tables(most: int) -> tuple[UInt64s, UInt64s]:
    # deals(n, k) as lower and upper half, and binomials.
    halves = np.zeros((DECK_SIZE + 1, most + 1, 2), np.uint64)
    for n in range(DECK_SIZE + 1):
        for k in range(most + 1):
            halves[n, k] = deals(n, k) & LOW_HALF, deals(n, k) >> 64
    binomials = [[comb(n, k) for k in range(most + 1)] for n in range(most + 1)]
    return halves, np.array(binomials, np.uint64)


@compiled
def close(sums: Counts, most: int, halves: UInt64s, binomials: UInt64s, out: UInt64s) -> None:
    """Turn matchings (deck, edges, ties, limbs) into deals in which no opponent beats the hand.

    The sum of :mod:`gpuodds.games.holdem.multiway`, modulo 2^128: what is negative on the way is not in
    the end. ``out`` (most, most + 1, 2) holds zeros; ``sums`` does afterwards.
    """
    half = np.uint64(32)
    for deck in range(sums.shape[0]):
        for j in range(min(most, deck >> 1) + 1):
            for t in range(j + 1):
                low = sums[deck, j, t, 0] | sums[deck, j, t, 1] << half
                high = sums[deck, j, t, 2] | sums[deck, j, t, 3] << half
                if low | high == 0:
                    continue
                for limb in range(SUM_LIMBS):
                    sums[deck, j, t, limb] = 0
                for k in range(max(j, 1), most + 1):
                    by_low, by_high = halves[deck - 2 * j, k - j, 0], halves[deck - 2 * j, k - j, 1]
                    ways_low = low * by_low
                    ways_high = multiply_high(low, by_low) + low * by_high + high * by_low
                    for split in range(t + 1):
                        times = binomials[t, split]
                        term_low = ways_low * times
                        term_high = multiply_high(ways_low, times) + ways_high * times
                        before = out[k - 1, split, 0]
                        if (j - split) & 1:
                            out[k - 1, split, 0] = before - term_low
                            borrow = np.uint64(before < term_low)
                            out[k - 1, split, 1] -= term_high + borrow
                        else:
                            after = before + term_low
                            out[k - 1, split, 0] = after
                            out[k - 1, split, 1] += term_high + np.uint64(after < before)


@compiled
def sum_spots(
    cases: Ints,
    boards: Ints,
    shape: npt.NDArray[np.int32],
    place: Ints,
    results: Counts,
    most: int,
    halves: UInt64s,
    binomials: UInt64s,
    out: UInt64s,
) -> None:
    """Sum and close each group of cases; they are in the order of their groups."""
    sums = zeros((DECK_SIZE + 1, most + 1, most + 1, SUM_LIMBS), np.uint64)
    first = 0
    while first < len(cases):
        group = cases[first, 2]
        last = first
        while last < len(cases) and cases[last, 2] == group:
            last += 1
        members = empty(last - first, np.int64)
        for i in range(last - first):
            members[i] = first + i
        add_up(cases, boards, members, shape, place, results, sums)
        close(sums, most, halves, binomials, out[group >> WINNER_BITS])
        first = last


def unbeaten_deals(
    scans: Sequence[BoardScan], undealt: int, most: int, counts: Any, progress: Progress | None
) -> None:
    """Count the deals in which no opponent beats a hand, for up to :data:`BATCH` spots.

    ``scans`` are spots with one known hand and ``undealt`` cards on a full board. ``counts`` (n, most,
    most + 1, 2) uint64 holds zeros, and receives lower and upper halves.
    """
    by_thread: dict[int, Accumulator] = {}  # what a thread has found serves its other pieces

    def gather(begin: int, end: int) -> None:
        accumulator = by_thread.setdefault(get_ident(), Accumulator())
        for label in range(begin, end):
            scan = scans[label]
            accumulator.add_boards(scan, 0, len(scan.completions), undealt, label, solved.classes)

    halves, binomials = _tables(most)

    def close_parts(begin: int, end: int) -> None:
        for accumulator in parts[begin:end]:
            sum_spots(
                cases_of(accumulator),
                accumulator.boards,
                solved.shape,
                solved.place,
                solved.results,
                most,
                halves,
                binomials,
                counts,
            )

    with _lock:
        solved = _kept.setdefault(most, SolvedGraphs(most))
        with thread_pool(thread_count(), _part(progress, 0.0, GATHERING)) as run:
            run(gather, len(scans))
        parts = list(by_thread.values())
        for accumulator in parts:
            solved.enter(accumulator)
        with thread_pool(thread_count(), _part(progress, GATHERING, 1 - GATHERING)) as run:
            solved.solve(run)
        with thread_pool(thread_count()) as run:
            run(close_parts, len(parts))
        if solved.results.nbytes > MAX_KEPT:
            del _kept[most]


def _part(progress: Progress | None, begin: float, share: float) -> Progress | None:
    return None if progress is None else lambda done: progress(begin + done * share)
