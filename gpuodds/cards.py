"""Read and write cards, which are numbers 0 to 51.

A card is a number from 0 to 51, four times its rank plus its suit: ranks are 0 (deuce) to 12 (ace),
suits 0 to 3 for clubs, diamonds, hearts, spades. 2c is 0, 2d is 1, As is 51. :mod:`gpuodds.numbering`
converts the numbers of other programs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index

from gpuodds.errors import InputError, excerpt

__all__ = [
    "DECK_SIZE",
    "RANKS",
    "SUITS",
    "format_card",
    "format_cards",
    "from_seed_mask",
    "parse_cards",
    "to_seed_mask",
]

RANKS = "23456789TJQKA"
"""The letters of the ranks, 0 (deuce) to 12 (ace)."""
SUITS = "cdhs"
"""The letters of the suits, 0 (clubs) to 3 (spades)."""
DECK_SIZE = 52
"""The number of cards in the full deck."""

_SYMBOLS = ("\u2663\u2667", "\u2666\u2662", "\u2665\u2661", "\u2660\u2664")  # clubs to spades
_EMOJI_FORM = "\ufe0f"  # follows a suit symbol that was typed or pasted as an emoji
_DIGITS = "0123456789"
_SEPARATORS = " \t\r\n,"

_RANK_OF = {name: i for i, rank in enumerate(RANKS) for name in (rank, rank.lower())}
_RANK_OF |= {"1": 12, "10": 8, "11": 9, "12": 10, "13": 11}
_SUIT_OF = {name: i for i, suit in enumerate(SUITS) for name in (suit, suit.upper(), *_SYMBOLS[i])}
_CARD_OF = {  # the usual two characters, read at once: batches have a text a row
    rank + suit: 4 * _RANK_OF[rank] + _SUIT_OF[suit]
    for rank in (*RANKS, *RANKS.lower())
    for suit in (*SUITS, *SUITS.upper())
}


def parse_cards(text: str) -> tuple[int, ...]:
    """Return the card numbers of a text, in the order written.

    A card is a rank, then a suit. Ranks are ``2`` to ``9``, ``T``, ``J``, ``Q``, ``K``, ``A`` in
    any case, or the numbers ``1`` (ace) to ``13`` (king); suits are ``c``, ``d``, ``h``, ``s`` in
    any case, or the suit symbols.

    Args:
        text: Cards, with or without spaces and commas between them. An empty text has no cards.

    Returns:
        Card numbers, 0 to 51.

    Raises:
        InputError: The text cannot be read, or repeats a card.

    Example:
        >>> parse_cards("AsKs")
        (51, 47)
        >>> parse_cards("1s, 13s 10d") == parse_cards("As Ks Td")
        True
    """
    usual = [_CARD_OF.get(text[at : at + 2], -1) for at in range(0, len(text), 2)]
    if -1 not in usual and len({*usual}) == len(usual):
        return tuple(usual)
    cards: list[int] = []
    at = 0
    while at < len(text):
        if text[at] in _SEPARATORS:
            at += 1
            continue
        card, end = _parse_card(text, at)
        if card in cards:
            raise _unexpected(text, at, "a card not named before", end)
        cards.append(card)
        at = end
    return tuple(cards)


def _parse_card(text: str, at: int) -> tuple[int, int]:
    """Return the card that starts at an index of the text, and the index after it."""
    end = at
    while end < len(text) and text[end] in _DIGITS:
        end += 1
    end = max(end, at + 1)
    rank = _RANK_OF.get(text[at:end])
    if rank is None:
        raise _unexpected(text, at, "a rank (2-9, T, J, Q, K, A or 1-13)", end)
    suit = _SUIT_OF.get(text[end : end + 1])
    if suit is None:
        raise _unexpected(text, end, "a suit (c, d, h or s)", end + 1)
    end += 2 if text[end + 1 : end + 2] == _EMOJI_FORM else 1
    return 4 * rank + suit, end


def _unexpected(text: str, at: int, expected: str, end: int) -> InputError:
    found = f"'{excerpt(text[at:end], 8)}'" if at < len(text) else "the end"
    return InputError(f"{excerpt(text)}: column {at + 1}: expected {expected}, found {found}")


def format_card(card: int) -> str:
    """Return the name of a card.

    Args:
        card: The card's number, 0 to 51.

    Returns:
        The letters of rank and suit.

    Raises:
        InputError: The number is not 0 to 51.

    Example:
        >>> format_card(51)
        'As'
    """
    if not 0 <= card < DECK_SIZE:
        raise InputError(f"card {card}: expected a number from 0 (2c) to 51 (As)")
    return RANKS[card >> 2] + SUITS[card & 3]


def format_cards(cards: Iterable[int]) -> str:
    """Return the names of cards.

    Args:
        cards: Card numbers, 0 to 51.

    Returns:
        Two characters a card, in the order given, without spaces.

    Raises:
        InputError: A number is not 0 to 51.

    Example:
        >>> format_cards((51, 47))
        'AsKs'
    """
    return "".join(format_card(card) for card in cards)


def to_seed_mask(cards: Iterable[int]) -> int:
    """Return a set of cards as 52 bits: clubs lowest, then diamonds, hearts, spades, aces low.

    Args:
        cards: Card numbers, 0 to 51.

    Returns:
        The set, in which each suit has 13 bits, the lowest for its ace, the highest for its king.

    Raises:
        InputError: A number is not 0 to 51, or a card is repeated.

    Example:
        >>> hex(to_seed_mask(parse_cards("Jc2h")))
        '0x8000400'
    """
    numbers = [index(card) for card in cards]  # NumPy's small integers would overflow in a shift
    refuse_repeats((format_cards(numbers), numbers))
    return sum(1 << 13 * (card & 3) + ((card >> 2) + 1) % 13 for card in numbers)


def from_seed_mask(mask: int) -> tuple[int, ...]:
    """Return the cards of a 52-bit set: the inverse of ``to_seed_mask``.

    Args:
        mask: The set, 0 to 2^52 - 1.

    Returns:
        Card numbers, 0 to 51, ascending.

    Raises:
        InputError: The number is negative or has more than 52 bits.

    Example:
        >>> format_cards(from_seed_mask(0x80000))
        '7d'
    """
    if not 0 <= mask < 1 << DECK_SIZE:
        raise InputError(f"mask {excerpt(hex(mask))}: expected a number of at most 52 bits")
    bits = [bit for bit in range(DECK_SIZE) if mask >> bit & 1]
    return tuple(sorted(4 * ((bit % 13 - 1) % 13) + bit // 13 for bit in bits))


def refuse_repeats(*places: tuple[str, Sequence[int]]) -> None:
    """Refuse a repeated card.

    Args:
        places: For each place its name in errors, and the card numbers there.

    Raises:
        InputError: A card is in two places, or twice in one.

    >>> refuse_repeats(("AsKs", (51, 47)), ("the board", (0, 1, 2)))
    """
    seen: dict[int, str] = {}
    for place, cards in places:
        for card in cards:
            if card in seen:
                where = f"twice in {place}" if seen[card] == place else f"in {seen[card]} and {place}"
                raise InputError(f"{format_card(card)}: the same card is {where}")
            seen[card] = place
