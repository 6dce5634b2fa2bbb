"""The 169 starting hands, and the 13 x 13 grid that shows them all.

In the grid aces come first. Pairs are on the diagonal, suited hands above it, offsuit hands below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from gpuodds.cards import DECK_SIZE, RANKS

T = TypeVar("T")


def starting_hand(hole_cards: Sequence[int]) -> str:
    """Return the name of the starting hand of two cards.

    >>> starting_hand((51, 47)), starting_hand((50, 45)), starting_hand((0, 1))
    ('AKs', 'AKo', '22')
    """
    low, high = sorted(hole_cards)
    ranks = RANKS[high >> 2] + RANKS[low >> 2]
    if ranks[0] == ranks[1]:
        return ranks
    return ranks + ("s" if high & 3 == low & 3 else "o")


def starting_hands(lowest: int = 0) -> list[str]:
    """Return the names of the starting hands of two cards.

    Args:
        lowest: The rank of the deck's lowest card, 0 for the deuce, 4 (the six) in short deck.

    Returns:
        The 169 names, in short deck 81, by higher rank, then lower rank, aces first.

    Example:
        >>> starting_hands()[:4], len(starting_hands())
        (['AA', 'AKs', 'AKo', 'AQs'], 169)
    """
    names = []
    for high in range(12, lowest - 1, -1):
        names.append(2 * RANKS[high])
        for low in range(high - 1, lowest - 1, -1):
            names += [RANKS[high] + RANKS[low] + "s", RANKS[high] + RANKS[low] + "o"]
    return names


def example_combo(name: str) -> tuple[int, int]:
    """Return a combo of a starting hand: the first card in clubs, the other in clubs or diamonds."""
    suit = 0 if name.endswith("s") else 1
    return 4 * RANKS.index(name[0]), 4 * RANKS.index(name[1]) + suit


def combinations(name: str) -> int:
    """Return the number of combos of a starting hand: pair 6, suited 4, offsuit 12."""
    return {"": 6, "s": 4, "o": 12}[name[2:]]


def grid_name(row: int, column: int) -> str:
    """Return the name of the starting hand of a cell of the 13 x 13 grid.

    >>> grid_name(0, 1), grid_name(1, 0), grid_name(12, 12)
    ('AKs', 'AKo', '22')
    """
    last = len(RANKS) - 1
    high, low = last - min(row, column), last - max(row, column)
    kind = "" if row == column else "s" if row < column else "o"
    return RANKS[high] + RANKS[low] + kind


def grid_names() -> list[list[str]]:
    """Return the names of the 13 x 13 grid, row by row.

    >>> grid_names()[1][:3]
    ['AKo', 'KK', 'KQs']
    """
    places = range(len(RANKS))
    return [[grid_name(row, column) for column in places] for row in places]


def to_grid(values: Mapping[str, T], missing: T) -> list[list[T]]:
    """Return values by starting hand as the 13 x 13 grid, row by row.

    Args:
        values: Values by name, such as those of :func:`mean_by_starting_hand`.
        missing: The value for other starting hands.

    >>> to_grid({"AA": 1, "KQs": 2}, 0)[1][:4]
    [0, 0, 2, 0]
    """
    return [[values.get(name, missing) for name in row] for row in grid_names()]


def mean_by_starting_hand(
    combos: Iterable[tuple[Sequence[int], float, float]],
) -> dict[str, float]:
    """Return the weighted mean of a value over the combos of each starting hand.

    Args:
        combos: For each combo its two cards, its value and its weight.

    Returns:
        Means by starting hand, without those of weight 0.

    >>> mean_by_starting_hand([((51, 50), 0.5, 1.0), ((51, 49), 1.0, 3.0)])
    {'AA': 0.875}
    """
    sums: dict[str, list[float]] = {}
    for cards, value, weight in combos:
        entry = sums.setdefault(starting_hand(cards), [0.0, 0.0])
        entry[0] += weight * value
        entry[1] += weight
    return {name: value / weight for name, (value, weight) in sums.items() if weight}


def name_hand(high: int, low: int, suits: str) -> str:
    """Return the name of a starting hand from its ranks, 0 to 12, and ``s``, ``o`` or nothing.

    >>> name_hand(12, 11, "s"), name_hand(12, 12, ""), name_hand(12, 11, "")
    ('AKs', 'AA', 'AK')
    """
    return RANKS[high] + RANKS[low] + suits


@lru_cache(maxsize=1)
def combos_by_starting_hand() -> dict[str, list[int]]:
    """Return the combos of each starting hand by name; ``AK`` has those of ``AKs`` and ``AKo``.

    >>> [len(combos_by_starting_hand()[name]) for name in ("AA", "AKs", "AKo", "AK")]
    [6, 4, 12, 16]
    """
    members: dict[str, list[int]] = {name: [] for name in starting_hands()}
    combos = ((low, high) for high in range(DECK_SIZE) for low in range(high))
    for h, (low, high) in enumerate(combos):
        members[starting_hand((low, high))].append(h)
    for name in [name for name in members if name.endswith("s")]:
        members[name[:2]] = members[name] + members[name[:2] + "o"]
    return members
