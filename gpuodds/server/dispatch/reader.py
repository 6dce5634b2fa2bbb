"""Reading: short texts here, those that take long in a worker, under the same admission as answers."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

from gpuodds.errors import InputError
from gpuodds.methods.boards.range_hits import read_streets
from gpuodds.methods.method import Machine
from gpuodds.methods.options import SEED_WITH_TIME_LIMIT
from gpuodds.server.cache.kept import Kept
from gpuodds.server.dispatch.computations import (
    Reading,
    read_equity,
    read_report,
    write_hits,
    write_range,
)
from gpuodds.server.dispatch.in_flight import SharedTasks
from gpuodds.server.messages import Computation, to_json
from gpuodds.server.problems import Problem
from gpuodds.server.reading.costs import Cost, Texts, hits_seconds, range_writing_seconds, reading_cost
from gpuodds.server.reading.inputs import read_game, read_input
from gpuodds.server.reading.packed import Packed
from gpuodds.server.reading.parsed import ParsedRequest, ReportRequest
from gpuodds.server.requests import EquityRequest, FlopsRequest, HitsRequest, RangeRequest
from gpuodds.server.settings import Settings

Found = TypeVar("Found")

MAX_READ, MAX_READ_BYTES = 32, 16 << 20  # requests kept as they were read
RANGE_BYTES = 32 << 10  # of a range that is read here, in the forms of its plan

Compute = Callable[[Computation[Any], Cost, str], Coroutine[Any, Any, Any]]
"""Has a worker compute; the text is the same for the same computation."""


class Reader:
    """Reads the hands and ranges of requests; belongs to one event loop."""

    def __init__(
        self,
        compute: Compute,
        settings: Settings,
        machine: Callable[[], Machine],
        count_refusal: Callable[[str], None],
    ) -> None:
        """Put the parts together.

        Args:
            compute: Has a worker compute; it counts its own refusals.
            settings: The server's limits.
            machine: Returns what a worker counts on.
            count_refusal: Called with the reason of each refusal of what is too expensive.
        """
        self._compute, self._settings, self._machine = compute, settings, machine
        self._count_refusal = count_refusal
        self._shared, self._kept = SharedTasks(), Kept[str, ParsedRequest](MAX_READ, MAX_READ_BYTES)

    async def read(self, body: EquityRequest, *, stream: bool) -> ParsedRequest:
        """Read and check a request; a worker does it if that takes long, and plans it.

        Raises:
            InputError: It cannot be answered; a seed with a time limit can only be streamed.
            Problem: It would take too much time or memory to read, or is refused for now.
        """
        if not stream and body.seed is not None and body.time_limit is not None:
            raise InputError(SEED_WITH_TIME_LIMIT)
        machine = self._machine()
        name = f"{stream} {machine} {body.model_dump_json()}"
        parsed = self._kept.get(name)
        if parsed is None:
            read = partial(read_equity, body, self._settings, machine, stream)
            texts = Texts.of_equity(body)
            parsed = await self.read_by(texts, read, name, partial(ParsedRequest, body))
            plan = parsed.planned.plan if parsed.planned else None
            size = len(plan.data) if isinstance(plan, Packed) else RANGE_BYTES * len(texts.texts)
            self._kept.put(name, parsed, size)
        return parsed

    async def read_report(self, body: FlopsRequest) -> ReportRequest:
        """Read and check a request for a report; a worker does it if that takes long.

        Raises:
            InputError: A card or a range cannot be read, a card is repeated, or the board is no flop.
            Problem: It would take too much time or memory to read, or is refused for now.
        """
        read = partial(read_report, body, self._settings, self._machine())
        name = f"report {body.model_dump_json()}"
        return await self.read_by(Texts.of_equity(body), read, name, partial(ReportRequest, body))

    async def range(self, body: RangeRequest) -> str:
        """Return the JSON about a range; a worker reads one that takes long.

        Raises:
            InputError: The range cannot be read.
            Problem: It would take too much time or memory, or is refused for now.
        """
        texts, write = Texts.of_range(body), partial(write_range, body)
        name, written = f"range {body.model_dump_json()}", range_writing_seconds(texts)
        return to_json(await self.read_by(texts, write, name, write, written))

    async def hits(self, body: HitsRequest) -> str:
        """Return the JSON about the made hands and draws of a range; a worker finds them.

        Raises:
            InputError: The range, the board or a card cannot be read.
            Problem: It would take too much time or memory, or is refused for now.
        """
        streets = partial(read_streets, game=read_game(body.game))
        read_input("board", streets, body.board)  # before the range is read, which may take long
        name, texts = f"hits {body.model_dump_json()}", Texts.of_range(body)
        write = partial(write_hits, body)
        return to_json(await self._by_worker(texts, write, name, hits_seconds(texts)))

    async def read_by(
        self,
        texts: Texts,
        read: Callable[[], Found],
        name: str,
        read_here: Callable[[], Found],
        seconds: float = 0.0,
    ) -> Found:
        """Return what a function reads; a worker calls it if that takes long.

        Args:
            texts: What is read.
            read: Reads it in a worker.
            name: Equal for equal readings, which are done once.
            read_here: Reads it here.
            seconds: Seconds that the function needs beyond reading.

        Raises:
            InputError: A text cannot be read.
            Problem: It would take too much time or memory, or is refused for now.
        """
        if not texts.is_quick:
            return await self._by_worker(texts, read, name, seconds)
        with self._refusals_counted():
            return read_here()

    async def _by_worker(
        self, texts: Texts, read: Callable[[], Found], name: str, seconds: float = 0.0
    ) -> Found:
        async def run() -> Any:
            return await self._compute(Reading(texts.game.name, read), cost, name)

        with self._refusals_counted():
            cost = reading_cost(texts, self._settings, seconds)
            parsed: Found = await self._shared.run(f"read {name}", run)
            return parsed

    @contextmanager
    def _refusals_counted(self) -> Iterator[None]:
        try:
            yield
        except Problem as problem:
            if problem.name == "too-expensive":
                self._count_refusal(problem.name)
            raise
