"""The server's side of a worker process."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from contextlib import suppress
from math import inf
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from gpuodds.basics.choices import BackendName
from gpuodds.machine.system import interrupts_blocked
from gpuodds.server.messages import FromWorker, ToWorker
from gpuodds.server.workers import worker_process

if TYPE_CHECKING:
    from gpuodds.server.workers.jobs import Job


NICENESS = 5  # of workers that take requests of any cost
COMPILE_SECONDS = 40  # about; on one core of 2023
IT_COMPILES = f"it compiles for this machine, about {COMPILE_SECONDS} s"
COMPILING = f"compiling for this machine, once: about {COMPILE_SECONDS} s"
COMPILING_EACH_TIME = (
    f"compiling, about {COMPILE_SECONDS} s, at each start and in each process: no folder that could "
    "keep the compiled code is writable; point NUMBA_CACHE_DIR at one that is"
)


class Worker:
    """A worker process, the pipe to it, and a thread that reads the pipe."""

    def __init__(
        self,
        threads: int,
        backend: BackendName,
        receive: Callable[[Worker, FromWorker | None], None],
        *,
        is_cheap_only: bool = False,
    ) -> None:
        """Start the process.

        Args:
            threads: Threads of each computation.
            backend: ``auto``, ``cpu`` or ``cuda``.
            receive: Called in the reading thread with each message, and with None at the process's end.
            is_cheap_only: Whether it takes cheap jobs alone.
        """
        self._receive, self.is_cheap_only = receive, is_cheap_only
        self.job: Job | None = None
        self.started = 0.0
        """When the process was started, on the event loop's clock; the pool sets it."""
        self.is_ready = False
        self.loads = False
        """Whether it compiles or loads code."""
        self.loaded = -inf
        """When it last ended to, on the event loop's clock."""
        self.is_killed = False
        # The server and cheap requests come first: they need little.
        niceness = 0 if is_cheap_only else NICENESS
        context = multiprocessing.get_context("spawn")
        self._connection, other = context.Pipe()
        self.process = context.Process(
            target=worker_process.serve, args=(other, threads, backend, niceness), daemon=True
        )
        with interrupts_blocked():  # the server receives Ctrl-C, and ends them
            self.process.start()
        other.close()
        threading.Thread(target=self._read, args=(self._connection,), daemon=True).start()

    def _read(self, connection: Connection) -> None:
        message: FromWorker | None
        while True:
            try:
                message = connection.recv()
            except (EOFError, OSError):
                message = None
            try:
                self._receive(self, message)
            except RuntimeError:  # the event loop has ended
                break
            if message is None:
                break
        connection.close()

    def send(self, message: ToWorker) -> None:
        """Send a message; an ended process shows in the reading thread."""
        with suppress(OSError, ValueError):
            self._connection.send(message)

    def kill(self) -> None:
        """End the process at once; the reading thread closes the pipe."""
        self.is_killed = True
        self.process.kill()
