"""Count ranges hand by hand: list the hands that they can be dealt together, and count each as known.

Folded players' hands are listed, too: their cards are dead. Hands that a renaming of the suits turns
into each other are counted once. This method is cheap with random opponents and expensive with wide
ranges. Weights 0 and 1 give integers, others float64.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations
from math import prod
from typing import Any

import numpy as np

from gpuodds.backends.choice import run_operation
from gpuodds.backends.operations.known_hands import ThreatMatchings, one_of_many_seconds
from gpuodds.cards import DECK_SIZE
from gpuodds.errors import ImpossibleDeal
from gpuodds.games.holdem.multiway import unbeaten_deals
from gpuodds.games.shared.symmetry import renamings_of_cards
from gpuodds.methods.listing import why_too_many
from gpuodds.methods.method import ALONE, Machine, Method, Run
from gpuodds.methods.options import Options
from gpuodds.results.range_counts import RangeCounts
from gpuodds.results.result import EquityResult, count_winners, split_outcomes
from gpuodds.spots.normal_form import NormalForm
from gpuodds.spots.spot import Spot


class ListedHands(Method):
    """Ranges hand by hand."""

    name = "listed hands"
    alike = "hands"

    def why_not(self, form: NormalForm, options: Options) -> str:
        """Return why it cannot answer; empty if it can."""
        if options.made_hands:
            return "does not tell final hands apart"
        if not (form.spot.opponents or form.spot.folded):
            return "no random opponents: showdowns are cheaper"
        return why_too_many(_listed_hands(form.spot))

    def seconds(self, form: NormalForm, options: Options, machine: Machine) -> float:
        """Estimate how long the CPU of a machine takes."""
        spot = form.spot
        group = spot.suit_group
        if not spot.folded:
            group = renamings_of_cards(spot.board, spot.dead)
        each = one_of_many_seconds(len(spot.board), spot.opponents)
        return max(1.0, 1.5 * _listed_hands(spot) / len(group)) * each / machine.thread_count

    def count(self, form: NormalForm, options: Options, run: Run) -> EquityResult:
        """List the hands, and count each as known."""
        counts, backend = count_listed_hands(form.spot, options, run)
        return counts.result(form.spot, "exact", backend)


def _listed_hands(spot: Spot) -> float:
    rows = np.vstack([spot.weights, spot.folded_weights])
    return prod(float(size) for size in np.count_nonzero(rows, axis=1))


@dataclass
class HandClass:
    """Hands of all named and folded players that a renaming of the suits turns into each other.

    Attributes:
        weight: The sum of the products of their weights.
        members: The players' combos, folded players last, and for each player the product of the
            others' weights.
    """

    weight: Any = 0
    members: list[tuple[tuple[int, ...], list[Any]]] = field(default_factory=list)


def count_listed_hands(spot: Spot, options: Options, run: Run = ALONE) -> tuple[RangeCounts, str]:
    """Count a spot.

    Args:
        spot: The spot.
        options: The backend, and the detail.
        run: Seconds and progress.

    Returns:
        The counts, and the name of the backend that counted.

    Raises:
        ImpossibleDeal: The ranges cannot be dealt together.
    """
    classes = list_classes(spot)
    if not classes:
        raise ImpossibleDeal
    keys = list(classes)
    spots = [_known_spot(spot, key) for key in keys]
    operation = ThreatMatchings(spots, spot.opponents)
    sums_of_spots, backend = run_operation(operation, options.backend, run.seconds, run.progress)
    named, players, per_deal = len(spot.hands), spot.players, spots[0].outcomes
    outcomes: Any = 0
    together: dict[int, list[Any]] = {}  # by named winners, and the number of random ones
    shared: list[list[Any]] = [[0] * players for _ in range(named)]
    held = np.zeros((named, spot.game.combos, players), object)
    dealt = np.zeros((named, spot.game.combos), object)
    for key, known, sums in zip(keys, spots, sums_of_spots, strict=True):
        unbeaten = {mask: unbeaten_deals(counts, spot.opponents) for mask, counts in sums.items()}
        outcomes += classes[key].weight * per_deal
        for mask, counts_by in unbeaten.items():
            sums_by = together.setdefault(mask, [0] * (spot.opponents + 1))
            for random, count in enumerate(counts_by):
                sums_by[random] += classes[key].weight * count
        for player, answer in enumerate(split_outcomes(known, unbeaten)):
            counts = np.array([answer.win_outcomes, *answer.tie_outcomes], object)
            for others, value in enumerate(counts):
                shared[player][others] += classes[key].weight * value
            if options.by_hand:
                for combos, of_others in classes[key].members:
                    dealt[player, combos[player]] += of_others[player] * per_deal
                    held[player, combos[player]] += of_others[player] * counts
    by_combo: tuple[Any, Any] = (held, dealt) if options.by_hand else (None, None)
    winners = None
    if not spot.opponents:
        winners = {mask: count for mask, (count,) in sorted(together.items()) if count}
    by_winners = count_winners(spot, together, outcomes)
    counts_of_ranges = RangeCounts(outcomes, shared, winners, *by_combo, by_winners=by_winners)
    return counts_of_ranges, backend


def _known_spot(spot: Spot, key: tuple[int, ...]) -> Spot:
    hands = tuple((h >> 6, h & 63) for h in key)
    named = len(spot.hands)
    out = tuple(card for hand in hands[named:] for card in hand)
    return Spot(hands[:named], spot.opponents, spot.board, spot.dead + out, game=spot.game)


def list_classes(spot: Spot) -> dict[tuple[int, ...], HandClass]:
    """Return the hands that the named and folded players can be dealt together, by class.

    Returns:
        The classes by their smallest member: for each player the number high card << 6 | low card.
    """
    integers = spot.has_integer_weights
    cards = spot.game.combo_cards().tolist()
    group = set(renamings_of_cards(spot.board, spot.dead))
    suits = [names for number, names in enumerate(permutations(range(4))) if number in group]
    renamings = [[4 * (c >> 2) + names[c & 3] for c in range(DECK_SIZE)] for names in suits]
    rows = [*spot.weights, *spot.folded_weights]
    lists = [np.flatnonzero(row).tolist() for row in rows]
    classes: dict[tuple[int, ...], HandClass] = {}

    def enter(combos: list[int]) -> None:
        least = min(
            tuple(max(to[a], to[b]) << 6 | min(to[a], to[b]) for a, b in (cards[h] for h in combos))
            for to in renamings
        )
        weights: list[Any] = [rows[player][h] for player, h in enumerate(combos)]
        if integers:
            weights = [int(weight) for weight in weights]
        whole: Any = 1
        for weight in weights:
            whole *= weight
        entry = classes.setdefault(least, HandClass())
        entry.weight += whole
        entry.members.append((tuple(combos), [1 if integers else whole / own for own in weights]))

    def extend(combos: list[int], used: int) -> None:
        if len(combos) == len(lists):
            enter(combos)
            return
        for h in lists[len(combos)]:
            bits = 1 << cards[h][0] | 1 << cards[h][1]
            if not used & bits:
                extend([*combos, h], used | bits)

    extend([], 0)
    return classes
