"""Count ranges by showdowns: compare the players' combos on each full board.

A random opponent is a player with every combo, a folded player one whose combos never win. Boards that
a renaming of the suits turns into each other are counted once (:mod:`gpuodds.games.shared.symmetry`).
Two ranges before the flop have an operation of their own, which need not list boards. Weights 0 and 1
give integers, others float64.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, factorial, fsum
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.choice import run_on, run_operation
from gpuodds.backends.costs import CALL
from gpuodds.backends.counts import ShowdownCounts
from gpuodds.backends.operation import Backend, Counted
from gpuodds.backends.operations.range_showdowns import RangeShowdowns
from gpuodds.backends.operations.two_ranges import BOARD, BY_COMBO, TwoRangesPreflop, on_board_seconds
from gpuodds.cards import DECK_SIZE
from gpuodds.games.shared.combos import combo_cards
from gpuodds.games.shared.symmetry import average, weighted_boards
from gpuodds.methods.holdem.showdown_costs import (
    counted_heroes,
    equal_to,
    is_two_ranges,
    is_two_ranges_preflop,
    showdown_seconds,
    why_no_showdowns,
)
from gpuodds.methods.holdem.two_ranges import count_on_boards, count_two_ranges
from gpuodds.methods.method import ALONE, Machine, Method, Run
from gpuodds.methods.options import Options
from gpuodds.results.player_equity import PlayerEquity
from gpuodds.results.range_counts import RangeCounts
from gpuodds.results.result import EquityResult, count_winners
from gpuodds.spots.normal_form import NormalForm
from gpuodds.spots.spot import Spot

Counts = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


class Showdowns(Method):
    """Ranges on full boards, or two ranges by pairs of combos or types of hands."""

    name = "showdowns"
    alike = "boards"

    def why_not(self, form: NormalForm, options: Options) -> str:
        """Return why it cannot answer; empty if it can."""
        return why_no_showdowns(form.spot)

    def seconds(self, form: NormalForm, options: Options, machine: Machine) -> float:
        """Estimate how long the CPU of a machine takes."""
        return showdown_seconds(form.spot, options, machine)

    def is_cheapest(self, form: NormalForm, options: Options) -> bool:
        """Return whether a spot is counted by pairs of combos."""
        return is_two_ranges(form.spot, options)

    def count(self, form: NormalForm, options: Options, run: Run) -> EquityResult:
        """Compare the players' combos on each full board."""
        counts, backend = count_showdowns(form.spot, options, run)
        return counts.result(form.spot, "exact", backend)

    def report_seconds(self, spot: Spot, boards: int, machine: Machine) -> float | None:
        """Estimate how long two players take on all boards; a hand is a range of one combo."""
        if spot.players != 2:
            return None
        runouts = comb(DECK_SIZE - 3, 2) if not spot.board else DECK_SIZE - 6
        each = on_board_seconds(spot.sizes, runouts, is_whole=spot.has_integer_weights)
        each += BOARD + BY_COMBO * sum(spot.sizes)
        return CALL + boards * each / machine.thread_count

    def count_report(
        self,
        spot: Spot,
        deals: Sequence[tuple[int, ...]],
        weights: Sequence[int],
        backend: str,
        run: Run,
    ) -> tuple[list[tuple[PlayerEquity, ...]], str]:
        """Count two players on all boards."""
        return count_on_boards(spot, deals, weights, backend, run)


def count_showdowns(spot: Spot, options: Options, run: Run = ALONE) -> tuple[RangeCounts, str]:
    """Count a spot.

    Args:
        spot: The spot.
        options: The backend, and the detail.
        run: Seconds and progress.

    Returns:
        The counts, and the name of the backend that counted.
    """
    if is_two_ranges(spot, options):
        return count_two_ranges(spot, options, run)
    if is_two_ranges_preflop(spot):
        return _count_preflop(spot, options, run)
    weights, made = spot.all_weights, options.made_hands
    boards, times = weighted_boards(spot.board, spot.removed, spot.suit_group)
    heroes = counted_heroes(spot, options)
    no_board = np.zeros((1, 0), np.uint8), np.ones(1, np.int64)
    folded = spot.folded_weights
    by_hand = options.by_hand
    operation = RangeShowdowns(spot.game, weights, boards, times, heroes, made, folded, by_hand)
    # The deals of all players: from any of them, and by combo only if combos are told apart.
    of_whole = heroes if by_hand else heroes[:1]
    whole = RangeShowdowns(spot.game, weights, *no_board, of_whole, False, folded)

    def count(on: Backend) -> tuple[Counted[ShowdownCounts], Counts]:
        return on.count(operation, run.progress), on.count(whole).counts.by_winners[:, :, -1]

    ((counted, name), all_tie), _ = run_on(options.backend, run.seconds, count)
    counts = _add_up(spot, weights[heroes], heroes, counted, all_tie, options, spot.suit_group)
    return counts, name


def _count_preflop(spot: Spot, options: Options, run: Run) -> tuple[RangeCounts, str]:
    weights = spot.all_weights
    made_hands = range(len(spot.hands)) if options.made_hands else ()
    operation = TwoRangesPreflop(spot.game, weights, made_hands)
    counted, name = run_operation(operation, options.backend, run.seconds, run.progress)
    all_tie = np.stack([_weight_apart(weights[1]), _weight_apart(weights[0])])
    all_tie = all_tie.astype(counted.by_winners.dtype)
    counts = _add_up(spot, weights, [0, 1], counted, all_tie, options, group=(0,))
    return counts, name


