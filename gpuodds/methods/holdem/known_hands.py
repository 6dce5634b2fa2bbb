"""Count known hands against random ones exactly, from the matchings of threat graphs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from time import perf_counter

from gpuodds.backends.choice import run_operation
from gpuodds.backends.counts import Progress
from gpuodds.backends.operations.known_hands import (
    HandsAlone,
    ThreatMatchings,
    known_hands_seconds,
)
from gpuodds.games.holdem.multiway import MatchingCounts, unbeaten_deals
from gpuodds.methods.method import Machine, Method, Run
from gpuodds.methods.options import Options
from gpuodds.results.result import (
    EquityResult,
    count_winners,
    counted_result,
    name_winners,
    split_boards,
    split_outcomes,
)
from gpuodds.spots.normal_form import NormalForm
from gpuodds.spots.spot import Spot


class KnownHands(Method):
    """Known hands, alone or against random ones."""

    name = "known hands"
    is_always = True

    def why_not(self, form: NormalForm, options: Options) -> str:
        """Return why it cannot answer; empty if it can."""
        if not form.spot.is_known:
            return "a player has a range"
        return "gives neither equities by hand nor final hands" if options.is_counted_only else ""

    def seconds(self, form: NormalForm, options: Options, machine: Machine) -> float:
        """Estimate how long the CPU of a machine takes."""
        spot = form.spot
        threads = machine.thread_count if spot.opponents else 1
        return known_hands_seconds(len(spot.board), spot.opponents, threads)

    def count(self, form: NormalForm, options: Options, run: Run) -> EquityResult:
        """Count the matchings of threat graphs."""
        begin, spot = perf_counter(), form.spot
        if spot.opponents:
            counts, name = _count_matchings(spot, options.backend, run.seconds, run.progress)
            return _answer(spot, counts, name, begin)
        boards, name = run_operation(HandsAlone(spot), options.backend, run.seconds, run.progress)
        return _answer_alone(spot, boards, name, begin)

    def why(self, form: NormalForm, options: Options, limit: str) -> str:
        """Return why it was chosen."""
        return "known hands are always counted"


def answer_by_opponents(
    spot: Spot, backend: str, progress: Progress | None = None
) -> list[EquityResult]:
    """Answer a spot of known hands for each number of random opponents up to its own, in one pass.

    Returns:
        A result per number: from one opponent for a single hand, from none for several.
    """
    begin = perf_counter()
    counts, name = _count_matchings(spot, backend, None, progress)
    fewest = 1 if len(spot.hands) == 1 else 0
    numbers = range(fewest, spot.opponents + 1)
    return [_answer(replace(spot, opponents=number), counts, name, begin) for number in numbers]


def _count_matchings(
    spot: Spot, name: str, seconds: float | None, progress: Progress | None
) -> tuple[Mapping[int, MatchingCounts], str]:
    (counts,), backend = run_operation(ThreatMatchings([spot], spot.opponents), name, seconds, progress)
    return counts, backend


def _answer(
    spot: Spot, counts: Mapping[int, MatchingCounts], backend: str, begin: float
) -> EquityResult:
    if not spot.opponents:
        # The counts are those of a spot with opponents: its boards are the matchings without edges.
        alone = {
            mask: sum(ways for (_, edges, _), ways in sums.items() if not edges)
            for mask, sums in counts.items()
        }
        return _answer_alone(spot, alone, backend, begin)
    unbeaten = {mask: unbeaten_deals(sums, spot.opponents) for mask, sums in counts.items()}
    players, by_winners = split_outcomes(spot, unbeaten), count_winners(spot, unbeaten, spot.outcomes)
    seconds = perf_counter() - begin
    return EquityResult(spot, players, "exact", backend, None, seconds, by_winners=by_winners)


def _answer_alone(spot: Spot, boards: Mapping[int, int], backend: str, begin: float) -> EquityResult:
    winners, players = name_winners(boards, len(spot.hands)), split_boards(spot.names, boards)
    return counted_result(spot, players, backend, winners, perf_counter() - begin)
