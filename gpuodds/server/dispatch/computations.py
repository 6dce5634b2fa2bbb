"""What a worker process computes: equities, bets, reports, equities on a board, and long readings.

A computation is made by the dispatcher, pickled, and run in a worker process.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Generic, NamedTuple, TypeVar

from gpuodds.basics.stopping import stopped_by
from gpuodds.errors import InputError
from gpuodds.server.messages import Context, Estimate, JsonObject, Written, to_json
from gpuodds.server.problems import Problem, as_problem
from gpuodds.server.reading.answer_form import AnswerForm
from gpuodds.server.reading.packed import Packed, unpacked
from gpuodds.server.requests import (
    EquityRequest,
    FlopsRequest,
    HitsRequest,
    KellyRequest,
    RangeRequest,
)

if TYPE_CHECKING:
    from gpuodds.methods.method import Machine
    from gpuodds.methods.options import Options
    from gpuodds.methods.planner import Plan
    from gpuodds.results.result import EquityResult
    from gpuodds.server.reading.costs import Cost
    from gpuodds.server.reading.parsed import ParsedRequest, ReportRequest
    from gpuodds.server.settings import Settings
    from gpuodds.spots.spot import Spot

Found = TypeVar("Found")

MAX_RANGE_TEXT = 8 << 20  # bytes of the JSON of a range


@dataclass(frozen=True)
class Reading(Generic[Found]):
    """What a function reads from a request that takes long to read."""

    kind: ClassVar[str] = "reading"
    game: str
    read: Callable[[], Found]
    """A function at the top of a module, perhaps in a ``partial``."""

    def run(self, context: Context) -> Found:
        """Return what the function returns."""
        with _stopped(context):
            return self.read()


@dataclass(frozen=True)
class EquityComputation:
    """The equity of hands or ranges, by a plan."""

    kind: ClassVar[str] = "equity"
    game: str
    plan: Plan | Packed[Plan]
    options: Options
    """Those of the plan, without an explanation."""
    form: AnswerForm
    """How the answer is turned into its canonical form."""
    by_hand: bool
    """Whether the equity of each hand is sent."""
    equity_graph: bool
    """Whether the players' graphs are sent."""
    blockers: bool
    """Whether what each hand blocks is sent."""
    stream: bool
    """Whether estimates are sent."""
    lists_many: bool
    """Whether the answer is so long that it is written here."""

    def run(self, context: Context) -> JsonObject | Written:
        """Return the object ``gpuodds.equity/1``, in canonical form."""
        with _stopped(context):
            value = self._run(context)
        return Written(to_json(value)) if self.lists_many else value

    def _run(self, context: Context) -> JsonObject:
        from gpuodds.methods.answering import answer
        from gpuodds.methods.planner import sampled_instead
        from gpuodds.results.blockers import add_blockers
        from gpuodds.results.equity_graph import add_graphs
        from gpuodds.server.reading.plans import before_handover

        def emit(estimate: EquityResult) -> None:
            context.emit(Estimate(self.form.to_canonical(estimate.to_dict())))

        sampling = replace(self.options.sampling, deadline=before_handover(context.seconds_left))
        options = replace(self.options, sampling=sampling)
        plan = sampled_instead(unpacked(self.plan), options)
        result = answer(
            plan.form.asked,
            options,
            plan=plan,
            progress=context.progress,
            on_estimate=emit if self.stream else None,
        )
        places = range(len(result.players)) if self.equity_graph else ()
        graphs = [result.equity_graph(place) for place in places]
        value = (result if self.by_hand else replace(result, by_hand=None)).to_dict()
        if graphs:
            add_graphs(value, graphs)
        if self.blockers:
            add_blockers(value, [result.blockers(place) for place in range(2)])
        return self.form.to_canonical(value)


@dataclass(frozen=True)
class KellyComputation:
    """How much to bet."""

    kind: ClassVar[str] = "kelly"
    request: KellyRequest
    spot: Spot | Packed[Spot]
    time_limit: float
    """Estimated seconds up to which outcomes are counted rather than sampled."""

    def run(self, context: Context) -> JsonObject:
        """Return the object ``gpuodds.kelly/1``."""
        from gpuodds.betting.advice import advise
        from gpuodds.betting.question import are_alike, count_opponents, read_options
        from gpuodds.betting.stakes import read_stakes

        body = self.request
        with _stopped(context):
            options = read_options(
                multiple=body.multiple,
                spread=body.spread,
                seed=body.seed,
                time_limit=self.time_limit,
                backend=context.backend,
                explain=body.explain,
                progress=context.progress,
            )
            spot = unpacked(self.spot)
            stakes = read_stakes(
                count_opponents(spot),
                bankroll=body.bankroll,
                stack=body.stack,
                pot=body.pot,
                to_call=body.to_call,
                stacks=body.stacks,
                fold=body.fold,
                fold_curve=body.fold_curve,
                minimum=body.minimum,
                alike=are_alike(spot),
            )
            advice = advise(spot, stakes, options)
        return advice.to_dict()

    @property
    def game(self) -> str:
        """The game."""
        return self.request.game


@dataclass(frozen=True)
class ReportComputation:
    """The equities on every flop, or on every turn card of a flop."""

    kind: ClassVar[str] = "report"
    game: str
    spot: Spot | Packed[Spot]

    def run(self, context: Context) -> JsonObject:
        """Return the object ``gpuodds.board_report/1``."""
        from gpuodds.methods.boards.board_reports import report_boards

        with _stopped(context):
            board_report = report_boards(unpacked(self.spot), context.backend, context.progress)
        report: JsonObject = board_report.to_dict()
        return report


