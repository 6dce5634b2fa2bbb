"""The 169 starting hands: pairs, suited and offsuit."""

from __future__ import annotations

from gpuodds.cards import RANKS


def starting_hand(hole_cards: tuple[int, int]) -> str:
    """Name the starting hand that two cards make.

    >>> starting_hand((51, 47)), starting_hand((50, 45)), starting_hand((0, 1))
    ('AKs', 'AKo', '22')
    """
    low, high = sorted(hole_cards)
    ranks = RANKS[high >> 2] + RANKS[low >> 2]
    if ranks[0] == ranks[1]:
        return ranks
    return ranks + ("s" if high & 3 == low & 3 else "o")


def starting_hands() -> list[str]:
    """List the 169 starting hands, pairs, suited and offsuit in turn from the aces down."""
    names = []
    for high in range(12, -1, -1):
        names.append(2 * RANKS[high])
        for low in range(high - 1, -1, -1):
            names += [RANKS[high] + RANKS[low] + "s", RANKS[high] + RANKS[low] + "o"]
    return names


def holding(name: str) -> tuple[int, int]:
    """Return two cards that make a starting hand: the first in clubs, the other clubs or diamonds."""
    suit = 0 if name.endswith("s") else 1
    return 4 * RANKS.index(name[0]), 4 * RANKS.index(name[1]) + suit


def combinations(name: str) -> int:
    """Count the holdings of a starting hand: 6 pairs, 4 suited, 12 offsuit."""
    return {"": 6, "s": 4, "o": 12}[name[2:]]


def grid_name(row: int, column: int) -> str:
    """Name the starting hand of a cell of the 13 x 13 grid: aces first, suited above the diagonal.

    >>> grid_name(0, 1), grid_name(1, 0), grid_name(12, 12)
    ('AKs', 'AKo', '22')
    """
    high, low = 12 - min(row, column), 12 - max(row, column)
    kind = "" if row == column else "s" if row < column else "o"
    return RANKS[high] + RANKS[low] + kind
