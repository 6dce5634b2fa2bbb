"""Cards as numbers, and the ways to write them.

A card is a number from 0 to 51, four times its rank plus its suit: ranks are 0 (deuce) to 12 (ace),
suits 0 to 3 for clubs, diamonds, hearts, spades. 2c is 0, 2d is 1, As is 51. For the numbers of decks
sorted by suit see :mod:`gpuodds.numbering`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from operator import index

from gpuodds.errors import InputError, excerpt

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK_SIZE = 52

_SYMBOLS = ("\u2663\u2667", "\u2666\u2662", "\u2665\u2661", "\u2660\u2664")  # clubs to spades
_EMOJI_FORM = "\ufe0f"  # follows a suit symbol that was typed or pasted as an emoji
_DIGITS = "0123456789"
_SEPARATORS = " \t\r\n,"

_RANK_OF = {name: i for i, rank in enumerate(RANKS) for name in (rank, rank.lower())}
_RANK_OF |= {"1": 12, "10": 8, "11": 9, "12": 10, "13": 11}
_SUIT_OF = {name: i for i, suit in enumerate(SUITS) for name in (suit, suit.upper(), *_SYMBOLS[i])}

_RANK = r"(?:10|[2-9TJQKAX])"
_CARD = r"(?:1[0-3]|[1-9TJQKA])[CDHS\u2660-\u2667]\ufe0f?"
_RANGE = re.compile(
    rf"""random | any | \*\* | XxXx | XX           # every hand
    | [\d.]+%.*                                    # the best part of all hands
    | [\d.]*[-:!({{\[\#@].*                         # exclusion, weight before the hand, a name
    | set_range.*                                  # a line of a solver's script
    | {_RANK}{_RANK}.*                             # a class of hands, whatever follows
    | {_CARD}{_CARD}[-+:@(].*                      # combos: a run, a weight
    """,
    re.IGNORECASE | re.VERBOSE | re.ASCII | re.DOTALL,
)


def parse_cards(text: str) -> tuple[int, ...]:
    """Read cards written together or apart, and return their numbers in the order written.

    A card is a rank, then a suit. Ranks are ``2`` to ``9``, ``T``, ``J``, ``Q``, ``K``, ``A`` in
    any case, or the numbers ``1`` (ace) to ``13`` (king); suits are ``c``, ``d``, ``h``, ``s`` in
    any case, or the suit symbols. Spaces and commas may stand between cards. An empty text has no
    cards.

    Raises:
        InputError: The text is not cards, or names a card twice.

    >>> parse_cards("AsKs")
    (51, 47)
    >>> parse_cards("1s, 13s 10d") == parse_cards("As Ks Td")
    True
    """
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
    """Return a card's name of two characters.

    Raises:
        InputError: The number is not a card's.

    >>> format_card(51)
    'As'
    """
    if not 0 <= card < DECK_SIZE:
        raise InputError(f"card {card}: expected a number from 0 (2c) to 51 (As)")
    return RANKS[card >> 2] + SUITS[card & 3]


def format_cards(cards: Iterable[int]) -> str:
    """Return the names of cards, written together in the order given.

    Raises:
        InputError: A number is not a card's.

    >>> format_cards((51, 47))
    'AsKs'
    """
    return "".join(format_card(card) for card in cards)


def to_seed_mask(cards: Iterable[int]) -> int:
    """Return a set of cards as 52 bits: clubs lowest, then diamonds, hearts, spades, aces low.

    Each suit has 13 bits, the lowest for its ace, the highest for its king.

    Raises:
        InputError: A number is not a card's, or a card is given twice.

    >>> hex(to_seed_mask(parse_cards("Jc2h")))
    '0x8000400'
    """
    mask = 0
    for card in map(index, cards):  # NumPy's small integers would overflow in a shift
        name = format_card(card)
        bit = 1 << 13 * (card & 3) + ((card >> 2) + 1) % 13
        if mask & bit:
            raise InputError(f"{name}: a set of cards cannot hold a card twice")
        mask |= bit
    return mask


def from_seed_mask(mask: int) -> tuple[int, ...]:
    """Return the cards in a 52-bit set as :func:`to_seed_mask` makes it, in ascending order.

    Raises:
        InputError: The number is negative or has more than 52 bits.

    >>> format_cards(from_seed_mask(0x80000))
    '7d'
    """
    if not 0 <= mask < 1 << DECK_SIZE:
        raise InputError(f"mask {excerpt(hex(mask))}: expected a number of at most 52 bits")
    bits = [bit for bit in range(DECK_SIZE) if mask >> bit & 1]
    return tuple(sorted(4 * ((bit % 13 - 1) % 13) + bit // 13 for bit in bits))


def read_hands(words: Sequence[str]) -> list[tuple[int, int] | str]:
    """Read the words of a command line as hands of two cards and as ranges.

    A word of two cards is a hand; words of one card pair up in order. The cards of a hand keep the
    order in which they were written. Whether two hands share a card is not looked at. A word that has
    the look of a range is returned as it is. A single word may have several hands, by blanks alone.

    Raises:
        InputError: A word is neither one or two cards nor like a range, or a single card has no other
            to pair with, or one of several words has several hands.

    >>> read_hands(["AsKs", "12h", "12d", "QQ+"])
    [(51, 47), (42, 41), 'QQ+']
    >>> read_hands(["AsKs QhQd"])
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


def read_hand(text: str) -> tuple[int, int] | str:
    """Read one player's text: a hand of two cards, or what has the look of a range, as it is.

    Raises:
        InputError: It is neither, or several hands.

    >>> read_hand("AsKs"), read_hand("QQ+")
    ((51, 47), 'QQ+')
    """
    refuse_several_hands(text)
    (hand,) = read_hands([text])
    return hand


def split_hands(text: str) -> list[str]:
    """Return the hands of a text that has two or more whole ones, by blanks alone; else nothing.

    >>> split_hands("AsKs QhQd"), split_hands("AsKs,QhQd"), split_hands("AsKs")
    (['AsKs', 'QhQd'], [], [])
    """
    parts = [] if "," in text else text.split()
    return parts if len(parts) > 1 and all(map(_is_hand, parts)) else []


def refuse_several_hands(text: str) -> None:
    """Refuse whole hands by blanks alone where one player is meant.

    Raises:
        InputError: The text is such; the line names both readings.
    """
    if hands := split_hands(text):
        raise InputError(
            f"{excerpt(text)}: two readings: write {excerpt(','.join(hands))} for a range of combos, "
            f"or give {hands[0]} and {hands[1]} as two players"
        )


def _read_word(word: str) -> tuple[int, ...]:
    """Return the one or two cards of a word, or none if it looks like a range."""
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
