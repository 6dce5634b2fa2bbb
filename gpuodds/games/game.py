"""What the rest is parametrised by: the rules of a game, and its mathematics by number of the combo."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Game(ABC):
    """A poker game: its deck, its hands, and who wins.

    A *combo* is a set of hole cards; combos have numbers, 0 to ``combos - 1``. NumPy is imported where
    a method needs it.
    """

    name: str
    """As it is named in JSON and on the command line."""
    deck_size: int
    """Cards in the deck."""
    hole_cards: int
    """Cards that a player holds."""
    board_cards: int
    """Cards of a full board."""

    def __repr__(self) -> str:
        return f"<game {self.name}>"

    @property
    def combos(self) -> int:
        """The number of combos."""
        return comb(self.deck_size, self.hole_cards)

    @property
    def max_players(self) -> int:
        """The number of players that the deck has cards for."""
        return (self.deck_size - self.board_cards) // self.hole_cards

    @abstractmethod
    def deals(self, cards: int, hands: int) -> int:
        """Return the ways to deal ``hands`` hands, their order ignored, from ``cards`` cards."""

    @abstractmethod
    def rank_hand(self, cards: Sequence[int]) -> int:
        """Return the hand rank of hole cards and a full board; higher ranks win, equal ranks split."""

    @abstractmethod
    def combo_number(self, cards: Sequence[int]) -> int:
        """Return the number of a combo from its card numbers, in any order."""

    @abstractmethod
    def combo_cards(self) -> npt.NDArray[np.uint8]:
        """Return the cards of every combo, shape (combos, hole cards), ascending."""

    @abstractmethod
    def suit_group(
        self, weights: npt.NDArray[np.float64], board: Sequence[int], dead: Sequence[int]
    ) -> list[int]:
        """Return the numbers of the suit renamings that leave ranges, board and dead cards in place.

        Args:
            weights: Ranges, shape (players, combos).
            board: Card numbers.
            dead: Card numbers.
        """
