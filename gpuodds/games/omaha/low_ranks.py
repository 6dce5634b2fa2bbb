"""Rank low hands: five cards of different ranks, eight or lower, aces low; the lowest is the best.

Straights and flushes do not count against a low. A hand's low depends on which ranks from ace to eight
it holds, a *low set* of eight bits: bit 0 is the ace, bit 7 the eight. Of two sets of five ranks the
smaller number is the better low. Low ranks are 1 (8-7-6-5-4) to 56 (5-4-3-2-A), 0 for no low.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from operator import index

import numpy as np
import numpy.typing as npt

from gpuodds.errors import InputError

UInt8s = npt.NDArray[np.uint8]

LOW_BITS = (2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 1)
"""At [card rank], its bit in a low set; 0 for ranks that are in no low."""
LOW_SETS = 256
HIGHEST_LOW = 56

_FIVE_RANKS = sorted((s for s in range(LOW_SETS) if s.bit_count() == 5), reverse=True)
"""The low sets of five ranks, the worst first: the low rank 1 is at 0."""
_RANK_OF = {low: rank for rank, low in enumerate(_FIVE_RANKS, 1)}
_NAMES = "A2345678"


def low_set(cards: Iterable[int]) -> int:
    """Return the low set of cards.

    >>> low_set([51, 0, 47])  # As 2c Ks
    3
    """
    bits = 0
    for card in cards:
        bits |= LOW_BITS[card >> 2]
    return bits


def low_rank(hole: Sequence[int], board: Sequence[int]) -> int:
    """Return the low rank of hole cards on a board, 1 to 56, or 0 for no low.

    Exactly two hole cards play with exactly three of the board. Nothing is checked.

    Args:
        hole: Card numbers, two or more.
        board: Card numbers, three or more.
    """
    return max(
        _RANK_OF.get(low_set([*pair, *triple]), 0)
        for pair in combinations(hole, 2)
        for triple in combinations(board, 3)
    )


def low_name(rank: int) -> str:
    """Return the name of a low rank.

    Raises:
        InputError: The number is not a low rank, 0 to 56.

    >>> low_name(56), low_name(1), low_name(0)
    ('5-4-3-2-A low', '8-7-6-5-4 low', 'no low')
    """
    if not 0 <= index(rank) <= HIGHEST_LOW:
        raise InputError(f"low rank {rank}: expected a number from 0 to {HIGHEST_LOW}")
    if rank == 0:
        return "no low"
    low = _FIVE_RANKS[index(rank) - 1]
    return "-".join(_NAMES[bit] for bit in reversed(range(8)) if low >> bit & 1) + " low"


@lru_cache
def low_ranks_of_sets() -> UInt8s:
    """Return the low rank of each low set, shape (256,): 0 where the set has not five ranks."""
    table = np.zeros(LOW_SETS, np.uint8)
    for low, rank in _RANK_OF.items():
        table[low] = rank
    return table


@lru_cache
def best_lows() -> UInt8s:
    """Return the low rank at [low set of the board, low set of a hand], shape (256, 256)."""
    sets = np.arange(LOW_SETS)
    sizes = np.array([low.bit_count() for low in range(LOW_SETS)])
    table: UInt8s = low_ranks_of_sets()[sets[:, None] | sets]
    table[(sizes[:, None] != 3) | (sizes != 2)] = 0
    for rows in (table, table.T):
        for low in range(LOW_SETS):  # sets before those that contain them
            for bit in range(8):
                np.maximum(rows[low], rows[low & ~(1 << bit)], out=rows[low])
    return table
