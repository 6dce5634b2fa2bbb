"""The threads that share the CPU backend's work: compiled code runs without the interpreter lock."""

from __future__ import annotations

import os
import re
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from gpuodds.backends.counts import Progress
from gpuodds.errors import InputError, excerpt
from gpuodds.machine.system import WAIT_SECONDS, core_count, result_of

Run = Callable[[Callable[[int, int], None], int], None]
"""Calls a function on ranges (begin, end) that together cover 0 to the given number, in any order."""

MAX_THREADS = 1024
PIECES_PER_THREAD = 8  # pieces of work for each thread, so that they end together
PIECES_OF_ROWS = 256

_within = threading.local()  # has ``rows`` in a thread that does one of many rows


def thread_count() -> int:
    """Return how many threads the CPU backend uses: ``GPUODDS_THREADS``, or every core it may run on.

    Raises:
        InputError: ``GPUODDS_THREADS`` is set to anything but a whole number from 1 to 1024.
    """
    return threads_wanted() or core_count()


def threads_wanted() -> int:
    """Return ``GPUODDS_THREADS``, 0 if it is not set.

    Raises:
        InputError: As :func:`thread_count`.
    """
    wanted = os.environ.get("GPUODDS_THREADS", "").strip()
    if not wanted:
        return 0
    if not re.fullmatch(r"[0-9]{1,4}", wanted) or not 1 <= int(wanted) <= MAX_THREADS:
        raise InputError(
            f"GPUODDS_THREADS {excerpt(wanted)}: expected a whole number, 1 to {MAX_THREADS}"
        )
    return int(wanted)


@contextmanager
def thread_pool(threads: int, progress: Progress | None = None, parts: int = 0) -> Iterator[Run]:
    """Give a runner that shares ranges out to threads.

    The runner calls ``progress`` with the fraction done, 0 to 1, after each piece. Without it the
    calling thread takes pieces, too, and one thread takes the whole range. An exception, Ctrl-C too,
    drops the pieces that have not begun. Within :func:`run_rows` there is one thread.
    """
    if hasattr(_within, "rows"):
        threads = 1
    if progress is None:
        yield lambda function, count: _share(threads, function, count, parts)
        return
    pool = ThreadPoolExecutor(threads)

    def run(function: Callable[[int, int], None], count: int) -> None:
        pieces = [pool.submit(function, *piece) for piece in _pieces(threads, count, parts)]
        for done, piece in enumerate(pieces, 1):
            result_of(piece)
            progress(done / len(pieces))

    try:
        yield run
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _pieces(threads: int, count: int, parts: int) -> list[tuple[int, int]]:
    step = max(1, count // (parts or PIECES_PER_THREAD * threads))
    return [(begin, min(begin + step, count)) for begin in range(0, count, step)]


def _share(threads: int, function: Callable[[int, int], None], count: int, parts: int) -> None:
    """Share the pieces out to this thread and others, which take the next as they end one.

    To start a thread takes longer than many counts: this one begins at once.
    """
    if threads == 1:
        function(0, count)
        return
    left = deque(_pieces(threads, count, parts))
    errors: list[BaseException] = []

    def work() -> None:
        try:
            while left and not errors:
                try:
                    piece = left.popleft()
                except IndexError:  # another thread was first
                    return
                function(*piece)
        except BaseException as error:  # raised below; the others stop
            errors.append(error)

    others = [threading.Thread(target=work) for _ in range(min(threads, len(left)) - 1)]
    for other in others:
        other.start()
    work()
    for other in others:
        while other.is_alive():
            try:
                other.join(WAIT_SECONDS)  # on Windows a wait without an end cannot be interrupted
            except KeyboardInterrupt as error:
                errors.append(error)
    if errors:
        raise errors[0]


def run_rows(work: Callable[[int], None], count: int, progress: Progress | None = None) -> None:
    """Call ``work`` for each number below ``count``, in all threads; each call has one thread."""
    stop = threading.Event()

    def do(begin: int, end: int) -> None:
        outer = hasattr(_within, "rows")  # a row may itself have rows
        _within.rows = True
        try:
            for row in range(begin, end):
                if stop.is_set():
                    return
                work(row)
        finally:
            if not outer:
                del _within.rows

    with thread_pool(thread_count(), progress, min(count, PIECES_OF_ROWS)) as run:
        try:
            run(do, count)
        except BaseException:
            stop.set()  # without it, Ctrl-C would wait for the pieces that have begun
            raise
