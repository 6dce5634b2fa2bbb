"""Count two ranges on a flop, turn or river, which backends count without a list of full boards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpuodds.backends.choice import run_on
from gpuodds.backends.protocol import who_does
from gpuodds.results.range_counts import RangeCounts

if TYPE_CHECKING:
    from gpuodds.backends.protocol import Backend, Progress, TwoRangeCounts
    from gpuodds.methods.options import Options
    from gpuodds.spots.spot import Spot


def count_two_ranges(
    spot: Spot, options: Options, progress: Progress | None = None, seconds: float | None = None
) -> tuple[RangeCounts, str]:
    """Count a spot of :func:`gpuodds.methods.showdown_costs.is_two_ranges`.

    Args:
        spot: The spot.
        options: The backend, and whether to count by hand.
        progress: Called with the fraction done, 0 to 1.
        seconds: About how long the CPU takes; None if it is long.

    Returns:
        The counts, and the name of the backend that counted.
    """
    boards = np.array([spot.board], np.uint8)

    def count(on: Backend) -> TwoRangeCounts:
        return on.two_range_boards(spot.all_weights, boards, spot.dead, options.by_hand, progress)

    found, backend = run_on(options.backend, seconds, count, spot.game)
    won, tied, lost = found.totals[0].tolist()
    named = len(spot.hands)
    winners = None
    if not spot.opponents:
        winners = {mask: deals for mask, deals in ((1, won), (2, lost), (3, tied)) if deals}
    by_combo = dealt = None
    if found.by_combo is not None:
        by_combo = found.by_combo[0, :named, :, :2]
        dealt = found.by_combo[0, :named].sum(axis=2)
    shared = [[won, tied], [lost, tied]][:named]
    counts = RangeCounts(won + tied + lost, shared, winners, by_combo, dealt)
    return counts, who_does(backend, "two_range_boards")
