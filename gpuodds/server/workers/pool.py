"""Worker processes, and the queue before them.

The queue is ordered by arrival plus the seconds that a job is expected to take, the first of them
tenfold: cheap jobs overtake expensive ones, but each for at most two seconds more than it takes. One
worker beyond the number asked for takes only cheap jobs, so that they are answered while all others
compute expensive ones.

A worker that does not stop within some seconds of a cancellation is killed and replaced, unless it
compiles or loads code: the next job needs that as well. While a worker compiles, the others take no
jobs of its games. A worker whose process ends costs the job it had, and nothing else.

The lists of combos of all jobs that run have one budget: a job that does not fit beside the others
waits.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from bisect import insort
from collections.abc import AsyncIterator
from math import inf
from typing import Any

from gpuodds.basics.choices import BackendName
from gpuodds.methods.method import Machine
from gpuodds.server.messages import (
    Answer,
    CancelJob,
    Compiling,
    Computation,
    Event,
    Failure,
    FromJob,
    FromWorker,
    Loads,
    Notice,
    Ready,
    RunJob,
    Unready,
)
from gpuodds.server.problems import Problem, warming_up
from gpuodds.server.workers.admission import CHEAP_SECONDS, Admission, Lanes
from gpuodds.server.workers.jobs import Failed, Job, JobEvent, cancelled
from gpuodds.server.workers.worker import COMPILING, COMPILING_EACH_TIME, IT_COMPILES, Worker

OVERTAKING, OVERTAKEN_SECONDS = 10.0, 2.0
GRACE = 5.0  # seconds between a cancellation and killing the worker
STOP_SECONDS = 0.5  # in which a worker is expected to stop
RESTART_SECONDS = 1.0  # before a process that ended while it warmed up is replaced
END_SECONDS = 1.0  # in which killed processes end
START_SECONDS = 3.0  # that a worker takes to start, until one has
JOB_SECONDS = 30.0  # in which a job has to end by default
WAITED_SECONDS = 0.1  # after which a job that starts has waited
LOG = logging.getLogger("gpuodds.server")


class Pool:
    """The worker processes and their queue. It belongs to one event loop."""

    def __init__(
        self,
        workers: int,
        threads: int,
        max_waiting: int,
        backend: BackendName,
        memory_bytes: int = 1 << 30,
    ) -> None:
        """Set up an empty pool.

        Args:
            workers: Worker processes, without the one for cheap jobs.
            threads: Threads of each.
            max_waiting: Jobs that may wait.
            backend: ``auto``, ``cpu`` or ``cuda``.
            memory_bytes: Bytes that the lists of combos of all jobs that run may take.
        """
        self.threads, self._memory_bytes = threads, memory_bytes
        self.backend: BackendName = backend
        self._size, self._admission = workers, Admission(max_waiting)
        self._numbers = itertools.count(1)
        self._waiting: list[Job] = []
        self._workers: list[Worker] = []
        self._start_seconds = START_SECONDS  # that the last worker took
        self._is_closing = False
        self._is_hurried = False
        self.restarts = 0
        self.is_warm = False
        """Whether a process has been ready."""
        self.is_compiling = False
        """Whether the first process compiles, rather than loads."""
        self._has_gpu = backend.startswith("cuda")
        self._notices: set[str] = set()
        self.unready_reason = ""
        """Why the last process that could not start did not."""
        self.loop = asyncio.get_running_loop()

    def start(self) -> None:
        """Start one process; the others follow when it is ready, and load what it has compiled."""
        self._start_missing()

    def _start_missing(self) -> None:
        if self._is_closing:
            return
        general = [worker for worker in self._workers if not worker.is_cheap_only]
        for _ in range(len(general), self._size if self.is_warm else 1):
            self._start_worker(is_cheap_only=False)
        # The worker for cheap jobs starts last, so as not to delay the others.
        if self.ready == self._size and len(general) == len(self._workers):
            self._start_worker(is_cheap_only=True)

    def _start_worker(self, *, is_cheap_only: bool) -> None:
        def receive(worker: Worker, message: FromWorker | None) -> None:
            self.loop.call_soon_threadsafe(self.on_message, worker, message)

        worker = Worker(self.threads, self.backend, receive, is_cheap_only=is_cheap_only)
        worker.started = self.loop.time()
        self._workers.append(worker)

    def check_warm(self) -> None:
        """Refuse a request that needs a worker before the first one is ready.

        Raises:
            Problem: No worker has been ready: status 503, with the seconds after which to retry.
        """
        if self.is_warm or self._is_closing:
            return
        reason = self.unready_reason or (IT_COMPILES if self.is_compiling else "")
        raise warming_up(reason, self.retry_seconds)

    @property
    def retry_seconds(self) -> int:
        """Seconds after which to retry while the server warms up."""
        return 5 if self.is_compiling else 1

    @property
    def machine(self) -> Machine:
        """What a worker counts on; with ``auto`` no GPU is known before the first one is ready."""
        return Machine(self.threads, self._has_gpu)

    @property
    def waiting(self) -> int:
        """Number of jobs in the queue."""
        return len(self._waiting)

    @property
    def running(self) -> int:
        """Number of jobs in worker processes."""
        return sum(worker.job is not None for worker in self._workers)

    @property
    def ready(self) -> int:
        """Number of workers that are ready, without the one for cheap jobs."""
        return sum(worker.is_ready for worker in self._workers if not worker.is_cheap_only)

    @property
    def processes(self) -> int:
        """Number of workers that are ready."""
        return sum(worker.is_ready for worker in self._workers)

    @property
    def bytes(self) -> int:
        """Memory that the lists of combos of all jobs that run may take."""
        return sum(worker.job.bytes for worker in self._workers if worker.job is not None)

    def submit(
        self,
        computation: Computation[Any],
        ends_at: float | None = None,
        *,
        seconds: float = 0.0,
        min_seconds: float | None = None,
        bytes: int = 0,
        name: str = "",
    ) -> Job:
        """Queue a job.

        Args:
            computation: What to run in a worker process.
            ends_at: When the answer has to be there, on the event loop's clock.
            seconds: Seconds that it is expected to take.
            min_seconds: Seconds before ``ends_at`` without which there is no answer; default: all.
            bytes: Memory that its lists of combos take.
            name: The same for the same request, so that each refusal gives it the same time.

        Raises:
            Problem: It cannot be answered in time, or the server is stopping or warming up.
        """
        self.check_warm()
        if self._is_closing:
            raise Problem(503, "stopping", "the server is stopping")
        now = self.loop.time()
        job = Job(
            next(self._numbers),
            computation,
            now + JOB_SECONDS if ends_at is None else ends_at,
            seconds=seconds,
            min_seconds=seconds if min_seconds is None else min_seconds,
            bytes=bytes,
            queue_key=now + min(OVERTAKING * seconds, seconds + OVERTAKEN_SECONDS),
            name=name,
            arrived=now,
        )
        self._admission.admit(job, now, self._lanes(now), self._waiting)
        insort(self._waiting, job, key=lambda job: job.queue_key)
        self._dispatch()
        return job

    def _lanes(self, now: float) -> Lanes:
        def ready_in(worker: Worker) -> float:
            passed = now - worker.started
            return max(self._start_seconds - passed, 0.1 * passed, 0.02)

        def free_in(worker: Worker) -> float:
            if worker.job is None:
                return 0.0 if worker.is_ready else ready_in(worker)
            if worker.job.is_done:
                return STOP_SECONDS
            return self._admission.remaining(worker.job, now - worker.job.started, now)

        cheap = [free_in(worker) for worker in self._workers if worker.is_cheap_only]
        general = [free_in(worker) for worker in self._workers if not worker.is_cheap_only]
        start = [
            ready_in(worker)
            for worker in self._workers
            if not worker.is_ready and not worker.is_cheap_only
        ]
        return Lanes(general, min(cheap, default=self._start_seconds), min(start, default=inf))

    def cancel(self, job: Job) -> None:
        """Stop a job; its last event is a failure, unless it has had its last."""
        if job.is_done:
            return
        worker = next((worker for worker in self._workers if worker.job is job), None)
        if job in self._waiting:
            self._waiting.remove(job)
        elif worker is not None:
            worker.send(CancelJob(job.number))
            elapsed = self.loop.time() - job.started
            if elapsed > job.seconds:  # it takes at least this long
                self._admission.learn(job.seconds, elapsed)
            self.loop.call_later(GRACE, self._kill_if_still_at, worker, job)
        job.finish(cancelled())

    async def events(self, job: Job) -> AsyncIterator[JobEvent]:
        """Give a job's events up to its last."""
        while True:
            event = await job.events.get()
            yield event
            if isinstance(event, Answer | Failed):
                return

    def on_message(self, worker: Worker, message: FromWorker | None) -> None:
        """Handle a message of a worker, or None when its process has ended."""
        match message:
            case None:
                self._replace(worker)
                return
            case FromJob(number, event):
                if worker.job is not None and worker.job.number == number:
                    self._on_event(worker, worker.job, event)
            case Ready(has_gpu):
                self._has_gpu |= has_gpu
                if self.is_warm or not self.is_compiling:  # the first may have compiled
                    self._start_seconds = self.loop.time() - worker.started
                worker.is_ready = self.is_warm = True
                self._start_missing()
            case Compiling(is_cached):
                if not self.is_compiling:
                    LOG.warning(COMPILING if is_cached else COMPILING_EACH_TIME)
                self.is_compiling = True
            case Loads(begins):
                worker.loads, worker.loaded = begins, self.loop.time()
            case Notice(text):
                if text not in self._notices:  # every worker may send it
                    self._notices.add(text)
                    LOG.warning(text)
            case Unready(reason):
                self.unready_reason = f"a worker process cannot start: {reason}"
                LOG.warning(self.unready_reason)
        self._dispatch()

    def _on_event(self, worker: Worker, job: Job, event: Event | Failure) -> None:
        """Hand on an event of the job that a worker runs; after the last one the worker is free."""
        match event:
            case Answer():
                worker.job = None
                if not job.is_done:
                    expected = min(job.seconds, job.ends_at - job.started)
                    self._admission.learn(expected, self.loop.time() - job.started)
                job.finish(event)
            case Failure(problem):
                worker.job = None
                job.finish(Failed(problem))
            case _:
                job.add(event)

    def _replace(self, worker: Worker) -> None:
        if worker not in self._workers:
            return
        self._workers.remove(worker)
        if worker.job is not None:
            worker.job.finish(Failed(Problem(500, "fault", "the process that computed it has ended")))
            worker.job = None
        worker.process.join(0)
        if not self._is_closing:
            self.restarts += 1
            LOG.warning("a worker process has ended; starting another")
            if worker.is_ready:
                self._start_missing()
            else:
                self.loop.call_later(RESTART_SECONDS, self._start_missing)
            self._dispatch()

    def _kill_if_still_at(self, worker: Worker, job: Job) -> None:
        """Kill a worker that has not stopped at a job, but not for the time that it loads code."""
        if worker.job is not job:
            return
        since = self.loop.time() - worker.loaded
        if worker.loads or since < GRACE:
            self.loop.call_later(GRACE, self._kill_if_still_at, worker, job)
        else:
            worker.kill()

    def _dispatch(self) -> None:
        """Give waiting jobs to free workers.

        A worker that was killed may still have sent its last event: it takes no more jobs.
        """
        free = [
            worker
            for worker in self._workers
            if worker.is_ready and worker.job is None and not worker.is_killed
        ]
        # Cheap jobs go to the worker that takes nothing else, as long as it is free.
        free.sort(key=lambda worker: not worker.is_cheap_only)
        is_full = False  # a job waits for memory: those behind it do not take what becomes free
        for job in list(self._waiting):
            if not free:
                return
            is_full = is_full or not self._has_memory(job)
            if (job.bytes and is_full) or self._is_compiled_for(job):
                continue
            is_cheap = job.seconds <= CHEAP_SECONDS
            worker = next(
                (candidate for candidate in free if is_cheap or not candidate.is_cheap_only), None
            )
            if worker is None:
                continue
            self._waiting.remove(job)
            if not self._refuse_if_late(job):
                free.remove(worker)
                self._run(worker, job)

    def _has_memory(self, job: Job) -> bool:
        """Return whether a job's lists fit beside those of the jobs that run."""
        used = self.bytes
        return not job.bytes or not used or used + job.bytes <= self._memory_bytes

    def _is_compiled_for(self, job: Job) -> bool:
        """Return whether a worker compiles code for the same games, as the job might have to again."""
        running = [worker.job for worker in self._workers if worker.loads and worker.job is not None]
        return any(other.family == job.family for other in running)

    def _refuse_if_late(self, job: Job) -> bool:
        """Refuse a job that has waited too long: it would be computed in vain, and delay the next."""
        now = self.loop.time()
        if now - job.arrived <= WAITED_SECONDS or not self._admission.is_late(job, now):
            return False
        again = self._admission.pace * job.seconds
        reason = "the workers are slower than expected"
        job.finish(Failed(self._admission.refusal(job, now, again, self._lanes(now), reason)))
        return True

    def _run(self, worker: Worker, job: Job) -> None:
        worker.job, job.started = job, self.loop.time()
        seconds_left = max(0.0, job.ends_at - job.started)
        worker.send(RunJob(job.number, job.computation, seconds_left, job.bytes > 0))

    async def stop(self, grace: float) -> None:
        """Take no more jobs, give running ones ``grace`` seconds to end, then stop them."""
        self._is_closing = True
        for job in list(self._waiting):
            self.cancel(job)
        end = self.loop.time() + grace
        while self.running and not self._is_hurried and self.loop.time() < end:
            await asyncio.sleep(0.02)
        for worker in self._workers:
            if worker.job is not None:
                worker.job.finish(cancelled())

    def hurry(self) -> None:
        """Do not wait for running jobs to end; may be called by a signal's handler."""
        self._is_hurried = True

    async def close(self) -> None:
        """End all processes."""
        self._is_closing = True
        for worker in self._workers:
            worker.kill()
        end = self.loop.time() + END_SECONDS
        while any(worker.process.is_alive() for worker in self._workers):
            if self.loop.time() > end:
                return
            await asyncio.sleep(0.01)
