"""Brute force for Omaha, independent of the package: every board, every two and three cards."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt
from numba import njit
from oracle import score

Ints = npt.NDArray[np.int64]
NO_LOW = 16**5


@njit(cache=True)
def score_low(cards: Ints) -> int:
    """Score five cards as a low, the highest first, in base 16; a lower score is better."""
    number_of_rank = np.zeros(14, np.int64)
    for card in cards:
        number_of_rank[1 if card // 4 == 12 else card // 4 + 2] += 1
    value = 0
    different = 0
    for number in range(8, 0, -1):
        if number_of_rank[number] > 1:
            return NO_LOW
        if number_of_rank[number] == 1:
            value = value * 16 + number
            different += 1
    return value if different == 5 else NO_LOW


@njit(cache=True)
def score_hand(hole: Ints, board: Ints) -> tuple[int, int]:
    """Return the best high score, and the best low score, of two of the hole cards."""
    high, low = 0, NO_LOW
    five = np.empty(5, np.int64)
    for i in range(hole.size):
        for j in range(i):
            for a in range(board.size):
                for b in range(a):
                    for c in range(b):
                        five[0] = hole[i]
                        five[1] = hole[j]
                        five[2] = board[a]
                        five[3] = board[b]
                        five[4] = board[c]
                        high = max(high, score(five))
                        low = min(low, score_low(five))
    return high, low


def known_hands(hands, board, dead) -> dict[tuple[int, int], int]:
    """Count the boards by (mask of players with the best high, mask of players with the best low)."""
    known = {*board, *dead, *(card for hand in hands for card in hand)}
    deck = [card for card in range(52) if card not in known]
    rows = [np.array(hand, np.int64) for hand in hands]
    counts: dict[tuple[int, int], int] = {}
    for more in combinations(deck, 5 - len(board)):
        full = np.array([*board, *more], np.int64)
        scores = [score_hand(hand, full) for hand in rows]
        high = max(score[0] for score in scores)
        low = min(score[1] for score in scores)
        best = sum(1 << i for i, score in enumerate(scores) if score[0] == high)
        lowest = sum(1 << i for i, score in enumerate(scores) if score[1] == low < NO_LOW)
        counts[best, lowest] = counts.get((best, lowest), 0) + 1
    return counts
