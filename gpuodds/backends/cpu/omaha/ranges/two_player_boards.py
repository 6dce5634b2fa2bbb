"""Ranges of two Omaha players on each of many full boards: the deals by how the pot is shared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.backends.cpu.omaha.ranges.board_totals import (
    LOW_LOST,
    LOW_TOTAL_COLUMNS,
    TOTAL_COLUMNS,
    compare_totals,
    join_lists,
    new_list,
    sweep_totals,
)
from gpuodds.backends.cpu.omaha.ranges.hand_lists import Floats, UInt8s, hand_lists
from gpuodds.backends.cpu.omaha.ranges.subset_sums import sum_steps
from gpuodds.backends.cpu.omaha.ranges.sweep import (
    DEALT,
    HIGH_TIE,
    HIGH_TIE_BESIDE_LOW,
    HIGH_WIN,
    HIGH_WIN_BESIDE_LOW,
    LOW_COLUMNS,
    LOW_DEALT,
    LOW_TIE,
    LOW_WIN,
    MAX_FIELDS,
    NOTHING,
    SCOOP,
    TIE,
    WIN,
    new_ranks,
    new_sorted,
    new_sweep,
)
from gpuodds.games.omaha.low_ranks import low_ranks_of_sets
from gpuodds.games.shared.hand_ranks import hand_rank_tables

Counts = npt.NDArray[Any]

PIECES, LEAST_BOARDS = 250, 16  # of all boards; of a piece
MAX_PIECE = 1 << 24  # boards x hands, where that is more than a board: Ctrl-C waits for a piece
LONGEST_COMPARED = {4: 20, 5: 60, 6: 200}  # hands against many, by hole cards


def count_boards(
    hands: Sequence[UInt8s],
    weights: Sequence[Floats],
    boards: UInt8s,
    low: bool,
    progress: Progress | None = None,
) -> tuple[Counts, Counts]:
    """Count the deals of two players' hands on each board by how the pot is shared.

    Args:
        hands: The players' hands, two arrays (n_i, 4), (n_i, 5) or (n_i, 6) uint8 of ascending cards;
            no hand twice in one list.
        weights: Two arrays (n_i,) float64.
        boards: (m, 5) uint8 full boards.
        low: Whether the game is hi-lo.
        progress: Called with the fraction done, 0 to 1.

    Returns:
        For each player (m, columns), the columns of
        :func:`gpuodds.backends.cpu.omaha.ranges.showdowns.count_showdowns`: the sum over the pairs of
        hands that share no card with each other and the board of the product of their weights. If all
        weights are 0 or 1, int64: two hands of six cards are at most 5 x 10^13 pairs. Otherwise
        float64.
    """
    boards = np.ascontiguousarray(boards)
    swapped = len(hands[0]) > len(hands[1])
    order = (1, 0) if swapped else (0, 1)
    lists = hand_lists([hands[i] for i in order], [weights[i] for i in order], 0)
    integers = bool(((lists.weights == 0.0) | (lists.weights == 1.0)).all())
    dtype = np.uint64 if integers else np.float64
    n, size = lists.cards.shape
    totals = np.zeros((len(boards), LOW_TOTAL_COLUMNS if low else TOTAL_COLUMNS), dtype)
    first, second = (np.sort(places) for places in lists.places)
    joined = join_lists(lists.weights, first, second, size, dtype)
    tables, low_ranks = hand_rank_tables(), low_ranks_of_sets()
    steps, sets = sum_steps(np.unique(lists.cards).astype(np.int64), size)
    longest = LONGEST_COMPARED[size] * (2 * len(first) + len(second))  # a look-up costs two additions
    compared = len(first) * len(second) <= longest

    def count(begin: int, end: int) -> None:
        if compared:
            compare_totals(
                boards, begin, end, lists.cards, lists.masks, lists.runs, joined, tables, low_ranks,
                low, new_ranks(n), np.zeros(totals.shape[1], dtype), totals,
            )  # fmt: skip
            return
        first_scratch, second_scratch = (new_list(len(places)) for places in (first, second))
        sweep = new_sweep(len(first), sets, MAX_FIELDS if low else 1, dtype)
        sweep_totals(
            boards, begin, end, lists.cards, lists.words, lists.runs, joined, steps, sets, tables,
            low_ranks, low, new_ranks(n), new_sorted(n), first_scratch, second_scratch, sweep, totals,
        )  # fmt: skip

    if len(boards) and len(first):
        pieces = max(1, min(PIECES, len(boards) // LEAST_BOARDS))
        pieces = max(pieces, min(len(boards), len(boards) * n // MAX_PIECE))
        with thread_pool(thread_count() if pieces > 1 else 1, progress, pieces) as run:
            run(count, len(boards))
    whole: Counts = totals.view(np.int64) if integers else totals
    by_player = _columns(whole, low), _mirrored(whole, low)
    return (by_player[1], by_player[0]) if swapped else by_player


def _columns(totals: Counts, low: bool) -> Counts:
    return totals[:, :LOW_COLUMNS] if low else totals


def _mirrored(totals: Counts, low: bool) -> Counts:
    """Return the columns of the other player."""
    mirrored = totals[:, :LOW_COLUMNS].copy() if low else totals.copy()
    if not low:
        mirrored[:, WIN] = totals[:, DEALT] - totals[:, WIN] - totals[:, TIE]
        return mirrored
    beside = totals[:, LOW_WIN] + totals[:, LOW_TIE] + totals[:, LOW_LOST]
    alone = totals[:, LOW_DEALT] - beside
    mirrored[:, HIGH_WIN] = alone - totals[:, HIGH_WIN] - totals[:, HIGH_TIE]
    mirrored[:, HIGH_WIN_BESIDE_LOW] = (
        beside - totals[:, HIGH_WIN_BESIDE_LOW] - totals[:, HIGH_TIE_BESIDE_LOW]
    )
    mirrored[:, LOW_WIN] = totals[:, LOW_LOST]
    mirrored[:, SCOOP], mirrored[:, NOTHING] = totals[:, NOTHING], totals[:, SCOOP]
    return mirrored
