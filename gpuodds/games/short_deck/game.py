"""Short deck (six plus) hold'em as a game, in both orders of straights and trips."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING

from gpuodds.basics.choices import GameName
from gpuodds.basics.lazy import cached_property
from gpuodds.errors import InputError
from gpuodds.games.holdem.game import Holdem
from gpuodds.games.short_deck.rules import LOWEST_RANK

if TYPE_CHECKING:
    from gpuodds.games.shared.hand_ranks import HandRankTables


class ShortDeck(Holdem):
    """Hold'em with 36 cards, six to ace: a flush beats a full house, and A-6-7-8-9 is a straight.

    >>> SHORT_DECK.deck_size, SHORT_DECK.max_players, SHORT_DECK.dealt_combos
    (36, 15, 630)
    """

    name: GameName = "short-deck"
    aliases: tuple[str, ...] = ("shortdeck", "six-plus", "6+")
    title = "Short deck hold'em"
    rules = (
        "Hold'em with 36 cards, six to ace. A flush beats a full house, A-6-7-8-9 is a straight, and a "
        "straight beats three of a kind."
    )
    missing = tuple(range(4 * LOWEST_RANK))
    grid_ranks = 9
    trips_beat_straights = False

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories of hands, the weakest first."""
        from gpuodds.games.short_deck.hand_ranks import categories

        return categories(self.trips_beat_straights)

    @property
    def category_ranks(self) -> tuple[range, ...]:
        """The hand ranks of each category."""
        from gpuodds.games.short_deck.hand_ranks import category_ranks

        return category_ranks(self.trips_beat_straights)

    @cached_property
    def hand_rank_tables(self) -> HandRankTables:
        """The tables: see :mod:`gpuodds.games.short_deck.hand_ranks`."""
        from gpuodds.games.short_deck.hand_ranks import hand_rank_tables

        return hand_rank_tables(self.trips_beat_straights)

    def hand_name(self, rank: int) -> str:
        """Return the name of a hand rank.

        Raises:
            InputError: The number is not a hand rank, 1 to 1404.

        >>> SHORT_DECK.hand_name(1399)
        'straight flush, nine high'
        """
        from gpuodds.games.shared.hand_names import hand_name
        from gpuodds.games.short_deck.hand_ranks import in_holdem

        of_category = zip(self.category_ranks, in_holdem(self.trips_beat_straights), strict=True)
        for ranks, holdem in of_category:
            if index(rank) in ranks:
                return hand_name(holdem[index(rank) - ranks.start])
        raise InputError(f"hand rank {rank}: expected a number from 1 to {self.highest_rank}")


class ShortDeckTrips(ShortDeck):
    """Short deck in which three of a kind beats a straight."""

    name: GameName = "short-deck-trips"
    aliases = ("shortdeck-trips",)
    title = "Short deck hold'em, trips beat straights"
    rules = (
        "Hold'em with 36 cards, six to ace. A flush beats a full house, A-6-7-8-9 is a straight, and "
        "three of a kind beats a straight."
    )
    trips_beat_straights = True


SHORT_DECK, SHORT_DECK_TRIPS = ShortDeck(), ShortDeckTrips()