@dataclass(frozen=True)
class BoardComputation:
    """The equities of all combos on a board against random opponents."""

    kind: ClassVar[str] = "by-holding"
    board: tuple[int, ...]
    opponents: int

    @property
    def game(self) -> str:
        """The game."""
        return "holdem"

    def run(self, context: Context) -> dict[str, float]:
        """Return the equity of each combo that the board leaves, by its name."""
        from gpuodds.cards import format_cards
        from gpuodds.games.holdem.game import HOLDEM
        from gpuodds.games.shared.combos import combo_cards
        from gpuodds.methods.boards.board_equities import board_equities

        by_board = board_equities(
            self.board, self.opponents, backend=context.backend, progress=context.progress, game=HOLDEM
        )
        equities = by_board.equity[:, self.opponents - 1].tolist()
        return {
            format_cards(reversed(cards)): equity
            for cards, equity in zip(combo_cards().tolist(), equities, strict=True)
            if not set(cards) & set(self.board)
        }


class ReadBet(NamedTuple):
    """The spot of a request for a bet, and what the answer costs."""

    spot: Spot | Packed[Spot]
    cost: Cost


def read_equity(
    body: EquityRequest, settings: Settings, machine: Machine, stream: bool
) -> ParsedRequest:
    """Read and plan a request for equity in a worker.

    Raises:
        InputError: A card or a range cannot be read, a card is repeated, or the deck is too small.
    """
    from gpuodds.server.reading.parsed import ParsedRequest
    from gpuodds.server.reading.plans import plan_equity

    request = ParsedRequest(body)
    return request.handed_over(plan_equity(body, request.spot, settings, machine, stream=stream))


def read_report(body: FlopsRequest, settings: Settings, machine: Machine) -> ReportRequest:
    """Read a request for a report in a worker, and find its cost.

    Raises:
        InputError: A card or a range cannot be read, a card is repeated, or the board is no flop.
    """
    from gpuodds.server.reading.costs import report_cost
    from gpuodds.server.reading.parsed import ReportRequest

    request = ReportRequest(body)
    cost: Cost | Problem
    try:
        cost = report_cost(body, unpacked(request.spot), settings, machine)
    except (Problem, InputError) as error:
        cost = as_problem(error)
    return request.handed_over(cost)


def read_bet(request: KellyRequest, settings: Settings, machine: Machine, *, is_here: bool) -> ReadBet:
    """Read a request for a bet, and find its cost.

    Args:
        request: The request.
        settings: The server's limits.
        machine: What a worker counts on.
        is_here: Whether the server reads it, rather than a worker for it.

    Raises:
        InputError: A card or a range cannot be read.
        Problem: It costs more than the limit: status 422.
    """
    from gpuodds.server.reading.costs import bet_spot, kelly_cost

    spot = bet_spot(request)
    cost = kelly_cost(request, spot, settings, machine)
    return ReadBet(spot if is_here else Packed.of(spot), cost)


def write_answer(
    form: AnswerForm,
    canonical: str,
    explained: tuple[EquityRequest, Plan | Packed[Plan]] | None,
    cached: bool,
) -> Written:
    """Return an answer in a request's words, from the JSON of its canonical form.

    Args:
        form: How the answer is turned.
        canonical: The JSON.
        explained: The request and its plan, if it asks for an explanation.
        cached: Whether the answer came out of the cache.
    """
    answer = form.from_canonical(json.loads(canonical))
    if explained is not None:
        from gpuodds.server.dispatch.explain import with_explanation

        body, plan = explained
        answer = with_explanation(answer, body, unpacked(plan), cached=cached)
    return Written(to_json(answer))


def write_range(body: RangeRequest) -> Written:
    """Return a range: the object ``gpuodds.range/1``.

    Raises:
        InputError: It cannot be read.
        Problem: It takes too many texts of hands to write: status 422.
    """
    from gpuodds.server.reading.inputs import read_game
    from gpuodds.spots.ranges.range import Range

    return Written(_short_enough(to_json(Range(body.text, game=read_game(body.game)).to_dict())))


def _short_enough(text: str, name: str = "the range as text") -> str:
    if len(text) > MAX_RANGE_TEXT:
        detail = f"{name} has {len(text) >> 20} MiB, at most {MAX_RANGE_TEXT >> 20} are sent"
        raise Problem(
            422, "too-expensive", f"{detail}: give one without single suits, or a narrower one"
        )
    return text


def write_hits(body: HitsRequest) -> Written:
    """Return made hands and draws: the object ``gpuodds.hits/1``.

    Raises:
        InputError: The request cannot be read.
        Problem: It takes too many texts of hands to write: status 422.
    """
    from gpuodds.methods.boards.range_hits import range_hits
    from gpuodds.server.reading.inputs import Inputs, located, read_game, read_input

    game = read_game(body.game)
    with located(Inputs({"text": body.text}, body.board, body.dead), game):
        hits = range_hits(body.text, board=body.board, dead=body.dead, game=game)
        answer = hits.to_dict(body.by_hand)
        if body.filters:
            kept = read_input("filters", lambda filters: hits.filter(*filters), body.filters)
            answer["kept"] = {"range": str(kept), "combos": kept.weight}
    return Written(_short_enough(to_json(answer), "the list of hands of the range"))


@contextmanager
def _stopped(context: Context) -> Iterator[None]:
    """Let a cancelled job stop while a text is read, which has no progress of its own."""
    with stopped_by(context.may_stop):
        yield
