"""Admission control: whether a job can be answered in time, and if not, when to retry.

Each job has an estimate of the seconds that it takes a worker. A job is admitted if it ends in time
behind the jobs that run and those that wait before it. Others are refused at once, with the seconds
after which there is capacity: each request gets a time of its own, so that a client that retries then
is admitted.
"""

from __future__ import annotations

import heapq
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, inf
from typing import Protocol

from gpuodds.server.problems import Problem

CHEAP_SECONDS = 0.2  # jobs up to this estimate have a worker of their own
# A job may wait for this share of its slack behind others: estimates can be too low by several times.
SLACK_SHARE = 0.3
MAX_SLACK_SHARE = 0.6  # beyond which a waiting job is not overtaken by others
MAX_RETRY = 600.0  # seconds of Retry-After
MAX_PROMISES = 1000
MEMORY = 0.9  # weight of the jobs so far in the pace when another one ends
UNKNOWN_SECONDS = 3.0  # estimated seconds with an assumed pace, for as long as little is measured
MIN_PACE, MAX_PACE = 0.25, 10.0


class Estimated(Protocol):
    """What admission control knows of a job; see :class:`gpuodds.server.workers.jobs.Job`."""

    name: str
    seconds: float
    min_seconds: float
    ends_at: float
    queue_key: float


@dataclass
class Lanes:
    """Seconds until each worker is free."""

    general: list[float]
    """The workers for all jobs."""
    cheap: float
    """The worker for cheap jobs."""
    starting: float = inf
    """The first of those among ``general`` that start, and have no job."""


class Admission:
    """Admits jobs, and learns from those that ended how far estimates are off."""

    def __init__(self, max_waiting: int) -> None:
        """Let at most ``max_waiting`` jobs wait; a quarter of the places is reserved for cheap jobs."""
        self._max_waiting = max_waiting
        self._estimated = self._taken = 0.0
        self._unknown = UNKNOWN_SECONDS
        self._promised = 0.0  # until when the workers' time is promised to requests that were refused
        self._promises: OrderedDict[str, float] = OrderedDict()

    @property
    def pace(self) -> float:
        """Seconds taken per estimated second, mostly by recent jobs; 2 before anything is measured."""
        return self._pace(2.0)

    def _pace(self, assumed: float) -> float:
        pace = (self._taken + assumed * self._unknown) / (self._estimated + self._unknown)
        return min(max(pace, MIN_PACE), MAX_PACE)

    def learn(self, estimated: float, taken: float) -> None:
        """Compare a job's estimate with the seconds that it took."""
        if estimated >= 0.1:
            self._estimated = MEMORY * self._estimated + estimated
            self._taken = MEMORY * self._taken + taken
            self._unknown *= MEMORY

    def remaining(self, job: Estimated, elapsed: float, now: float) -> float:
        """Return the further seconds that a running job is expected to take, more than 0."""
        left = max(self.pace * job.seconds - elapsed, 0.1 * elapsed, 0.02)
        return min(left, max(job.ends_at - now, 0.02))

    def admit(self, job: Estimated, now: float, lanes: Lanes, waiting: Sequence[Estimated]) -> None:
        """Return if a job can be answered in time; its key grows if it would delay others too much.

        Args:
            job: The job to admit.
            now: The time, on the clock of ``job.ends_at``.
            lanes: When the workers are free.
            waiting: The waiting jobs, in the order of their keys.

        Raises:
            Problem: It cannot: status 429, with the seconds after which to retry.
        """
        while True:
            before = [other for other in waiting if other.queue_key <= job.queue_key]
            after = waiting[len(before) :]
            starts = self._starts([*before, job, *after], now, lanes)
            late = [
                other
                for other, start in zip(after, starts[len(before) + 1 :], strict=True)
                if start > MAX_SLACK_SHARE * self._slack(other, now)
            ]
            if not late or starts[len(before)] == 0:
                break
            job.queue_key = late[-1].queue_key
        wait = starts[len(before)]
        is_full = wait > 0 and self._is_full(job, waiting)
        slack = SLACK_SHARE * self._slack(job, now)
        # A job that waits for a worker to start, and for no other job, would gain nothing by a retry.
        is_next = not before and wait == lanes.starting
        if not is_full and wait <= (self._slack(job, now) if is_next else slack):
            self._promises.pop(job.name, None)
            return
        # Half of the slack is left for requests that come first, and for estimates that are too low.
        again = max(wait - slack / 2, min(starts) if is_full else 0.0)
        reason = f"{len(waiting)} requests are waiting" if is_full else "the workers are busy"
        raise self.refusal(job, now, again, lanes, reason)

    def _is_full(self, job: Estimated, waiting: Sequence[Estimated]) -> bool:
        """Return whether the queue has no place for a job that has to wait."""
        places, taken = self._max_waiting, len(waiting)
        if job.seconds <= CHEAP_SECONDS or taken >= places:
            return taken >= places
        return sum(other.seconds > CHEAP_SECONDS for other in waiting) >= places - places // 4

    def is_late(self, job: Estimated, now: float) -> bool:
        """Return whether a job that starts now is expected to end too late."""
        return self.pace * job.min_seconds > job.ends_at - now

    def refusal(self, job: Estimated, now: float, again: float, lanes: Lanes, reason: str) -> Problem:
        """Return the problem that tells a job's client to retry after ``again`` seconds or more."""
        seconds = self._promise(job, now, again, len(lanes.general) or 1)
        return Problem(
            429,
            "busy",
            f"{reason}: ask again in {seconds} s",
            retry_after=seconds,
        )

    def _slack(self, job: Estimated, now: float) -> float:
        """Return the seconds before a job's deadline that it does not need itself."""
        return max(job.ends_at - now - self.pace * job.min_seconds, 0.0)

    def _starts(self, jobs: Iterable[Estimated], now: float, lanes: Lanes) -> list[float]:
        """Return the seconds until each job starts, in this order."""
        general, cheap = list(lanes.general), lanes.cheap
        heapq.heapify(general)
        starts = []
        for job in jobs:
            is_cheap = job.seconds <= CHEAP_SECONDS and (not general or cheap <= general[0])
            start = cheap if is_cheap else general[0] if general else 0.0
            seconds = max(min(self.pace * job.seconds, job.ends_at - now - start), 0.0)
            if is_cheap:
                cheap += seconds
            elif general:
                heapq.heapreplace(general, start + seconds)
            starts.append(start)
        return starts

    def _promise(self, job: Estimated, now: float, again: float, workers: int) -> int:
        """Return the seconds after which a refused job is to be sent again."""
        own = self._promises.get(job.name)
        begin = now + again
        if own is not None and own > now:  # it came too early: its promise stays
            begin = own
        elif job.seconds > CHEAP_SECONDS:
            begin = max(begin, self._promised)
            self._promised = min(begin + self._pace(1.0) * job.seconds / workers, now + MAX_RETRY)
        if job.name:
            self._promises[job.name] = begin
            self._promises.move_to_end(job.name)
            while len(self._promises) > MAX_PROMISES:
                self._promises.popitem(last=False)
        return max(1, ceil(min(begin - now, MAX_RETRY)))
