"""Omaha as games: four, five and six hole cards, high and hi-lo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gpuodds.basics.choices import GameName
from gpuodds.games.game import OMAHA_FAMILY, Game

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_NUMBERS = {4: "Four", 5: "Five", 6: "Six"}
_HIGH = "{} hole cards: exactly two of them count, with exactly three of the board."
_LOW = (
    " Half of the pot goes to the best low of five different ranks, eight or better, aces low; all of "
    "it to the high hand if no player has one."
)


class Omaha(Game):
    """Omaha with some number of hole cards.

    >>> OMAHA.combos, OMAHA.max_players, OMAHA5.max_players, OMAHA6.max_players
    (270725, 11, 9, 7)
    """

    family = OMAHA_FAMILY

    def __init__(
        self, name: GameName, title: str, hole_cards: int, has_low: bool, aliases: tuple[str, ...]
    ) -> None:
        """Take what tells the games of the family apart."""
        self.name, self.title, self.aliases = name, title, aliases
        self.hole_cards, self.has_low = hole_cards, has_low
        self.rules = _HIGH.format(_NUMBERS[hole_cards]) + (_LOW if has_low else "")

    def rank_hand(self, hole_cards: Sequence[int], board: Sequence[int]) -> int:
        """Return the rank: see :func:`gpuodds.games.omaha.hand_ranks.rank_omaha`."""
        from gpuodds.games.omaha.hand_ranks import rank_omaha

        return rank_omaha(hole_cards, board)

    def hand_name(self, rank: int) -> str:
        """Return the name of a hand rank: see :func:`gpuodds.games.shared.hand_names.hand_name`."""
        from gpuodds.games.shared.hand_names import hand_name

        return hand_name(rank)

    def low_rank(self, hole_cards: Sequence[int], board: Sequence[int]) -> int:
        """Return the rank of the low: see :func:`gpuodds.games.omaha.low_ranks.low_rank`."""
        from gpuodds.games.omaha.low_ranks import low_rank

        return low_rank(hole_cards, board) if self.has_low else 0

    def hand_group(self, cards: Sequence[int]) -> str:
        """Return the rank class and the suit pattern, such as ``AAKK ds``."""
        from gpuodds.games.omaha.starting_hands import rank_class_name, suit_pattern_name

        return f"{rank_class_name(cards)} {suit_pattern_name(cards)}"

    def combo_number(self, cards: Sequence[int]) -> int:
        """Return a combo's number: see :func:`gpuodds.games.omaha.combos.combo_index`."""
        from gpuodds.games.omaha.combos import combo_index

        return combo_index(cards)

    def cards_of(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
        """Return the cards of combos: see :func:`gpuodds.games.omaha.combos.cards_of_combos`."""
        from gpuodds.games.omaha.combos import cards_of_combos

        return cards_of_combos(numbers, self.hole_cards)

    def combo_cards(self) -> npt.NDArray[np.uint8]:
        """Return the combos: see :func:`gpuodds.games.omaha.combos.combo_cards`."""
        from gpuodds.games.omaha.combos import combo_cards

        return combo_cards(self.hole_cards)

    def combo_masks(self) -> npt.NDArray[np.int64]:
        """Return the combos as sets: see :func:`gpuodds.games.omaha.combos.combo_masks`."""
        from gpuodds.games.omaha.combos import combo_masks

        return combo_masks(self.hole_cards)


OMAHA = Omaha("omaha", "Omaha", 4, False, ("omaha4", "omahahi", "plo", "plo4"))
OMAHA5 = Omaha("omaha5", "Five-card Omaha", 5, False, ("omahahi5", "plo5"))
OMAHA6 = Omaha("omaha6", "Six-card Omaha", 6, False, ("omahahi6", "plo6"))
OMAHA_HI_LO = Omaha("omaha-hi-lo", "Omaha hi-lo", 4, True, ("omaha8", "plo8"))
OMAHA5_HI_LO = Omaha("omaha5-hi-lo", "Five-card Omaha hi-lo", 5, True, ("omaha85",))
