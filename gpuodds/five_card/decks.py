"""Decks with cards missing, and how many five-card hands of each kind they hold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gpuodds.backends import choice
from gpuodds.backends.counts import Progress
from gpuodds.backends.operation import Counted, Counts, Operation
from gpuodds.backends.operations.five_card import FiveCardHands, FiveCardHighCards
from gpuodds.cards import DECK_SIZE, format_cards, refuse_repeats
from gpuodds.errors import InputError
from gpuodds.games.five_card import HAND_CARDS
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.hand_names import CATEGORIES, CATEGORY_RANKS, card_ranks
from gpuodds.methods.hands.evaluate import rank_hand
from gpuodds.spots.hands import Cards, read_cards

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

SCHEMA = "gpuodds.five_odds/1"


@dataclass(frozen=True)
class FiveCardOdds:
    """How a hand compares with all hands of the unseen cards.

    Attributes:
        hand: The hand, as text.
        seen: The other cards out of play, as text.
        categories: How many hands each category has, best first.
        high_cards: How many hands of each category have each high card, in the order of cards.
        beat: How many hands beat this one.
        tie: How many tie with it.
        ahead: How many are ahead where only the category and the high card, by rank and then by suit
            (clubs, diamonds, hearts, spades), are compared.
        outcomes: How many hands there are.
        backend: Where they were counted.
    """

    hand: str
    seen: str
    categories: dict[str, int]
    high_cards: dict[str, dict[str, int]]
    beat: int
    tie: int
    ahead: int
    outcomes: int
    backend: str = "cpu"

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``gpuodds five odds --json`` prints."""
        fields = {"schema": SCHEMA, **vars(self)}
        del fields["backend"]
        return fields


def five_odds(hand: Cards, *, seen: Cards = "") -> FiveCardOdds:
    """Compare a five-card hand with each hand of the unseen deck.

    Args:
        hand: Five cards.
        seen: Further cards out of play: folded open, or shown before.

    Returns:
        How many hands are of each category and high card, and how many beat or tie the hand.

    Raises:
        InputError: The hand has not five cards, a card is given twice, or fewer than five are unseen.

    Example:
        >>> odds = five_odds("KsKh7d4c2c")
        >>> odds.categories["straight_flush"], odds.beat, odds.tie, odds.outcomes
        (27, 190117, 27, 1533939)
    """
    cards, out = read_hand(hand), read_seen(hand, seen)
    deck = deck_without([*cards, *out])
    check_enough(deck, HAND_CARDS)
    counts, backend = run(FiveCardHands(_read_decks([deck])))
    by_rank = counts[0].tolist()
    by_card = count_high_cards([deck])[0].tolist()
    rank = rank_hand(cards, HOLDEM)
    category = next(place for place, ranks in enumerate(CATEGORY_RANKS) if rank in ranks)
    high = high_card(cards)
    ahead = sum(map(sum, by_card[category + 1 :])) + sum(by_card[category][high + 1 :])
    return FiveCardOdds(
        hand=format_cards(cards),
        seen=format_cards(out),
        categories={
            _key(name): sum(by_rank[ranks.start : ranks.stop])
            for name, ranks in reversed([*zip(CATEGORIES, CATEGORY_RANKS, strict=True)])
        },
        high_cards={
            _key(name): {format_cards([card]): count for card, count in enumerate(row) if count}
            for name, row in reversed([*zip(CATEGORIES, by_card, strict=True)])
        },
        beat=sum(by_rank[rank + 1 :]),
        tie=by_rank[rank],
        ahead=ahead,
        outcomes=sum(by_rank),
        backend=backend,
    )


def run(operation: Operation[Counts], progress: Progress | None = None) -> Counted[Counts]:
    """Count; no GPU is started, unless one is asked for: the CPU takes less time than that."""
    return choice.run_operation(operation, "auto", 0.0, progress)


def count_hands(decks: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Count the five-card hands of each rank in each deck, without listing them.

    Args:
        decks: Shape (n,), integers: bit c is set for the card c, 0 to 51.

    Returns:
        Shape (n, 7463), int64; entry r is the number of hands of rank r, 1 to 7462.

    Raises:
        InputError: ``decks`` has another shape or dtype, or a number is no set of cards.

    Example:
        >>> int(count_hands([(1 << 52) - 1]).sum())
        2598960
    """
    return run(FiveCardHands(_read_decks(decks))).counts


def count_high_cards(decks: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Count the five-card hands of each category and high card in each deck.

    The high card is the highest; of hands with pairs or more it is the card of the largest group, of
    the higher of two pairs, that has the highest suit; of a wheel its five.

    Args:
        decks: Shape (n,), integers: bit c is set for the card c, 0 to 51.

    Returns:
        Shape (n, 9, 52), int64, by the categories from high card to straight flush, by high card.

    Raises:
        InputError: ``decks`` has another shape or dtype, or a number is no set of cards.

    Example:
        >>> count_high_cards([(1 << 52) - 1])[0].sum(axis=1).tolist()
        [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40]
    """
    return run(FiveCardHighCards(_read_decks(decks))).counts


def high_card(cards: Iterable[int]) -> int:
    """Return a hand's high card, as :func:`count_high_cards` defines it.

    >>> from gpuodds.cards import format_cards, parse_cards, refuse_repeats
    >>> [format_cards([high_card(parse_cards(text))]) for text in ("Ac5d4d3d2d", "2c2s9dKdKc")]
    ['5d', 'Kd']
    """
    hand = list(cards)
    first = card_ranks(rank_hand(hand, HOLDEM))[0]
    return max(card for card in hand if card >> 2 == first)


def read_hand(hand: Cards) -> tuple[int, ...]:
    """Return five cards.

    Raises:
        InputError: There are not five, or one is given twice.
    """
    cards = read_cards(hand)
    if len(cards) != HAND_CARDS:
        raise InputError(f"hand {format_cards(cards)}: expected five cards, found {len(cards)}")
    refuse_repeats(("the hand", cards))
    return cards


def read_seen(hand: Cards, seen: Cards) -> tuple[int, ...]:
    """Return the seen cards beside a hand.

    Raises:
        InputError: One is given twice, or is in the hand.
    """
    own, cards = read_hand(hand), read_cards(seen)
    refuse_repeats(("the hand", own), ("the seen cards", cards))
    return cards


def deck_without(cards: Iterable[int]) -> int:
    """Return the deck without some cards, as a set of bits."""
    deck = (1 << DECK_SIZE) - 1
    for card in cards:
        deck &= ~(1 << card)
    return deck


def check_enough(deck: int, cards: int) -> None:
    """Refuse a deck that has too few cards.

    Raises:
        InputError: It has fewer.
    """
    left = deck.bit_count()
    if left < cards:
        raise InputError(f"{left} cards are unseen: expected {cards} at least")


def _read_decks(decks: npt.ArrayLike) -> npt.NDArray[np.int64]:
    import numpy as np

    array = np.asarray(decks)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise InputError(f"decks: expected integers of shape (n,), found {array.dtype} {array.shape}")
    if len(array) and not (int(array.min()) >= 0 and int(array.max()) < 1 << DECK_SIZE):
        raise InputError("decks: expected sets of the 52 cards as bits, 0 to 2^52 - 1")
    return array.astype(np.int64)


def _key(category: str) -> str:
    return category.replace(" ", "_")
