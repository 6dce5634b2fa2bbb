"""Count known hands against random ones exactly, from the matchings of threat graphs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from time import perf_counter

from gpuodds.backends.choice import run_on, thread_count
from gpuodds.backends.protocol import Progress
from gpuodds.games.holdem.multiway import MatchingCounts, unbeaten_deals
from gpuodds.methods.costs import known_hands_seconds
from gpuodds.results.result import EquityResult, count_winners, name_winners, split_outcomes
from gpuodds.spots.spot import Spot


def answer_known_hands(
    spot: Spot, backend: str, seconds: float, progress: Progress | None = None
) -> EquityResult:
    """Answer a spot of known hands by counting, which takes the CPU about ``seconds``."""
    begin = perf_counter()
    counts, name = _count(spot, backend, seconds, progress)
    return _answer(spot, counts, name, begin)


def answer_by_opponents(
    spot: Spot, backend: str, progress: Progress | None = None
) -> list[EquityResult]:
    """Answer a spot of known hands for each number of random opponents up to its own, in one pass.

    Returns:
        A result per number: from one opponent for a single hand, from none for several.
    """
    begin = perf_counter()
    seconds = known_hands_seconds(len(spot.board), spot.opponents, thread_count())
    counts, name = _count(spot, backend, seconds, progress)
    fewest = 1 if len(spot.hands) == 1 else 0
    numbers = range(fewest, spot.opponents + 1)
    return [_answer(replace(spot, opponents=number), counts, name, begin) for number in numbers]


def _count(
    spot: Spot, name: str, seconds: float, progress: Progress | None
) -> tuple[Mapping[int, MatchingCounts], str]:
    (counts,), backend = run_on(
        name, seconds, lambda on: on.matching_counts([spot], spot.opponents, progress), spot.game
    )
    return counts, backend.name


def _answer(
    spot: Spot, counts: Mapping[int, MatchingCounts], backend: str, begin: float
) -> EquityResult:
    unbeaten = {mask: unbeaten_deals(sums, spot.opponents) for mask, sums in counts.items()}
    winners = None
    if spot.opponents == 0:
        alone = {mask: outcomes[0] for mask, outcomes in unbeaten.items()}
        winners = name_winners(alone, len(spot.hands))
    players, by_winners = split_outcomes(spot, unbeaten), count_winners(spot, unbeaten, spot.outcomes)
    seconds = perf_counter() - begin
    return EquityResult(spot, players, "exact", backend, winners, seconds, by_winners=by_winners)
