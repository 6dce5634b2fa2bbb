"""A worker process: runs one computation after another, and stops those that are cancelled."""

from __future__ import annotations

import logging
import multiprocessing
import os
import threading
from contextlib import suppress
from math import inf
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import Any

from gpuodds.backends.choice import goes_to_gpu
from gpuodds.backends.compiling import watch_compiling
from gpuodds.basics.choices import BackendName
from gpuodds.errors import InputError
from gpuodds.machine.system import ignore_interrupts, return_memory
from gpuodds.server.messages import (
    Answer,
    CancelJob,
    Compiling,
    Context,
    Estimate,
    Event,
    Failure,
    FromJob,
    FromWorker,
    Loads,
    Notice,
    Progress,
    Ready,
    RunJob,
    Unready,
)
from gpuodds.server.problems import Problem, as_problem

PROGRESS_SECONDS = 0.2  # at least, between two progress events


class Pipe:
    """The worker's end of the pipe; several threads may send."""

    def __init__(self, connection: Connection) -> None:
        """Take the connection."""
        self._connection, self._lock = connection, threading.Lock()
        self.receive, self.has_message = connection.recv, connection.poll

    def send(self, message: FromWorker) -> None:
        """Send a message."""
        with self._lock:
            self._connection.send(message)


class CancelledError(Exception):
    """The server has cancelled the computation."""


def serve(connection: Connection, threads: int, backend: BackendName, niceness: int) -> None:
    """Warm up, then run jobs from a connection until it closes.

    Args:
        connection: Takes :data:`gpuodds.server.messages.ToWorker`, gives ``FromWorker``.
        threads: Threads of each computation.
        backend: ``auto``, ``cpu`` or ``cuda``.
        niceness: By how much the process stands back where there are too few cores.
    """
    if hasattr(os, "nice"):  # not on Windows
        os.nice(niceness)
    ignore_interrupts()
    pipe = Pipe(connection)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    os.environ["GPUODDS_THREADS"] = str(threads)
    logging.getLogger("gpuodds").addHandler(logging.NullHandler())
    with suppress(EOFError, OSError):  # the server has gone
        try:
            with _CompilingReported(pipe):
                _warm_up(backend)
            has_gpu = backend != "cpu" and goes_to_gpu(backend, inf)
        except Exception as error:
            pipe.send(Unready(str(error) or type(error).__name__))
            return
        watch_compiling(lambda begins: pipe.send(Loads(begins)))
        pipe.send(Ready(has_gpu))
        while True:
            message = pipe.receive()
            if isinstance(message, RunJob):
                _Run(pipe, message, backend).run()


def _end_with_parent() -> None:
    """End this process when the server's process has ended, also in the middle of a computation."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


class _CompilingReported(logging.Handler):
    """Reports to the server that functions are compiled rather than loaded."""

    def __init__(self, pipe: Pipe) -> None:
        super().__init__()
        self._pipe = pipe
        self._logger = logging.getLogger("gpuodds")

    def __enter__(self) -> None:
        self._logger.addHandler(self)
        self._level = self._logger.level
        self._logger.setLevel(logging.INFO)

    def __exit__(self, *error: object) -> None:
        self._logger.setLevel(self._level)
        self._logger.removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Report a record of the compiler's."""
        from gpuodds.backends.compiling import COMPILING, COMPILING_EACH_TIME, NOT_KEPT, UNSAFE

        if record.msg in (COMPILING, COMPILING_EACH_TIME):
            self._pipe.send(Compiling(is_cached=record.msg == COMPILING))
        elif record.msg in (NOT_KEPT, UNSAFE):
            self._pipe.send(Notice(record.getMessage()))


class _Run:
    """One job: its computation, and its events on the connection."""

    def __init__(self, pipe: Pipe, job: RunJob, backend: BackendName) -> None:
        self._pipe, self._job = pipe, job
        self._backend: BackendName = backend
        self._last_progress = monotonic()

    def run(self) -> None:
        """Run the computation, and send its last event."""
        try:
            self._run()
        finally:
            if self._job.has_lists:
                return_memory()

    def _run(self) -> None:
        computation = self._job.computation
        context = Context(
            self._backend,
            self._job.seconds_left,
            self._emit,
            self._progress,
            self._stop_if_cancelled,
        )
        try:
            self._send(Answer(computation.run(context)))
        except CancelledError:
            self._send(Failure(Problem(503, "stopping", "the computation was stopped")))
        except (InputError, Problem) as error:
            self._send(Failure(as_problem(error)))
        except MemoryError:
            self._send(Failure(Problem(500, "fault", "out of memory")))
        except Exception as error:
            logging.getLogger("gpuodds.server").exception("job %s", computation.kind)
            self._send(Failure(Problem(500, "fault", type(error).__name__)))

    def _emit(self, estimate: Estimate) -> None:
        self._stop_if_cancelled()
        self._send(estimate)

    def _progress(self, fraction: float) -> None:
        self._stop_if_cancelled()
        if monotonic() - self._last_progress > PROGRESS_SECONDS:
            self._last_progress = monotonic()
            self._send(Progress(fraction))

    def _send(self, event: Event | Failure) -> None:
        self._pipe.send(FromJob(self._job.number, event))

    def _stop_if_cancelled(self) -> None:
        while self._pipe.has_message():
            message: Any = self._pipe.receive()
            if message == CancelJob(self._job.number):
                raise CancelledError


def _warm_up(backend: BackendName) -> None:
    """Compile or load all functions, so that the first request of each kind does not wait."""
    from gpuodds.first_use import HOLDEM

    for questions in HOLDEM:
        questions.ask(backend)
