"""What a worker process computes: equities, bets, reports, and equities on a board.

A computation is made by the dispatcher, pickled, and run in a worker process.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from gpuodds.server.messages import Context, Estimate, JsonObject
from gpuodds.server.requests import EquityRequest, FlopsRequest, KellyRequest, TurnsRequest

if TYPE_CHECKING:
    from gpuodds.results.result import EquityResult

# Kept back from the seconds that are left, to hand the answer over: a share of them, and at most this.
HANDOVER_SHARE, MAX_HANDOVER = 0.1, 0.5


@dataclass(frozen=True)
class EquityComputation:
    """The equity of hands or ranges."""

    kind: ClassVar[str] = "equity"
    request: EquityRequest
    opponents: int
    time_limit: float | None
    """Estimated seconds up to which the equity is counted rather than sampled."""
    stream: bool
    """Whether estimates are sent."""

    def run(self, context: Context) -> JsonObject:
        """Return the object ``gpuodds.equity/1``."""
        from gpuodds.methods.answering import answer
        from gpuodds.methods.options import Options, SamplingOptions
        from gpuodds.results.equity_graph import add_graphs
        from gpuodds.spots.spot import Spot

        def emit(estimate: EquityResult) -> None:
            context.emit(Estimate(estimate.to_dict()))

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
        return value


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

        found = kelly_bet(
            **self.request.model_dump(),
            time_limit=self.time_limit,
            backend=context.backend,
            progress=context.progress,
        )
        return found.to_dict()


@dataclass(frozen=True)
class ReportComputation:
    """The equities on every flop, or on every turn card of a flop."""

    kind: ClassVar[str] = "report"
    request: FlopsRequest

    def run(self, context: Context) -> JsonObject:
        """Return the object ``gpuodds.board_report/1``."""
        from gpuodds.methods.board_reports import flop_report, turn_report

        count: Any = turn_report if isinstance(self.request, TurnsRequest) else flop_report
        found = count(**self.request.model_dump(), backend=context.backend, progress=context.progress)
        report: JsonObject = found.to_dict()
        return report


@dataclass(frozen=True)
class BoardComputation:
    """The equities of all combos on a board against random opponents."""

    kind: ClassVar[str] = "by-holding"
    board: tuple[int, ...]
    opponents: int

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
