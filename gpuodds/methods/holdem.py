"""The methods of hold'em and short deck: see :class:`gpuodds.methods.families.Family`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuodds.methods import lookup
from gpuodds.methods.lookup import is_in_table as is_in_table
from gpuodds.methods.lookup import table_of as table_of
from gpuodds.methods.lookup import why_not_in_table as why_not_in_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gpuodds.backends.protocol import Progress
    from gpuodds.methods.options import Options
    from gpuodds.results.result import EquityResult, PlayerEquity
    from gpuodds.spots.spot import Spot

ALWAYS = frozenset(["known hands"])


def counting_seconds(spot: Spot, options: Options, threads: int | None = None) -> dict[str, float]:
    """Estimate what counting costs: see :func:`gpuodds.methods.costs.counting_seconds`."""
    from gpuodds.methods.costs import counting_seconds  # a look-up needs no model

    return counting_seconds(spot, options, threads)


def all_counting_seconds(spot: Spot, options: Options) -> dict[str, float]:
    """Estimate all methods: see :func:`gpuodds.methods.costs.all_counting_seconds`."""
    from gpuodds.methods.costs import all_counting_seconds

    return all_counting_seconds(spot, options)


def refusals(spot: Spot, options: Options) -> dict[str, str]:
    """Return why methods cannot answer: see :func:`gpuodds.methods.costs.refusals`."""
    from gpuodds.methods.costs import refusals

    return refusals(spot, options)


def deal_seconds(spot: Spot) -> float:
    """Estimate what a sampled deal costs: see :func:`gpuodds.methods.costs.deal_seconds`."""
    from gpuodds.methods.costs import deal_seconds

    return deal_seconds(spot)


def count(
    method: str, spot: Spot, options: Options, progress: Progress | None, seconds: float
) -> EquityResult:
    """Answer a spot by a table or by a method that counts."""
    if method == lookup.TABLE:
        if lookup.has_one_player(spot):
            return lookup.look_up_one_player(spot, by_hand=options.by_hand)
        return lookup.look_up_two_ranges(spot, by_hand=options.by_hand)
    from gpuodds.methods.costs import KNOWN_HANDS, SHOWDOWNS

    if method == KNOWN_HANDS:
        from gpuodds.methods.known_hands import answer_known_hands

        return answer_known_hands(spot, options.backend, seconds, progress)
    if method == SHOWDOWNS:
        from gpuodds.methods.showdowns import count_showdowns as count
    else:
        from gpuodds.methods.listed_hands import count_listed_hands as count
    counts, backend = count(spot, options, progress, seconds)
    return counts.result(spot, "exact", backend)


def report_seconds(
    spot: Spot, deals: Sequence[tuple[int, ...]], threads: int | None = None
) -> float | None:
    """Estimate how long two players take on all boards; a hand is a range of one combo."""
    if spot.players != 2:
        return None
    from gpuodds.backends.choice import thread_count
    from gpuodds.methods.costs import board_report_seconds

    return board_report_seconds(spot, len(deals), threads or thread_count())


def count_report(
    spot: Spot, deals: Sequence[tuple[int, ...]], weights: Sequence[int], backend: str,
    progress: Progress | None, seconds: float,
) -> tuple[list[tuple[PlayerEquity, ...]], str]:  # fmt: skip
    """Count two players on all boards: see :func:`gpuodds.methods.two_ranges.count_on_boards`."""
    from gpuodds.methods.two_ranges import count_on_boards

    return count_on_boards(spot, deals, weights, backend, progress, seconds)
