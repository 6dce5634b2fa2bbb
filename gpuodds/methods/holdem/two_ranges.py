"""Count two ranges on flops, turns or rivers, which backends count without a list of full boards."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from gpuodds.backends.choice import run_operation
from gpuodds.backends.operations.two_ranges import TwoRangeBoards
from gpuodds.errors import ImpossibleDeal
from gpuodds.methods.method import ALONE, Run
from gpuodds.results.player_equity import PlayerEquity
from gpuodds.results.range_counts import RangeCounts
from gpuodds.results.result import count_winners
from gpuodds.results.rounding import without_rounding

if TYPE_CHECKING:
    from gpuodds.methods.options import Options
    from gpuodds.spots.spot import Spot


def count_two_ranges(spot: Spot, options: Options, run: Run = ALONE) -> tuple[RangeCounts, str]:
    """Count two players on a flop or later, none of whom has folded.

    Args:
        spot: The spot.
        options: The backend, and whether to count by hand.
        run: Seconds and progress.

    Returns:
        The counts, and the name of the backend that counted.
    """
    boards = np.array([spot.board], np.uint8)

    operation = TwoRangeBoards(spot.game, _weights(spot), boards, spot.dead, options.by_hand)
    counted, backend = run_operation(operation, options.backend, run.seconds, run.progress)
    won, tied, lost = counted.totals[0].tolist()
    named = len(spot.hands)
    winners = None
    if not spot.opponents:
        winners = {mask: deals for mask, deals in ((1, won), (2, lost), (3, tied)) if deals}
    by_combo = dealt = None
    if counted.by_combo is not None:
        by_combo = counted.by_combo[0, :named, :, :2]
        dealt = counted.by_combo[0, :named].sum(axis=2)
    shared = [[won, tied], [lost, tied]][:named]
    by_winners = count_winners(spot, {1: (won, tied)}, won + tied + lost)
    counts = RangeCounts(won + tied + lost, shared, winners, by_combo, dealt, by_winners=by_winners)
    return counts, backend


def _weights(spot: Spot) -> npt.NDArray[np.float64]:
    """Return the weights of both players; the operation leaves out what board and dead cards block."""
    if spot.opponents or spot.known_hands:
        return spot.all_weights
    return np.array([hand.weights for hand in spot.hands if not isinstance(hand, tuple)])


def count_on_boards(
    spot: Spot, deals: Sequence[tuple[int, ...]], weights: Sequence[int], backend: str, run: Run
) -> tuple[list[tuple[PlayerEquity, ...]], str]:
    """Count two players on many boards: see :meth:`gpuodds.methods.method.Method.count_report`.

    Raises:
        ImpossibleDeal: The ranges cannot be dealt together.
    """
    boards = np.array([(*spot.board, *cards) for cards in deals], np.uint8)

    operation = TwoRangeBoards(spot.game, spot.all_weights, boards, spot.dead, False)
    counted, chosen = run_operation(operation, backend, run.seconds, run.progress)
    totals, counts = counted.totals, []
    if totals.dtype.kind == "f":
        totals = without_rounding(totals, prod(spot.least_weights))
    for (won, tied, lost), weight in zip(totals.tolist(), weights, strict=True):
        shares = zip(spot.names, (won, lost), strict=False)
        players = [PlayerEquity(name, won + tied + lost, own, (tied,)) for name, own in shares]
        counts.append(tuple(player.times(weight) for player in players))
    if not totals.any():
        raise ImpossibleDeal
    return counts, chosen
