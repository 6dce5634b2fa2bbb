"""Count two players' deals by the category of their final hands, beside the counts of each hand.

A hand's category differs from board to board. So boards are counted one at a time, by the loops that
count many, and what a board gives is added up by category before the next.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled
from gpuodds.backends.cpu.omaha.ranges.hand_lists import Ints
from gpuodds.backends.cpu.omaha.ranges.sweep import (
    DEALT,
    HIGH_TIE,
    HIGH_TIE_BESIDE_LOW,
    HIGH_WIN,
    HIGH_WIN_BESIDE_LOW,
    LOW_DEALT,
    TIE,
    WIN,
)
from gpuodds.backends.cpu.shared.showdown_sums import hand_category
from gpuodds.games.shared.hand_names import CATEGORIES
from gpuodds.games.shared.hand_ranks import UInt16s, hand_rank_tables

Counts = npt.NDArray[Any]

MADE_WIN, MADE_TIE, MADE_DEALT = range(3)  # the columns of made hands
MADE_COLUMNS = 3


def new_made(dtype: npt.DTypeLike) -> Counts:
    """Make the counts of made hands: (9, 3, 2), by category and column for each player."""
    return np.zeros((len(CATEGORIES), MADE_COLUMNS, 2), dtype)


def count_by_board(
    count: Callable[[int, int], None], begin: int, end: int, ranks: UInt16s, of_board: Counts,
    weights: Counts, low: bool,
) -> tuple[Counts, Counts]:  # fmt: skip
    """Count the boards ``begin`` to ``end`` one at a time.

    Args:
        count: Adds the counts of some boards to ``of_board``, and leaves the hands' ranks in ``ranks``.
        begin: The first board.
        end: The end of the boards.
        ranks: (n,) uint16, 0 for a hand with a card of the board.
        of_board: (n, columns, 2), zeros.
        weights: (n, 2) int64 or float64, in each player's list.
        low: Whether the game is hi-lo.

    Returns:
        The counts, as ``of_board``, and (9, 3, 2) of the dtype of the weights: for each player the
        deals in which the high hand is of a category, by whether it wins, ties, and all. They fit 64
        bits: at most 2^25 hands have less than 2^32 deals each in the boards of a piece that are swept.
    """
    counts, made = np.zeros_like(of_board), new_made(weights.dtype)
    ends = hand_rank_tables().category_ends
    for board in range(begin, end):
        count(board, board + 1)
        _move_counts(ranks, ends, of_board, weights, low, counts, made)
    return counts, made


@compiled
def _move_counts(
    ranks: UInt16s, category_ends: Ints, of_board: Any, weights: Any, low: bool, counts: Any, made: Any
) -> None:
    """Add the counts of a board to those of all boards and of made hands, and set them to zero."""
    win, tie, dealt = (HIGH_WIN, HIGH_TIE, LOW_DEALT) if low else (WIN, TIE, DEALT)
    for h in range(ranks.size):
        rank = int(np.int64(ranks[h]))
        if rank == 0:
            continue
        category = hand_category(rank, category_ends)
        for player in range(2):
            weight, other = weights[h, player], 1 - player
            if weight == 0:
                continue
            made[category, MADE_WIN, player] += weight * of_board[h, win, other]
            made[category, MADE_TIE, player] += weight * of_board[h, tie, other]
            made[category, MADE_DEALT, player] += weight * of_board[h, dealt, other]
            if low:
                made[category, MADE_WIN, player] += weight * of_board[h, HIGH_WIN_BESIDE_LOW, other]
                made[category, MADE_TIE, player] += weight * of_board[h, HIGH_TIE_BESIDE_LOW, other]
        for column in range(of_board.shape[1]):
            for player in range(2):
                counts[h, column, player] += of_board[h, column, player]
                of_board[h, column, player] = 0
