"""Rank hands of Omaha by the rules: the best of exactly two hole cards and three of the board.

The CPU backend ranks many hands; this module is its reference.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from gpuodds.games.shared.hand_ranks import rank_cards


def rank_omaha(hole: Sequence[int], board: Sequence[int]) -> int:
    """Return the hand rank of hole cards on a board, 1 (7-5-4-3-2) to 7462 (a royal flush).

    Nothing is checked.

    Args:
        hole: Card numbers, two or more.
        board: Card numbers, three or more.

    Example:
        >>> rank_omaha([51, 0, 5, 10], [47, 43, 39, 35, 1])  # As and KsQsJsTs: a pair of twos
        1497
    """
    return max(
        rank_cards([*pair, *triple])
        for pair in combinations(hole, 2)
        for triple in combinations(board, 3)
    )
