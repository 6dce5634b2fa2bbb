"""Worker processes, a bounded queue before them, and a way to stop what nobody wants any more.

A worker is told to stop and given a second; one that does not is killed and another started. So is
one whose process ends: that costs the job it had, and nothing else.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import multiprocessing
import threading
from collections import deque
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from gpuodds.server import work
from gpuodds.server.problems import Problem

GRACE = 1.0  # seconds between being told to stop and being killed
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
        self.process.start()
        other.close()
        threading.Thread(target=self._read, args=(self._connection,), daemon=True).start()

    def _read(self, connection: Connection) -> None:
        while True:
            try:
                message = connection.recv()
            except (EOFError, OSError):
                message = None
            try:
                self._pool.loop.call_soon_threadsafe(self._pool.on_message, self, message)
            except RuntimeError:  # the loop has ended
                return
            if message is None:
                return

    def send(self, *message: Any) -> None:
        """Send a message; a process that has ended shows by its pipe."""
        with suppress(OSError, ValueError):
            self._connection.send(message)

    def kill(self) -> None:
        """End the process at once."""
        self.process.kill()
        self._connection.close()


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
        self.restarts = 0
        self.loop = asyncio.get_running_loop()

    def start(self) -> None:
        """Start the processes."""
        self._workers = [Worker(self) for _ in range(self._number)]

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
            Problem: The queue is full, or the server is stopping.
        """
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
            worker.ready = True
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
            self._workers.append(Worker(self))
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

    async def close(self, grace: float) -> None:
        """Let running jobs end for so many seconds, then end all processes."""
        self._closing = True
        for job in list(self._waiting):
            self.cancel(job)
        end = self.loop.time() + grace
        while self.running and self.loop.time() < end:
            await asyncio.sleep(0.02)
        for worker in self._workers:
            if worker.job is not None:
                worker.job.finish("cancelled", None)
            worker.kill()
        for worker in self._workers:
            await asyncio.to_thread(worker.process.join, 2)


RETRY = {"Retry-After": "1"}
