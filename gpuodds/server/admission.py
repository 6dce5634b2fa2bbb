"""Admission control: whether a job can be answered in time, and if not, when to come again.

Each job has a price, the seconds of a worker that it is expected to take. A job is admitted if it ends
in time behind the jobs that run and those that wait before it. Others are refused at once, with the
seconds after which there is room: each question has its own time, so that a client that returns then
is admitted.
"""

from __future__ import annotations

import heapq
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Protocol

from gpuodds.server.problems import Problem

CHEAP_SECONDS = 0.5  # jobs up to this price have a worker of their own
# A job may wait for this share of its spare seconds: prices can be too low by several times.
SHARE = 0.3
LATEST = 0.6  # the share beyond which a waiting job is not overtaken by others
MAX_RETRY = 600.0  # seconds, the most that a client is sent away for
MAX_PROMISES = 1000
MEMORY = 0.9  # weight of what is known about the pace when another job ends
MIN_PACE, MAX_PACE = 0.25, 10.0


class Priced(Protocol):
    """What admission control knows of a job; see :class:`gpuodds.server.pool.Job`."""

    name: str
    price: float
    needs: float
    end: float
    key: float


@dataclass
class Lanes:
    """In how many seconds each worker is free: those for all jobs, and the one for cheap jobs."""

    general: list[float]
    cheap: float


class Admission:
    """Admits jobs, and learns from those that ended how far prices are off."""

    def __init__(self, max_waiting: int) -> None:
        """Admit at most ``max_waiting`` jobs to wait; a quarter of them is kept for cheap jobs."""
        self._max_waiting = max_waiting
        self._priced = self._taken = 0.0
        self._unknown = 3.0  # seconds priced, that stand for what is not measured yet
        self._promised = 0.0  # until when the workers' time is promised to those who come again
        self._promises: OrderedDict[str, float] = OrderedDict()

    @property
    def pace(self) -> float:
        """Seconds taken for each second priced, of late; 2 as long as nothing is known."""
        return self._pace(2.0)

    def _pace(self, unknown: float) -> float:
        pace = (self._taken + unknown * self._unknown) / (self._priced + self._unknown)
        return min(max(pace, MIN_PACE), MAX_PACE)

    def learn(self, price: float, taken: float) -> None:
        """Compare a job's price with the seconds that it took."""
        if price >= 0.1:
            self._priced = MEMORY * self._priced + price
            self._taken = MEMORY * self._taken + taken
            self._unknown *= MEMORY

    def remaining(self, job: Priced, elapsed: float, now: float) -> float:
        """Return the seconds that a running job is expected to take yet, at least a little."""
        left = max(self.pace * job.price - elapsed, 0.1 * elapsed, 0.02)
        return min(left, max(job.end - now, 0.02))

    def admit(self, job: Priced, now: float, lanes: Lanes, waiting: Sequence[Priced]) -> None:
        """Return if a job can be answered in time; its key grows where it would delay others too much.

        Args:
            job: The job that comes.
            now: The time, on the clock of ``job.end``.
            lanes: When the workers are free.
            waiting: The jobs that wait, in the order of their keys.

        Raises:
            Problem: It cannot; status 429, with the seconds after which to come again.
        """
        while True:
            before = [other for other in waiting if other.key <= job.key]
            after = waiting[len(before) :]
            starts = self._starts([*before, job, *after], now, lanes)
            late = [
                other
                for other, start in zip(after, starts[len(before) + 1 :], strict=True)
                if start > LATEST * self._left_over(other, now)
            ]
            if not late or starts[len(before)] == 0:
                break
            job.key = late[-1].key
        wait = starts[len(before)]
        is_cheap = job.price <= CHEAP_SECONDS
        alike = len(waiting) if is_cheap else sum(other.price > CHEAP_SECONDS for other in waiting)
        most = self._max_waiting - (0 if is_cheap else self._max_waiting // 4)
        full = wait > 0 and (len(waiting) >= self._max_waiting or alike >= most)
        slack = SHARE * self._left_over(job, now)
        if not full and wait <= slack:
            self._promises.pop(job.name, None)
            return
        # Half of the slack is left for those who come first, and for prices that are too low.
        again = max(wait - slack / 2, min(starts) if full else 0.0)
        reason = f"{len(waiting)} questions wait already" if full else "the workers are busy"
        raise self.refusal(job, now, again, lanes, reason)

    def is_late(self, job: Priced, now: float) -> bool:
        """Tell whether a job that begins now is not expected to end in time."""
        return self.pace * job.needs > job.end - now

    def refusal(self, job: Priced, now: float, again: float, lanes: Lanes, reason: str) -> Problem:
        """Return the problem that sends a job's client away for ``again`` seconds at least."""
        seconds = self._promise(job, now, again, len(lanes.general) or 1)
        return Problem(
            429,
            "busy",
            f"{reason}: ask again in {seconds} s",
            retry_after=seconds,
        )

    def _left_over(self, job: Priced, now: float) -> float:
        """Return the seconds to a job's end that it does not need itself."""
        return max(job.end - now - self.pace * job.needs, 0.0)

    def _starts(self, jobs: Iterable[Priced], now: float, lanes: Lanes) -> list[float]:
        """Return in how many seconds each job begins, if they come in this order."""
        general, cheap = list(lanes.general), lanes.cheap
        heapq.heapify(general)
        starts = []
        for job in jobs:
            is_cheap = job.price <= CHEAP_SECONDS and (not general or cheap <= general[0])
            start = cheap if is_cheap else general[0] if general else 0.0
            seconds = max(min(self.pace * job.price, job.end - now - start), 0.0)
            if is_cheap:
                cheap += seconds
            elif general:
                heapq.heapreplace(general, start + seconds)
            starts.append(start)
        return starts

    def _promise(self, job: Priced, now: float, again: float, workers: int) -> int:
        """Return after how many seconds a refused job is to come again."""
        own = self._promises.get(job.name)
        begin = now + again
        if own is not None and own > now:  # it came too early: what it was promised stays
            begin = own
        elif job.price > CHEAP_SECONDS:
            begin = max(begin, self._promised)
            self._promised = min(begin + self._pace(1.0) * job.price / workers, now + MAX_RETRY)
        if job.name:
            self._promises[job.name] = begin
            self._promises.move_to_end(job.name)
            while len(self._promises) > MAX_PROMISES:
                self._promises.popitem(last=False)
        return max(1, ceil(min(begin - now, MAX_RETRY)))
