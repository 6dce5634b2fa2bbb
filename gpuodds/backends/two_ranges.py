"""Two ranges on boards of three to five cards, from any backend's showdowns on full boards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress, ShowdownCounts, TwoRangeCounts
from gpuodds.cards import DECK_SIZE
from gpuodds.games.shared.combos import combo_cards
from gpuodds.games.shared.rules import BOARD_CARDS, COMBOS, HOLE_CARDS
from gpuodds.games.shared.symmetry import average, suit_group, weighted_boards

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

Showdowns = Callable[[Floats, UInt8s, Ints], npt.NDArray[Any]]
"""A backend's ``range_showdowns``: counts (2, 1326, 2) of weights on full boards with their factors."""


def count_by_showdowns(
    showdowns: Showdowns,
    weights: Floats,
    boards: UInt8s,
    dead: Sequence[int],
    by_combo: bool,
    progress: Progress | None,
) -> TwoRangeCounts:
    """Count two ranges board by board: see ``TwoRangeBoards``."""
    integers = bool(((weights == 0.0) | (weights == 1.0)).all())
    kind: type = np.int64 if integers else np.float64
    totals: npt.NDArray[Any] = np.zeros((len(boards), 3), kind)
    combos: npt.NDArray[Any] = np.zeros((len(boards) if by_combo else 0, 2, COMBOS, 3), kind)
    for number, board in enumerate(boards.tolist()):
        counts = _one_board(showdowns, weights, board, dead)
        own = free_weights(weights, board, dead)[0].astype(kind)
        totals[number] = own @ counts[0]
        if by_combo:
            combos[number] = counts
        if progress is not None:
            progress((number + 1) / len(boards))
    return TwoRangeCounts(totals, combos if by_combo else None)


def count_all_boards(
    showdowns: Callable[[UInt8s, Ints, bool], ShowdownCounts],
    weights: Floats,
    made_hands: Sequence[int],
    missing: Sequence[int],
) -> ShowdownCounts:
    """Count two ranges before the flop board by board: see ``TwoRangesPreflop``.

    Args:
        showdowns: A backend's ``range_showdowns`` of these ranges, from boards, their factors, and
            whether to count by category.
        weights: The two ranges, shape (2, 1326).
        made_hands: The players whose deals to count by category, too.
        missing: The cards that are not in the deck.
    """
    group = suit_group(weights, (), missing)
    counted = showdowns(*weighted_boards((), missing, group), len(made_hands) > 0)
    made = None if counted.by_category is None else counted.by_category[list(made_hands)]
    return ShowdownCounts(average(counted.by_winners, group), made)


def _one_board(
    showdowns: Showdowns, weights: Floats, board: Sequence[int], dead: Sequence[int]
) -> npt.NDArray[Any]:
    """Return wins, ties and losses by combo, shape (2, 1326, 3)."""
    free = free_weights(weights, board, dead)
    group = suit_group(free, board, dead)
    known = len(board) + len(dead) + 2 * HOLE_CARDS
    runouts = comb(max(DECK_SIZE - known, 0), BOARD_CARDS - len(board))
    won = average(showdowns(free, *weighted_boards(board, dead, group)), group)
    no_board = np.zeros((1, 0), np.uint8), np.ones(1, np.int64)
    dealt = showdowns(free, *no_board)[:, :, -1:] * runouts
    return np.concatenate([won, dealt - won.sum(axis=2, keepdims=True)], axis=2)


def free_weights(weights: Floats, board: Sequence[int], dead: Sequence[int]) -> Floats:
    """Return weights with 0 for the combos that have a board or dead card."""
    known = np.zeros(DECK_SIZE, bool)
    known[[*board, *dead]] = True
    free: Floats = weights * ~known[combo_cards()].any(axis=1)
    return free
