"""Cases gathered from many boards, solved once each, summed exactly.

The sums pass 64 bits, so they are added up in four limbs of 32 bits (128 bits hold any total: the
largest, 20 opponents preflop, has 120) and leave as Python integers.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.boards import BoardScan, board_classes
from gpuodds.backends.cpu.class_keys import list_keys, make_room, new_keys
from gpuodds.backends.cpu.elimination_order import measure
from gpuodds.backends.cpu.graph_cases import collect_cases
from gpuodds.backends.cpu.intern_table import InternTable, copy_intern_table, new_intern_table
from gpuodds.backends.cpu.jit import compiled
from gpuodds.backends.cpu.matchings import LIMB_BITS, Counts, solve_graphs
from gpuodds.backends.cpu.threads import Run
from gpuodds.backends.cpu.threats import TYPES
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.hand_ranks import hand_rank_tables
from gpuodds.games.holdem.multiway import MatchingCounts, deals

Ints = npt.NDArray[np.int64]

SUM_LIMBS = 4
KEYED = 2  # cards to come: before the flop two hands share too few board classes to look for them


class Accumulator:
    """Cases (graph, deck, group) with their number of boards; a group is what is summed apart."""

    def __init__(self) -> None:
        """Start empty."""
        self.graphs = new_intern_table(1024, 1024 * TYPES)
        self.tags = np.zeros(self.graphs.words.size, np.int8)
        self.cases = new_intern_table(1024, 1024 * 3)
        self.boards = np.zeros(1024, np.int64)
        self.found = new_keys()
        self.found_keys = 0

    def _make_space(self, entries: int) -> None:
        graphs, cases = self.graphs, self.cases
        if graphs.used[0] + entries >= graphs.start.size:
            size = 2 * (int(graphs.used[0]) + entries)
            self.graphs = new_intern_table(size, size * TYPES)
            copy_intern_table(graphs, self.graphs, np.empty(graphs.used[0], np.int64))
            tags = np.zeros(self.graphs.words.size, np.int8)
            tags[: self.tags.size] = self.tags
            self.tags = tags
        if cases.used[0] + entries >= cases.start.size:
            size = 2 * (int(cases.used[0]) + entries)
            self.cases = new_intern_table(size, size * 3)
            copy_intern_table(cases, self.cases, np.empty(cases.used[0], np.int64))
            boards = np.zeros(size, np.int64)
            boards[: self.boards.size] = self.boards
            self.boards = boards

    def add_boards(
        self,
        scan: BoardScan,
        begin: int,
        end: int,
        deck: int,
        label: int = 0,
        known: Ints | None = None,
    ) -> None:
        """Add the boards that a range of the spot's completions makes.

        Args:
            scan: The spot.
            begin: The first completion.
            end: The one after the last.
            deck: The number of undealt cards on a full board.
            label: The group of a case is ``label`` << 23 | winners.
            known: What is known of board classes by their keys, see :func:`collect_cases`; the spot has
                one known hand.
        """
        tables = hand_rank_tables()
        classes = board_classes(scan, begin, end, tables)
        count = classes.shape[1]
        self._make_space(count)
        keyed = known is not None and scan.completions.shape[1] <= KEYED
        class_keys = np.empty(count if keyed else 0, np.int64)
        if keyed:
            self.found = make_room(self.found, self.found_keys + count)
            list_keys(scan, classes, class_keys)
        self.found_keys += collect_cases(
            scan,
            classes,
            class_keys,
            new_keys(0) if known is None else known,
            self.found,
            deck,
            label,
            tables,
            self.graphs,
            self.tags,
            self.cases,
            self.boards,
        )

    def add_all(self, other: Accumulator) -> None:
        """Add all that another accumulator has gathered."""
        graphs, cases = int(other.graphs.used[0]), int(other.cases.used[0])
        self._make_space(max(graphs, cases))
        new = np.empty(graphs, np.int64)
        known = int(self.graphs.used[0])
        copy_intern_table(other.graphs, self.graphs, new)
        for graph in np.flatnonzero(new >= known):
            begin, end = other.graphs.start[graph], other.graphs.start[graph + 1]
            at = self.graphs.start[new[graph]]
            self.tags[at : at + end - begin] = other.tags[begin:end]
        moved = InternTable(
            other.cases.slots,
            other.cases.start,
            other.cases.words.copy(),
            other.cases.used,
        )
        words = moved.words[: 3 * cases].reshape(-1, 3)
        words[:, 0] = new[words[:, 0]]
        places = np.empty(cases, np.int64)
        copy_intern_table(moved, self.cases, places)
        np.add.at(self.boards, places, other.boards[:cases])

    def matching_counts(self, most: int, run: Run) -> dict[int, MatchingCounts]:
        """Solve every graph up to ``most`` edges and sum the matchings by group."""
        graphs = int(self.graphs.used[0])
        shape = np.empty((graphs, 3), np.int32)
        measure(self.graphs, 0, most, most_cards_in_one_limb(), shape)
        place = np.zeros(graphs + 1, np.int64)
        np.cumsum(shape.prod(axis=1, dtype=np.int64), out=place[1:])
        results = np.empty(int(place[-1]), np.uint64)

        def solve(begin: int, end: int) -> None:
            solve_graphs(self.graphs, self.tags, begin, end, most, shape, place, results)

        run(solve, graphs)
        cases = self.cases.words[: 3 * int(self.cases.used[0])].reshape(-1, 3)
        by_group = np.argsort(cases[:, 2], kind="stable")
        groups, first = np.unique(cases[by_group, 2], return_index=True)
        sums = np.empty((DECK_SIZE + 1, most + 1, most + 1, SUM_LIMBS), np.uint64)
        counts: dict[int, MatchingCounts] = {}
        for group, members in zip(groups, np.split(by_group, first[1:]), strict=True):
            sums[:] = 0
            add_up(cases, self.boards, members, shape, place, results, sums)
            counts[int(group)] = _as_integers(sums)
        return counts


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
    """Add boards x matchings of the cases ``members`` to ``sums`` (deck, edges, ties, limbs)."""
    low = np.uint64(0xFFFFFFFF)
    half = np.uint64(32)
    for case in members:
        graph = cases[case, 0]
        deck = cases[case, 1]
        limbs, edges, ties = shape[graph, 0], shape[graph, 1], shape[graph, 2]
        plane = edges * ties
        weight = np.uint64(boards[case])
        for j in range(edges):
            for t in range(min(j + 1, ties)):
                at = place[graph] + j * ties + t
                first = results[at]
                second = results[at + plane] if limbs == 2 else np.uint64(0)
                if first | second == 0:
                    continue
                # Two limbs overlap from bit 48 on; bits 0 to 127 as four pieces of 32.
                shift = np.uint64(LIMB_BITS - 32)
                pieces = (
                    first & low,
                    (first >> half) + ((second << shift) & low),
                    (second >> (half - shift)) & low,
                    second >> np.uint64(96 - LIMB_BITS),
                )
                carry = np.uint64(0)
                for limb in range(SUM_LIMBS):
                    value = sums[deck, j, t, limb] + weight * pieces[limb] + carry
                    sums[deck, j, t, limb] = value & low
                    carry = value >> half


def _as_integers(sums: Counts) -> MatchingCounts:
    counts = {}
    for deck, edges, ties in np.argwhere(sums.any(axis=3)).tolist():
        limbs = sums[deck, edges, ties].tolist()
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
