"""Short deck (six plus) hold'em as a game, in both orders of straights and trips."""

from __future__ import annotations

from gpuodds.games.holdem.game import Holdem

LOWEST_RANK = 4  # a six; cards of lower ranks are not in the deck


class ShortDeck(Holdem):
    """Hold'em with 36 cards, six to ace: a flush beats a full house, and A-6-7-8-9 is a straight.

    >>> SHORT_DECK.deck_size, SHORT_DECK.max_players, SHORT_DECK.dealt_combos
    (36, 15, 630)
    """

    name = "short-deck"
    aliases: tuple[str, ...] = ("shortdeck", "six-plus", "6+")
    title = "Short deck hold'em"
    rules = (
        "Hold'em with 36 cards, six to ace. A flush beats a full house, A-6-7-8-9 is a straight, and a "
        "straight beats three of a kind."
    )
    missing = tuple(range(4 * LOWEST_RANK))
    grid_ranks = 9
    trips_beat_straights = False


class ShortDeckTrips(ShortDeck):
    """Short deck in which three of a kind beats a straight."""

    name = "short-deck-trips"
    aliases = ("shortdeck-trips",)
    title = "Short deck hold'em, trips beat straights"
    rules = (
        "Hold'em with 36 cards, six to ace. A flush beats a full house, A-6-7-8-9 is a straight, and "
        "three of a kind beats a straight."
    )
    trips_beat_straights = True


SHORT_DECK, SHORT_DECK_TRIPS = ShortDeck(), ShortDeckTrips()
