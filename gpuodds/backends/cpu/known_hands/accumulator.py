"""Cases gathered from many boards, solved once each, summed exactly.

The sums pass 64 bits, so they are added up in four limbs of 32 bits, which carry nothing until the end
(128 bits hold any total: the largest, 20 opponents preflop, has 120).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, inlined
from gpuodds.backends.cpu.compile.threads import Run
from gpuodds.backends.cpu.known_hands.elimination_order import measure
from gpuodds.backends.cpu.known_hands.matchings import Counts, solve_graphs
from gpuodds.backends.cpu.known_hands.threat_graphs.graph_cases import collect_cases
from gpuodds.backends.cpu.known_hands.threat_graphs.graph_table import GraphTable
from gpuodds.backends.cpu.shared.board_classes import BoardScan, board_classes
from gpuodds.backends.cpu.shared.intern_table import (
    InternTable,
    copy_intern_table,
    grown_intern_table,
    new_intern_table,
)
from gpuodds.backends.graph_words import LIMB_BITS
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.multiway import MatchingCounts, deals
from gpuodds.games.shared.hand_ranks import HandRankTables

Ints = npt.NDArray[np.int64]

SUM_LIMBS = 4


class Accumulator:
    """Cases (graph, deck, group) with their number of boards; a group is what is summed apart."""

    def __init__(self) -> None:
        """Start empty."""
        self.graphs = GraphTable()
        self.cases = new_intern_table(1024, 1024 * 3)
        self.boards = np.zeros(1024, np.int64)

    def _make_space(self, cases: int) -> None:
        self.cases = grown_intern_table(self.cases, cases, 3)
        if self.boards.size < self.cases.start.size:
            boards = np.zeros(self.cases.start.size, np.int64)
            boards[: self.boards.size] = self.boards
            self.boards = boards

    def add_boards(
        self,
        scan: BoardScan,
        begin: int,
        end: int,
        deck: int,
        tables: HandRankTables,
        label: int = 0,
    ) -> None:
        """Add the boards that a range of the spot's runouts makes.

        Args:
            scan: The spot.
            begin: The first runout.
            end: The one after the last.
            deck: The number of undealt cards on a full board.
            tables: The game's hand ranks.
            label: The group of a case is ``label`` << 23 | winners.
        """
        classes = board_classes(scan, begin, end, tables)
        self.graphs.reserve(classes.shape[1])
        self._make_space(classes.shape[1])
        graphs, tags = self.graphs.table, self.graphs.tags
        collect_cases(scan, classes, deck, label, tables, graphs, tags, self.cases, self.boards)

    def add_all(self, other: Accumulator) -> None:
        """Add all that another accumulator has gathered."""
        cases = int(other.cases.used[0])
        self._make_space(cases)
        new_numbers = self.graphs.enter(other.graphs)
        moved = InternTable(
            other.cases.slots,
            other.cases.start,
            other.cases.words.copy(),
            other.cases.used,
        )
        case_words = moved.words[: 3 * cases].reshape(-1, 3)
        case_words[:, 0] = new_numbers[case_words[:, 0]]
        places = np.empty(cases, np.int64)
        copy_intern_table(moved, 0, self.cases, places)
        np.add.at(self.boards, places, other.boards[:cases])

    def matching_counts(self, most: int, run: Run) -> dict[int, MatchingCounts]:
        """Solve every graph up to ``most`` edges and sum the matchings by group."""
        count = len(self.graphs)
        graphs, tags = self.graphs.table, self.graphs.tags
        shape = np.empty((count, 3), np.int32)
        measure(graphs, 0, most, most_cards_in_one_limb(), shape)
        place = np.zeros(count + 1, np.int64)
        np.cumsum(shape.prod(axis=1, dtype=np.int64), out=place[1:])
        results = np.empty(int(place[-1]), np.uint64)

        def solve(begin: int, end: int) -> None:
            solve_graphs(graphs, tags, begin, end, most, shape, place, results)

        run(solve, count)
        cases = self.cases.words[: 3 * int(self.cases.used[0])].reshape(-1, 3)
        by_group = np.argsort(cases[:, 2], kind="stable")
        groups, first = np.unique(cases[by_group, 2], return_index=True)
        sums = np.empty((DECK_SIZE + 1, SUM_LIMBS, most + 1, most + 1), np.uint64)
        counts: dict[int, MatchingCounts] = {}
        for group, members in zip(groups, np.split(by_group, first[1:]), strict=True):
            sums[:] = 0
            add_up(cases, self.boards, members, shape, place, results, sums)
            counts[int(group)] = _as_integers(sums)
        return counts


@inlined
def add_graph(
    graph: int, weight: int, shape: npt.NDArray[np.int32], place: Ints, results: Counts, sums: Counts
) -> None:
    """Add ``weight`` x matchings of a graph to ``sums`` (limbs, edges, ties), nothing carried.

    A limb has 32 bits of each number, or one more, and weights add up to 2**24 at most: so it holds.
    """
    low = np.uint64(0xFFFFFFFF)
    half, shift = np.uint64(32), np.uint64(LIMB_BITS - 32)
    times = np.uint64(weight)
    limbs, edges, ties = shape[graph, 0], shape[graph, 1], shape[graph, 2]
    at = place[graph]
    for j in range(edges):
        most = min(j + 1, ties)
        numbers = results[at : at + most]
        first, second = sums[0, j], sums[1, j]
        for t in range(most):
            first[t] += times * (numbers[t] & low)
            second[t] += times * (numbers[t] >> half)
        at += ties
    if limbs == 2:
        for j in range(edges):
            most = min(j + 1, ties)
            numbers = results[at : at + most]
            second, third, fourth = sums[1, j], sums[2, j], sums[3, j]
            # From bit 48 on.
            for t in range(most):
                second[t] += times * ((numbers[t] << shift) & low)
                third[t] += times * ((numbers[t] >> half - shift) & low)
                fourth[t] += times * (numbers[t] >> np.uint64(96 - LIMB_BITS))
            at += ties


@compiled
def add_up(
    cases: Ints,
    boards: Ints,
    members: Ints,
    shape: npt.NDArray[np.int32],
    place: Ints,
    results: Counts,
    sums: Counts,
) -> None:
    """Add boards x matchings of the cases ``members`` to ``sums`` (deck, limbs, edges, ties).

    A limb counts 32 bits and may pass them: see :func:`add_graph`.
    """
    for case in members:
        add_graph(cases[case, 0], boards[case], shape, place, results, sums[cases[case, 1]])


def _as_integers(sums: Counts) -> MatchingCounts:
    counts = {}
    for deck, edges, ties in np.argwhere(sums.any(axis=1)).tolist():
        limbs = sums[deck, :, edges, ties].tolist()
        counts[deck, edges, ties] = sum(limb << 32 * i for i, limb in enumerate(limbs))
    return counts


@lru_cache
def most_cards_in_one_limb() -> Ints:
    """For each number of edges, the most cards of which all matchings up to it fit 64 bits."""
    most = [
        max(n for n in range(DECK_SIZE) if all(deals(n, j) < 1 << 64 for j in range(k + 1)))
        for k in range(DECK_SIZE // 2)
    ]
    return np.array(most, np.int64)