def _weight_apart(weights: Floats) -> Floats:
    """Return, for each combo, the weight of the combos that share no card with it."""
    low, high = combo_cards().T
    by_card = np.bincount(low, weights, DECK_SIZE) + np.bincount(high, weights, DECK_SIZE)
    apart: Floats = weights.sum() - by_card[low] - by_card[high] + weights
    return apart


def _add_up(
    spot: Spot,
    own: Floats,
    heroes: list[int],
    counted: ShowdownCounts,
    all_tie: Counts,
    options: Options,
    group: Sequence[int],
) -> RangeCounts:
    """Sum counts by combo, of one board per class under a group of suit renamings, by player."""
    named, players = len(spot.hands), spot.players
    known, num_holding = len({*spot.board, *spot.removed}), players + len(spot.folded)
    cards_left = DECK_SIZE - known - spot.game.hole_cards * num_holding
    runouts = comb(cards_left, spot.to_come) if cards_left >= 0 else 0
    weights = own.astype(np.int64) if counted.by_winners.dtype.kind == "i" else own
    whole = _total(weights[0] * all_tie[0]) * runouts
    by_mask = _by_winners(weights, heroes, counted.by_winners, equal_to(spot), players, whole)
    orders = factorial(spot.opponents)  # showdowns tell random opponents apart, outcomes do not
    outcomes = _divide(whole, orders)
    shared = [[0 * outcomes] * players for _ in range(named)]
    for mask, deals in by_mask.items():
        for player in range(named):
            if mask >> player & 1:
                shared[player][mask.bit_count() - 1] += deals
    shared = [[_divide(value, orders) for value in row] for row in shared]
    winners = by_winners = None
    if spot.opponents:
        by_winners = count_winners(spot, _with_random(by_mask, named, players, orders), outcomes)
    else:
        winners = {m: n for m, n in sorted(by_mask.items()) if n}
    made = None
    if counted.by_category is not None:
        made = _by_category(counted.by_category[:named], players) / orders
    if not options.by_hand:
        return RangeCounts(outcomes, shared, winners, made=made, by_winners=by_winners)
    held = average(_by_ties(counted.by_winners[:named], players), group)
    dealt = all_tie[:named] * runouts
    by_combo = _divide_all(held, orders), _divide_all(dealt, orders)
    return RangeCounts(outcomes, shared, winners, *by_combo, made, by_winners)


def _by_winners(
    own: Floats | Counts,
    heroes: list[int],
    counted: Counts,
    equal: list[int],
    players: int,
    whole: Any,
) -> dict[int, Any]:
    """Return outcomes by the set of best players, a mask; with random opponents, not of these alone.

    Args:
        own: The heroes' weights.
        heroes: The players who were counted.
        counted: Their counts.
        equal: For each named player the first one with the same range.
        players: The number of all who can win.
        whole: All outcomes.
    """
    by_mask: dict[int, Any] = {}
    for place, hero in enumerate(heroes):
        others = [player for player in range(players) if player != hero]
        for split in range(1 << players - 1):
            mask = 1 << hero
            for bit, player in enumerate(others):
                mask |= (split >> bit & 1) << player
            if mask not in by_mask:
                by_mask[mask] = _total(own[place] * counted[place, :, split])
    for mask in range(1, 1 << players):
        for player, first in enumerate(equal):
            if mask not in by_mask and mask >> player & 1 and first in heroes:
                # Two players with the same range who change places turn it into a set that was counted.
                by_mask[mask] = by_mask[mask ^ 1 << player ^ 1 << first]
    for player in range(len(equal) if len(equal) == players else 0):
        if 1 << player not in by_mask:
            by_mask[1 << player] = whole - sum(by_mask.values())
    return by_mask


def _with_random(
    by_mask: dict[int, Any], named: int, players: int, orders: int
) -> dict[int, list[Any]]:
    """Return outcomes by the named winners, and by how many random opponents win with them."""
    by_known: dict[int, list[Any]] = {}
    for mask, deals in by_mask.items():
        if known := mask & (1 << named) - 1:
            row = by_known.setdefault(known, [0] * (players - named + 1))
            row[(mask >> named).bit_count()] += deals
    return {known: [_divide(value, orders) for value in row] for known, row in by_known.items()}


def _by_ties(counted: Counts, players: int) -> Counts:
    """Turn counts by the set of others who split into counts by the size of that set."""
    by_ties = np.zeros((*counted.shape[:2], players), counted.dtype)
    for split in range(1 << players - 1):
        by_ties[:, :, split.bit_count()] += counted[:, :, split]
    return by_ties


def _by_category(counted: Floats, players: int) -> Floats:
    masks = counted.shape[2] - 1
    hands = np.zeros((*counted.shape[:2], players + 1))
    hands[:, :, :players] = _by_ties(counted[:, :, :masks], players)
    hands[:, :, players] = counted[:, :, masks]
    return hands


def _total(values: Counts) -> Any:
    # Python integers cannot overflow; fsum rounds the sum of floats only once.
    terms = values[values != 0].tolist()
    return sum(terms) if values.dtype.kind == "i" else fsum(terms)


def _divide(value: Any, by: int) -> Any:
    return value // by if isinstance(value, int) else value / by


def _divide_all(values: Counts, by: int) -> Counts:
    if by == 1:
        return values
    return values // by if values.dtype.kind == "i" else values / by
