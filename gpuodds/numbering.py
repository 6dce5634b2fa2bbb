"""Convert cards and hands to and from the numbers of other programs.

Card numbers of gpuodds are 4 x rank + suit, 0 (2c) to 51 (As), and hand ranks are 1 to 7462.
:mod:`gpuodds.cards` also has sets of cards as 52 bits (:func:`gpuodds.cards.to_seed_mask`).
"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from gpuodds.basics.arguments import as_whole, listed, one_of
from gpuodds.cards import DECK_SIZE, format_cards
from gpuodds.errors import InputError, excerpt
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.hand_names import CATEGORIES, card_ranks, category
from gpuodds.methods.hands.evaluate import rank_hand
from gpuodds.spots.hands import read_cards

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    import numpy.typing as npt

    from gpuodds.spots.hands import Cards

__all__ = [
    "combo_cards",
    "from_base_13",
    "from_base_52",
    "from_suit_order",
    "hand_value",
    "to_base_13",
    "to_base_52",
    "to_suit_order",
]

ACES = ("high", "low")
HAND = 5
HIGHEST_RANK = 7462
ROYAL_FLUSH = len(CATEGORIES)  # a type of its own in base-13 values
# The number of card ranks that tell the hands of a category apart, the most frequent rank first.
_FACES = {"straight": 1, "straight flush": 1, "full house": 2, "four of a kind": 2}
_FACES |= {"two pair": 3, "three of a kind": 3, "pair": 4, "flush": 5, "high card": 5}


def combo_cards() -> npt.NDArray[np.uint8]:
    """Return the two cards of each of the 1,326 combos, in the order of their numbers.

    The combo of the cards a and b, a < b, has the number b (b - 1) / 2 + a.

    Returns:
        Card numbers, shape (1326, 2), uint8, the lower card first.

    Example:
        >>> combo_cards()[[0, 1325]].tolist()
        [[0, 1], [50, 51]]
    """
    from gpuodds.games.shared import combos

    return combos.combo_cards().copy()


def to_suit_order(cards: Cards, *, ace: str = "high") -> tuple[int, ...]:
    """Return the numbers of cards in a deck sorted by suit: 13 x suit + face, 0 to 51.

    Args:
        cards: Cards, as text or numbers.
        ace: ``"high"``: faces are 0 (deuce) to 12 (ace). ``"low"``: faces are 0 (ace), 1 (deuce) to 12
            (king); the numbers are then the bits of :func:`gpuodds.cards.to_seed_mask`.

    Returns:
        Numbers 0 to 51, in the order of the cards; suits are 0 to 3 in the order c, d, h, s.

    Raises:
        InputError: A card cannot be read, or ``ace`` is neither ``"high"`` nor ``"low"``.

    Example:
        >>> to_suit_order("2c As 7d"), to_suit_order("Ac Ks 7d", ace="low")
        ((0, 51, 18), (0, 51, 19))
    """
    low = one_of("ace", ace, ACES) == "low"
    return tuple(13 * (card & 3) + ((card >> 2) + low) % 13 for card in read_cards(cards))


def from_suit_order(numbers: Iterable[int], *, ace: str = "high") -> tuple[int, ...]:
    """Return the cards of numbers in a deck sorted by suit: the inverse of ``to_suit_order``.

    Args:
        numbers: Numbers 0 to 51.
        ace: ``"high"`` or ``"low"``.

    Returns:
        Card numbers, 4 x rank + suit, in the order given.

    Raises:
        InputError: A number is not 0 to 51, or ``ace`` is neither ``"high"`` nor ``"low"``.

    Example:
        >>> format_cards(from_suit_order([0, 51, 18])), format_cards(from_suit_order([19], ace="low"))
        ('2cAs7d', '7d')
    """
    low = one_of("ace", ace, ACES) == "low"
    cards = []
    for item in listed("numbers", numbers, "a list of numbers from 0 to 51"):
        number = as_whole("card number", item)
        if not 0 <= number < DECK_SIZE:
            raise InputError(f"card number {number}: expected 0 to 51")
        suit, face = divmod(number, 13)
        cards.append(4 * ((face - low) % 13) + suit)
    return tuple(cards)


def to_base_52(cards: Cards) -> int:
    """Return five cards as one base-52 number, the lowest card first.

    Args:
        cards: Five different cards, in any order, as text or numbers; their numbers are the digits.

    Returns:
        The sum of card[i] x 52^(4 - i), cards ascending; at most 350,530,283.

    Raises:
        InputError: ``cards`` is not five different cards.

    Example:
        >>> to_base_52("2c2d2h2s3c"), to_base_52([51, 50, 49, 48, 47])
        (146176, 350530283)
    """
    value = 0
    for card in sorted(_five(cards)):
        value = DECK_SIZE * value + card
    return value


def from_base_52(value: int) -> tuple[int, ...]:
    """Return the five cards of a base-52 number: the inverse of ``to_base_52``.

    Args:
        value: The number, 0 to 350,530,283.

    Returns:
        Five card numbers, ascending.

    Raises:
        InputError: ``value`` is not the number of five different cards in ascending order.

    Example:
        >>> from_base_52(350530283)
        (47, 48, 49, 50, 51)
    """
    left = number = as_whole("value", value)
    cards: list[int] = []
    for _ in range(HAND):
        left, card = divmod(left, DECK_SIZE)
        cards.insert(0, card)
    if left or cards != sorted(set(cards)) or len(set(cards)) != HAND:
        raise InputError(
            f"value {excerpt(str(number))}: expected the number of five cards in ascending order"
        )
    return tuple(cards)


def to_base_13(rank: int) -> int:
    """Return the base-13 value of a hand rank: the type of the hand, then the faces that matter.

    Args:
        rank: A hand rank of :func:`gpuodds.rank_hands`, 1 to 7462.

    Returns:
        type x 13^5 + the sum of face[i] x 13^(4 - i). Types are 0 (high card) to 8 (straight flush) in
        the order of ``find_game("holdem").categories``, and 9 for the royal flush, which has no faces.
        Faces are 0 (deuce) to 12 (ace): pairs and more first, then the kickers downward; a straight has
        its highest card alone. A better hand has a higher value.

    Raises:
        InputError: The number is not a hand rank.

    Example:
        >>> to_base_13(1) == int("53210", 13), to_base_13(7462) == 9 * 13**5
        (True, True)
    """
    name = category(rank)
    faces = card_ranks(rank)
    if rank == HIGHEST_RANK:
        return ROYAL_FLUSH * 13**5
    return CATEGORIES.index(name) * 13**5 + _digits(_distinct(faces)[: _FACES[name]])


def from_base_13(value: int) -> int:
    """Return the hand rank of a base-13 value: the inverse of ``to_base_13``.

    Args:
        value: The base-13 value.

    Returns:
        The hand rank, 1 to 7462.

    Raises:
        InputError: No hand has this value.

    Example:
        >>> from_base_13(9 * 13**5)
        7462
    """
    number, values = as_whole("value", value), _values()
    place = bisect_left(values, number)
    if place == len(values) or values[place] != number:
        raise InputError(f"value {excerpt(str(number))}: expected the base-13 value of a hand")
    return place + 1


def hand_value(cards: Cards, ranking: str = "standard") -> int:
    """Return the base-13 value of five cards.

    Args:
        cards: Five different cards, as text or numbers.
        ranking: ``"standard"``, or ``"draw-chooser"`` as in ``gpuodds five draw``.

    Returns:
        With ``"standard"`` :func:`gpuodds.numbering.to_base_13` of the hand's rank. With
        ``"draw-chooser"`` six digits, first the type (pair 0, two pair 1, three of a kind 2, four of a
        kind 3, flush 4, straight 5), then the faces of all five cards, the most frequent first; a flush
        has its suit alone. A full house counts as three of a kind, a straight flush as a straight. A
        hand without a type has a negative value.

    Raises:
        InputError: ``cards`` is not five different cards, or the ranking is unknown.

    Example:
        >>> hand_value("4h9d4c7dQs") == int("12a750", 13)  # a pair, of fours, with Q, 9 and 7
        True
        >>> hand_value("4h9d4c7dQs", "draw-chooser") == int("022a75", 13)
        True
    """
    from gpuodds.games.five_card import draw_chooser_value, read_ranking

    hand = _five(cards)
    rank = rank_hand(hand, HOLDEM)
    if read_ranking(ranking) == "standard":
        return to_base_13(rank)
    return draw_chooser_value(card_ranks(rank), category(rank), hand[0] & 3)


def _five(cards: Any) -> tuple[int, ...]:
    hand = read_cards(cards)
    if len(hand) != HAND or len({*hand}) != HAND:
        raise InputError(f"hand {format_cards(hand) or repr('')}: expected five different cards")
    return hand


def _distinct(faces: Sequence[int]) -> list[int]:
    return list(dict.fromkeys(faces))


def _digits(faces: Sequence[int]) -> int:
    return sum(face * 13 ** (HAND - 1 - place) for place, face in enumerate(faces))


@lru_cache
def _values() -> list[int]:
    return [to_base_13(rank) for rank in range(1, HIGHEST_RANK + 1)]
