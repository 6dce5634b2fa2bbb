"""Count ranges of Omaha hand by hand: list the hands that can be dealt together, each as known.

For narrow ranges of any number of players. Folded players' hands are listed, too: their cards are dead.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuodds.backends.choice import run_on, run_rows
from gpuodds.backends.protocol import who_does
from gpuodds.errors import ImpossibleDeal
from gpuodds.methods.omaha.known_hands import known_hands_result
from gpuodds.results.result import EquityResult

if TYPE_CHECKING:
    from gpuodds.backends.protocol import Backend, Progress
    from gpuodds.methods.options import Options
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
    deals = list(list_deals(spot))
    if not deals:
        raise ImpossibleDeal
    named, low = len(spot.hands), spot.game.has_low

    def count(on: Backend) -> list[dict[tuple[int, int], int]]:
        found: list[dict[tuple[int, int], int]] = [{}] * len(deals)

        def one(place: int) -> None:
            hands = deals[place][0]
            out = tuple(card for hand in hands[named:] for card in hand)
            cards = np.array(hands[:named], np.uint8)
            found[place] = on.omaha_known_hands(cards, spot.board, (*spot.dead, *out), low)

        run_rows(one, len(deals), progress)
        return found

    parts, backend = run_on(options.backend, seconds, count)
    total: dict[tuple[int, int], Any] = {}
    for (_, weight), part in zip(deals, parts, strict=True):
        for masks, boards in part.items():
            total[masks] = total.get(masks, 0) + weight * boards
    return known_hands_result(spot, dict(sorted(total.items())), who_does(backend, "omaha_known_hands"))


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
