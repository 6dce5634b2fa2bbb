"""Ranges of Omaha hands against each other: count the deals of the other player, for each hand."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import OmahaCounts, Progress
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.backends.cpu.omaha.ranges.comparisons import compare_boards
from gpuodds.backends.cpu.omaha.ranges.hand_lists import Floats, HandLists, Ints, UInt8s, hand_lists
from gpuodds.backends.cpu.omaha.ranges.made_hands import count_by_board, new_made
from gpuodds.backends.cpu.omaha.ranges.subset_sums import sum_steps
from gpuodds.backends.cpu.omaha.ranges.sweep import (
    HIGH_COLUMNS,
    LOW_COLUMNS,
    MAX_FIELDS,
    new_ranks,
    new_sorted,
    new_sweep,
    sweep_boards,
)
from gpuodds.games.omaha.low_ranks import low_ranks_of_sets
from gpuodds.games.shared.hand_ranks import hand_rank_tables

Counts = npt.NDArray[Any]

MAX_PIECES = 64
MIN_PIECE = 2_000_000  # boards x hands
LONGEST_COMPARED = {4: 8, 5: 20, 6: 90}  # hands, by hole cards; twice as many in hi-lo games


def count_showdowns(
    hands: Sequence[UInt8s],
    weights: Sequence[Floats],
    boards: UInt8s,
    times: Ints,
    low: bool,
    progress: Progress | None = None,
    made_hands: bool = False,
) -> OmahaCounts:
    """Count, for each hand of two players, the deals of the other by how the pot is shared.

    Args:
        hands: The players' hands, two arrays (n_i, 4), (n_i, 5) or (n_i, 6) uint8 of ascending cards;
            no hand twice in one list.
        weights: Two arrays (n_i,) float64.
        boards: (m, 5) uint8 full boards.
        times: (m,) int64, the factor of each board.
        low: Whether the game is hi-lo.
        progress: Called with the fraction done, 0 to 1.
        made_hands: Whether to count by category, too.

    Returns:
        For each player an array with a row a hand: the sum over boards of the factor times the weight
        of the other player's hands that share no card with hand and board. Hands with a board card
        count nothing there. Columns of a high game: the hand wins, ties, and all. Columns of a hi-lo
        game: it wins or ties the high where no player has a low; the same where one has; it wins or
        ties the low; takes the whole pot; gets nothing; and all. If all weights are 0 or 1, int64: at
        most 20,358,520 hands on 2,598,960 boards, below 2^46. Otherwise float64. By category: Python
        integers, which do not overflow, or float64.
    """
    boards = np.ascontiguousarray(boards)  # one layout: what takes it is compiled once
    sets_of_cards = (np.int64(1) << boards.astype(np.int64)).sum(axis=1)
    lists = hand_lists(list(hands), list(weights), int(np.bitwise_and.reduce(sets_of_cards)))
    integers = bool(((lists.weights == 0.0) | (lists.weights == 1.0)).all())
    n, size = lists.cards.shape
    total = np.zeros((n, LOW_COLUMNS if low else HIGH_COLUMNS, 2), np.int64 if integers else np.float64)
    totals = [total]
    if made_hands:
        totals.append(new_made(object if integers else np.float64))
    first, second = (places[places >= 0] for places in lists.places)
    if n and min(len(first), len(second)) <= LONGEST_COMPARED[size] * (1 + low):
        _compare(lists, boards, times, low, totals, progress)
    elif n:
        _sweep(lists, boards, times, low, totals, progress)
    if not integers:
        np.maximum(total, 0.0, out=total)  # differences of sums may come out just below 0
    padded = np.concatenate([total, np.zeros((1, *total.shape[1:]), total.dtype)])
    own_first, own_second = lists.places
    made = [totals[1][..., player] for player in range(2)] if made_hands else None
    return OmahaCounts([padded[own_first, :, 1], padded[own_second, :, 0]], made)


def _compare(
    lists: HandLists, boards: UInt8s, times: Ints, low: bool, totals: list[Counts],
    progress: Progress | None,
) -> None:  # fmt: skip
    """Add the counts of all boards to ``totals``: compare every pair of hands."""
    total = totals[0]
    tables, low_ranks = hand_rank_tables(), low_ranks_of_sets()
    weights, factors = lists.weights.astype(total.dtype), times.astype(total.dtype)
    first, second = (np.sort(places[places >= 0]) for places in lists.places)

    def count(begin: int, end: int) -> Sequence[Counts]:
        part, ranked = np.zeros_like(total), new_ranks(len(total))

        def compare(begin: int, end: int) -> None:
            compare_boards(
                boards, factors, begin, end, lists.cards, lists.masks, lists.runs, weights, first,
                second, tables, low_ranks, low, ranked, part,
            )  # fmt: skip

        if len(totals) > 1:
            return count_by_board(compare, begin, end, ranked.ranks, part, weights, low)
        compare(begin, end)
        return [part]

    step = _step(len(boards), len(total))
    add_pieces(count, [*range(0, len(boards), step), len(boards)], totals, progress)


def _sweep(
    lists: HandLists, boards: UInt8s, times: Ints, low: bool, totals: list[Counts],
    progress: Progress | None,
) -> None:  # fmt: skip
    """Add the counts of all boards to ``totals``: sweep through the hands by rank."""
    total = totals[0]
    n, size = lists.cards.shape
    integers = total.dtype == np.int64
    tables, low_ranks = hand_rank_tables(), low_ranks_of_sets()
    weights = lists.weights.astype(total.dtype)
    values, own = _both(lists.weights, size, integers)
    boards, times, starts = _pieces(boards, times, lists.weights, integers)
    factors = times.astype(values.dtype)
    steps, sets = sum_steps(np.unique(lists.cards).astype(np.int64), size)
    fields = MAX_FIELDS if low else 1

    def count(begin: int, end: int) -> Sequence[Counts]:
        counts = np.zeros(total.shape[:2], values.dtype)
        part = counts.view(np.uint32 if integers else np.float64).reshape(total.shape)
        ranked, sort, sweep = new_ranks(n), new_sorted(n), new_sweep(n, sets, fields, values.dtype)

        def count_some(begin: int, end: int) -> None:
            sweep_boards(
                boards, factors, begin, end, lists.cards, lists.words, lists.runs, values, own, steps,
                sets, tables, low_ranks, low, ranked, sort, sweep, counts,
            )  # fmt: skip

        if len(totals) > 1:
            return count_by_board(count_some, begin, end, ranked.ranks, part, weights, low)
        count_some(begin, end)
        return [part]

    add_pieces(count, starts, totals, progress)


def add_pieces(
    count: Callable[[int, int], Sequence[Counts]], starts: list[int], totals: Sequence[Counts],
    progress: Progress | None,
) -> None:  # fmt: skip
    """Add the arrays that ``count`` returns for each piece to ``totals``, in the order of the pieces.

    So floats are rounded alike, whichever thread is done first.
    """
    parts: dict[int, Sequence[Counts]] = {}
    added = 0
    lock = threading.Lock()

    def work(begin: int, end: int) -> None:
        nonlocal added
        for piece in range(begin, end):
            counts = count(starts[piece], starts[piece + 1])
            with lock:
                parts[piece] = counts
                while added in parts:
                    for total, part in zip(totals, parts.pop(added), strict=True):
                        np.add(total, part, out=total)
                    added += 1

    pieces = len(starts) - 1
    with thread_pool(thread_count() if pieces > 1 else 1, progress, pieces) as run:
        run(work, pieces)


def _step(boards: int, hands: int) -> int:
    """Return how many boards make a piece."""
    return max(1, -(-boards // MAX_PIECES), MIN_PIECE // hands)


def _both(weights: Floats, hole_cards: int, integers: bool) -> tuple[Counts, Counts]:
    """Return the weights (n, 2) as one number a hand, and what a hand meets of itself."""
    if integers:
        halves = weights.astype(np.uint64)
        values: Counts = halves[:, 0] + (halves[:, 1] << np.uint64(32))
    else:
        values = weights[:, 0] + 1j * weights[:, 1]
    return values, values if hole_cards % 2 == 0 else np.zeros_like(values) - values


def _pieces(
    boards: UInt8s, times: Ints, weights: Floats, integers: bool
) -> tuple[UInt8s, Ints, list[int]]:
    """Cut the boards into pieces, which do not depend on the number of threads.

    With integers the counts of a piece stay below 2^32: a board with too large a factor is listed
    several times, with parts of it. Returns the boards, the factors, and where the pieces start.
    """
    step = _step(len(boards), len(weights))
    if not integers:
        return boards, times, [*range(0, len(boards), step), len(boards)]
    most = (2**32 - 1) // max(1, int(weights.sum(axis=0).max()))
    parts = np.maximum(1, -(-times // most))
    rows = np.repeat(np.arange(len(boards)), parts)
    which = np.arange(len(rows)) - np.repeat(np.cumsum(parts) - parts, parts)
    times = times[rows] // parts[rows] + (which < times[rows] % parts[rows])
    starts, total = [0], 0
    for row, factor in enumerate(times.tolist()):
        if total + factor > most or row - starts[-1] == step:
            starts.append(row)
            total = 0
        total += factor
    return boards[rows], times, [*starts, len(rows)]
