"""The interface of a game: its rules, and its mathematics by combo number."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import comb, factorial
from typing import TYPE_CHECKING

from gpuodds.basics.choices import GameName
from gpuodds.basics.lazy import cached_property
from gpuodds.cards import DECK_SIZE

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

HOLDEM_FAMILY, OMAHA_FAMILY = "holdem", "omaha"
"""Families of games whose hands are counted alike: by any cards, or by exactly two hole cards."""


class Game(ABC):
    """A poker game: its deck, its hands, and who wins.

    Card numbers are those of the full deck in every game (``gpuodds.cards``). A *combo* is a set of
    hole cards. Combos have numbers, 0 to ``combos - 1``, in colexicographic order: the combo of the
    cards c1 < c2 < ... is C(c1, 1) + C(c2, 2) + ... Methods import NumPy only if they need it.

    Example:
        >>> from gpuodds.games import find_game
        >>> game = find_game("short-deck")
        >>> game.deck_size, game.max_players, game.hand_name(game.highest_rank)
        (36, 15, 'royal flush')
    """

    name: GameName
    """The name in JSON and on the command line."""
    aliases: tuple[str, ...] = ()
    """Other names that are understood."""
    title: str
    """The name in texts, such as ``Texas hold'em``."""
    rules: str
    """The rules in one sentence."""
    family: str
    """The family of games that are counted alike, ``"holdem"`` or ``"omaha"``."""
    missing: tuple[int, ...] = ()
    """The cards of the full deck that this game's deck lacks, ascending."""
    hole_cards: int
    """The number of a player's hole cards."""
    board_cards: int = 5
    """The number of cards on a full board."""
    grid_ranks: int = 0
    """The rows of the grid of starting hands, 13 in hold'em; 0 if they have none."""
    has_low: bool = False
    """Whether the best low hand takes half of the pot."""

    def __repr__(self) -> str:
        return f"<game {self.name}>"

    def __reduce__(self) -> str:
        """Pickle as the name of the one object of the game, in the module of its class."""
        return self.name.upper().replace("-", "_")

    @cached_property
    def deck_size(self) -> int:
        """The number of cards in the deck."""
        return DECK_SIZE - len(self.missing)

    @cached_property
    def combos(self) -> int:
        """The number of combos of the full deck, the width of arrays by combo."""
        return comb(DECK_SIZE, self.hole_cards)

    @cached_property
    def dealt_combos(self) -> int:
        """The number of combos of the game's deck."""
        return comb(self.deck_size, self.hole_cards)

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories of hands, such as ``flush``, the weakest first."""
        from gpuodds.games.shared.hand_names import CATEGORIES

        return CATEGORIES

    @property
    def category_ranks(self) -> tuple[range, ...]:
        """The hand ranks of each category."""
        from gpuodds.games.shared.hand_names import CATEGORY_RANKS

        return CATEGORY_RANKS

    @property
    def highest_rank(self) -> int:
        """The hand rank of a royal flush."""
        return self.category_ranks[-1].stop - 1

    @cached_property
    def max_players(self) -> int:
        """The largest number of players for whom the deck has cards."""
        return (self.deck_size - self.board_cards) // self.hole_cards

    def deals(self, cards: int, hands: int) -> int:
        """Return the number of deals of hands from a deck, the order of the hands ignored.

        Args:
            cards: The number of cards in the deck.
            hands: The number of hands.

        Example:
            >>> from gpuodds.games import find_game
            >>> find_game("holdem").deals(45, 3), find_game("omaha").deals(43, 1)
            (122175900, 123410)
        """
        size = self.hole_cards
        if hands < 0 or cards < size * hands:
            return 0
        dealt = factorial(cards) // factorial(cards - size * hands)
        orders = factorial(hands) * int(factorial(size) ** hands)
        return dealt // orders

    @abstractmethod
    def rank_hand(self, hole_cards: Sequence[int], board: Sequence[int]) -> int:
        """Return the hand rank of hole cards on a board; higher ranks win, equal ranks split.

        Args:
            hole_cards: Card numbers; they are not checked.
            board: Three to five card numbers.
        """

    @abstractmethod
    def hand_name(self, rank: int) -> str:
        """Return the name of a hand rank, such as ``a pair of aces, king-queen-jack``.

        Args:
            rank: The hand rank, 1 to ``highest_rank``.
        """

    @abstractmethod
    def hand_group(self, cards: Sequence[int]) -> str:
        """Return the name of the group of a hand in lists: its starting hand, or ranks and suits.

        Args:
            cards: The hand's card numbers, in any order.
        """

    def low_rank(self, hole_cards: Sequence[int], board: Sequence[int]) -> int:
        """Return the rank of the low hand, 0 for none; higher ranks win, equal ranks split.

        Args:
            hole_cards: Card numbers; they are not checked.
            board: Three to five card numbers.
        """
        return 0

    @abstractmethod
    def combo_number(self, cards: Sequence[int]) -> int:
        """Return the number of a combo, 0 to ``combos - 1``.

        Args:
            cards: Its card numbers, in any order.
        """

    @abstractmethod
    def cards_of(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
        """Return the cards of some combos, shape (n, hole_cards), uint8, ascending in each row.

        Args:
            numbers: The combos' numbers, shape (n,), int64.
        """

    @abstractmethod
    def combo_cards(self) -> npt.NDArray[np.uint8]:
        """Return the cards of every combo, shape (combos, hole_cards), uint8, ascending in each row."""

    @abstractmethod
    def combo_masks(self) -> npt.NDArray[np.int64]:
        """Return the cards of every combo as a set, shape (combos,), int64: bit c is the card c."""
