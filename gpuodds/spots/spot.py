"""A question: known hands, random opponents, board, dead cards; valid by construction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any, TypeAlias

from gpuodds.arguments import as_whole, listed, shown
from gpuodds.cards import DECK_SIZE, format_cards, parse_cards, read_hand
from gpuodds.errors import InputError, excerpt
from gpuodds.games.holdem.multiway import deals
from gpuodds.games.holdem.rules import BOARD_CARDS, MAX_PLAYERS

Cards: TypeAlias = "str | Iterable[int] | Iterable[str] | None"
"""Cards as text (``"2s7d9h"``), card numbers, 4 x rank + suit, or a list of texts; None for none."""


@dataclass(frozen=True)
class Spot:
    """One exact question, checked: no card twice, and cards enough for everyone.

    ``hands`` are the known hands (two cards each), ``opponents`` how many players hold random cards,
    ``board`` the 0 to 5 cards that lie, ``dead`` cards known to be out of play. Cards are numbers 4 x
    rank + suit, as :mod:`gpuodds.cards` defines them. Raises :class:`InputError`.

    >>> Spot.of(["AsKs"], opponents=3).outcomes
    258861409884000
    """

    hands: tuple[tuple[int, int], ...]
    opponents: int
    board: tuple[int, ...] = ()
    dead: tuple[int, ...] = ()

    @staticmethod
    def of(
        hands: Sequence[Cards], *, opponents: int | None = None, board: Cards = "", dead: Cards = ""
    ) -> Spot:
        """Make a spot from text or card numbers; one hand alone meets one random opponent."""
        known = tuple(_hand(hand) for hand in hands)
        return Spot(known, read_opponents(opponents, len(known)), read_cards(board), read_cards(dead))

    def __post_init__(self) -> None:
        """Check the question as a whole."""
        if not self.hands:
            raise InputError("no hand given: expected at least one, such as AsKs")
        check_table(len(self.hands), self.opponents, self.board, ())
        self._refuse_repeats()
        needed = BOARD_CARDS - len(self.board) + 2 * self.opponents
        if self.unseen < needed:
            raise InputError(
                f"{self.unseen} cards are left in the deck: {needed} are needed for the board and "
                f"{self.opponents} random opponents"
            )

    def _refuse_repeats(self) -> None:
        seen: dict[int, str] = {}
        places: list[tuple[str, tuple[int, ...]]]
        places = [(format_cards(hand), hand) for hand in self.hands]
        places += [("the board", self.board), ("the dead cards", self.dead)]
        for place, cards in places:
            for card in cards:
                if card in seen:
                    where = (
                        f"twice in {place}" if seen[card] == place else f"in {seen[card]} and {place}"
                    )
                    raise InputError(f"{format_cards([card])}: the same card is {where}")
                seen[card] = place

    @property
    def players(self) -> int:
        """How many players there are, known and random."""
        return len(self.hands) + self.opponents

    @property
    def known(self) -> frozenset[int]:
        """All cards that are not in the deck any more."""
        return frozenset([*(card for hand in self.hands for card in hand), *self.board, *self.dead])

    @property
    def unseen(self) -> int:
        """How many cards are still in the deck."""
        return DECK_SIZE - len(self.known)

    @property
    def undealt(self) -> int:
        """How many cards the random opponents' hands are dealt from, once the board is full."""
        return self.unseen - (BOARD_CARDS - len(self.board))

    @property
    def boards(self) -> int:
        """In how many ways the board can be filled."""
        return comb(self.unseen, BOARD_CARDS - len(self.board))

    @property
    def outcomes(self) -> int:
        """Boards times ways to deal the random opponents, their order ignored."""
        return self.boards * deals(self.undealt, self.opponents)


@dataclass(frozen=True)
class RangeSpot:
    """A question in which players have ranges: as they were named, and how many outcomes there are.

    ``outcomes`` are boards times deals, the order of random opponents ignored, weighted by the ranges'
    weights; an integer if these are 0 and 1. In a sampled answer they are the samples.
    """

    names: tuple[str, ...]
    opponents: int
    board: tuple[int, ...]
    dead: tuple[int, ...]
    outcomes: Any

    @property
    def players(self) -> int:
        """How many players there are, with ranges and random."""
        return len(self.names) + self.opponents


def check_table(players: int, opponents: int, board: Sequence[int], dead: Sequence[int]) -> None:
    """Refuse a table that cannot be dealt: ``players`` named ones, ``opponents`` random ones.

    Raises:
        InputError: There are too few or too many players, or the board and dead cards are not right.
    """
    if opponents < 0:
        raise InputError(f"opponents {opponents}: expected 0 to {MAX_PLAYERS - 1}")
    if players + opponents > MAX_PLAYERS:
        raise InputError(
            f"{players + opponents} players ({players} known, {opponents} random): "
            f"a deck has cards for {MAX_PLAYERS}"
        )
    if players + opponents < 2:
        raise InputError("one hand and no opponents: expected --opponents 1 or more")
    if len(board) > BOARD_CARDS:
        raise InputError(f"board {format_cards(board)}: expected at most 5 cards, found {len(board)}")
    needed = BOARD_CARDS - len(board) + 2 * (players + opponents)
    unseen = DECK_SIZE - len(board) - len(dead)
    if unseen < needed:
        raise InputError(
            f"{unseen} cards are left in the deck: {needed} are needed for the board and "
            f"{players + opponents} players"
        )


def read_opponents(opponents: Any, players: int) -> int:
    """Return the number of random opponents; where nothing is said, one for a single player.

    Raises:
        InputError: It is no whole number.
    """
    if opponents is None:
        return 1 if players == 1 else 0
    return as_whole("opponents", opponents)


def _hand(hand: Cards) -> tuple[int, int]:
    cards = read_hand(hand) if isinstance(hand, str) else read_two_cards(hand)
    if isinstance(cards, str):
        raise InputError(f"{excerpt(cards)}: expected a hand of two named cards, such as AsKs")
    return cards


def read_two_cards(hand: Cards) -> tuple[int, int]:
    """Return a hand given as two card numbers or card texts.

    Raises:
        InputError: There are not two, or one is no card.
    """
    cards = read_cards(hand)
    if len(cards) != 2:
        raise InputError(f"hand {list(cards)}: a hand has two cards, found {len(cards)}")
    return cards[0], cards[1]


def read_cards(cards: Cards) -> tuple[int, ...]:
    """Return cards given as text, as card numbers, or as a list of texts; None is no card.

    Raises:
        InputError: It is anything else, or a number is no card.

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
