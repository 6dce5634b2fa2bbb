"""Count known hands of Omaha against each other, or one of them against a random hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from gpuodds.backends.choice import run_on
from gpuodds.backends.protocol import who_does
from gpuodds.results.hi_lo import HiLoCounts, hi_lo_result, high_result
from gpuodds.results.result import EquityResult

if TYPE_CHECKING:
    from gpuodds.backends.protocol import Progress
    from gpuodds.methods.options import Options
    from gpuodds.spots.spot import Spot

_HIGH_WINNERS, _LOW_WINNERS = (1, 3, 2), (0, 1, 3, 2)  # masks: the hand is 1, the random one 2


def count_known_hands(
    spot: Spot, options: Options, progress: Progress | None, seconds: float
) -> EquityResult:
    """Answer a spot of two known hands or more, without random opponents."""
    hands = np.array([sorted(hand) for hand in spot.known_hands], np.uint8)
    low = spot.game.has_low
    counts, backend = run_on(
        options.backend, seconds, lambda on: on.omaha_known_hands(hands, spot.board, spot.dead, low)
    )
    found = known_hands_result(spot, counts, who_does(backend, "omaha_known_hands"))
    if not options.made_hands:
        return found
    from gpuodds.methods.omaha.made_hands import count_made_hands

    return replace(found, made_hands=count_made_hands(spot, options, seconds))


def count_one_random_hand(
    spot: Spot, options: Options, progress: Progress | None, seconds: float
) -> EquityResult:
    """Answer a spot of one known hand against one random hand."""
    given = spot.known_hands[0], spot.board, spot.dead, spot.game.has_low
    counts, backend = run_on(
        options.backend, seconds, lambda on: on.omaha_one_random_hand(*given, progress)
    )
    winners = random_hand_outcomes(counts.sum(axis=0))
    found = known_hands_result(spot, winners, who_does(backend, "omaha_one_random_hand"))
    if not options.made_hands:
        return found
    from gpuodds.methods.omaha.made_hands import made_shares

    by_category = counts.sum(axis=2)  # by who has the best high: the hand, both, the other
    by_category[:, 2] = by_category.sum(axis=1)
    return replace(found, made_hands=(made_shares(by_category),))


def random_hand_outcomes(counts: npt.NDArray[np.int64]) -> HiLoCounts:
    """Return outcomes by winners from counts (3, 4) by who has the best high and the best low."""
    return {
        (_HIGH_WINNERS[high], _LOW_WINNERS[low]): count
        for high, row in enumerate(counts.tolist())
        for low, count in enumerate(row)
        if count
    }


def known_hands_result(spot: Spot, counts: HiLoCounts, backend: str) -> EquityResult:
    """Return the answer to a spot from its outcomes by winners, with 0 seconds."""
    result = hi_lo_result if spot.game.has_low else high_result
    return result(spot, counts, "exact", backend)
