"""Read and write plain items of Omaha's range text by the thousand: whole hands, without a parser.

A plain item names all cards of a hand: ``AsKhQd2c`` a combo, ``AwKwQxJx`` a starting hand, ``AAKK`` a
rank class, ``AAKK:$ds`` a rank class with a suit pattern, each with or without a weight (``@50``,
``@0.5%``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.cards import RANKS, SUITS
from gpuodds.games.omaha.combos import combo_numbers
from gpuodds.games.omaha.starting_hands import (
    SUIT_PATTERNS,
    SUIT_VARIABLES,
    class_of,
    group_names,
    starting_hands,
)
from gpuodds.spots.notation.faults import DECIMAL
from gpuodds.spots.notation.generic import LIST
from gpuodds.spots.notation.omaha.sets import Weights

Ints = npt.NDArray[np.int64]

LONGEST = 50_000_000  # characters
MANY_CLASSES = {6: 200}
"""The fewest rank classes and starting hands for which all starting hands are listed.

Those of six cards take some 5 seconds, once in a process; a pattern takes some 20 milliseconds.
"""
_BLANKS = " \t\r\n\f\v\xa0"
_ITEMS = re.compile(rf"(?:[^,;\n\[]+|{LIST}|\[)+")
_ITEM = re.compile(
    r"(?:(?P<ranks>[2-9TJQKA]+)(?::\$(?P<pattern>[a-z0-9]+))?|(?P<cards>(?:[2-9TJQKA][cdhs])+)"
    rf"|(?P<suited>(?:[2-9TJQKA][w-z])+))(?:@(?P<weight>{DECIMAL})%?)?",
    re.ASCII,
)


class _Plain(NamedTuple):
    """A plain item: ``ranks``, ``cards`` or ``suited``."""

    kind: str
    hand: str
    pattern: str
    weight: float


def give_plain_items(text: str, weights: Weights, give_item: Callable[[str], None]) -> bool:
    """Give the hands of a list their weights, plain items many at a time.

    Args:
        text: The list.
        weights: Is added to.
        give_item: Called with each item that is not plain.

    Returns:
        Whether the text was read: it is a list of items without parentheses.
    """
    if len(text) > LONGEST or "(" in text or ")" in text:
        return False
    written = [item for part in _ITEMS.findall(text) if (item := part.strip(_BLANKS))]
    if len(written) < 2:
        return False
    counted = places_that_count(written, alike="@" not in text)
    items = [_plain(written[place], weights.size) for place in counted]
    if sum(item.kind in ("ranks", "suited") for item in items) < MANY_CLASSES.get(weights.size, 0):
        items = [
            _Plain("", written[place], "", 1.0) if item.kind in ("ranks", "suited") else item
            for place, item in zip(counted, items, strict=True)
        ]
    for kind, run in groupby(items, lambda item: item.kind):
        members = list(run)
        if kind:
            give = {"cards": _give_cards, "suited": _give_suited, "ranks": _give_ranks}[kind]
            if not give(weights, members):
                return False
        else:
            for item in members:
                give_item(item.hand)
    return True


def places_that_count(items: Sequence[Hashable], *, alike: bool) -> list[int]:
    """Return the places in a list that must be read, ascending: others repeat an item.

    The last of equal items decides its weights, the first whether a later item lowers them.

    Args:
        items: The items, with their weights.
        alike: Whether all weights are the same: then one of equal items is enough.
    """
    first = {item: place for place, item in reversed(list(enumerate(items)))}
    last = {} if alike else {item: place for place, item in enumerate(items)}
    return sorted({*first.values(), *last.values()})


def _plain(item: str, size: int) -> _Plain:
    match = _ITEM.fullmatch(item)
    if match is None:
        return _Plain("", item, "", 1.0)
    kind = next(name for name in ("ranks", "cards", "suited") if match[name])
    hand = match[kind]
    weight = float(Decimal(match["weight"]) / 100) if match["weight"] else 1.0
    length = size if kind == "ranks" else 2 * size
    pattern = match["pattern"] or ""
    if len(hand) != length or weight > 1 or (pattern and pattern not in SUIT_PATTERNS[size]):
        return _Plain("", item, "", 1.0)
    return _Plain(kind, hand, pattern, weight)


def _give_cards(weights: Weights, items: list[_Plain]) -> bool:
    cards = _cards(items, SUITS)
    return _different(cards) and _give(weights.give_combos, combo_numbers(cards), items)


def _give_suited(weights: Weights, items: list[_Plain]) -> bool:
    cards = _cards(items, SUIT_VARIABLES)
    return _different(cards) and _give(weights.give_classes, class_of(cards), items)


def _give_ranks(weights: Weights, items: list[_Plain]) -> bool:
    groups = starting_hands(weights.size).groups
    for item in items:
        ranks = "".join(sorted(item.hand, key=RANKS.index, reverse=True))
        numbers = _groups_by_name(weights.size).get((ranks, item.pattern))
        if numbers is None:
            return False
        # Groups are ascending: those of a rank class are consecutive.
        begin, end = np.searchsorted(groups, [numbers[0], numbers[-1] + 1])
        weights.give_classes(np.arange(begin, end), item.weight)
    return True


def _give(give: Callable[[Ints, Any], None], numbers: Ints, items: list[_Plain]) -> bool:
    if len(np.unique(numbers)) == len(numbers):
        give(numbers, np.array([item.weight for item in items]))
    else:
        for number, item in zip(numbers, items, strict=True):
            give(np.array([number]), item.weight)
    return True


def _cards(items: Sequence[_Plain], suits: str) -> npt.NDArray[np.uint8]:
    """Return the cards of items of equal length, shape (items, cards), from ranks and suit letters."""
    letters = np.frombuffer("".join(item.hand for item in items).encode("ascii"), np.uint8)
    letters = letters.reshape(len(items), -1)
    rank_of, suit_of = np.zeros((2, 128), np.uint8)
    rank_of[list(RANKS.encode())] = np.arange(len(RANKS))
    suit_of[list(suits.encode())] = np.arange(len(suits))
    return 4 * rank_of[letters[:, ::2]] + suit_of[letters[:, 1::2]]


def _different(cards: npt.NDArray[np.uint8]) -> bool:
    in_order = np.sort(cards, axis=1)
    return bool((in_order[:, 1:] != in_order[:, :-1]).all())


@lru_cache
def _groups_by_name(size: int) -> dict[tuple[str, str], list[int]]:
    """Return the groups of each rank class with each suit pattern, and with any (``""``)."""
    groups: dict[tuple[str, str], list[int]] = {}
    for number, (ranks, pattern) in enumerate(group_names(size)):
        groups[ranks, pattern] = [number]
        groups.setdefault((ranks, ""), []).append(number)
    return groups


def hand_texts(cards: npt.NDArray[np.uint8], suits: str) -> list[str]:
    """Return hands as text.

    Args:
        cards: Card numbers, shape (n, cards), in the order of the text.
        suits: The letters of clubs, diamonds, hearts and spades.
    """
    letters = np.empty((len(cards), 2 * cards.shape[1]), np.uint8)
    letters[:, ::2] = np.frombuffer(RANKS.encode(), np.uint8)[cards >> 2]
    letters[:, 1::2] = np.frombuffer(suits.encode(), np.uint8)[cards & 3]
    text, length = letters.tobytes().decode("ascii"), letters.shape[1]
    return [text[begin : begin + length] for begin in range(0, len(text), length)]
