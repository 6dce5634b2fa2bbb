"""Many spots of one hand each against random opponents: graphs are solved once, and kept.

Spots share most of their threat graphs: all flops together have no more of them than the 169 hands
before the flop. So the solutions stay in memory for the next spots, as long as they are not too many.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from threading import Lock

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress, part_of
from gpuodds.backends.cpu.compile.jit import compiled, lowest_bit, multiply_high, zeros
from gpuodds.backends.cpu.compile.threads import Run, thread_count, thread_pool
from gpuodds.backends.cpu.known_hands.accumulator import SUM_LIMBS, add_graph, most_cards_in_one_limb
from gpuodds.backends.cpu.known_hands.elimination_order import measure
from gpuodds.backends.cpu.known_hands.matchings import Counts, solve_graphs
from gpuodds.backends.cpu.known_hands.rows import count_one_opponent
from gpuodds.backends.cpu.known_hands.threat_graphs.graph_cases import CERTAIN_BITS
from gpuodds.backends.cpu.known_hands.threat_graphs.graph_keys import KnownGraphs
from gpuodds.backends.cpu.known_hands.threat_graphs.graph_table import GraphTable
from gpuodds.backends.cpu.shared.board_classes import rank_multisets
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.game import Holdem
from gpuodds.games.holdem.multiway import deals
from gpuodds.games.shared.rules import BOARD_CARDS, HOLE_CARDS

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
UInt64s = npt.NDArray[np.uint64]

BATCH = 1000  # spots whose graphs are solved together
GATHERING = 0.2  # of the time, about, where no graph is known yet
PIECES = 256  # of graphs to solve: some take a hundred times as long as others
MAX_KEPT = 1 << 29  # bytes of solutions that are kept for the next spots
MAX_KEYS = 1 << 21  # keys of board classes that a thread keeps
LOW_HALF = (1 << 64) - 1


class SolvedGraphs:
    """Threat graphs by number, and their matchings with up to ``most`` edges."""

    def __init__(self, most: int) -> None:
        """Start empty."""
        self.most = most
        self.graphs = GraphTable()
        self.shape = np.zeros((0, 3), np.int32)
        self.place = np.zeros(1, np.int64)
        self.results = np.zeros(0, np.uint64)
        self.spare: list[KnownGraphs] = []

    def enter(self, known: KnownGraphs) -> None:
        """Enter what graphs are new, and number them as here."""
        new_numbers = self.graphs.enter(known.graphs, len(known.numbers))
        known.numbers = np.concatenate([known.numbers, new_numbers])

    def solve(self, run: Run) -> None:
        """Solve the graphs that have been entered since the last time."""
        known, count = len(self.shape), len(self.graphs)
        if count == known:
            return
        graphs, tags = self.graphs.table, self.graphs.tags
        shape = np.empty((count, 3), np.int32)
        shape[:known] = self.shape
        measure(graphs, known, self.most, most_cards_in_one_limb(), shape)
        place = np.zeros(count + 1, np.int64)
        np.cumsum(shape.prod(axis=1, dtype=np.int64), out=place[1:])
        if place[-1] > self.results.size:
            self.results = np.resize(self.results, int(1.5 * place[-1]))

        def work(begin: int, end: int) -> None:
            begin, end = known + begin, known + end
            solve_graphs(graphs, tags, begin, end, self.most, shape, place, self.results)

        run(work, count - known)
        self.shape, self.place = shape, place


_kept: dict[tuple[Holdem, int], SolvedGraphs] = {}
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
def close(
    sums: Counts,
    decks: int,
    most: int,
    halves: UInt64s,
    binomials: UInt64s,
    by_number: UInt64s,
    out: UInt64s,
) -> None:
    """Turn matchings (deck, limbs, edges, ties) into deals in which no opponent beats the hand.

    The sum of :mod:`gpuodds.games.holdem.multiway`, modulo 2^128: what is negative on the way is not in
    the end. ``decks`` is a mask of those with any. ``by_number`` (most + 1, 2) is scratch. ``out``
    (most, most + 1, 2) holds zeros; ``sums`` does afterwards.
    """
    half = np.uint64(32)
    for j in range(most + 1):
        for t in range(j + 1):
            # The deals of each number of opponents that contain the matchings, by deck.
            by_number[:] = 0
            left, has_deals = decks, False
            while left:
                deck = lowest_bit(left)
                left &= left - 1
                low = sums[deck, 0, j, t]
                high = sums[deck, 2, j, t] + (sums[deck, 3, j, t] << half)
                second = sums[deck, 1, j, t]
                if low | high | second == 0:
                    continue
                for limb in range(SUM_LIMBS):
                    sums[deck, limb, j, t] = 0
                if deck < 2 * j:
                    continue
                has_deals = True
                before = low
                low += second << half
                high += (second >> half) + np.uint64(low < before)
                for k in range(max(j, 1), most + 1):
                    by_low, by_high = halves[deck - 2 * j, k - j, 0], halves[deck - 2 * j, k - j, 1]
                    before = by_number[k, 0]
                    after = before + low * by_low
                    by_number[k, 0] = after
                    by_number[k, 1] += multiply_high(low, by_low) + low * by_high + high * by_low
                    by_number[k, 1] += np.uint64(after < before)
            if not has_deals:
                continue
            for k in range(max(j, 1), most + 1):
                for split in range(t + 1):
                    times = binomials[t, split]
                    low = by_number[k, 0] * times
                    high = multiply_high(by_number[k, 0], times) + by_number[k, 1] * times
                    before = out[k - 1, split, 0]
                    if (j - split) & 1:
                        out[k - 1, split, 0] = before - low
                        out[k - 1, split, 1] -= high + np.uint64(before < low)
                    else:
                        out[k - 1, split, 0] = before + low
                        out[k - 1, split, 1] += high + np.uint64(before + low < before)


@compiled
def sum_spots(
    pairs: Ints,
    ends: Ints,
    undealt: int,
    cases: Ints,
    numbers: Ints,
    shape: npt.NDArray[np.int32],
    place: Ints,
    results: Counts,
    most: int,
    halves: UInt64s,
    binomials: UInt64s,
    out: UInt64s,
) -> None:
    """Sum and close the cases of each spot: see :meth:`KnownGraphs.collect`."""
    sums = zeros((DECK_SIZE + 1, SUM_LIMBS, most + 1, most + 1), np.uint64)
    by_number = zeros((most + 1, 2), np.uint64)
    first = 0
    for spot in range(len(ends)):
        decks = 0
        for i in range(first, ends[spot]):
            case = cases[pairs[i, 0]]
            deck = undealt - (case & (1 << CERTAIN_BITS) - 1)
            decks |= 1 << deck
            graph = numbers[case >> CERTAIN_BITS]
            add_graph(graph, pairs[i, 1], shape, place, results, sums[deck])
        close(sums, decks, most, halves, binomials, by_number, out[spot])
        first = ends[spot]


def _count_batch(
    hands: UInt8s, boards: UInt8s, most: int, counts: UInt64s, game: Holdem, progress: Progress | None
) -> None:
    """Count the deals in which no opponent beats a hand, for up to :data:`BATCH` spots.

    ``hands`` (n, 2) and ``boards`` (n, cards) are card numbers. ``counts`` (n, most, most + 1, 2) holds
    zeros, and receives lower and upper halves.
    """
    tables = game.hand_rank_tables
    runout_ranks = rank_multisets(BOARD_CARDS - boards.shape[1], tables.ranks)
    undealt = game.deck_size - HOLE_CARDS - BOARD_CARDS
    halves, binomials = _tables(most)
    parts: list[tuple[int, int, KnownGraphs, Ints, Ints]] = []

    def gather(begin: int, end: int) -> None:
        try:
            known = solved.spare.pop()
        except IndexError:
            known = KnownGraphs()
        pairs, ends = known.collect(hands[begin:end], boards[begin:end], runout_ranks, tables)
        solved.spare.append(known)
        parts.append((begin, end, known, pairs, ends))

    def close_parts(first: int, last: int) -> None:
        for begin, end, known, pairs, ends in parts[first:last]:
            sum_spots(
                pairs, ends, undealt, known.cases.words, known.numbers, solved.shape, solved.place,
                solved.results, most, halves, binomials, counts[begin:end],
            )  # fmt: skip

    with _lock:
        solved = _kept.setdefault((game, most), SolvedGraphs(most))
        with thread_pool(thread_count(), part_of(progress, 0.0, GATHERING)) as run:
            run(gather, len(hands))
        for known in solved.spare:
            solved.enter(known)
        share = part_of(progress, GATHERING, 1 - GATHERING)
        with thread_pool(thread_count(), share, PIECES) as run:
            solved.solve(run)
        with thread_pool(thread_count()) as run:
            run(close_parts, len(parts))
        solved.spare = [known for known in solved.spare if known.keys <= MAX_KEYS]
        if solved.results.nbytes > MAX_KEPT:
            del _kept[game, most]


def unbeaten_deals(
    hands: UInt8s, boards: UInt8s, most: int, game: Holdem, progress: Progress | None
) -> UInt64s:
    """Count deals: see :class:`gpuodds.backends.operations.known_hands.UnbeatenDeals`."""
    counts = np.zeros((len(hands), most, most + 1, 2), np.uint64)
    if most == 1:
        boards_in_all, beaten, tied = count_one_opponent(hands, boards, game, progress).T
        left = game.deck_size - HOLE_CARDS - BOARD_CARDS
        counts[:, 0, 0, 0] = boards_in_all * comb(left, HOLE_CARDS) - beaten - tied
        counts[:, 0, 1, 0] = tied
        return counts
    for begin in range(0, len(hands), BATCH):
        end = min(begin + BATCH, len(hands))
        share = part_of(progress, begin / len(hands), (end - begin) / len(hands))
        rows = hands[begin:end], boards[begin:end]
        _count_batch(*rows, most, counts[begin:end], game, share)
    if progress is not None:
        progress(1.0)
    return counts
