"""The hands of a look-up in a table of Omaha: cards, a starting hand, or a rank class.

A rank class may have a suit pattern: ``AAKK ds`` is all double-suited starting hands of two aces and
two kings, ``AAKK`` all with these ranks.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from gpuodds.cards import RANKS, SUITS, format_cards, parse_cards
from gpuodds.errors import InputError, excerpt
from gpuodds.games.game import Game
from gpuodds.tables.hands import Hand


def read_omaha_hand(hand: Any, game: Game) -> Hand:
    """Return a hand from its cards, as text or numbers, or from the name of starting hands.

    Args:
        hand: Such as ``AsAhKsKh``, ``AwAxKwKx``, ``AAKK ds`` or ``AAKK``.
        game: A game of Omaha.

    Returns:
        The hand. Of starting hands it has a combo each, and their names.

    Raises:
        InputError: It is none of these.

    Example:
        >>> from gpuodds.games.omaha.game import OMAHA
        >>> read_omaha_hand("AAKK ds", OMAHA).classes
        ('AwAxKwKx',)
        >>> read_omaha_hand("KxAxKwAw", OMAHA).name, len(read_omaha_hand("KAKA", OMAHA).classes)
        ('AwAxKwKx', 3)
    """
    from gpuodds.games.omaha.starting_hands import SUIT_PATTERNS, SUIT_VARIABLES
    from gpuodds.spots import hands

    if not isinstance(hand, str):
        return _one(hands.read_hand(hand, game))
    text = "".join(hand.split())
    size = game.hole_cards
    if re.fullmatch(f"([{RANKS}][{SUIT_VARIABLES}]){{{size}}}", text, re.IGNORECASE):
        suited = text.lower().translate(str.maketrans(SUIT_VARIABLES, SUITS))
        if len({suited[place : place + 2] for place in range(0, len(suited), 2)}) < size:
            raise InputError(f"hand {text}: expected different cards")
        return _of_numbers(None, size, _number(parse_cards(suited)))
    patterns = "|".join(SUIT_PATTERNS[size])
    named = re.fullmatch(f"([{RANKS}]{{{size}}})({patterns})?", text, re.IGNORECASE)
    if named is None:
        return _one(_read_cards(hand, game))
    ranks = "".join(sorted(named[1].upper(), key=RANKS.index, reverse=True))
    pattern = (named[2] or "").lower()
    by_pattern = _by_pattern(ranks)
    name = f"{ranks} {pattern}".strip()
    if pattern not in ("", *by_pattern):
        have = f"; these ranks have {', '.join(by_pattern)}" if by_pattern else ""
        raise InputError(f"hand {name}: there is no such starting hand{have}")
    parts = [by_pattern[pattern]] if pattern else by_pattern.values()
    return _of_numbers(name, size, *(number for part in parts for number in part))


def _one(cards: tuple[int, ...]) -> Hand:
    return Hand(format_cards(sorted(cards, reverse=True)), (cards,))


def _of_numbers(name: str | None, size: int, *numbers: int) -> Hand:
    from gpuodds.games.omaha.starting_hands import class_name, starting_hands

    combos = tuple(map(tuple, starting_hands(size).cards[list(numbers)].tolist()))
    names = tuple(map(class_name, combos))
    return Hand(name or names[0], combos, names)


def _number(cards: tuple[int, ...]) -> int:
    import numpy as np

    from gpuodds.games.omaha.starting_hands import class_of

    return int(class_of(np.array([cards]))[0])


def _read_cards(text: str, game: Game) -> tuple[int, ...]:
    from gpuodds.spots import hands

    try:
        parse_cards(text)
    except InputError:
        size = game.hole_cards
        cards, name, ranks = "AsAhKsKhQd"[: 2 * size], "AwAxKwKxQy"[: 2 * size], "AAKKQ"[:size]
        raise InputError(
            f"hand {excerpt(text)}: expected cards, such as {cards}, a starting hand, such as {name}, "
            f"or ranks, such as {ranks} or {ranks} ds"
        ) from None
    return hands.read_hand(text, game)


@lru_cache(1024)
def _by_pattern(ranks: str) -> dict[str, list[int]]:
    """Return the numbers of the starting hands of a rank class, by suit pattern."""
    import numpy as np

    from gpuodds.games.omaha.starting_hands import SUIT_PATTERNS, starting_hands

    every, names = starting_hands(len(ranks)), [*SUIT_PATTERNS[len(ranks)]]
    of_class = (every.cards >> 2 == [RANKS.index(rank) for rank in ranks]).all(axis=1)
    by_pattern: dict[str, list[int]] = {}
    for number in np.flatnonzero(of_class).tolist():
        by_pattern.setdefault(names[every.patterns[number]], []).append(number)
    return by_pattern
