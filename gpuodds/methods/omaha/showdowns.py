"""Count ranges of Omaha against each other, or against a random hand, on each full board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from gpuodds.backends.choice import run_operation
from gpuodds.backends.costs import CALL
from gpuodds.backends.operations.omaha.ranges import OmahaShowdowns, board_seconds, board_totals_seconds
from gpuodds.errors import ImpossibleDeal
from gpuodds.games.shared.symmetry import weighted_boards
from gpuodds.methods.method import ALONE, Machine, Method, Run, note_seconds
from gpuodds.methods.omaha.combo_lists import full_boards, why_too_many
from gpuodds.methods.omaha.made_hands import made_shares
from gpuodds.methods.omaha.two_players import list_hands, total_counts, two_player_result
from gpuodds.results.player_equity import MadeHand, PlayerEquity
from gpuodds.results.result import EquityResult
from gpuodds.results.rounding import without_rounding

if TYPE_CHECKING:
    from gpuodds.methods.options import Options
    from gpuodds.spots.normal_form import NormalForm
    from gpuodds.spots.spot import Spot

Counts = npt.NDArray[Any]

PLAYERS = 2


class Showdowns(Method):
    """Two players, one of them with a range at least, on each full board."""

    name = "showdowns"
    alike = "boards"

    def why_not(self, form: NormalForm, options: Options) -> str:
        """Return why it cannot answer; empty if it can."""
        return why_no_showdowns(form.spot)

    def seconds(self, form: NormalForm, options: Options, machine: Machine) -> float:
        """Estimate how long the CPU of a machine takes."""
        spot = form.spot
        board = board_seconds(spot.game, sum(spot.sizes), made_hands=options.made_hands)
        return CALL + full_boards(spot) * board / machine.thread_count

    def count(self, form: NormalForm, options: Options, run: Run) -> EquityResult:
        """Compare the players' hands on each full board."""
        return count_showdowns(form.spot, options, run)

    def report_seconds(self, spot: Spot, boards: int, machine: Machine) -> float | None:
        """Estimate how long all boards of the next street take in one pass."""
        if spot.is_known or why_no_showdowns(spot):
            return None
        board = board_totals_seconds(spot.game, spot.sizes)
        return CALL + full_boards(spot) * board / machine.thread_count

    def count_report(
        self,
        spot: Spot,
        deals: Sequence[tuple[int, ...]],
        weights: Sequence[int],
        backend: str,
        run: Run,
    ) -> tuple[list[tuple[PlayerEquity, ...]], str]:
        """Count all boards of the next street in one pass."""
        from gpuodds.methods.omaha.board_reports import count_ranges

        note_seconds(run.seconds or 0.0)
        return count_ranges(spot, deals, backend, run.progress)


def why_no_showdowns(spot: Spot) -> str:
    """Return why ranges cannot be counted; empty if they can."""
    if spot.players > PLAYERS:
        return "counts two players"
    if spot.folded:
        return "counts no folded ranges"
    return why_too_many(spot)


def count_showdowns(spot: Spot, options: Options, run: Run = ALONE) -> EquityResult:
    """Answer a spot of two players, one of them with a range at least."""
    held = spot.held_by_all
    hands, weights = [own.cards for own in held], [own.weights for own in held]
    group = spot.suit_group
    boards, times = weighted_boards(spot.board, spot.removed, group)
    operation = OmahaShowdowns(spot.game, hands, weights, boards, times, options.made_hands)
    (counts, made), backend = run_operation(operation, options.backend, run.seconds, run.progress)
    low = spot.game.has_low
    named = len(spot.hands)
    if not spot.has_integer_weights:
        least = [float(own.min()) for own in weights]
        counts = [without_rounding(own, other) for own, other in zip(counts, least[::-1], strict=False)]
    totals = [total_counts(weights[place], counts[place]) for place in range(named)]
    if not totals[0][-1]:
        raise ImpossibleDeal
    by_hand = None
    if options.by_hand:
        by_hand = tuple(list_hands(held[place], counts[place], group, low) for place in range(named))
    result = two_player_result(spot, totals, "exact", backend, by_hand)
    return result if made is None else replace(result, made_hands=_made_hands(spot, made[:named]))


def _made_hands(spot: Spot, made: list[Counts]) -> tuple[dict[str, MadeHand], ...]:
    if not spot.has_integer_weights:
        made = [without_rounding(shares, prod(spot.least_weights)) for shares in made]
    return tuple(map(made_shares, made))
