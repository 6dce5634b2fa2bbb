"""Estimated costs of requests, in seconds of a worker process; see docs/server.md on admission.

The rates are those of :mod:`gpuodds.methods.costs`, which the planner of methods uses as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from gpuodds.methods import costs
from gpuodds.methods.board_reports import report_seconds
from gpuodds.methods.options import Options, SamplingOptions
from gpuodds.methods.planner import Counting, find_counting
from gpuodds.server.canonical import BoardRequest, ParsedRequest, ReportRequest
from gpuodds.server.inputs import Inputs, located, numbered, read_game
from gpuodds.server.memory import check_hands, check_list_bytes, has_lists
from gpuodds.server.problems import Problem
from gpuodds.server.requests import KellyRequest
from gpuodds.server.settings import Settings
from gpuodds.spots.normal_form import normal_form

if TYPE_CHECKING:
    from gpuodds.spots.spot import Spot

MAX_DEADLINE = 3600.0


@dataclass(frozen=True)
class Cost:
    """What an answer is expected to cost, and the bounds on it; all in seconds."""

    seconds: float
    """Expected of a worker."""
    min_seconds: float
    """Without these before the deadline there is no answer."""
    time_limit: float
    """Counting may be estimated at this, beyond it the equity is sampled."""
    deadline: float
    """After these the server gives up."""


def equity_cost(request: ParsedRequest, settings: Settings, threads: int, *, stream: bool) -> Cost:
    """Return what the answer to a request for equity is expected to cost.

    Args:
        request: The request.
        settings: The server's limits.
        threads: The threads of a worker process.
        stream: Whether estimates are sent.

    Raises:
        Problem: The request costs more than the limit, and does not allow sampling: status 422.
    """
    body = request.body
    limit = min(body.time_limit or settings.time_limit, settings.most_seconds)
    # Twice the limit and ten seconds, since estimates can be too low.
    deadline = min(2 * limit + 10, body.deadline or MAX_DEADLINE)
    if body.counts_hands:
        check_hands(request.spot, is_listed=body.by_hand)
    found = None if body.method == "monte-carlo" else find_count(request, threads, limit)
    counting = None if found is None else found.seconds
    if body.method == "exact" and (counting is None or counting > limit):
        about = "longer than can be estimated" if counting is None else f"about {counting:.2g} s"
        raise too_expensive(
            f"counting would take {about}, the limit is {limit:g} s: raise time_limit, or let "
            "method be auto, which samples",
            counting,
            limit,
        )
    wanted = SamplingOptions(body.samples, body.standard_error)
    least = costs.least_sampling_seconds(wanted, threads)
    if least > limit:
        detail = f"sampling would take about {least:.2g} s, the limit is {limit:g} s"
        raise too_expensive(detail, least, limit)
    is_always = found is not None and found.is_always
    is_counted = counting is not None and (body.method == "exact" or is_always or counting <= limit)
    if counting is not None and is_counted:
        seconds = counting
    else:
        seconds = sampling_seconds(request, threads)
        if body.method == "auto" or body.time_limit is not None:
            seconds = min(seconds, limit) if wanted.is_limited else limit
    min_seconds = seconds
    if not is_counted or ((stream or body.method == "auto") and seconds > deadline / 2):
        # Sampling stops at the deadline, and its estimate is the answer.
        min_seconds = min(seconds, deadline / 10)
    return Cost(seconds, min_seconds, limit, deadline)


def kelly_cost(request: KellyRequest, settings: Settings, threads: int) -> Cost:
    """Return what the answer to a request for a bet is expected to cost.

    Raises:
        Problem: It costs more than the limit: status 422.
        InputError: A card or a range cannot be read.
    """
    from gpuodds.betting.outcomes import is_counted_by_number
    from gpuodds.betting.question import plain_spot

    spot = plain_spot(_read_bet(request))
    limit = settings.time_limit
    is_by_number = len(spot.hands) == 1 and is_counted_by_number(spot)
    if may_be_dealt(request) and not is_by_number:
        seconds = _deals_seconds(spot, limit)
    else:
        seconds = min(limit, _bet_counting_seconds(spot, threads))
    return Cost(seconds, seconds, limit, 2 * limit + 10)


def _deals_seconds(spot: Spot, limit: float) -> float:
    """Return the seconds that counting all deals takes, or where some are drawn instead, that takes.

    Raises:
        Problem: It takes longer than ``limit``.
    """
    from gpuodds.betting.counted import deal_counting_seconds, sorting_seconds
    from gpuodds.betting.dealt import dealing_seconds
    from gpuodds.betting.outcomes import deal_counting_limit
    from gpuodds.betting.question import DEFAULT_SAMPLES, count_opponents

    opponents, counting = count_opponents(spot), deal_counting_seconds(spot)
    if counting <= deal_counting_limit(limit):
        return counting + sorting_seconds(opponents)
    sampling = dealing_seconds(opponents, DEFAULT_SAMPLES)
    if sampling > limit:
        raise too_expensive(
            f"sampling would take about {sampling:.2g} s, the limit is {limit:g} s: give "
            "fewer opponents with ranges, or leave out fold and stacks",
            sampling,
            limit,
        )
    return sampling


def _read_bet(request: KellyRequest) -> Spot:
    """Return the spot of a bet; an error in its hand, opponents or cards names the input at fault."""
    from gpuodds.betting.question import read_own_hand, read_spot

    given, game = request.opponents, read_game(request.game)
    ranges = [] if isinstance(given, int) else given
    if has_lists(ranges, game):
        check_list_bytes(game, 1 + len(ranges))
    hands = {"hand": request.hand} | numbered("opponents", ranges)
    inputs = Inputs(hands, request.board, request.dead, own_hand=("hand", read_own_hand))
    with located(inputs, game):
        return read_spot(request.hand, given, request.board, request.dead, game)


def board_cost(request: BoardRequest, settings: Settings, threads: int) -> Cost:
    """Return what the equities of all combos on a board are expected to cost.

    Raises:
        Problem: They cost more than the limit: status 422.
    """
    seconds = costs.board_seconds(len(request.board), request.opponents, threads)
    return _counted_cost(seconds, settings)


def report_cost(request: ReportRequest, settings: Settings, threads: int) -> Cost:
    """Return what the equities on every board of the next street are expected to cost.

    Raises:
        Problem: They cost more than the limit: status 422.
        InputError: No method counts the spot on each board.
    """
    return _counted_cost(report_seconds(request.spot, threads), settings)


def _counted_cost(seconds: float, settings: Settings) -> Cost:
    """Return the cost of what is counted, if that takes no longer than the limit.

    Raises:
        Problem: It takes longer: status 422.
    """
    limit = settings.time_limit
    if seconds > limit:
        detail = f"counting would take about {seconds:.2g} s, the limit is {limit:g} s"
        raise too_expensive(detail, seconds, limit)
    return Cost(seconds, seconds, limit, 2 * limit + 10)


def too_expensive(detail: str, seconds: float | None, limit: float) -> Problem:
    """Return the problem of a request that costs more than the limit."""
    return Problem(422, "too-expensive", detail, estimate_seconds=seconds, limit_seconds=limit)


def find_count(request: ParsedRequest, threads: int, limit: float = inf) -> Counting | None:
    """Return the method that would count an answer on ``threads``; None if none can."""
    body = request.body
    options = Options(table=body.table, by_hand=body.counts_hands, made_hands=body.made_hands)
    return find_counting(request.spot, options, limit, threads)


def _bet_counting_seconds(spot: Spot, threads: int) -> float:
    """Return the seconds that counting the odds of a bet takes, infinity if it cannot be counted."""
    options = Options(table=len(spot.hands) > 1)  # no table has every number of random opponents
    found = find_counting(spot, options, inf, threads)
    return inf if found is None else found.seconds


def sampling_seconds(request: ParsedRequest, threads: int) -> float:
    """Return the seconds that sampling takes on ``threads``, without a limit in seconds."""
    sampling = SamplingOptions(request.body.samples, request.body.standard_error)
    drawn = normal_form(request.spot, keep="all").spot
    return costs.sampling_seconds(drawn, sampling, threads)


def may_be_dealt(request: KellyRequest) -> bool:
    """Return whether several opponents may contest several pots, for which deals can be needed."""
    contest_all = not request.fold and not any(stack is not None for stack in request.stacks or ())
    return not contest_all and _count_opponents(request) > 1


def _count_opponents(request: KellyRequest) -> int:
    given = request.opponents
    return given if isinstance(given, int) else len(given)
