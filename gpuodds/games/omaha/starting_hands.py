"""The starting hands of Omaha: the classes of combos that renaming the suits turns into each other.

There are 16,432 of four cards, 134,459 of five and 962,988 of six. Each is represented by one combo:
of the four sets of ranks that a combo holds in the suits, the highest (by its highest rank, then the
next, ...) is in spades, the next in hearts, then diamonds, then clubs. A name has the cards of the
representative, highest first, with the suit variables of range text: ``w`` for spades, ``x`` hearts,
``y`` diamonds, ``z`` clubs. So ``AwKwQxJx`` is ace and king of one suit, queen and jack of another.

A starting hand has a *rank class*, its ranks from the highest (``AKQJ``), and a *suit pattern*, the
numbers of cards of its suits (see :data:`SUIT_PATTERNS`). Starting hands are numbered by rank class,
aces first (``AAAA``, ``AAAK``, ..., ``3222``, ``2222``); then by suit pattern, in the order of
:data:`SUIT_PATTERNS`; then by representative, the higher cards first. So those of one rank class and
one suit pattern, a *group*, have consecutive numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations_with_replacement, groupby
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.cards import DECK_SIZE, RANKS
from gpuodds.games.omaha.combos import combo_cards, combo_numbers, renamed_cards
from gpuodds.games.shared.combos import SUIT_NAMES

Ints = npt.NDArray[np.int64]

SUIT_PATTERNS: dict[int, dict[str, tuple[int, ...]]] = {
    4: {"ds": (2, 2), "ss": (2, 1, 1), "ts": (3, 1), "rb": (1, 1, 1, 1), "ms": (4,)},
    5: {"ds": (2, 2, 1), "dts": (3, 2), "ss": (2, 1, 1, 1), "ts": (3, 1, 1), "qs": (4, 1), "ms": (5,)},
    6: {
        "222": (2, 2, 2),
        "ds": (2, 2, 1, 1),
        "33": (3, 3),
        "321": (3, 2, 1),
        "ts": (3, 1, 1, 1),
        "42": (4, 2),
        "qs": (4, 1, 1),
        "51": (5, 1),
        "ms": (6,),
    },
}
"""By number of cards, the names of the suit patterns, and the numbers of cards of a combo's suits.

