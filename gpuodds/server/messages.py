"""Messages on the pipe between the server and a worker process, and the events of a job."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

from gpuodds.basics.choices import BackendName
from gpuodds.server.problems import Problem

JsonObject = dict[str, Any]
"""A JSON object of the public API; :mod:`gpuodds.server.answers` describes each kind."""


class Written(NamedTuple):
    """A long JSON value that a worker process has written."""

    text: str


def to_json(value: object) -> str:
    """Return the JSON of a value, compact."""
    return value.text if isinstance(value, Written) else json.dumps(value, separators=(",", ":"))


@dataclass(frozen=True)
class Estimate:
    """A sampled answer, to be followed by a better one."""

    name: ClassVar[str] = "estimate"
    value: JsonObject


@dataclass(frozen=True)
class Progress:
    """The fraction of the computation that is done, 0 to 1."""

    name: ClassVar[str] = "progress"
    value: float


@dataclass(frozen=True)
class Answer:
    """The last event of a computation that succeeds; a JSON value, or :class:`Written`."""

    name: ClassVar[str] = "answer"
    value: Any


@dataclass(frozen=True)
class Failure:
    """The last event of a computation that does not succeed."""

    problem: Problem


Event = Estimate | Progress | Answer
"""What a client hears of its request."""


Found = TypeVar("Found", covariant=True)


class Context(NamedTuple):
    """What a computation is given in the worker process."""

    backend: BackendName
    """``auto``, ``cpu`` or ``cuda``."""
    seconds_left: float
    """Seconds until the answer has to reach the client."""
    emit: Callable[[Estimate], None]
    """Sends an estimate; raises an exception if the job was cancelled."""
    progress: Callable[[float], None]
    """Called with the fraction done, 0 to 1; raises an exception if the job was cancelled."""
    may_stop: Callable[[], None]
    """Raises an exception if the job was cancelled."""


class Computation(Protocol[Found]):
    """Something that a worker process can compute."""

    kind: ClassVar[str]
    """The kind of job, a label of the server's metrics."""

    @property
    def game(self) -> str:
        """The game, by one of its names."""
        ...

    def run(self, context: Context) -> Found:
        """Return the answer, a JSON value."""
        ...


class RunJob(NamedTuple):
    """To a worker: run a computation."""

    number: int
    computation: Computation[Any]
    seconds_left: float
    has_lists: bool
    """Whether it needs long lists of combos, whose memory is to be returned to the system."""


class CancelJob(NamedTuple):
    """To a worker: stop the computation with this number, if it still runs."""

    number: int


class FromJob(NamedTuple):
    """From a worker: an event of the computation with this number."""

    number: int
    event: Event | Failure


class Compiling(NamedTuple):
    """From a worker that warms up: it compiles, rather than loads; whether the code is then cached."""

    is_cached: bool


class Loads(NamedTuple):
    """From a worker that runs a job: it begins to compile or load code, or has ended."""

    begins: bool


class Notice(NamedTuple):
    """From a worker that warms up: a line for the server's stderr."""

    text: str


class Ready(NamedTuple):
    """From a worker: it takes jobs from now on; whether it has a GPU for those that are worth one."""

    has_gpu: bool = False


class Unready(NamedTuple):
    """From a worker: it cannot start."""

    reason: str


ToWorker = RunJob | CancelJob
FromWorker = FromJob | Compiling | Loads | Notice | Ready | Unready
