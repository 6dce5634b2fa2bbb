"""Count a known hand of Omaha against one random hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from gpuodds.backends.choice import run_operation
from gpuodds.backends.operations.omaha.known_hands import (
    OmahaOneRandomHand,
    OmahaOneRandomHandOnBoards,
    one_random_hand_seconds,
    random_on_boards_seconds,
)
from gpuodds.methods.method import Machine, Method, Run, note_seconds
from gpuodds.methods.omaha.known_hands import known_hands_result
from gpuodds.methods.omaha.made_hands import made_shares

if TYPE_CHECKING:
    from gpuodds.backends.counts import Progress
    from gpuodds.methods.options import Options
    from gpuodds.results.hi_lo import HiLoCounts
    from gpuodds.results.player_equity import PlayerEquity
    from gpuodds.results.result import EquityResult
    from gpuodds.spots.normal_form import NormalForm
    from gpuodds.spots.spot import Spot

_HIGH_WINNERS, _LOW_WINNERS = (1, 3, 2), (0, 1, 3, 2)  # masks: the hand is 1, the random one 2


class OneRandomHand(Method):
    """One known hand against one random hand."""

    name = "one random hand"

    def why_not(self, form: NormalForm, options: Options) -> str:
        """Return why it cannot answer; empty if it can."""
        if not form.spot.is_known:
            return "a player has a range"
        if len(form.spot.hands) != 1 or form.spot.opponents != 1:
            return "counts one hand against one random hand"
        return "gives no equities by hand" if options.by_hand else ""

    def seconds(self, form: NormalForm, options: Options, machine: Machine) -> float:
        """Estimate how long the CPU of a machine takes."""
        spot = form.spot
        return one_random_hand_seconds(spot.game, len(spot.board), machine.thread_count)

    def is_cheapest(self, form: NormalForm, options: Options) -> bool:
        """Return True: its cost is known without a look at combos."""
        return True

    def count(self, form: NormalForm, options: Options, run: Run) -> EquityResult:
        """Count the boards and hands that each of both wins."""
        spot = form.spot
        operation = OmahaOneRandomHand(spot.game, spot.known_hands[0], spot.board, spot.dead)
        counts, backend = run_operation(operation, options.backend, run.seconds, run.progress)
        result = known_hands_result(spot, random_hand_outcomes(counts.sum(axis=0)), backend)
        if not options.made_hands:
            return result
        by_category = counts.sum(axis=2)  # by who has the best high: the hand, both, the other
        by_category[:, 2] = by_category.sum(axis=1)
        return replace(result, made_hands=(made_shares(by_category),))

    def report_seconds(self, spot: Spot, boards: int, machine: Machine) -> float | None:
        """Estimate how long all boards of the next street take in one pass."""
        if not spot.is_known or len(spot.hands) != 1 or spot.opponents != 1:
            return None
        return random_on_boards_seconds(spot.game, len(spot.board), boards, machine.thread_count)

    def count_report(
        self,
        spot: Spot,
        deals: Sequence[tuple[int, ...]],
        weights: Sequence[int],
        backend: str,
        run: Run,
    ) -> tuple[list[tuple[PlayerEquity, ...]], str]:
        """Count all boards of the next street in one pass."""
        note_seconds(run.seconds or 0.0)
        return count_on_boards(spot, deals, weights, backend, run.progress)


def count_on_boards(
    spot: Spot,
    deals: Sequence[tuple[int, ...]],
    weights: Sequence[int],
    backend: str,
    progress: Progress | None,
) -> tuple[list[tuple[PlayerEquity, ...]], str]:
    """Count one hand against one random hand on each board.

    Returns:
        The players' counts over all boards of each class, and the name of the backend.
    """
    hand = spot.known_hands[0]
    dealt = [place for place, cards in enumerate(deals) if not {*hand} & {*cards}]
    boards = np.array([(*spot.board, *deals[place]) for place in dealt], np.uint8)

    operation = OmahaOneRandomHandOnBoards(spot.game, hand, spot.board, spot.dead, boards)
    counts, name = run_operation(operation, backend, None, progress)
    by_board = np.zeros((len(deals), *counts.shape[1:]), np.int64)
    by_board[dealt] = counts
    rows = []
    for place, weight in enumerate(weights):
        players = known_hands_result(spot, random_hand_outcomes(by_board[place]), name).players
        rows.append(tuple(player.times(weight) for player in players))
    return rows, name


def random_hand_outcomes(counts: npt.NDArray[np.int64]) -> HiLoCounts:
    """Return outcomes by winners from counts (3, 4) by who has the best high and the best low."""
    return {
        (_HIGH_WINNERS[high], _LOW_WINNERS[low]): count
        for high, row in enumerate(counts.tolist())
        for low, count in enumerate(row)
        if count
    }
