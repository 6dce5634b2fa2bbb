"""Count a short list of Omaha hands against another on full boards: compare every pair of hands."""

from __future__ import annotations

from typing import Any

from gpuodds.backends.cpu.compile.jit import compiled, inlined_without_refcounts
from gpuodds.backends.cpu.omaha.ranges.hand_lists import Ints, UInt8s
from gpuodds.backends.cpu.omaha.ranges.sweep import (
    DEALT,
    HIGH_TIE,
    HIGH_TIE_BESIDE_LOW,
    HIGH_WIN,
    HIGH_WIN_BESIDE_LOW,
    LOW_DEALT,
    LOW_TIE,
    LOW_WIN,
    NOTHING,
    SCOOP,
    TIE,
    WIN,
    BoardRanks,
    rank_board,
)
from gpuodds.games.shared.hand_ranks import HandRankTables


@inlined_without_refcounts
def _add_high(counts: Any, h: int, villain: int, own: int, other: int, weight: Any) -> None:
    counts[h, DEALT, villain] += weight
    if own > other:
        counts[h, WIN, villain] += weight
    elif own == other:
        counts[h, TIE, villain] += weight


@inlined_without_refcounts
def _add_both(
    counts: Any, h: int, villain: int, own: int, other: int, low: int, other_low: int, weight: Any
) -> None:
    beside = low > 0 or other_low > 0
    counts[h, LOW_DEALT, villain] += weight
    if own > other:
        counts[h, HIGH_WIN_BESIDE_LOW if beside else HIGH_WIN, villain] += weight
        if low > other_low or not beside:
            counts[h, SCOOP, villain] += weight
    elif own == other:
        counts[h, HIGH_TIE_BESIDE_LOW if beside else HIGH_TIE, villain] += weight
    elif other_low > low or not beside:
        counts[h, NOTHING, villain] += weight
    if low > other_low:
        counts[h, LOW_WIN, villain] += weight
    elif beside and low == other_low:
        counts[h, LOW_TIE, villain] += weight


@compiled
def compare_boards(
    boards: UInt8s, times: Any, begin: int, end: int, cards: UInt8s, masks: Ints, runs: Ints,
    weights: Any, first: Ints, second: Ints, tables: HandRankTables, low_ranks: UInt8s, low: bool,
    ranked: BoardRanks, counts: Any,
) -> None:  # fmt: skip
    """Add the counts of the boards ``begin`` to ``end`` to ``counts``.

    Args:
        boards: (m, 5) uint8.
        times: (m,) int64 or float64, the factor of each board.
        begin: The first board.
        end: The end of the boards.
        cards: (n, hole cards), as ``masks`` and ``runs`` of the hands of both players.
        masks: (n,)
        runs: (1327,)
        weights: (n, 2) of the dtype of ``times``, in each player's list.
        first: The places of the first player's hands.
        second: The places of the second player's hands.
        tables: The hand ranks.
        low_ranks: The table of low ranks.
        low: Whether the game is hi-lo.
        ranked: Scratch.
        counts: (n, columns, 2) of the dtype of ``times``: for each hand, the weight of the first and of
            the second player's hands by column.
    """
    ranks, lows = ranked.ranks, ranked.lows
    for number in range(begin, end):
        has_low = rank_board(boards[number], cards, runs, tables, low_ranks, low, ranked)
        factor = times[number]
        for i in first:
            rank, low_i = int(ranks[i]), int(lows[i]) if has_low else 0
            if rank == 0:
                continue
            for j in second:
                other = int(ranks[j])
                if other == 0 or masks[i] & masks[j]:
                    continue
                to_first, to_second = weights[j, 1] * factor, weights[i, 0] * factor
                if low:
                    low_j = int(lows[j]) if has_low else 0
                    _add_both(counts, i, 1, rank, other, low_i, low_j, to_first)
                    _add_both(counts, j, 0, other, rank, low_j, low_i, to_second)
                else:
                    _add_high(counts, i, 1, rank, other, to_first)
                    _add_high(counts, j, 0, other, rank, to_second)
