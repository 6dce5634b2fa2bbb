"""Count two ranges on flops, turns or rivers, which backends count without a list of full boards."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from gpuodds.backends.choice import run_on
from gpuodds.backends.protocol import who_does
from gpuodds.errors import ImpossibleDeal
from gpuodds.results.range_counts import RangeCounts
from gpuodds.results.result import PlayerEquity, count_winners
from gpuodds.results.rounding import without_rounding

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
    by_winners = count_winners(spot, {1: (won, tied)}, won + tied + lost)
    counts = RangeCounts(won + tied + lost, shared, winners, by_combo, dealt, by_winners=by_winners)
    return counts, who_does(backend, "two_range_boards")


def count_on_boards(
    spot: Spot, deals: Sequence[tuple[int, ...]], weights: Sequence[int], backend: str,
    progress: Progress | None, seconds: float,
) -> tuple[list[tuple[PlayerEquity, ...]], str]:  # fmt: skip
    """Count two players on many boards: see :class:`gpuodds.methods.families.Family`.

    Raises:
        ImpossibleDeal: The ranges cannot be dealt together.
    """
    boards = np.array([(*spot.board, *cards) for cards in deals], np.uint8)

    def count(on: Backend) -> TwoRangeCounts:
        return on.two_range_boards(spot.all_weights, boards, spot.dead, False, progress)

    found, chosen = run_on(backend, seconds, count, spot.game)
    totals, counts = found.totals, []
    if totals.dtype.kind == "f":
        totals = without_rounding(totals, prod(spot.least_weights))
    for (won, tied, lost), weight in zip(totals.tolist(), weights, strict=True):
        shares = zip(spot.names, (won, lost), strict=False)
        players = [PlayerEquity(name, won + tied + lost, own, (tied,)) for name, own in shares]
        counts.append(tuple(player.times(weight) for player in players))
    if not totals.any():
        raise ImpossibleDeal
    return counts, who_does(chosen, "two_range_boards")
