"""Write ranges of Omaha as text that reads back as the same weights."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations

import numpy as np
import numpy.typing as npt

from gpuodds.cards import RANKS, SUITS
from gpuodds.games.omaha.combos import combo_cards, combo_numbers
from gpuodds.games.omaha.starting_hands import (
    SUIT_PATTERNS,
    SUIT_VARIABLES,
    class_of_combos,
    group_names,
    starting_hands,
)
from gpuodds.spots.notation.omaha.items import hand_texts

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

MANY_WEIGHTS = 50  # of different values; with more, items name single starting hands and combos


def write_omaha_weights(weights: Floats, size: int) -> str:
    """Return text that :func:`gpuodds.spots.notation.omaha.text.parse_omaha_range` reads as the same.

    Args:
        weights: Weights 0 to 1, shape (combos,).
        size: The number of cards of a hand.
    """
    by_class, whole = weights_by_class(weights, size)
    parts: list[str] = []
    values = np.unique(weights[weights > 0])[::-1]
    wide = values[:MANY_WEIGHTS] if len(values) <= MANY_WEIGHTS else values[:0]
    for value in wide.tolist():
        parts += [item + _weight(value) for item in _items_of(whole & (by_class == value), size)]
    if len(wide) < len(values):
        left = np.flatnonzero(whole & (by_class > 0))
        names = hand_texts(starting_hands(size).cards[left], SUIT_VARIABLES)
        parts += map(_with_weight, names, by_class[left].tolist())
    if not whole.all():
        combos = np.flatnonzero(~whole[class_of_combos(size)] & (weights > 0))[::-1]
        names = hand_texts(combo_cards(size)[combos, ::-1], SUITS)
        parts += map(_with_weight, names, weights[combos].tolist())
    return ",".join(parts) or "0%"


def weights_by_class(weights: Floats, size: int) -> tuple[Floats, Bools]:
    """Return the weight of a combo of each starting hand, and whether all its combos have it."""
    by_class = weights[combo_numbers(starting_hands(size).cards)]
    if (weights == weights[0]).all():
        return by_class, np.ones(len(by_class), bool)
    classes = class_of_combos(size)
    whole = np.ones(len(by_class), bool)
    whole[classes[weights != by_class[classes]]] = False
    return by_class, whole


def _weight(value: float) -> str:
    return "" if value == 1.0 else f"@{format((Decimal(repr(value)) * 100).normalize(), 'f')}"


def _with_weight(item: str, value: float) -> str:
    return item + _weight(value)


def _items_of(chosen: Bools, size: int) -> Iterator[str]:
    """Yield items that together are some starting hands, wide items first."""
    if chosen.all():
        yield "random"
        return
    every = starting_hands(size)
    left = chosen.copy()
    for item, hands in _wide_items(size):
        if left.any() and chosen[hands].all() and left[hands].any():
            left[hands] = False
            yield item
    # A rank class is a run of groups, and a group is a run of starting hands.
    first = np.flatnonzero(np.diff(every.groups, prepend=-1))
    sizes = np.diff(first, append=len(chosen))
    full = np.add.reduceat(chosen, first, dtype=np.int64) == sizes
    open_groups = np.flatnonzero(np.add.reduceat(left, first, dtype=np.int64))
    names = group_names(size)
    ranks_of_groups: dict[str, list[int]] = {}
    for group in open_groups.tolist():
        ranks_of_groups.setdefault(names[group][0], []).append(group)
    for ranks, groups in ranks_of_groups.items():
        if full[_groups_of(ranks, groups[0], names)].all():
            yield ranks
            continue
        for group in groups:
            members = slice(first[group], first[group] + sizes[group])
            if full[group]:
                yield f"{ranks}:${names[group][1]}"
            else:
                yield from hand_texts(every.cards[members][left[members]], SUIT_VARIABLES)


def _groups_of(ranks: str, group: int, names: list[tuple[str, str]]) -> list[int]:
    """Return all groups of a rank class, given one."""
    begin = end = group
    while begin and names[begin - 1][0] == ranks:
        begin -= 1
    while end + 1 < len(names) and names[end + 1][0] == ranks:
        end += 1
    return list(range(begin, end + 1))


def _wide_items(size: int) -> Iterator[tuple[str, npt.NDArray[np.intp]]]:
    """Yield items of many rank classes, and their starting hands: by suits, by one rank or two."""
    every = starting_hands(size)
    num_of_rank = np.stack([(every.cards >> 2 == rank).sum(axis=1) for rank in range(len(RANKS))])
    suited = {"": np.ones(len(every.cards), bool)}
    suited |= {f":${name}": every.patterns == place for place, name in enumerate(SUIT_PATTERNS[size])}
    down = range(len(RANKS) - 1, -1, -1)
    ranks = [(RANKS[rank], num_of_rank[rank] >= 1) for rank in down]
    ranks += [(2 * RANKS[rank], num_of_rank[rank] >= 2) for rank in down]
    ranks += [
        (RANKS[high] + RANKS[low], (num_of_rank[high] >= 1) & (num_of_rank[low] >= 1))
        for high, low in combinations(down, 2)
    ]
    for name, fits in suited.items():
        if name:
            yield name[1:], np.flatnonzero(fits)
    for name, fits in suited.items():
        for text, having in ranks:
            yield text + name, np.flatnonzero(having & fits)