``ds`` is double-suited, ``ss`` single-suited, ``ts`` triple-suited (three of a suit), ``dts`` double
and triple, ``qs`` quad-suited (four of a suit), ``ms`` monotone (one suit), ``rb`` rainbow (all of
different suits). Patterns of six cards that have no customary name are named by their numbers.
"""

SUIT_VARIABLES = "zyxw"  # the variables of clubs, diamonds, hearts and spades in names
_SUIT_RANKS = (1 << len(RANKS)) - 1


class StartingHands(NamedTuple):
    """All starting hands of one number of cards; arrays by the number of the starting hand."""

    cards: npt.NDArray[np.uint8]
    """The representatives, shape (starting hands, cards), the highest card first."""
    sizes: Ints
    """The number of combos of each, shape (starting hands,): 1 to 24."""
    patterns: npt.NDArray[np.uint8]
    """The suit pattern of each: its place in :data:`SUIT_PATTERNS`."""
    groups: Ints
    """The number of the group of each: of a rank class and a suit pattern; ascending."""
    keys: Ints
    """The sets of ranks of all starting hands (see :func:`_suit_key`), ascending."""
    numbers: Ints
    """The number of the starting hand of each key."""


@lru_cache
def starting_hands(size: int) -> StartingHands:
    """Return all starting hands of ``size`` cards, 4 to 6.

    >>> [len(starting_hands(size).cards) for size in (4, 5)], starting_hands(4).sizes.sum()
    ([16432, 134459], np.int64(270725))
    """
    names = SUIT_PATTERNS[size]
    all_sets, patterns = [], []
    for place, pattern in enumerate(names.values()):
        sets = np.sort(_sets_of_pattern(pattern), axis=1)[:, ::-1]
        all_sets.append(sets)
        patterns.append(np.full(len(sets), place, np.uint8))
    ranks_held, pattern_of = np.concatenate(all_sets), np.concatenate(patterns)
    cards = _representatives(ranks_held, size)
    masks = (np.int64(1) << cards.astype(np.int64)).sum(axis=1)
    rank_class = _rank_class(cards)
    order = np.lexsort((-masks, pattern_of, -rank_class))
    ranks_held, cards, pattern_of = ranks_held[order], cards[order], pattern_of[order]
    rank_class = rank_class[order]
    new = np.ones(len(cards), bool)
    new[1:] = (rank_class[1:] != rank_class[:-1]) | (pattern_of[1:] != pattern_of[:-1])
    keys = _packed(ranks_held.T)
    by_key = np.argsort(keys)
    arrays = StartingHands(
        cards, _sizes(ranks_held), pattern_of, np.cumsum(new) - 1, keys[by_key], by_key
    )
    for array in arrays:
        array.flags.writeable = False
    return arrays


def class_of(cards: npt.NDArray[Any]) -> Ints:
    """Return the numbers of the starting hands of hands.

    Args:
        cards: Card numbers, shape (n, 4), (n, 5) or (n, 6), in any order, of any integer type.

    Returns:
        Shape (n,).

    >>> int(class_of(np.array([[51, 50, 49, 48]]))[0])
    0
    """
    every = starting_hands(cards.shape[1])
    return every.numbers[np.searchsorted(every.keys, _suit_key(cards))]


@lru_cache
def class_of_combos(size: int) -> npt.NDArray[np.int32]:
    """Return the number of the starting hand of every combo of ``size`` cards, shape (combos,)."""
    cards = combo_cards(size)
    classes = np.empty(len(cards), np.int32)
    step = 1 << 18  # what fits into the processor's cache
    for begin in range(0, len(cards), step):
        classes[begin : begin + step] = class_of(cards[begin : begin + step])
    classes.flags.writeable = False
    return classes


def combos_of_classes(size: int, numbers: Ints) -> Ints:
    """Return the numbers of the combos of some starting hands, shape (24, n).

    A row is a renaming of the suits: a starting hand of fewer than 24 combos has some several times.
    """
    cards = starting_hands(size).cards[numbers]
    return np.stack([combo_numbers(renamed_cards(cards, row)) for row in range(len(SUIT_NAMES))])


def class_name(cards: Any) -> str:
    """Return the name of a starting hand from the cards of its representative.

    >>> class_name(starting_hands(4).cards[5000])
    'KwQxQy5x'
    """
    numbers = [int(card) for card in cards]
    return "".join(RANKS[card >> 2] + SUIT_VARIABLES[card & 3] for card in numbers)


def class_names(size: int) -> list[str]:
    """Return the names of all starting hands of ``size`` cards, by number."""
    return [class_name(cards) for cards in starting_hands(size).cards.tolist()]


def rank_class_name(cards: Any) -> str:
    """Return the ranks of a hand, the highest first.

    >>> rank_class_name([51, 44, 46, 50])
    'AAKK'
    """
    ranks = sorted((int(card) >> 2 for card in cards), reverse=True)
    return "".join(RANKS[rank] for rank in ranks)


def suit_pattern_name(cards: Any) -> str:
    """Return the name of a hand's suit pattern, such as ``ds``.

    >>> suit_pattern_name([51, 47, 42, 38])
    'ds'
    """
    suits = [int(card) & 3 for card in cards]
    counts = tuple(sorted((suits.count(suit) for suit in set(suits)), reverse=True))
    names = SUIT_PATTERNS[len(suits)]
    return next(name for name, pattern in names.items() if pattern == counts)


@lru_cache
def group_names(size: int) -> list[tuple[str, str]]:
    """Return the rank class and the suit pattern of each group of starting hands.

    >>> group_names(4)[:3], len(group_names(4))
    ([('AAAA', 'rb'), ('AAAK', 'ss'), ('AAAK', 'rb')], 7566)
    """
    every = starting_hands(size)
    first = np.flatnonzero(np.diff(every.groups, prepend=-1))
    return [(rank_class_name(cards), suit_pattern_name(cards)) for cards in every.cards[first].tolist()]


def _sets_of_pattern(pattern: tuple[int, ...]) -> Ints:
    """Return the four sets of ranks of the hands of a suit pattern, shape (n, 4), unordered."""
    parts = list(_equal_suits((*pattern, 0, 0, 0)[:4]))
    places = np.meshgrid(*(np.arange(len(part)) for part in parts), indexing="ij")
    return np.concatenate(
        [part[place.ravel()] for part, place in zip(parts, places, strict=True)], axis=1
    )


def _equal_suits(counts: tuple[int, ...]) -> Iterator[Ints]:
    """Yield the choices of sets of ranks for the suits with the same number of cards."""
    ranks = np.arange(_SUIT_RANKS + 1)
    lengths = sum((ranks >> rank) & 1 for rank in range(len(RANKS)))
    for count, suits in groupby(counts):
        sets = ranks[lengths == count]
        chosen = list(combinations_with_replacement(range(len(sets)), len(list(suits))))
        yield sets[np.array(chosen, np.int64)]


def _representatives(ranks_held: Ints, size: int) -> npt.NDArray[np.uint8]:
    """Return the representatives, from their sets of ranks, the highest set first."""
    down = np.arange(DECK_SIZE - 1, -1, -1)
    # Column j is the card 51 - j: so the cards of a row come from the highest.
    present = (ranks_held[:, 3 - (down & 3)] >> (down >> 2)) & 1
    cards = DECK_SIZE - 1 - np.nonzero(present)[1]
    return cards.astype(np.uint8).reshape(len(ranks_held), size)


def _rank_class(cards: npt.NDArray[np.uint8]) -> Ints:
    """Return a number for the ranks of each hand, its cards sorted; the higher ranks the higher."""
    number = np.zeros(len(cards), np.int64)
    for column in cards.T:
        number = number * len(RANKS) + (column >> 2)
    return number


def _sizes(ranks_held: Ints) -> Ints:
    """Return the number of combos of each starting hand: 24 by the renamings that change nothing."""
    same = np.ones(len(ranks_held), np.int64)
    run = np.ones(len(ranks_held), np.int64)
    for suit in range(1, 4):
        run = np.where(ranks_held[:, suit] == ranks_held[:, suit - 1], run + 1, 1)
        same *= run
    return 24 // same


def _suit_key(cards: npt.NDArray[Any]) -> Ints:
    """Return the sets of ranks of each hand, the highest first, as one number."""
    deck = np.arange(DECK_SIZE)
    bits = np.int64(1) << (len(RANKS) * (deck & 3) + (deck >> 2))
    card_set = np.zeros(len(cards), np.int64)
    for column in cards.T:
        card_set |= bits[column]
    a, b, c, d = ((card_set >> (len(RANKS) * suit)) & _SUIT_RANKS for suit in range(4))
    a, b = np.maximum(a, b), np.minimum(a, b)
    c, d = np.maximum(c, d), np.minimum(c, d)
    a, c = np.maximum(a, c), np.minimum(a, c)
    b, d = np.maximum(b, d), np.minimum(b, d)
    b, c = np.maximum(b, c), np.minimum(b, c)
    return _packed((a, b, c, d))


def _packed(ranks_held: Any) -> Ints:
    key = np.zeros(len(ranks_held[0]), np.int64)
    for ranks_of_suit in ranks_held:
        key = key << len(RANKS) | ranks_of_suit
    return key
