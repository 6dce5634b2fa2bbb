"""What operating systems do differently: cores, limits, processes, Ctrl-C, quoting."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")

MAX_WINDOWS_PROCESSES = 61  # that a ProcessPoolExecutor can wait for
WAIT_SECONDS = 0.1  # of a wait in the main thread


def core_count() -> int:
    """Return the number of cores that this process may run on."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS and Windows
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def is_main_interpreter() -> bool:
    """Return whether this is Python's main interpreter, not one of several in a process."""
    from importlib import import_module

    # The module has a public one above it from Python 3.14 on.
    name = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    try:
        interpreters = import_module(name)
    except ImportError:  # not CPython
        return True
    return bool(interpreters.get_current() == interpreters.get_main())


def pool_size(processes: int) -> int:
    """Return how many of some processes a ``ProcessPoolExecutor`` can have here."""
    return min(processes, MAX_WINDOWS_PROCESSES) if sys.platform == "win32" else processes


def allow_open_files(number: int) -> None:
    """Raise the limit of files and sockets that this process may have open; macOS begins with 256.

    Args:
        number: How many it will need. A limit that is higher stays, and so does one that may not rise.
    """
    if sys.platform == "win32":  # which has no such limit
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = number if hard == resource.RLIM_INFINITY else min(number, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def ignore_interrupts() -> None:
    """Leave Ctrl-C, which reaches every process of a terminal, to the process that started this one."""
    for name in ("SIGINT", "SIGBREAK"):  # the second is Windows' Ctrl-Break
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach; on Windows it does, until they ignore it."""
    if sys.platform == "win32":
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # starting it later would unblock them
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def pipe_of_signals() -> tuple[int, int]:
    """Let the interpreter write the number of each signal, a byte, to a pipe; return its two ends.

    Python calls the handler of a signal in the main thread, which may be in compiled code, or on
    Windows in a wait. A thread that reads the pipe hears of the signal at once.
    """
    reading, writing = os.pipe()
    if sys.platform != "win32":  # there Python 3.11 cannot, and need not
        os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    return reading, writing


def return_memory() -> None:
    """Return memory that is free in this process to the system, which glibc puts off."""
    import ctypes

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


def first_done(futures: Iterable[Future[T]]) -> tuple[set[Future[T]], set[Future[T]]]:
    """Wait until a future is done; return those that are, and the others.

    The wait is cut into short ones: Windows delivers Ctrl-C only between two.
    """
    from concurrent.futures import FIRST_COMPLETED, wait

    left = list(futures)
    while True:
        done, unfinished = wait(left, WAIT_SECONDS, FIRST_COMPLETED)
        if done or not unfinished:
            return done, unfinished


def result_of(future: Future[T]) -> T:
    """Return a future's result; like :func:`first_done`, let Ctrl-C interrupt the wait.

    Raises:
        Exception: What the future's function has raised.
    """
    while True:
        try:
            return future.result(WAIT_SECONDS)
        except TimeoutError:
            if future.done():  # meanwhile, or its function has raised this
                return future.result()


def quoted(word: str) -> str:
    """Return a word as the shell of this system takes it, for a command that a message shows."""
    if sys.platform == "win32":
        from subprocess import list2cmdline

        return list2cmdline([word])
    from shlex import quote

    return quote(word)
