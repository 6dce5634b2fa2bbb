"""Jobs: computations in the queue or in a worker process, and their events."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from gpuodds.games.catalog import find_game
from gpuodds.server.messages import Answer, Estimate, Event, Progress
from gpuodds.server.problems import Problem

if TYPE_CHECKING:
    from gpuodds.server.messages import Computation


class Failed(NamedTuple):
    """The last event of a job that has no answer."""

    problem: Problem


JobEvent = Event | Failed
"""An event of a job; an Answer or Failed is the last."""


@dataclass
class Job:
    """A computation in the queue or in a worker process; times are on the event loop's clock."""

    number: int
    computation: Computation[Any]
    ends_at: float
    """When the answer has to be there."""
    seconds: float = 0.0
    """Expected of a worker."""
    min_seconds: float = 0.0
    """Without these before ``ends_at`` there is no answer."""
    bytes: int = 0
    """Memory that its lists of combos take."""
    queue_key: float = 0.0
    """The place in the queue, in seconds."""
    name: str = ""
    """The same for the same request, so that each refusal gives it the same time."""
    arrived: float = 0.0
    started: float = 0.0
    events: asyncio.Queue[JobEvent] = field(default_factory=asyncio.Queue)
    is_done: bool = False

    @property
    def family(self) -> str:
        """The family of the game: its games run the same compiled code."""
        return find_game(self.computation.game).family

    def add(self, event: Estimate | Progress) -> None:
        """Give an event that others follow."""
        if not self.is_done:
            self.events.put_nowait(event)

    def finish(self, event: Answer | Failed) -> None:
        """Give the last event."""
        if not self.is_done:
            self.is_done = True
            self.events.put_nowait(event)


def cancelled() -> Failed:
    """Return the last event of a job that the server stops."""
    return Failed(Problem(503, "stopping", "the computation was stopped"))
