"""Processes that share work, and stop together: by Ctrl-C, after a failure, or when asked to."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from multiprocessing import get_context
from typing import Any, TypeAlias, TypeVar

from gpuodds.backends.protocol import Progress

LOOK_SECONDS = 0.1  # between two looks at whether to stop

Stop: TypeAlias = Callable[[], bool]
"""Returns True once the work is to stop."""

T = TypeVar("T")


def share_out(
    function: Callable[..., T],
    jobs: Sequence[tuple[Any, ...]],
    workers: int,
    take: Callable[[int, T], bool],
    *,
    progress: Progress | None,
    stop: Stop | None,
) -> None:
    """Call a function once for each job, in processes.

    Args:
        function: Called with the job's arguments and a :data:`Stop`; after a stop it returns early.
        jobs: The arguments of each call.
        workers: The number of processes.
        take: Called here with a job's number and its result, in the order in which jobs end; it
            returns whether to stop the others.
        progress: Called with the fraction of the jobs that have ended, 0 to 1.
        stop: Stops all jobs once it returns True.
    """
    context = get_context("spawn")
    stopped = context.Event()
    with ProcessPoolExecutor(min(workers, len(jobs)), context, _start, (stopped,)) as pool:
        try:
            left = {pool.submit(_call, function, job): number for number, job in enumerate(jobs)}
            while left:
                done, _ = wait(left, LOOK_SECONDS if stop else None, FIRST_COMPLETED)
                if stop is not None and stop():
                    stopped.set()
                for future in done:
                    if take(left.pop(future), future.result()):
                        stopped.set()
                if done and progress is not None:
                    progress(1 - len(left) / len(jobs))
        except BaseException:
            stopped.set()
            raise


_stopped: Any = None  # in a worker process: an event of the process that started it


def _start(stopped: Any) -> None:
    global _stopped
    _stopped = stopped
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process; one decides


def _call(function: Callable[..., T], job: tuple[Any, ...]) -> T:
    return function(*job, _stopped.is_set)
