"""Estimated costs of requests, in seconds of a worker process; see docs/server.md on admission.

What is planned costs what its plan says.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gpuodds.games.game import Game
from gpuodds.methods.boards.board_equities import board_seconds
from gpuodds.methods.boards.board_reports import report_seconds
from gpuodds.methods.method import Machine
from gpuodds.methods.options import Options, SamplingOptions
from gpuodds.methods.planner import Plan, make_plan
from gpuodds.methods.sampling.costs import least_sampling_seconds, sampling_seconds
from gpuodds.server.problems import InputErrorAt, Problem
from gpuodds.server.reading.inputs import Inputs, located, numbered, read_game
from gpuodds.server.reading.memory import check_bytes, has_lists, list_bytes
from gpuodds.server.requests import (
    MAX_TEXT,
    EquityRequest,
    FlopsRequest,
    HitsRequest,
    KellyRequest,
    RangeRequest,
)
from gpuodds.server.settings import Settings
from gpuodds.spots.notation.reading_costs import reading_seconds

if TYPE_CHECKING:
    from gpuodds.spots.spot import Spot

MAX_DEADLINE = 3600.0
HITS_SECONDS = 0.02
SECONDS_PER_HIT = 0.3e-6  # of a hand of Omaha
SECONDS_PER_WRITTEN_COMBO = 0.6e-6
WRITING_SECONDS = 0.2  # for some ten thousand hands
QUICK_SECONDS = 10e-3  # of reading that the server does itself rather than a worker
SECONDS_PER_COMBO = 100e-9  # to find the suits that a range of Omaha treats alike, and its key


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
    bytes: int = 0
    """Memory that lists of combos take meanwhile."""


@dataclass(frozen=True)
class Texts:
    """The hands and ranges of a request as text, by the names of its inputs."""

    game: Game
    texts: dict[str, str]
    players: int
    """How many players have lists of combos if one has, those with random cards included."""

    @classmethod
    def of_equity(cls, body: EquityRequest | FlopsRequest) -> Texts:
        """Return those of a request for equity, or for a report.

        Raises:
            InputErrorAt: The game is unknown, or a text is too long.
        """
        hands = numbered("hands", body.hands)
        folded = numbered("folded", body.folded) if isinstance(body, EquityRequest) else {}
        for name, text in (hands | folded).items():
            if len(text) > MAX_TEXT:
                limit = f"{name.partition('.')[0]}: expected at most {MAX_TEXT:,} characters each"
                raise InputErrorAt(limit, name)
        players = len(hands) + len(folded) + (body.opponents or 0)
        return cls(read_game(body.game), hands | folded, players)

    @classmethod
    def of_range(cls, body: RangeRequest | HitsRequest) -> Texts:
        """Return those of a request for a range, or its hits.

        Raises:
            InputErrorAt: The game is unknown.
        """
        return cls(read_game(body.game), {"text": body.text}, 1)

    @classmethod
    def of_bet(cls, body: KellyRequest) -> Texts:
        """Return those of a request for a bet.

        Raises:
            InputErrorAt: The game is unknown.
        """
        opponents = body.opponents
        ranges = [] if isinstance(opponents, int) else opponents
        hands = {"hand": body.hand} | numbered("opponents", ranges)
        return cls(read_game(body.game), hands, len(hands))

    @property
    def is_wide(self) -> bool:
        """Whether they need long lists of combos, as ranges of Omaha do."""
        return has_lists([*self.texts.values()], self.game)

    @property
    def bytes(self) -> int:
        """Memory that lists of combos take, 0 if there are none."""
        return list_bytes(self.game, self.players) if self.is_wide else 0

    @property
    def is_quick(self) -> bool:
        """Whether they are read where they arrive rather than in a worker."""
        return not self.is_wide and self.seconds <= QUICK_SECONDS

    @property
    def seconds(self) -> float:
        """Seconds that reading takes, about."""
        seconds = sum(reading_seconds(text, self.game) for text in {*self.texts.values()})
        return seconds + self.players * self.game.combos * SECONDS_PER_COMBO * self.is_wide


def range_writing_seconds(texts: Texts) -> float:
    """Return the seconds that it takes to write about a range of Omaha; others take a moment."""
    return texts.game.combos * SECONDS_PER_WRITTEN_COMBO * texts.is_wide


def hits_seconds(texts: Texts) -> float:
    """Return the seconds that it takes to find the made hands and draws of a range."""
    return HITS_SECONDS + texts.game.combos * SECONDS_PER_HIT * texts.is_wide


def reading_cost(texts: Texts, settings: Settings, more: float = 0.0) -> Cost:
    """Return what reading a request is expected to cost a worker.

    Args:
        texts: The hands and ranges.
        settings: The server's limits.
        more: Seconds that the worker needs beyond reading them.

    Raises:
        Problem: It costs more than the limit in time or memory: status 422.
    """
    limit, needed, seconds = settings.time_limit, texts.bytes, texts.seconds + more
    check_bytes(needed, settings.memory_bytes, texts.game, texts.players)
    if seconds > limit:
        detail = f"reading the ranges would take about {seconds:.2g} s, the limit is {limit:g} s"
        raise too_expensive(detail, seconds, limit)
    return Cost(seconds, seconds, limit, 2 * limit + 10, needed)


def writing_cost(body: EquityRequest, settings: Settings) -> Cost:
    """Return what writing a long answer, or explaining one, is expected to cost a worker."""
    limit = settings.time_limit
    needed = Texts.of_equity(body).bytes if body.explain else 0
    return Cost(WRITING_SECONDS, WRITING_SECONDS, limit, 2 * limit + 10, needed)


def equity_limits(body: EquityRequest, settings: Settings) -> tuple[float, float]:
    """Return the seconds that counting may take, and those after which the server gives up."""
    limit = min(body.time_limit or settings.time_limit, settings.most_seconds)
    # Twice the limit and ten seconds, since estimates can be too low.
    return limit, min(2 * limit + 10, body.deadline or MAX_DEADLINE)


def equity_cost(
    body: EquityRequest, plan: Plan, settings: Settings, threads: int, *, stream: bool
) -> Cost:
    """Return what the answer to a request for equity is expected to cost.

    Args:
        body: The request.
        plan: How it is answered.
        settings: The server's limits.
        threads: The threads of a worker process.
        stream: Whether estimates are sent.

    Raises:
        Problem: The request costs more than the limit, and does not allow sampling: status 422.
    """
    limit, deadline = equity_limits(body, settings)
    if body.method == "exact" and plan.seconds > limit:
        raise _too_long(f"about {plan.seconds:.2g} s", plan.seconds, limit)
    wanted = SamplingOptions(body.samples, body.standard_error)
    least = least_sampling_seconds(wanted, threads)
    if least > limit:
        detail = f"sampling would take about {least:.2g} s, the limit is {limit:g} s"
        raise too_expensive(detail, least, limit)
    seconds = plan.seconds
    if plan.is_sampled:
        seconds = sampling_seconds(plan.form.spot, wanted, threads)
        if body.method == "auto" or body.time_limit is not None:
            seconds = min(seconds, limit) if wanted.is_limited else limit
    min_seconds = seconds
    if plan.is_sampled or ((stream or body.method == "auto") and seconds > deadline / 2):
        # Sampling stops at the deadline, and its estimate is the answer.
        min_seconds = min(seconds, deadline / 10)
    return Cost(seconds, min_seconds, limit, deadline, Texts.of_equity(body).bytes)


def not_counted(body: EquityRequest, settings: Settings) -> Problem:
    """Return the problem of a request to count what no method counts."""
    return _too_long("longer than can be estimated", None, equity_limits(body, settings)[0])


def _too_long(about: str, seconds: float | None, limit: float) -> Problem:
    detail = f"counting would take {about}, the limit is {limit:g} s: raise time_limit, or let "
    return too_expensive(f"{detail}method be auto, which samples", seconds, limit)


def kelly_cost(request: KellyRequest, spot: Spot, settings: Settings, machine: Machine) -> Cost:
    """Return what the answer to a request for a bet is expected to cost.

    Args:
        request: The request.
        spot: Its spot.
        settings: The server's limits.
        machine: What a worker counts on.

    Raises:
        Problem: It costs more than the limit: status 422.
        ImpossibleDeal: The known cards leave an opponent no hand.
    """
    from gpuodds.betting.question import plain_spot
    from gpuodds.betting.standings.outcomes import is_counted_by_number

    plain, limit = plain_spot(spot), settings.time_limit
    is_by_number = len(plain.hands) == 1 and is_counted_by_number(plain)
    if may_be_dealt(request) and not is_by_number:
        seconds = _deals_seconds(plain, limit)
    else:
        seconds = min(limit, _bet_counting_seconds(plain, limit, machine))
    return Cost(seconds, seconds, limit, 2 * limit + 10, Texts.of_bet(request).bytes)


def _deals_seconds(spot: Spot, limit: float) -> float:
    """Return the seconds that counting all deals takes, or where some are drawn instead, that takes.

    Raises:
        Problem: It takes longer than ``limit``.
    """
    from gpuodds.betting.question import DEFAULT_SAMPLES, count_opponents
    from gpuodds.betting.standings.counted import deal_counting_seconds, sorting_seconds
    from gpuodds.betting.standings.dealt import dealing_seconds
    from gpuodds.betting.standings.outcomes import deal_counting_limit

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


def bet_spot(request: KellyRequest) -> Spot:
    """Return the spot of a bet.

    Raises:
        InputErrorAt: The input that cannot be read.
        InputError: Several inputs together make no sense.
    """
    from gpuodds.betting.question import read_spot

    opponents, game = request.opponents, read_game(request.game)
    ranges = [] if isinstance(opponents, int) else opponents
    hands = {"hand": request.hand} | numbered("opponents", ranges)
    inputs = Inputs(hands, request.board, request.dead)
    with located(inputs, game):
        return read_spot(request.hand, opponents, request.board, request.dead, game)


def board_cost(board_cards: int, opponents: int, settings: Settings, threads: int) -> Cost:
    """Return what the equities of all combos on a board are expected to cost.

    Raises:
        Problem: They cost more than the limit: status 422.
    """
    seconds = board_seconds(board_cards, opponents, threads)
    return _counted_cost(seconds, settings)


def report_cost(body: FlopsRequest, spot: Spot, settings: Settings, machine: Machine) -> Cost:
    """Return what the equities on every board of the next street are expected to cost.

    Args:
        body: The request.
        spot: Its spot.
        settings: The server's limits.
        machine: What a worker counts on.

    Raises:
        Problem: They cost more than the limit: status 422.
        InputError: No method counts the spot on each board.
    """
    cost = _counted_cost(report_seconds(spot, machine), settings)
    return replace(cost, bytes=Texts.of_equity(body).bytes)


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


def _bet_counting_seconds(spot: Spot, limit: float, machine: Machine) -> float:
    """Return the seconds that counting the odds of a bet takes, or the limit if they are sampled."""
    is_table = len(spot.hands) > 1  # no table has every number of random opponents
    options = Options(table=is_table, sampling=SamplingOptions(time_limit=limit))
    plan = make_plan(spot, options, machine)
    return limit if plan.is_sampled else plan.seconds


def may_be_dealt(request: KellyRequest) -> bool:
    """Return whether several opponents may contest several pots, for which deals can be needed."""
    folds = request.fold or request.fold_curve is not None
    contest_all = not folds and not any(stack is not None for stack in request.stacks or ())
    return not contest_all and _count_opponents(request) > 1


def _count_opponents(request: KellyRequest) -> int:
    opponents = request.opponents
    return opponents if isinstance(opponents, int) else len(opponents)
