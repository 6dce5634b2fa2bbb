"""Count known hands of Omaha against each other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gpuodds.backends.choice import run_operation
from gpuodds.backends.operations.omaha.known_hands import OmahaKnownHands, known_hands_seconds
from gpuodds.methods.method import Machine, Method, Run
from gpuodds.results.hi_lo import HiLoCounts, hi_lo_result, high_result
from gpuodds.results.result import EquityResult

if TYPE_CHECKING:
    from gpuodds.methods.options import Options
    from gpuodds.spots.normal_form import NormalForm
    from gpuodds.spots.spot import Spot


class KnownHands(Method):
    """Two known hands or more, without random opponents."""

    name = "known hands"
    is_always = True

    def why_not(self, form: NormalForm, options: Options) -> str:
        """Return why it cannot answer; empty if it can."""
        if not form.spot.is_known:
            return "a player has a range"
        if form.spot.opponents:
            return "a player has random cards"
        return "gives no equities by hand" if options.by_hand else ""

    def seconds(self, form: NormalForm, options: Options, machine: Machine) -> float:
        """Estimate how long the CPU takes."""
        return known_hands_seconds(len(form.spot.board), form.spot.players)

    def count(self, form: NormalForm, options: Options, run: Run) -> EquityResult:
        """Count the boards that each set of players wins."""
        spot = form.spot
        hands = np.array([sorted(hand) for hand in spot.known_hands], np.uint8)
        operation = OmahaKnownHands(spot.game, hands, spot.board, spot.dead)
        counts, backend = run_operation(operation, options.backend, run.seconds, run.progress)
        result = known_hands_result(spot, counts, backend)
        if not options.made_hands:
            return result
        from gpuodds.methods.omaha.made_hands import count_made_hands

        return replace(result, made_hands=count_made_hands(spot, options, run.seconds))

    def why(self, form: NormalForm, options: Options, limit: str) -> str:
        """Return why it was chosen."""
        return "known hands are always counted"


def known_hands_result(spot: Spot, counts: HiLoCounts, backend: str) -> EquityResult:
    """Return the answer to a spot from its outcomes by winners, with 0 seconds."""
    result = hi_lo_result if spot.game.has_low else high_result
    return result(spot, counts, "exact", backend)
