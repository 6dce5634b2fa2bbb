"""All-in or fold: what it costs, what a worker computes, and the events on the way."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from gpuodds.basics.stopping import stopped_by
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.server.messages import Answer, Context, Estimate, Event, JsonObject
from gpuodds.server.reading.costs import Cost, too_expensive

if TYPE_CHECKING:
    from gpuodds.server.dispatch.dispatcher import Dispatcher
    from gpuodds.server.requests import PushFoldRequest
    from gpuodds.server.settings import Settings

SECONDS = {2: 0.2, 3: 10, 4: 14, 5: 20, 6: 35, 7: 70, 8: 130, 9: 220}
"""About how long two cores take, by the number of players."""
MIN_SECONDS = {2: 0.2, 3: 5, 4: 7, 5: 9, 6: 10, 7: 18, 8: 35, 9: 60}
"""After these the best so far is worth an answer."""
BYTES = {2: 0, 3: 700 << 20}
MANY_BYTES = 1200 << 20


@dataclass(frozen=True)
class _OfPushFold:
    """What is computed for a request."""

    request: PushFoldRequest

    @property
    def game(self) -> str:
        """The game."""
        return HOLDEM.name


@dataclass(frozen=True)
class PushFoldComputation(_OfPushFold):
    """All-in or fold before the flop."""

    kind: ClassVar[str] = "push-fold"
    time_limit: float
    """Seconds after which the best so far is the answer."""

    def run(self, context: Context) -> JsonObject:
        """Return the object ``gpuodds.push-fold/1``; certificates are estimates on the way."""
        from gpuodds.short_stacks.push_fold import push_fold

        def stopped() -> bool:
            context.may_stop()
            return False

        with stopped_by(context.may_stop):
            result = push_fold(
                **_arguments(self.request),
                lock=self.request.lock,
                time_limit=self.time_limit,
                progress=lambda state: context.emit(Estimate(asdict(state))),
                stop=stopped,
            )
        return result.to_dict()


@dataclass(frozen=True)
class DecisionsComputation(_OfPushFold):
    """What all-in and a fold are worth with some hands, by an answer."""

    kind: ClassVar[str] = "push-fold-decisions"
    answer: JsonObject
    """The object ``gpuodds.push-fold/1`` of the request."""

    def run(self, context: Context) -> list[JsonObject]:
        """Return the decisions, one object each."""
        from gpuodds.short_stacks.push_fold import read_decision
        from gpuodds.short_stacks.result import PushFoldResult
        from gpuodds.short_stacks.spot import read_spot

        with stopped_by(context.may_stop):
            result = PushFoldResult.restored(read_spot(**_arguments(self.request)), self.answer)
            asked = [read_decision(result.spot, text) for text in self.request.hands]
            return [result.explain(place, hand).to_dict() for place, hand in asked]


def _arguments(body: PushFoldRequest) -> dict[str, Any]:
    return body.model_dump(exclude={"lock", "hands"})


def push_fold_cost(body: PushFoldRequest, settings: Settings) -> Cost:
    """Return what an answer is expected to cost.

    Raises:
        Problem: It costs more than the limit, or needs tables that are not built: status 422.
        InputError: A number is out of bounds.
    """
    from gpuodds.short_stacks.push_fold import read_decision
    from gpuodds.short_stacks.spot import read_spot
    from gpuodds.short_stacks.tables import missing_tables

    players = len(body.stacks)
    spot = read_spot(**_arguments(body))
    for text in body.hands:
        read_decision(spot, text)
    limit = settings.time_limit
    if MIN_SECONDS[players] > limit:
        least = MIN_SECONDS[players]
        detail = f"{players} players take about {least:g} s at least, the limit is {limit:g} s"
        raise too_expensive(detail, least, limit)
    missing = missing_tables() if players > 2 else []
    if missing:
        commands = ", ".join(f"gpuodds table build {name}" for name in missing)
        detail = f"three players and more need tables that are not built: {commands}"
        raise too_expensive(detail, None, limit)
    seconds = min(SECONDS[players], limit)
    return Cost(seconds, MIN_SECONDS[players], limit, 2 * limit + 10, BYTES.get(players, MANY_BYTES))


async def push_fold_events(
    dispatcher: Dispatcher, body: PushFoldRequest
) -> AsyncGenerator[Event, None]:
    """Give the certificates of a search, and at last its answer; answers are cached.

    Raises:
        Problem: The request is refused, fails, or takes too long.
        InputError: It cannot be read.
    """
    key = f"push-fold {body.model_dump_json(exclude={'hands'})}"
    cached = await dispatcher.cache.get(key)
    answer: JsonObject = {} if cached is None else json.loads(cached)
    if cached is None or body.hands:
        with dispatcher.refusals_counted():
            cost = push_fold_cost(body, dispatcher.settings)
        if cached is None:
            computation = PushFoldComputation(body, cost.time_limit)
            # Closed at once when the client leaves: that cancels the job.
            async with aclosing(dispatcher.job_events(computation, cost, key)) as events:
                async for event in events:
                    if isinstance(event, Answer):
                        answer = event.value
                    else:
                        yield event
            await dispatcher.cache.put(key, json.dumps(answer).encode())
        if body.hands:
            decisions = await dispatcher.compute(DecisionsComputation(body, answer), cost, key)
            answer = answer | {"decisions": decisions}
    yield Answer(answer)
