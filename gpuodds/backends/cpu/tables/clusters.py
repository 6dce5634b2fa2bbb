"""Every combo against clusters of hands, over all ways to fill a board up: see the operation.

A hand's wins less its losses are counted as in :mod:`gpuodds.backends.cpu.values.two_players`: eight
clusters of opponents are the lanes of a vector of integers.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, zeros
from gpuodds.backends.cpu.compile.lanes import load_lanes, spread, store_lanes
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.backends.cpu.shared.sorting import (
    SortedCombos,
    new_sort_scratch,
    new_sorted,
    sort_combos,
)
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.clusters import CLUSTERS, ClusterCounts
from gpuodds.games.holdem.game import Holdem
from gpuodds.games.shared.combos import COMBOS, combo_cards
from gpuodds.games.shared.hand_ranks import HandRankTables
from gpuodds.games.shared.rules import BOARD_CARDS, HOLE_CARDS

Ints = npt.NDArray[np.int64]
Int32s = npt.NDArray[np.int32]
UInt8s = npt.NDArray[np.uint8]


@compiled
def _add_board(
    dealt: int, order: SortedCombos, pairs: Ints, members: Int32s, sums: Int32s, counts: Int32s
) -> None:
    """Add wins less losses on a full board, of combos in the order of their ranks.

    Args:
        dealt: How many combos can be dealt.
        order: The combos by rank.
        pairs: Their cards, (1326, 2).
        members: 1 at the cluster of each combo, else 0, (1326, 8).
        sums: Scratch, (52, 8).
        counts: Added to, (1326, 8).
    """
    ranks, combos = order.ranks, order.combos
    total = spread(0, members)
    for card in range(DECK_SIZE):
        store_lanes(sums, CLUSTERS * card, total)
    for place in range(dealt):
        h = combos[place]
        one = load_lanes(members, CLUSTERS * h)
        a, b = CLUSTERS * pairs[h, 0], CLUSTERS * pairs[h, 1]
        store_lanes(sums, a, load_lanes(sums, a) - one)
        store_lanes(sums, b, load_lanes(sums, b) - one)
        total = total - one
    first = 0
    while first < dealt:
        last, rank = first, ranks[first]
        while last < dealt and ranks[last] == rank:
            h = combos[last]
            one = load_lanes(members, CLUSTERS * h)
            a, b = CLUSTERS * pairs[h, 0], CLUSTERS * pairs[h, 1]
            store_lanes(sums, a, load_lanes(sums, a) + one)
            store_lanes(sums, b, load_lanes(sums, b) + one)
            total = total + one
            last += 1
        for place in range(first, last):
            h = combos[place]
            a, b = CLUSTERS * pairs[h, 0], CLUSTERS * pairs[h, 1]
            won = total - load_lanes(sums, a) - load_lanes(sums, b)
            at = CLUSTERS * h
            store_lanes(counts, at, load_lanes(counts, at) + won)
        for place in range(first, last):
            h = combos[place]
            one = load_lanes(members, CLUSTERS * h)
            a, b = CLUSTERS * pairs[h, 0], CLUSTERS * pairs[h, 1]
            store_lanes(sums, a, load_lanes(sums, a) + one)
            store_lanes(sums, b, load_lanes(sums, b) + one)
            total = total + one
        first = last


@compiled
def _count_boards(
    boards: UInt8s, pairs: Ints, members: Int32s, tables: HandRankTables, begin: int, end: int,
    counts: Int32s,
) -> None:  # fmt: skip
    """Count the boards ``begin`` to ``end``, each filled up in every way; ``counts`` by board."""
    scratch, order = new_sort_scratch(), new_sorted(COMBOS)
    sums = zeros((DECK_SIZE, CLUSTERS), np.int32)
    size = boards.shape[1]
    full = zeros(BOARD_CARDS, np.uint8)
    for number in range(begin, end):
        known = 0
        for i in range(size):
            full[i] = boards[number, i]
            known |= 1 << int(np.int64(boards[number, i]))
        # The cards to come, ascending: none, one or two.
        for turn in range(DECK_SIZE if size < 4 else 1):
            if size < 4:
                if known >> turn & 1:
                    continue
                full[size] = turn
            for river in range(turn + 1 if size < 4 else 0, DECK_SIZE if size < 5 else 1):
                if size < 5:
                    if known >> river & 1:
                        continue
                    full[4] = river
                dealt = sort_combos(full, pairs, tables, scratch, order)
                _add_board(dealt, order, pairs, members, sums, counts[number])


@compiled
def _count_deals(
    boards: UInt8s, pairs: Ints, members: Int32s, runouts: int, begin: int, end: int, counts: Int32s
) -> None:
    """Write, for the boards ``begin`` to ``end``, the deals of each combo and cluster."""
    sums = zeros((DECK_SIZE, CLUSTERS), np.int32)
    for number in range(begin, end):
        known = 0
        for i in range(boards.shape[1]):
            known |= 1 << int(np.int64(boards[number, i]))
        sums[:] = 0
        total = spread(0, members)
        for h in range(COMBOS):
            if (known >> pairs[h, 0] | known >> pairs[h, 1]) & 1:
                continue
            one = load_lanes(members, CLUSTERS * h)
            a, b = CLUSTERS * pairs[h, 0], CLUSTERS * pairs[h, 1]
            store_lanes(sums, a, load_lanes(sums, a) + one)
            store_lanes(sums, b, load_lanes(sums, b) + one)
            total = total + one
        for h in range(COMBOS):
            if (known >> pairs[h, 0] | known >> pairs[h, 1]) & 1:
                continue
            one = load_lanes(members, CLUSTERS * h)
            a, b = CLUSTERS * pairs[h, 0], CLUSTERS * pairs[h, 1]
            beside = total - load_lanes(sums, a) - load_lanes(sums, b) + one
            at = (number * COMBOS + h) * CLUSTERS
            store_lanes(counts, at, beside * spread(runouts, counts))


def count_deals(boards: UInt8s, clusters: UInt8s) -> Int32s:
    """Return the deals of each combo and cluster, which follow from the cards: shape (n, 1326, 8)."""
    counts = np.zeros((len(boards), COMBOS, CLUSTERS), np.int32)
    size = boards.shape[1]
    runouts = comb(DECK_SIZE - size - 2 * HOLE_CARDS, BOARD_CARDS - size)
    members, pairs = _members(clusters), combo_cards().astype(np.int64)

    def work(begin: int, end: int) -> None:
        _count_deals(boards, pairs, members, runouts, begin, end, counts)

    with thread_pool(thread_count()) as run:
        run(work, len(boards))
    return counts


def _members(clusters: UInt8s) -> Int32s:
    members: Int32s = np.eye(CLUSTERS, dtype=np.int32)[clusters]
    return members


def against_clusters(boards: Any, clusters: UInt8s, game: Holdem) -> ClusterCounts:
    """Count how each combo fares on boards of three to five cards: see the operation."""
    counts = np.zeros((len(boards), COMBOS, CLUSTERS), np.int32)
    members = _members(clusters)
    pairs = combo_cards().astype(np.int64)

    def work(begin: int, end: int) -> None:
        _count_boards(boards, pairs, members, game.hand_rank_tables, begin, end, counts)

    with thread_pool(thread_count()) as run:
        run(work, len(boards))
    deals = count_deals(boards, clusters)
    counts += deals  # wins less losses, and wins, ties and losses, are 2 wins + ties
    return ClusterCounts(counts, deals)
