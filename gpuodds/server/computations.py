"""What a worker process computes: equities, bets, reports, equities on a board, and long readings.

A computation is made by the dispatcher, pickled, and run in a worker process.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from gpuodds.errors import InputError
from gpuodds.server.answer_form import AnswerForm
from gpuodds.server.messages import Context, Estimate, JsonObject, Written, to_json
from gpuodds.server.problems import Problem, as_problem
from gpuodds.server.requests import (
    EquityRequest,
    FlopsRequest,
    HitsRequest,
    KellyRequest,
    RangeRequest,
    TurnsRequest,
)
from gpuodds.stopping import stopped_by

if TYPE_CHECKING:
    from gpuodds.results.result import EquityResult
    from gpuodds.server.parsed import ParsedRequest, ReportRequest
    from gpuodds.server.settings import Settings

Found = TypeVar("Found")

# Kept back from the seconds that are left, to hand the answer over: a share of them, and at most this.
MAX_RANGE_TEXT = 8 << 20  # bytes of the JSON of a range
HANDOVER_SHARE, MAX_HANDOVER = 0.1, 0.5


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
    """The equity of hands or ranges."""

    kind: ClassVar[str] = "equity"
    request: EquityRequest
    opponents: int
    form: AnswerForm
    """How the answer is turned into its canonical form."""
    time_limit: float | None
    """Estimated seconds up to which the equity is counted rather than sampled."""
    stream: bool
    """Whether estimates are sent."""
    lists_many: bool
    """Whether the answer is so long that it is written here."""

    def run(self, context: Context) -> JsonObject | Written:
        """Return the object ``gpuodds.equity/1``, in canonical form."""
        with _stopped(context):
            found = self._run(context)
        return Written(to_json(found)) if self.lists_many else found

    def _run(self, context: Context) -> JsonObject:
        from gpuodds.methods.answering import answer
        from gpuodds.methods.options import Options, SamplingOptions
        from gpuodds.results.equity_graph import add_graphs
        from gpuodds.spots.spot import Spot

        def emit(estimate: EquityResult) -> None:
            context.emit(Estimate(self.form.to_canonical(estimate.to_dict())))

        request, left = self.request, context.seconds_left
        spot = Spot.of(
            request.hands,
            opponents=self.opponents,
            board=request.board,
            dead=request.dead,
            folded=request.folded,
            game=request.game,
        )
        sampling = SamplingOptions(
            samples=request.samples,
            standard_error=request.standard_error,
            time_limit=self.time_limit,
            seed=request.seed,
            deadline=left - min(MAX_HANDOVER, HANDOVER_SHARE * left),
        )
        options = Options(
            request.method,
            request.table,
            context.backend,
            request.counts_hands,
            request.made_hands,
            sampling,
        )
        on_estimate = emit if self.stream else None
        found = answer(spot, options, progress=context.progress, on_estimate=on_estimate)
        places = range(len(found.players)) if request.equity_graph else ()
        graphs = [found.equity_graph(place) for place in places]
        value = (found if request.by_hand else replace(found, by_hand=None)).to_dict()
        if graphs:
            add_graphs(value, graphs)
        return self.form.to_canonical(value)

    @property
    def game(self) -> str:
        """The game."""
        return self.request.game


@dataclass(frozen=True)
class KellyComputation:
    """How much to bet."""

    kind: ClassVar[str] = "kelly"
    request: KellyRequest
    time_limit: float
    """Estimated seconds up to which outcomes are counted rather than sampled."""

    def run(self, context: Context) -> JsonObject:
        """Return the object ``gpuodds.kelly/1``."""
        from gpuodds.betting import kelly_bet

        with _stopped(context):
            found = kelly_bet(
                **self.request.model_dump(),
                time_limit=self.time_limit,
                backend=context.backend,
                progress=context.progress,
            )
        return found.to_dict()

    @property
    def game(self) -> str:
        """The game."""
        return self.request.game


@dataclass(frozen=True)
class ReportComputation:
    """The equities on every flop, or on every turn card of a flop."""

    kind: ClassVar[str] = "report"
    request: FlopsRequest

    def run(self, context: Context) -> JsonObject:
        """Return the object ``gpuodds.board_report/1``."""
        from gpuodds.methods.board_reports import flop_report, turn_report

        count: Any = turn_report if isinstance(self.request, TurnsRequest) else flop_report
        asked = self.request.model_dump()
        with _stopped(context):
            found = count(**asked, backend=context.backend, progress=context.progress)
        report: JsonObject = found.to_dict()
        return report

    @property
    def game(self) -> str:
        """The game."""
        return self.request.game


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
        from gpuodds.games.holdem.combos import combo_cards
        from gpuodds.methods.board_equities import board_equities

        found = board_equities(
            self.board, self.opponents, backend=context.backend, progress=context.progress
        )
        equities = found.equity[:, self.opponents - 1].tolist()
        return {
            format_cards(reversed(cards)): equity
            for cards, equity in zip(combo_cards().tolist(), equities, strict=True)
            if not set(cards) & set(self.board)
        }


def read_equity(body: EquityRequest, settings: Settings, threads: int, stream: bool) -> ParsedRequest:
    """Read a request for equity in a worker; return it without its ranges, with its cost.

    Raises:
        InputError: A card or a range cannot be read, a card is repeated, or the deck is too small.
    """
    from gpuodds.server.costs import equity_cost
    from gpuodds.server.parsed import ParsedRequest

    request = ParsedRequest(body)
    try:
        return request.without_spot(equity_cost(request, settings, threads, stream=stream))
    except Problem as problem:  # it counts only if the answer is not in the cache
        return request.without_spot(problem)


def read_report(body: FlopsRequest, settings: Settings, threads: int) -> ReportRequest:
    """Read a request for a report in a worker; return it without its ranges, with its cost.

    Raises:
        InputError: A card or a range cannot be read, a card is repeated, or the board is no flop.
    """
    from gpuodds.server.costs import report_cost
    from gpuodds.server.parsed import ReportRequest

    request = ReportRequest(body)
    try:
        return request.without_spot(report_cost(request, settings, threads))
    except (Problem, InputError) as error:
        return request.without_spot(as_problem(error))


def write_answer(
    form: AnswerForm, canonical: str, explained: EquityRequest | None, limit: float, cached: bool
) -> Written:
    """Return an answer in a request's words, from the JSON of its canonical form.

    Args:
        form: How the answer is turned.
        canonical: The JSON.
        explained: The request, if it asks for an explanation.
        limit: Seconds that counting may take by default.
        cached: Whether the answer came out of the cache.
    """
    answer = form.from_canonical(json.loads(canonical))
    if explained is not None:
        from gpuodds.server.explain import with_explanation
        from gpuodds.server.parsed import ParsedRequest

        answer = with_explanation(ParsedRequest(explained), answer, limit, cached=cached)
    return Written(to_json(answer))


def write_range(body: RangeRequest) -> Written:
    """Return a range: the object ``gpuodds.range/1``.

    Raises:
        InputError: It cannot be read.
        Problem: It takes too many texts of hands to write: status 422.
    """
    from gpuodds.server.inputs import read_game
    from gpuodds.spots.ranges import Range

    text = to_json(Range(body.text, game=read_game(body.game)).to_dict())
    if len(text) > MAX_RANGE_TEXT:
        detail = f"the range as text has {len(text) >> 20} MiB, at most {MAX_RANGE_TEXT >> 20} are sent"
        raise Problem(
            422, "too-expensive", f"{detail}: give one without single suits, or a narrower one"
        )
    return Written(text)


def write_hits(body: HitsRequest) -> Written:
    """Return made hands and draws: the object ``gpuodds.hits/1``."""
    from gpuodds.methods.range_hits import range_hits, read_streets
    from gpuodds.server.inputs import Inputs, located, read_game, read_input

    game, board = read_game(body.game), read_input("board", read_streets, body.board)
    with located(Inputs({"text": body.text}, body.board, body.dead), game):
        found = range_hits(body.text, board=board, dead=body.dead, game=game)
    return Written(to_json(found.to_dict(body.by_hand)))


@contextmanager
def _stopped(context: Context) -> Iterator[None]:
    """Let a cancelled job stop while a text is read, which has no progress of its own."""
    with stopped_by(context.may_stop):
        yield
