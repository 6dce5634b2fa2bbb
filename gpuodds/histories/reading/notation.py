"""Cards and names as sites print them."""

from __future__ import annotations

import re
from functools import lru_cache


class Unreadable(Exception):
    """A hand that cannot be read; the message is the reason."""


_CARDS = {
    rank + suit: 4 * place + number
    for place, ranks in enumerate(
        ("2", "3", "4", "5", "6", "7", "8", "9", ("T", "10", "t"), "Jj", "Qq", "Kk", "Aa")
    )
    for rank in ranks
    for number, suits in enumerate(("cC\u2663", "dD\u2666", "hH\u2665", "sS\u2660"))
    for suit in suits
}
_BETWEEN = re.compile(r"[\s,\[\]]+")


@lru_cache(maxsize=65536)
def read_cards(text: str) -> tuple[int, ...]:
    """Return the cards in a text, brackets and commas between them.

    Raises:
        Unreadable: A card cannot be read.

    Example:
        >>> read_cards("9c 8d Qh] [Ts"), read_cards(" 2h, 10s ")
        ((28, 25, 42, 35), (2, 35))
    """
    return tuple(_read_card(card) for card in _BETWEEN.split(text) if card)


def _read_card(text: str) -> int:
    card = _CARDS.get(text)
    if card is None:
        raise Unreadable(f"{text!r} is not a card")
    return card


def named_first(line: str, names: dict[str, int], mark: str) -> tuple[int, str] | None:
    """Return the player whose name begins a line, and what follows it and the mark.

    Args:
        line: The line.
        names: The places of the players, by name.
        mark: What separates the name from the rest: ``": "`` or a space.

    Returns:
        The place and the rest; of several names the longest; None if the line begins with no name.

    Example:
        >>> named_first("Ann: Lee: folds", {"Ann": 0, "Ann: Lee": 1}, ": ")
        (1, 'folds')
    """
    found = [name for name in names if line.startswith(name) and line.startswith(mark, len(name))]
    if not found:
        return None
    name = max(found, key=len)
    return names[name], line[len(name) + len(mark) :]


def currency_of(text: str) -> str:
    """Return the sign of a currency in a text, ``""`` without one."""
    return "".join(sign for sign in "€$£" if sign in text)
