"""Worker processes, a bounded queue before them, and a way to stop what nobody wants any more.

A worker is told to stop and given a second; one that does not is killed and another started. So is
one whose process ends: that costs the job it had, and nothing else.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import multiprocessing
import signal
import threading
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import Any

from gpuodds.server import work
from gpuodds.server.problems import Problem

GRACE = 1.0  # seconds between being told to stop and being killed
RESTART_SECONDS = 1.0  # before a process that ended while it warmed up is replaced
COMPILE_SECONDS = 40  # about; on one core of 2023
LAST = ("answer", "error", "fault", "cancelled")
LOG = logging.getLogger("gpuodds.server")


@dataclass
class Job:
    """A piece of work: events come through the queue, the last one an answer or a failure.

    ``end`` is when an answer has to be there, on the loop's clock. The worker finds the seconds that
    are left when it begins in its payload, as ``seconds_left``.
    """

    number: int
    kind: str
    payload: Any
    end: float | None = None
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

    def __init__(self, pool: Pool) -> None:
        """Start the process."""
        self._pool = pool
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
        self._number, self._most = workers, queue
        self._numbers = itertools.count(1)
        self._waiting: deque[Job] = deque()
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
        number = 0 if self._closing else self._number if self.warm else 1
        while len(self._workers) < number:
            self._workers.append(Worker(self))

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
            headers={"Retry-After": str(seconds)},
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
        """How many processes are ready."""
        return sum(worker.ready for worker in self._workers)

    def submit(self, kind: str, payload: Any, end: float | None = None) -> Job:
        """Queue a job, to be answered before ``end`` on the loop's clock.

        Raises:
            Problem: The queue is full, or the server is stopping or warming up.
        """
        self.check_warm()
        if self._closing:
            raise Problem(503, "stopping", "the server is stopping")
        if len(self._waiting) >= self._most:
            raise Problem(429, "busy", f"{self._most} questions wait already", headers=RETRY)
        job = Job(next(self._numbers), kind, payload, end)
        self._waiting.append(job)
        self._dispatch()
        return job

    def cancel(self, job: Job) -> None:
        """Stop a job; its last event is "cancelled", unless it has had one."""
        if job.done:
            return
        if job in self._waiting:
            self._waiting.remove(job)
        elif job.worker is not None:
            worker = job.worker
            worker.send("cancel", job.number)
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
        for worker in self._workers:
            if not self._waiting:
                return
            if worker.ready and worker.job is None:
                job = self._waiting.popleft()
                worker.job, job.worker = job, worker
                payload = job.payload
                if job.end is not None:
                    payload = {**payload, "seconds_left": max(0.0, job.end - self.loop.time())}
                worker.send("job", job.number, job.kind, payload)

    async def stop(self, grace: float) -> None:
        """Take no more jobs, let those that run end for so many seconds, then stop them."""
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
RETRY = {"Retry-After": "1"}
