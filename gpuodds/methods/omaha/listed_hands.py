"""Count ranges of Omaha hand by hand: list the hands that can be dealt together, each as known.

For narrow ranges of any number of players, or of one player against a random hand. Folded players'
hands are listed, too: their cards are dead. Hands that a renaming of the suits turns into each other
are counted once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuodds.backends.choice import run_on, run_rows
from gpuodds.backends.protocol import who_does
from gpuodds.cards import DECK_SIZE
from gpuodds.errors import ImpossibleDeal
from gpuodds.games.holdem.combos import SUIT_NAMES
from gpuodds.games.holdem.symmetry import renamings_of_cards
from gpuodds.methods.omaha.known_hands import known_hands_result, random_hand_outcomes
from gpuodds.results.result import EquityResult

if TYPE_CHECKING:
    from gpuodds.backends.protocol import Backend, Progress
    from gpuodds.methods.options import Options
    from gpuodds.results.hi_lo import HiLoCounts
    from gpuodds.spots.spot import Spot

    Deal = tuple[list[tuple[int, ...]], Any]
    """The hands of all players, folded ones last, and the product of their weights."""


def count_listed_hands(
    spot: Spot, options: Options, progress: Progress | None, seconds: float
) -> EquityResult:
    """Answer a spot by listing the hands of all players.

    Raises:
        ImpossibleDeal: The ranges cannot be dealt together.
    """
    classes = _list_classes(spot)
    if not classes:
        raise ImpossibleDeal
    deals, named, low = list(classes), len(spot.hands), spot.game.has_low
    operation = "omaha_one_random_hand" if spot.opponents else "omaha_known_hands"

    def count(on: Backend) -> list[HiLoCounts]:
        found: list[HiLoCounts] = [{}] * len(deals)

        def one(place: int) -> None:
            hands = deals[place]
            dead = (*spot.dead, *(card for hand in hands[named:] for card in hand))
            if spot.opponents:
                counts = on.omaha_one_random_hand(hands[0], spot.board, dead, low, None)
                found[place] = random_hand_outcomes(counts.sum(axis=0))
            else:
                cards = np.array(hands[:named], np.uint8)
                found[place] = on.omaha_known_hands(cards, spot.board, dead, low)

        if not spot.opponents:
            run_rows(one, len(deals), progress)
            return found
        for place in range(len(deals)):  # each has all threads
            one(place)
            if progress is not None:
                progress((place + 1) / len(deals))
        return found

    parts, backend = run_on(options.backend, seconds, count)
    total: dict[tuple[int, int], Any] = {}
    for hands, part in zip(deals, parts, strict=True):
        for masks, boards in part.items():
            total[masks] = total.get(masks, 0) + classes[hands] * boards
    return known_hands_result(spot, dict(sorted(total.items())), who_does(backend, operation))


def _list_classes(spot: Spot) -> dict[tuple[tuple[int, ...], ...], Any]:
    """Return the hands of all players, one of each class that renamings of suits make, with weights."""
    maps = [
        [card & ~3 | int(SUIT_NAMES[renaming, card & 3]) for card in range(DECK_SIZE)]
        for renaming in renamings_of_cards(spot.board, spot.dead)
    ]
    found: dict[tuple[tuple[int, ...], ...], Any] = {}
    for hands, weight in list_deals(spot):
        least = min(tuple(tuple(sorted([to[card] for card in hand])) for hand in hands) for to in maps)
        found[least] = found.get(least, 0) + weight
    return found


def list_deals(spot: Spot) -> Iterator[Deal]:
    """Yield the hands that the named and folded players can be dealt together."""
    held = (*spot.held, *spot.held_by_folded)
    kind: Any = int if spot.has_integer_weights else float
    lists = [
        [
            (tuple(cards), kind(weight))
            for cards, weight in zip(one.cards.tolist(), one.weights.tolist(), strict=True)
        ]
        for one in held
    ]

    def extend(hands: list[tuple[int, ...]], used: frozenset[int], weight: Any) -> Iterator[Deal]:
        if len(hands) == len(lists):
            yield hands, weight
            return
        for cards, own in lists[len(hands)]:
            if used.isdisjoint(cards):
                yield from extend([*hands, cards], used.union(cards), weight * own)

    return extend([], frozenset(), kind(1))
