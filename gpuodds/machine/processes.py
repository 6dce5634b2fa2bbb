"""Processes that share work and stop together: by Ctrl-C, after a failure, or when asked to."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any, TypeAlias, TypeVar

from gpuodds.errors import InputError
from gpuodds.machine.system import ignore_interrupts, pool_size

END_SECONDS = 2.0  # after SIGTERM
POLL_SECONDS = 0.1  # between two calls of ``stop``, and between two chances of Ctrl-C on Windows

Stop: TypeAlias = Callable[[], bool]
"""Returns True once the work is to stop."""

T = TypeVar("T")


@dataclass(frozen=True)
class Execution:
    """How work is done; the results do not depend on it.

    Attributes:
        workers: The number of processes; 1 is this process alone.
        progress: Called with the fraction done, 0 to 1.
        stop: Stops the work once it returns True.
    """

    workers: int = 1
    progress: Callable[[float], None] | None = None
    stop: Stop | None = None

    def __post_init__(self) -> None:
        """Check the number of processes."""
        if self.workers < 1:
            raise InputError(f"workers {self.workers}: expected 1 or more")


def share_out(
    function: Callable[..., T],
    jobs: Sequence[tuple[Any, ...]],
    take: Callable[[int, T], bool],
    execution: Execution,
) -> None:
    """Call a function once for each job, in this process or in several.

    Args:
        function: Called with the job's arguments and a :data:`Stop` or None; it returns early once
            that returns True.
        jobs: The arguments of each call.
        take: Called in this process with a job's number and its result, in the order in which jobs
            end; returns whether to stop the others.
        execution: The processes, progress by jobs that have ended, and when to stop.
    """
    if execution.workers == 1 or len(jobs) == 1:
        for number, job in enumerate(jobs):
            if take(number, function(*job, execution.stop)):
                break
            if execution.progress is not None:
                execution.progress((number + 1) / len(jobs))
    else:
        _share_out_to_processes(function, jobs, take, execution)


def _share_out_to_processes(
    function: Callable[..., T],
    jobs: Sequence[tuple[Any, ...]],
    take: Callable[[int, T], bool],
    execution: Execution,
) -> None:
    stop, workers = execution.stop, pool_size(min(execution.workers, len(jobs)))
    context = get_context("spawn")
    stopped = context.Event()
    with ProcessPoolExecutor(workers, context, _start, (stopped,)) as pool:
        try:
            left = {pool.submit(_call, function, job): number for number, job in enumerate(jobs)}
            while left:
                done, _ = wait(left, POLL_SECONDS, FIRST_COMPLETED)
                if stop is not None and stop():
                    stopped.set()
                for future in done:
                    if take(left.pop(future), future.result()):
                        stopped.set()
                if done and execution.progress is not None:
                    execution.progress(1 - len(left) / len(jobs))
        except BaseException:
            stopped.set()
            raise


def map_in_order(
    function: Callable[..., T], jobs: Iterable[tuple[Any, ...]], workers: int
) -> Iterator[T]:
    """Yield the result of each job, in order; few jobs are taken before their results are.

    Args:
        function: Called with a job's arguments, in this process if there is one worker.
        jobs: The arguments of each call; they may have no end.
        workers: The number of processes.
    """
    if workers == 1:
        for job in jobs:
            yield function(*job)
        return
    context = get_context("spawn")
    stopped = context.Event()
    waiting: deque[Future[T]] = deque()
    with ProcessPoolExecutor(pool_size(workers), context, _start, (stopped,)) as pool:
        try:
            for job in jobs:
                waiting.append(pool.submit(function, *job))
                while len(waiting) > 2 * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


_stopped: Any = None  # in a worker process: an event of the process that started it
_terminated = False  # in a worker process: whether SIGTERM came


def _start(stopped: Any) -> None:
    global _stopped
    _stopped = stopped
    ignore_interrupts()
    signal.signal(signal.SIGTERM, _end_soon)


def _end_soon(number: int, frame: Any) -> None:
    """Let the job return what is done: timeout(1) and others send SIGTERM to all processes."""
    global _terminated
    if not _terminated:
        _terminated = True
        end = threading.Timer(END_SECONDS, os._exit, [128 + number])
        end.daemon = True
        end.start()


def _call(function: Callable[..., T], job: tuple[Any, ...]) -> T:
    return function(*job, lambda: _terminated or _stopped.is_set())
