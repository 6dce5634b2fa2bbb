"""Cards and hands as callers write them: text, card numbers, lists of them, words of a command line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from gpuodds.arguments import as_whole, listed, shown
from gpuodds.cards import DECK_SIZE, format_card, format_cards, parse_cards
from gpuodds.errors import InputError, excerpt

Cards: TypeAlias = "str | Iterable[int] | Iterable[str] | None"
"""Cards as text (``"2s7d9h"``), card numbers, 4 x rank + suit, or a list of texts; None for none."""

Hand: TypeAlias = tuple[int, int]
"""The numbers of two different cards."""

KEPT_TEXTS = 1024  # hands and names of ranges that are kept as read

_RANK = r"(?:10|[2-9TJQKAX])"
_CARD = r"(?:1[0-3]|[1-9TJQKA])[CDHS\u2660-\u2667]\ufe0f?"
_RANGE = re.compile(
    rf"""(?:random | any | \*\* | XxXx).*          # every hand, and its weight
    | [\d.]+%.*                                    # the best part of all hands
    | [\d.]*[-:!({{\[\#@].*                         # exclusion, weight before the hand, a name
    | set_range.*                                  # a line of a solver's script
    | {_RANK}{_RANK}.*                             # a starting hand, XX, and anything after it
    | {_CARD}{_CARD}[-+:@(].*                      # combos: a run, a weight
    """,
    re.IGNORECASE | re.VERBOSE | re.ASCII | re.DOTALL,
)


def read_cards(cards: Cards) -> tuple[int, ...]:
    """Return the numbers of cards given as text, as card numbers, or as a list of texts.

    Args:
        cards: The cards; None for no cards.

    Raises:
        InputError: ``cards`` is of another type, a text cannot be read, or a number is not a card.

    >>> read_cards("AsKs") == read_cards(["As", "Ks"]) == read_cards([51, 47]) == (51, 47)
    True
    """
    if cards is None:
        return ()
    if isinstance(cards, str):
        return parse_cards(cards)
    expected = "text, such as 2s7d9h, or card numbers"
    if isinstance(cards, Mapping):
        raise InputError(f"cards {shown(cards)}: expected {expected}")
    numbers: list[int] = []
    for card in listed("cards", cards, expected):
        found = parse_cards(card) if isinstance(card, str) else (as_whole("card number", card),)
        for number in found:
            if not 0 <= number < DECK_SIZE:
                raise InputError(f"card number {number}: expected 0 to 51")
        numbers += found
    return tuple(numbers)


def read_hand(hand: Cards) -> Hand:
    """Return a hand of two different cards, given as text or as numbers.

    Raises:
        InputError: There are not exactly two cards, one is not a card, or both are the same.

    >>> read_hand("AsKs"), read_hand([51, 47])
    ((51, 47), (51, 47))
    """
    if isinstance(hand, str):
        refuse_several_hands(hand)
    cards = read_cards(hand)
    if len(cards) != 2:
        named = excerpt(format_cards(cards))
        raise InputError(f"hand {named}: a hand has two cards, found {len(cards) or 'none'}")
    if cards[0] == cards[1]:
        raise InputError(f"{format_card(cards[0])}: a hand has two different cards")
    return cards[0], cards[1]


def read_words(words: Sequence[str]) -> list[tuple[int, int] | str]:
    """Return the hands and ranges of the words of a command line.

    A word of two cards is a hand; words of one card pair up in order. The cards of a hand keep the
    order in which they were written. A word that looks like a range is returned unchanged. A single
    word may have several hands, separated by blanks. Hands may share cards: the spot checks that.

    Raises:
        InputError: A word is neither one or two cards nor looks like a range, a single card has no
            other to pair with, or one of several words has several hands.

    >>> read_words(["AsKs", "12h", "12d", "QQ+"])
    [(51, 47), (42, 41), 'QQ+']
    >>> read_words(["AsKs QhQd"])
    [(51, 47), (42, 41)]
    """
    if len(words) == 1:
        words = split_hands(words[0]) or words
    hands: list[tuple[int, int] | str] = []
    single: int | None = None
    for word in words:
        cards = _read_word(word)
        if len(cards) == 1 and single is None:
            single = cards[0]
            continue
        if len(cards) == 1 and single is not None:
            if single == cards[0]:
                raise InputError(f"{format_card(single)}: a hand has two different cards")
            hands.append((single, cards[0]))
            single = None
            continue
        if single is not None:
            raise InputError(
                f"{format_card(single)}: a hand has two cards, expected the second one "
                f"before the hand {excerpt(word)}"
            )
        hands.append((cards[0], cards[1]) if cards else word)
    if single is not None:
        raise InputError(
            f"{format_card(single)}: a hand has two cards, this is the only card of the last hand"
        )
    return hands


@lru_cache(KEPT_TEXTS)
def read_text(text: str) -> tuple[int, int] | str:
    """Return the hand of one player's text, or the text itself if it looks like a range.

    Raises:
        InputError: The text is neither, or has several hands.

    >>> read_text("AsKs"), read_text("QQ+")
    ((51, 47), 'QQ+')
    """
    refuse_several_hands(text)
    (hand,) = read_words([text])
    return hand


def split_hands(text: str) -> list[str]:
    """Return the hands of a text of two or more, separated by blanks alone; else an empty list.

    >>> split_hands("AsKs QhQd"), split_hands("AsKs,QhQd"), split_hands("AsKs")
    (['AsKs', 'QhQd'], [], [])
    """
    parts = [] if "," in text else text.split()
    return parts if len(parts) > 1 and all(map(_is_hand, parts)) else []


def refuse_several_hands(text: str) -> None:
    """Refuse several hands separated by blanks alone, where a text is for one player.

    Raises:
        InputError: The text has several hands; the message names both readings.
    """
    if hands := split_hands(text):
        raise InputError(
            f"{excerpt(text)}: two readings: write {excerpt(','.join(hands))} for a range of combos, "
            f"or give {hands[0]} and {hands[1]} as two players"
        )


def _read_word(word: str) -> tuple[int, ...]:
    """Return the one or two cards of a word, or an empty tuple if it looks like a range."""
    refuse_several_hands(word)
    parts = [part for part in re.split(r"[,;\s]+", word) if part]
    if any(_RANGE.fullmatch(part) for part in parts):
        if not _is_cards(word):
            return ()
    elif len(parts) > 1 and all(map(_is_hand, parts)):
        return ()  # a list of combos
    cards = parse_cards(word)
    if len(cards) not in (1, 2):
        number = len(cards) or "none"
        raise InputError(f"{excerpt(word)}: a hand has two cards, found {number}")
    return cards


def _is_hand(text: str) -> bool:
    return _is_cards(text) and len(parse_cards(text)) == 2


def _is_cards(text: str) -> bool:
    try:
        parse_cards(text)
    except InputError:
        return False
    return True
