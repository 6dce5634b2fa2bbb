"""Worker processes, a queue before them that admits what can be answered in time, a way to stop jobs.

The queue is ordered by arrival plus price: cheap jobs overtake expensive ones, but each job only for as
many seconds as it is priced at. One worker more than asked for takes cheap jobs alone, so that they
are answered while all others compute long.

A worker that is asked to stop has a second; one that does not stop is killed and another started. So is
one whose process ends: that costs the job it had, and nothing else.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import multiprocessing
import signal
import threading
from bisect import insort
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import Any

from gpuodds.server import work
from gpuodds.server.admission import CHEAP_SECONDS, Admission, Lanes
from gpuodds.server.problems import Problem

GRACE = 1.0  # seconds between being told to stop and being killed
RESTART_SECONDS = 1.0  # before a process that ended while it warmed up is replaced
COMPILE_SECONDS = 40  # about; on one core of 2023
START_SECONDS = 3.0  # that a worker takes to start, about
JOB_SECONDS = 30.0  # in which a job has to end where no other time is given
LAST = ("answer", "error", "fault", "cancelled", "busy")
WAITED_SECONDS = 0.1  # after which a job that begins has waited
LOG = logging.getLogger("gpuodds.server")


@dataclass
class Job:
    """A piece of work: events come through the queue, the last one an answer or a failure.

    ``end`` is when an answer has to be there, on the loop's clock. The worker finds the seconds that
    are left when it begins in the payload of an "equity" job, as ``seconds_left``. ``price`` is the
    seconds that the job is expected to take, ``needs`` those without which there is no answer, ``key``
    its place in the queue, and ``name`` is the same for the same question.
    """

    number: int
    kind: str
    payload: Any
    end: float
    price: float = 0.0
    needs: float = 0.0
    key: float = 0.0
    name: str = ""
    arrived: float = 0.0
    begun: float = 0.0
    events: asyncio.Queue[tuple[str, Any]] = field(default_factory=asyncio.Queue)
    worker: Worker | None = None
    done: bool = False

    def finish(self, name: str, value: Any) -> None:
        """Give the last event."""
        if not self.done:
            self.done = True
            self.events.put_nowait((name, value))


class Worker:
    """A process, the pipe to it, and a thread that reads the pipe."""

    def __init__(self, pool: Pool, *, cheap_only: bool = False) -> None:
        """Start the process; ``cheap_only`` is for the one that takes cheap jobs alone."""
        self._pool, self.cheap_only = pool, cheap_only
        self.job: Job | None = None
        self.ready = False
        context = multiprocessing.get_context("spawn")
        self._connection, other = context.Pipe()
        self.process = context.Process(
            target=work.serve, args=(other, pool.threads, pool.backend), daemon=True
        )
        with _interrupts_blocked():
            self.process.start()
        other.close()
        threading.Thread(target=self._read, args=(self._connection,), daemon=True).start()

    def _read(self, connection: Connection) -> None:
        message: Any = ()
        while message is not None:
            try:
                message = connection.recv()
            except (EOFError, OSError):
                message = None
            try:
                self._pool.loop.call_soon_threadsafe(self._pool.on_message, self, message)
            except RuntimeError:  # the loop has ended
                break
        connection.close()

    def send(self, *message: Any) -> None:
        """Send a message; a process that has ended shows by its pipe."""
        with suppress(OSError, ValueError):
            self._connection.send(message)

    def kill(self) -> None:
        """End the process at once; the thread that reads its pipe closes that."""
        self.process.kill()


class Pool:
    """The workers and their queue. It belongs to one event loop."""

    def __init__(self, workers: int, threads: int, queue: int, backend: str) -> None:
        """Take the numbers of processes, of threads in each, and of jobs that may wait."""
        self.threads, self.backend = threads, backend
        self._number, self._admission = workers, Admission(queue)
        self._numbers = itertools.count(1)
        self._waiting: list[Job] = []
        self._workers: list[Worker] = []
        self._closing = False
        self._hurried = False
        self.restarts = 0
        self.warm = False  # whether a process has been ready
        self.compiling = False  # whether the first of them compiles, rather than loads
        self.unready = ""  # why the last that could not start did not
        self.loop = asyncio.get_running_loop()

    def start(self) -> None:
        """Start a process; the others follow when it is ready, and load what it has compiled."""
        self._start_missing()

    def _start_missing(self) -> None:
        if self._closing:
            return
        general = [worker for worker in self._workers if not worker.cheap_only]
        for _ in range(len(general), self._number if self.warm else 1):
            self._workers.append(Worker(self))
        # The one for cheap jobs starts last, so that the others do not start later for it.
        if self.ready == self._number and len(general) == len(self._workers):
            self._workers.append(Worker(self, cheap_only=True))

    def check_warm(self) -> None:
        """Refuse a question that needs a process before the first of them is ready.

        Raises:
            Problem: It is not.
        """
        if self.warm or self._closing:
            return
        seconds = self.retry_seconds
        compiling = f"it compiles for this machine, about {COMPILE_SECONDS} s" if self.compiling else ""
        why = self.unready or compiling
        raise Problem(
            503,
            "warming-up",
            f"the server is warming up{f' ({why})' if why else ''}: ask again in {seconds} s",
            retry_after=seconds,
        )

    @property
    def retry_seconds(self) -> int:
        """In how many seconds to ask again while the server warms up."""
        return 5 if self.compiling else 1

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return len(self._waiting)

    @property
    def running(self) -> int:
        """How many jobs are worked on."""
        return sum(worker.job is not None for worker in self._workers)

    @property
    def ready(self) -> int:
        """How many processes are ready, without the one that takes cheap jobs alone."""
        return sum(worker.ready for worker in self._workers if not worker.cheap_only)

    @property
    def processes(self) -> int:
        """How many processes are ready."""
        return sum(worker.ready for worker in self._workers)

    def submit(
        self,
        kind: str,
        payload: Any,
        end: float | None = None,
        *,
        price: float = 0.0,
        needs: float | None = None,
        name: str = "",
    ) -> Job:
        """Queue a job.

        Args:
            kind: One of :data:`gpuodds.server.work.JOBS`.
            payload: What that job takes.
            end: When an answer has to be there, on the loop's clock.
            price: Seconds that a worker is expected to take.
            needs: Seconds before ``end`` without which there is no answer; all of them by default.
            name: The same for the same question, so that each refusal gives it the same time.

        Raises:
            Problem: It cannot be answered in time, or the server is stopping or warming up.
        """
        self.check_warm()
        if self._closing:
            raise Problem(503, "stopping", "the server is stopping")
        now = self.loop.time()
        job = Job(
            next(self._numbers),
            kind,
            payload,
            now + JOB_SECONDS if end is None else end,
            price,
            price if needs is None else needs,
            now + price,
            name,
            now,
        )
        self._admission.admit(job, now, self._lanes(now), self._waiting)
        insort(self._waiting, job, key=lambda job: job.key)
        self._dispatch()
        return job

    def _lanes(self, now: float) -> Lanes:
        def free_in(worker: Worker) -> float:
            if worker.job is None:
                return 0.0 if worker.ready else START_SECONDS
            if worker.job.done:
                return GRACE / 2
            return self._admission.remaining(worker.job, now - worker.job.begun, now)

        cheap = [free_in(worker) for worker in self._workers if worker.cheap_only]
        general = [free_in(worker) for worker in self._workers if not worker.cheap_only]
        return Lanes(general, min(cheap, default=START_SECONDS))

    def cancel(self, job: Job) -> None:
        """Stop a job; its last event is "cancelled", unless it has had one."""
        if job.done:
            return
        if job in self._waiting:
            self._waiting.remove(job)
        elif job.worker is not None:
            worker = job.worker
            worker.send("cancel", job.number)
            elapsed = self.loop.time() - job.begun
            if elapsed > job.price:  # at least so long
                self._admission.learn(job.price, elapsed)
            self.loop.call_later(GRACE, self._kill_if_at, worker, job)
        job.finish("cancelled", None)

    async def events(self, job: Job) -> AsyncIterator[tuple[str, Any]]:
        """Give a job's events up to its last."""
        while True:
            name, value = await job.events.get()
            yield name, value
            if name in LAST:
                return

    def on_message(self, worker: Worker, message: Any) -> None:
        """Take a message of a worker, or None when its process has ended."""
        if message is None:
            self._replace(worker)
            return
        number, name, value = message
        if name == "ready":
            worker.ready = self.warm = True
            self._start_missing()
        elif name == "compiling":
            if not self.compiling:
                LOG.warning(COMPILING if value else COMPILING_EACH_TIME)
            self.compiling = True
        elif name == "note":
            LOG.warning(value)
        elif name == "unready":
            self.unready = f"a worker process cannot start: {value}"
            LOG.warning(self.unready)
        job = worker.job
        if job is not None and job.number == number:
            if name in LAST:
                worker.job = None
                if name == "answer" and not job.done:
                    priced = min(job.price, job.end - job.begun)
                    self._admission.learn(priced, self.loop.time() - job.begun)
                job.finish(name, value)
            elif not job.done:
                job.events.put_nowait((name, value))
        self._dispatch()

    def _replace(self, worker: Worker) -> None:
        if worker not in self._workers:
            return
        self._workers.remove(worker)
        if worker.job is not None:
            worker.job.finish("fault", "the process that computed it has ended")
            worker.job = None
        worker.process.join(0)
        if not self._closing:
            self.restarts += 1
            LOG.warning("a worker process has ended; starting another")
            if worker.ready:
                self._start_missing()
            else:
                self.loop.call_later(RESTART_SECONDS, self._start_missing)
            self._dispatch()

    def _kill_if_at(self, worker: Worker, job: Job) -> None:
        if worker.job is job:
            worker.kill()

    def _dispatch(self) -> None:
        free = [worker for worker in self._workers if worker.ready and worker.job is None]
        # Cheap jobs go to the worker that takes nothing else, as long as it is free.
        free.sort(key=lambda worker: not worker.cheap_only)
        for job in list(self._waiting):
            if not free:
                return
            is_cheap = job.price <= CHEAP_SECONDS
            worker = next((one for one in free if is_cheap or not one.cheap_only), None)
            if worker is None:
                continue
            self._waiting.remove(job)
            now = self.loop.time()
            if now - job.arrived > WAITED_SECONDS and self._admission.is_late(job, now):
                # Others took longer than priced. Computed in vain, it would make the next one late.
                again = self._admission.pace * job.price
                reason = "the workers are slower than expected"
                problem = self._admission.refusal(job, now, again, self._lanes(now), reason)
                job.finish("busy", problem)
                continue
            free.remove(worker)
            worker.job, job.worker, job.begun = job, worker, self.loop.time()
            payload = job.payload
            if job.kind == "equity":
                payload = {**payload, "seconds_left": max(0.0, job.end - job.begun)}
            worker.send("job", job.number, job.kind, payload)

    async def stop(self, grace: float) -> None:
        """Take no more jobs, give those that run ``grace`` seconds to end, then stop them."""
        self._closing = True
        for job in list(self._waiting):
            self.cancel(job)
        end = self.loop.time() + grace
        while self.running and not self._hurried and self.loop.time() < end:
            await asyncio.sleep(0.02)
        for worker in self._workers:
            if worker.job is not None:
                worker.job.finish("cancelled", None)

    def hurry(self) -> None:
        """Do not wait for running jobs to end; may be called by a signal's handler."""
        self._hurried = True

    async def close(self) -> None:
        """End all processes."""
        self._closing = True
        for worker in self._workers:
            worker.kill()
        for worker in self._workers:
            await asyncio.to_thread(worker.process.join, 2)


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach: the server hears it, and ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # starting it would unblock them
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


COMPILING = f"compiling for this machine, once: about {COMPILE_SECONDS} s"
COMPILING_EACH_TIME = (
    f"compiling, about {COMPILE_SECONDS} s, at each start and in each process: no folder that could "
    "keep the compiled code is writable; point NUMBA_CACHE_DIR at one that is"
)
