"""Texas hold'em as a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gpuodds.basics.choices import GameName
from gpuodds.basics.lazy import cached_property
from gpuodds.games.game import HOLDEM_FAMILY, Game
from gpuodds.games.holdem.multiway import deals
from gpuodds.games.shared.rules import HOLE_CARDS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from gpuodds.games.shared.hand_ranks import HandRankTables


class Holdem(Game):
    """Texas hold'em: two hole cards and five board cards, of which the best five count.

    >>> HOLDEM.combos, HOLDEM.max_players, HOLDEM.deals(45, 3)
    (1326, 23, 122175900)
    """

    name: GameName = "holdem"
    title = "Texas hold'em"
    rules = "Two hole cards and five board cards, of which the best five count."
    family = HOLDEM_FAMILY
    hole_cards = HOLE_CARDS
    grid_ranks = 13

    def deals(self, cards: int, hands: int) -> int:
        """Return the number of deals: see :func:`gpuodds.games.holdem.multiway.deals`."""
        return deals(cards, hands)

    @cached_property
    def hand_rank_tables(self) -> HandRankTables:
        """The tables: see :func:`gpuodds.games.shared.hand_ranks.hand_rank_tables`."""
        from gpuodds.games.shared.hand_ranks import hand_rank_tables

        return hand_rank_tables()

    def rank_hand(self, hole_cards: Sequence[int], board: Sequence[int]) -> int:
        """Return the rank of five to seven cards: see :mod:`gpuodds.games.shared.hand_ranks`."""
        from gpuodds.games.shared.hand_ranks import rank_cards

        return rank_cards([*hole_cards, *board], self.hand_rank_tables)

    def hand_name(self, rank: int) -> str:
        """Return the name of a hand rank: see :func:`gpuodds.games.shared.hand_names.hand_name`."""
        from gpuodds.games.shared.hand_names import hand_name

        return hand_name(rank)

    def hand_group(self, cards: Sequence[int]) -> str:
        """Return the starting hand: see :mod:`gpuodds.games.holdem.starting_hands`."""
        from gpuodds.games.holdem.starting_hands import starting_hand

        return starting_hand(cards)

    def combo_number(self, cards: Sequence[int]) -> int:
        """Return a combo's number: see :func:`gpuodds.games.shared.combos.combo_index`."""
        from gpuodds.games.shared.combos import combo_index

        return combo_index(*cards)

    def cards_of(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
        """Return the cards of combos: see :func:`gpuodds.games.shared.combos.combo_cards`."""
        from gpuodds.games.shared.combos import combo_cards

        return combo_cards()[numbers]

    def combo_cards(self) -> npt.NDArray[np.uint8]:
        """Return the combos: see :func:`gpuodds.games.shared.combos.combo_cards`."""
        from gpuodds.games.shared.combos import combo_cards

        return combo_cards()

    def combo_masks(self) -> npt.NDArray[np.int64]:
        """Return the combos as sets: see :func:`gpuodds.games.shared.combos.combo_masks`."""
        from gpuodds.games.shared.combos import combo_masks

        return combo_masks()


HOLDEM = Holdem()


def as_holdem(game: Game) -> Holdem:
    """Return a game of hold'em's family as what it is.

    Raises:
        TypeError: It is of another family.
    """
    if not isinstance(game, Holdem):
        raise TypeError(f"{game.name}: expected a game of hold'em's family")
    return game
