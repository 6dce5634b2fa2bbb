"""Ranges of Omaha of three players: count the deals by who wins."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from gpuodds.backends.counts import Progress
from gpuodds.backends.cpu.omaha.ranges.hand_lists import Floats, HandLists, Ints, UInt8s, hand_lists
from gpuodds.backends.cpu.omaha.ranges.showdowns import MAX_PIECES, Counts, add_pieces
from gpuodds.backends.cpu.omaha.ranges.subset_sums import sum_steps
from gpuodds.backends.cpu.omaha.ranges.sweep import MAX_FIELDS, new_ranks, new_sorted, new_sweep
from gpuodds.backends.cpu.omaha.ranges.three_sweeps import MASKS, Lists, count_boards, new_dealt
from gpuodds.games.omaha.low_ranks import low_ranks_of_sets
from gpuodds.games.shared.hand_ranks import hand_rank_tables

PLAYERS = 3


def count_three_players(
    hands: Sequence[UInt8s],
    weights: Sequence[Floats],
    boards: UInt8s,
    times: Ints,
    low: bool,
    progress: Progress | None = None,
) -> dict[tuple[int, int], Any]:
    """Count the deals of three players by the best hands.

    Args:
        hands: The players' hands, three arrays (n_i, 4), (n_i, 5) or (n_i, 6) uint8 of ascending cards;
            no hand twice in one list. On one board there are fewer than 2^63 deals times its factor.
        weights: Three arrays (n_i,) float64.
        boards: (m, 5) uint8 full boards.
        times: (m,) int64, the factor of each board.
        low: Whether the game is hi-lo.
        progress: Called with the fraction done, 0 to 1.

    Returns:
        The sum over boards of the factor times the product of the hands' weights, over the hands that
        share no card with each other and the board, by the players with the best high hand and those
        with the best low, two masks; the second is 0 without a low. If all weights are 0 or 1, Python
        integers, otherwise floats.
    """
    # The first player's hands are taken one by one; the third's are added to sums, which costs less
    # than to look them up for the second's.
    order = sorted(range(PLAYERS), key=lambda player: len(hands[player]))
    boards = np.ascontiguousarray(boards)
    sets_of_cards = (np.int64(1) << boards.astype(np.int64)).sum(axis=1)
    blocked = int(np.bitwise_and.reduce(sets_of_cards))
    lists = hand_lists(
        [hands[player] for player in order], [weights[player] for player in order], blocked
    )
    integers = bool(((lists.weights == 0.0) | (lists.weights == 1.0)).all())
    total = np.zeros((MASKS, MASKS), object if integers else np.float64)
    present = lists.weights > 0
    if present.any(axis=0).all():
        # The cards that a player holds whichever hand it is.
        held_by_all = [np.bitwise_and.reduce(lists.masks[own]) for own in present.T]
        free = sets_of_cards & np.bitwise_or.reduce(held_by_all) == 0
        _sweep(lists, boards[free], times[free], low, total, progress)
    if not integers:
        np.maximum(total, 0.0, out=total)  # differences of sums may come out just below 0
    masks = [
        sum(1 << player for place, player in enumerate(order) if mask >> place & 1)
        for mask in range(MASKS)
    ]
    rows = enumerate(total.tolist())
    counts = {
        (masks[high], masks[of_low]): count
        for high, row in rows
        for of_low, count in enumerate(row)
        if high and count
    }
    return dict(sorted(counts.items()))


def _sweep(
    listed: HandLists, boards: UInt8s, times: Ints, low: bool, total: Counts, progress: Progress | None
) -> None:
    """Add the counts of all boards to ``total``."""
    n, size = listed.cards.shape
    dtype = np.float64 if total.dtype == np.float64 else np.uint64
    first, second, third = np.ascontiguousarray(listed.weights.T).astype(dtype)
    own = third if size % 2 == 0 else np.zeros_like(third) - third
    members = ((listed.weights > 0) << np.arange(PLAYERS)).sum(axis=1).astype(np.uint8)
    hands = listed.cards, listed.masks, listed.words, listed.runs, members
    lists = Lists(*hands, first, second, third, own)
    firsts = np.flatnonzero(listed.weights[:, 0])
    tables, low_ranks = hand_rank_tables(), low_ranks_of_sets()
    steps, sets = sum_steps(np.unique(listed.cards).astype(np.int64), size)
    factors = times.astype(dtype)

    def count(begin: int, end: int) -> list[Counts]:
        counts = np.zeros((MASKS, MASKS), dtype)
        count_boards(
            boards, factors, begin, end, lists, firsts, steps, sets, tables, low_ranks, low,
            new_ranks(n), new_sorted(n), new_sweep(n, sets, MAX_FIELDS if low else 1, dtype),
            new_dealt(n), new_dealt(n), counts,
        )  # fmt: skip
        counts[0] = 0
        return [counts.astype(total.dtype)]

    # Counts of a piece stay below 2^64.
    deals = prod(int(count) for count in np.count_nonzero(listed.weights, axis=0))
    most = 2**63 // max(1, deals * int(times.max(initial=1)))
    step = max(1, min(most, -(-len(boards) // MAX_PIECES)))
    add_pieces(count, [*range(0, len(boards), step), len(boards)], [total], progress)
