"""Ctrl-C: the process ends soon; where a part of the work is kept, when that is whole."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import typer

from gpuodds.client import ServerError
from gpuodds.errors import InputError
from gpuodds.system import pipe_of_signals

INTERRUPTED = 130  # the exit code
GRACE = 2.0  # seconds for threads and processes to end by themselves


def end_soon_on_interrupt() -> None:
    """Let Ctrl-C end the process in :data:`GRACE` seconds at the latest.

    What a thread does in compiled code, or a process that compiles, cannot be stopped, and takes up to
    a minute. Files are whole or not there; what is built of a table is kept.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    signal.signal(signal.SIGINT, _interrupt)
    threading.Thread(target=_end_after_interrupt, args=(pipe_of_signals(),), daemon=True).start()


def _interrupt(number: int, frame: Any) -> None:
    raise KeyboardInterrupt


def _end_after_interrupt(reading: int) -> None:
    """End this process :data:`GRACE` seconds after a Ctrl-C, unless the command sees to that itself."""
    while signals := os.read(reading, 1):
        if signals[0] == signal.SIGINT:
            time.sleep(GRACE)
            if signal.getsignal(signal.SIGINT) is _interrupt and not _seen_to.is_set():
                _end_at_once()


def say_interrupted() -> None:
    """Say that the command was interrupted, and end the processes that it started."""
    _said.set()
    print("gpuodds: interrupted", file=sys.stderr, flush=True)
    if processes := sys.modules.get("multiprocessing"):
        for child in processes.active_children():
            child.terminate()


_said = threading.Event()
_seen_to = threading.Event()  # a Ctrl-C came where the command keeps what is done, and then ends


def _end_at_once() -> NoReturn:
    """End this process without waiting for its threads."""
    try:
        if not _said.is_set():
            say_interrupted()
    finally:
        os._exit(INTERRUPTED)


@contextmanager
def wait_on_interrupt() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt and nothing more, where rows are kept that are done."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        _seen_to.set()
        raise
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def stop_on_interrupt() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether Ctrl-C was pressed; a second Ctrl-C interrupts at once."""
    pressed = threading.Event()
    if threading.current_thread() is not threading.main_thread():  # only the main thread gets signals
        yield pressed.is_set
        return

    def press(number: int, frame: Any) -> None:
        if pressed.is_set():
            raise KeyboardInterrupt
        pressed.set()
        _seen_to.set()

    before = signal.signal(signal.SIGINT, press)
    try:
        yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def hold_interrupts() -> Iterator[None]:
    """Let what is done within end before a Ctrl-C interrupts; a second one interrupts at once."""
    with stop_on_interrupt() as pressed:
        yield
    if pressed():
        raise KeyboardInterrupt


def end_match(stopped: bool, failure: ServerError | None = None) -> None:
    """End the command with an error if only a part of the match was played.

    Args:
        stopped: Whether Ctrl-C was pressed.
        failure: How the server of the equities failed, if it did.
    """
    if failure is not None:
        raise InputError(f"{failure}; the figures are those of what was played")
    if stopped:
        print("gpuodds: interrupted; the figures are those of what was played", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)
