"""Every deal of ranges on full boards, one by one: independent of the package.

Hands are compared by the oracle's score; weights are Python numbers, so that integers stay exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from oracle import score

Weights = dict[tuple[int, int], Any]  # of combos, the lower card first


def count_deals(
    players: Sequence[Weights], folded: Sequence[Weights], board: Sequence[int]
) -> dict[tuple[int, tuple[int, int], int], Any]:
    """Count the deals that players win or split on a board, by player, combo and who wins.

    A set of winners is a mask of players. A combo's own weight is left out.
    """
    rows: list[list[tuple[int, int, Any, int]]] = []
    for place, weights in enumerate([*players, *folded]):
        rows.append([])
        for (low, high), weight in weights.items():
            if weight and not {low, high} & set(board):
                rank = score(np.array([low, high, *board])) if place < len(players) else -1
                rows[-1].append((low, high, weight, rank))
    found: dict[tuple[int, tuple[int, int], int], Any] = {}

    def deal(hands: list[tuple[int, int, Any, int]], used: set[int]) -> None:
        if len(hands) < len(rows):
            for hand in rows[len(hands)]:
                if not {hand[0], hand[1]} & used:
                    deal([*hands, hand], used | {hand[0], hand[1]})
            return
        best = max(hand[3] for hand in hands)
        winners = sum(1 << place for place, hand in enumerate(hands) if hand[3] == best)
        for place, (low, high, _, rank) in enumerate(hands[: len(players)]):
            if rank == best:
                others: Any = 1
                for other, hand in enumerate(hands):
                    others *= hand[2] if other != place else 1
                key = place, (low, high), winners
                found[key] = found.get(key, 0) + others

    deal([], set())
    return found
