"""The interface of a game: its rules, and its mathematics by combo number."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Game(ABC):
    """A poker game: its deck, its hands, and who wins.

    A *combo* is a set of hole cards; combos have numbers, 0 to ``combos - 1``. Methods import NumPy
    only if they need it.
    """

    name: str
    """The name in JSON and on the command line."""
    deck_size: int
    """The number of cards in the deck."""
    hole_cards: int
    """The number of a player's hole cards."""
    board_cards: int
    """The number of cards on a full board."""

    def __repr__(self) -> str:
        return f"<game {self.name}>"

    @property
    def combos(self) -> int:
        """The number of combos."""
        return comb(self.deck_size, self.hole_cards)

    @property
    def max_players(self) -> int:
        """The largest number of players for whom the deck has cards."""
        return (self.deck_size - self.board_cards) // self.hole_cards

    @abstractmethod
    def deals(self, cards: int, hands: int) -> int:
        """Return the number of deals of ``hands`` hands from ``cards`` cards, their order ignored."""

    @abstractmethod
    def rank_hand(self, cards: Sequence[int]) -> int:
        """Return the hand rank of five to seven cards; higher ranks win, equal ranks split."""

    @abstractmethod
    def combo_number(self, cards: Sequence[int]) -> int:
        """Return the number of a combo from its card numbers, in any order."""

    @abstractmethod
    def combo_cards(self) -> npt.NDArray[np.uint8]:
        """Return the cards of every combo, shape (combos, hole_cards), ascending in each row."""

    @abstractmethod
    def combo_masks(self) -> npt.NDArray[np.int64]:
        """Return the cards of every combo as a set, shape (combos,): bit c is set for the card c."""

    @abstractmethod
    def suit_group(
        self,
        weights: npt.NDArray[np.float64],
        board: Sequence[int],
        dead: Sequence[int],
        kept: Collection[int] = (),
    ) -> list[int]:
        """Return the numbers of the suit renamings that keep all ranges, the board and the dead cards.

        Args:
            weights: The players' ranges, shape (players, combos).
            board: Card numbers.
            dead: Card numbers.
            kept: Renamings that are known to keep the ranges.
        """
