"""Count ranges of Omaha hand by hand: list the hands that can be dealt together, each as known.

For narrow ranges of any number of players, or of one player against a random hand. Folded players'
hands are listed, too: their cards are dead. Hands that a renaming of the suits turns into each other
are counted once.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuodds.backends.choice import run_on, run_rows
from gpuodds.backends.costs import CALL
from gpuodds.backends.operation import Counted
from gpuodds.backends.operations.omaha.known_hands import (
    OmahaKnownHands,
    OmahaOneRandomHand,
    known_hands_seconds,
    one_random_hand_seconds,
)
from gpuodds.cards import DECK_SIZE
from gpuodds.errors import ImpossibleDeal
from gpuodds.games.shared.combos import SUIT_NAMES
from gpuodds.games.shared.symmetry import renamings_of_cards
from gpuodds.methods.listing import why_too_many
from gpuodds.methods.method import ALONE, Machine, Method, Run
from gpuodds.methods.omaha.known_hands import known_hands_result
from gpuodds.methods.omaha.one_random_hand import random_hand_outcomes
from gpuodds.methods.omaha.three_ranges import ONLY_EQUITIES
from gpuodds.results.result import EquityResult

if TYPE_CHECKING:
    from gpuodds.backends.operation import Backend
    from gpuodds.methods.options import Options
    from gpuodds.results.hi_lo import HiLoCounts
    from gpuodds.spots.normal_form import NormalForm
    from gpuodds.spots.spot import Spot

    Deal = tuple[list[tuple[int, ...]], Any]
    """The hands of all players, folded ones last, and the product of their weights."""

# A call for each class; the renaming of the hands of a deal; classes are more than deals by renamings
# of the suits.
LISTED_HAND, RENAMED_HANDS, ALIKE = 5e-5, 4e-6, 1.5


class ListedHands(Method):
    """Narrow ranges hand by hand."""

    name = "listed hands"
    alike = "hands"

    def why_not(self, form: NormalForm, options: Options) -> str:
        """Return why it cannot answer; empty if it can."""
        spot = form.spot
        if spot.opponents and (spot.opponents > 1 or len(spot.hands) > 1):
            return "lists the hands of one player against one random hand, or of all players"
        return ONLY_EQUITIES if options.is_counted_only else why_too_many(_listed(spot))

    def seconds(self, form: NormalForm, options: Options, machine: Machine) -> float:
        """Estimate how long the CPU of a machine takes."""
        spot, threads = form.spot, machine.thread_count
        hands, group, board = _listed(spot), len(spot.suit_group), len(spot.board)
        classes = max(1.0, min(hands, ALIKE * hands / group))
        if spot.opponents:  # all threads count one class after another
            each = one_random_hand_seconds(spot.game, board, threads) - CALL
            counting = classes * (LISTED_HAND + each)
        else:
            each = known_hands_seconds(board, spot.players) - CALL
            counting = classes * (LISTED_HAND + each) / threads
        return CALL + RENAMED_HANDS * hands * group + counting

    def count(self, form: NormalForm, options: Options, run: Run) -> EquityResult:
        """List the hands of all players, and count each deal."""
        return count_listed_hands(form.spot, options, run)


def _listed(spot: Spot) -> float:
    return prod(float(len(held.numbers)) for held in (*spot.held, *spot.held_by_folded))


def count_listed_hands(spot: Spot, options: Options, run: Run = ALONE) -> EquityResult:
    """Answer a spot by listing the hands of all players.

    Raises:
        ImpossibleDeal: The ranges cannot be dealt together.
    """
    classes = _list_classes(spot)
    if not classes:
        raise ImpossibleDeal
    deals, named, game = list(classes), len(spot.hands), spot.game

    def count(on: Backend) -> list[Counted[HiLoCounts]]:
        results: list[Any] = [None] * len(deals)

        def count_deal(place: int) -> None:
            hands = deals[place]
            dead = (*spot.dead, *(card for hand in hands[named:] for card in hand))
            if spot.opponents:
                counts, who = on.count(OmahaOneRandomHand(game, hands[0], spot.board, dead))
                results[place] = Counted(random_hand_outcomes(counts.sum(axis=0)), who)
            else:
                cards = np.array(hands[:named], np.uint8)
                results[place] = on.count(OmahaKnownHands(game, cards, spot.board, dead))

        if not spot.opponents and on.name == "cpu":
            run_rows(count_deal, len(deals), run.progress)
            return results
        for place in range(len(deals)):  # each has all threads, or the GPU
            count_deal(place)
            if run.progress is not None:
                run.progress((place + 1) / len(deals))
        return results

    parts, _ = run_on(options.backend, run.seconds, count)
    total: dict[tuple[int, int], Any] = {}
    for hands, part in zip(deals, parts, strict=True):
        for masks, boards in part.counts.items():
            total[masks] = total.get(masks, 0) + classes[hands] * boards
    return known_hands_result(spot, dict(sorted(total.items())), parts[0].backend)


def _list_classes(spot: Spot) -> dict[tuple[tuple[int, ...], ...], Any]:
    """Return the hands of all players, one of each class that renamings of suits make, with weights."""
    maps = [
        [card & ~3 | int(SUIT_NAMES[renaming, card & 3]) for card in range(DECK_SIZE)]
        for renaming in renamings_of_cards(spot.board, spot.dead)
    ]
    weight_of: dict[tuple[tuple[int, ...], ...], Any] = {}
    for hands, weight in list_deals(spot):
        least = min(tuple(tuple(sorted([to[card] for card in hand])) for hand in hands) for to in maps)
        weight_of[least] = weight_of.get(least, 0) + weight
    return weight_of


def list_deals(spot: Spot) -> Iterator[Deal]:
    """Yield the hands that the named and folded players can be dealt together."""
    held = (*spot.held, *spot.held_by_folded)
    kind: Any = int if spot.has_integer_weights else float
    lists = [
        [
            (tuple(cards), kind(weight))
            for cards, weight in zip(combos.cards.tolist(), combos.weights.tolist(), strict=True)
        ]
        for combos in held
    ]

    def extend(hands: list[tuple[int, ...]], used: frozenset[int], weight: Any) -> Iterator[Deal]:
        if len(hands) == len(lists):
            yield hands, weight
            return
        for cards, own in lists[len(hands)]:
            if used.isdisjoint(cards):
                yield from extend([*hands, cards], used.union(cards), weight * own)

    return extend([], frozenset(), kind(1))
