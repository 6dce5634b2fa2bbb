"""Ctrl-C where a part of the work is kept: it waits until a hand is played, or rows are written."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import typer

from gpuodds.client import ServerError
from gpuodds.errors import InputError

INTERRUPTED = 130  # the exit code


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
