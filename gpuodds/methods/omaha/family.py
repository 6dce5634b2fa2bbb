"""The methods of Omaha: see :class:`gpuodds.methods.families.Family`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuodds.methods.omaha import costs, lookup
from gpuodds.methods.omaha.costs import (
    KNOWN_HANDS,
    LISTED_HANDS,
    ONE_RANDOM_HAND,
    SHOWDOWNS,
    THREE_RANGES,
)
from gpuodds.methods.options import Options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gpuodds.backends.protocol import Progress
    from gpuodds.results.result import EquityResult, PlayerEquity
    from gpuodds.spots.spot import Spot

ALWAYS = frozenset([KNOWN_HANDS])


def is_in_table(spot: Spot, options: Options) -> bool:
    """Tell whether a table that ships answers a spot, and may."""
    return not why_not_in_table(spot, options)


def why_not_in_table(spot: Spot, options: Options) -> str:
    """Return why no table that ships answers a spot; empty if one does."""
    return lookup.why_not_in_table(spot, options)


def table_of(spot: Spot, options: Options) -> str:
    """Return the name of the shipped table that answers a spot."""
    return lookup.TABLES[spot.game]


def counting_seconds(spot: Spot, options: Options, threads: int | None = None) -> dict[str, float]:
    """Estimate how long each counting method takes, without methods that cannot answer."""
    for method in (KNOWN_HANDS, ONE_RANDOM_HAND):  # their cost is known without a look at combos
        if not costs.REFUSALS[method](spot, options):
            return {method: costs.SECONDS[method](spot, threads)}
    return all_counting_seconds(spot, options, threads)


def all_counting_seconds(spot: Spot, options: Options, threads: int | None = None) -> dict[str, float]:
    """Estimate as above, those methods too that a cheaper one keeps from use."""
    unable = refusals(spot, options)
    found = {
        method: seconds(spot, threads)
        for method, seconds in costs.SECONDS.items()
        if method not in unable
    }
    if options.made_hands and SHOWDOWNS in found:
        found[SHOWDOWNS] += costs.made_hand_seconds(spot, threads)
    return found


def refusals(spot: Spot, options: Options) -> dict[str, str]:
    """Return why counting methods cannot answer a spot, for those that cannot."""
    found = {method: why(spot, options) for method, why in costs.REFUSALS.items()}
    return {method: reason for method, reason in found.items() if reason}


def deal_seconds(spot: Spot) -> float:
    """Estimate how long a sampled deal takes one thread."""
    return costs.deal_seconds(spot)


def count(
    method: str, spot: Spot, options: Options, progress: Progress | None, seconds: float
) -> EquityResult:
    """Answer a spot by a table or by a method that counts."""
    if method == lookup.TABLE:
        return lookup.look_up(spot, options)
    if method == SHOWDOWNS:
        from gpuodds.methods.omaha.showdowns import count_showdowns

        return count_showdowns(spot, options, progress, seconds)
    if method == THREE_RANGES:
        from gpuodds.methods.omaha.three_ranges import count_three_ranges

        return count_three_ranges(spot, options, progress, seconds)
    if method == LISTED_HANDS:
        from gpuodds.methods.omaha.listed_hands import count_listed_hands

        return count_listed_hands(spot, options, progress, seconds)
    from gpuodds.methods.omaha.known_hands import count_known_hands, count_one_random_hand

    counting = count_known_hands if method == KNOWN_HANDS else count_one_random_hand
    return counting(spot, options, progress, seconds)


def report_seconds(
    spot: Spot, deals: Sequence[tuple[int, ...]], threads: int | None = None
) -> float | None:
    """Estimate how long all boards of the next street take in one pass; None for one by one."""
    if spot.players != 2 or (spot.is_known and not spot.opponents):
        return None
    if spot.is_known:
        return costs.random_on_boards_seconds(spot, len(deals), threads)
    if costs.why_no_showdowns(spot, Options()):
        return None
    return costs.board_totals_seconds(spot, threads)


def count_report(
    spot: Spot, deals: Sequence[tuple[int, ...]], weights: Sequence[int], backend: str,
    progress: Progress | None, seconds: float,
) -> tuple[list[tuple[PlayerEquity, ...]], str]:  # fmt: skip
    """Count all boards of the next street in one pass."""
    from gpuodds.methods.omaha.board_reports import count_one_random_hand, count_ranges
    from gpuodds.methods.planner import note_seconds

    note_seconds(seconds)
    if spot.is_known:
        return count_one_random_hand(spot, deals, weights, backend, progress)
    return count_ranges(spot, deals, backend, progress)
