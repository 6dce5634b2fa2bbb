"""Ctrl-C and SIGTERM: the process ends soon; where a part of the work is kept, when that is whole."""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import typer

from gpuodds.errors import InputError
from gpuodds.machine.system import pipe_of_signals

GRACE = 2.0  # seconds for threads and processes to end by themselves
# Ctrl-C, the request of a system or of timeout(1), a terminal that is closed (Windows has none).
SIGNALS = [signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]

_IGNORED = 0  # in the pipe of signals, where no signal has this number: Python ignored the interrupt

_last = signal.SIGINT  # the signal that came last


def exit_code() -> int:
    """Return the exit code of a command that was interrupted: 130 for Ctrl-C, 143 for SIGTERM."""
    return 128 + _last


def end_soon_on_interrupt() -> None:
    """Let Ctrl-C, SIGTERM and SIGHUP end the process in :data:`GRACE` seconds at the latest.

    What a thread does in compiled code, or a process that compiles, cannot be stopped, and takes up to
    a minute. Files are whole or not there; what is built of a table is kept.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)
    for number in SIGNALS:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _interrupt)
    reading, writing = pipe_of_signals()
    threading.Thread(target=_end_after_interrupt, args=(reading,), daemon=True).start()
    _interrupt_again_where_ignored(writing)


def _interrupt_again_where_ignored(writing: int) -> None:
    """Have the signal sent again if Python ignored the KeyboardInterrupt that its handler raised.

    Python ignores exceptions in a callback of a weak reference, which each import has, and in a
    ``__del__``; it calls :func:`sys.unraisablehook`, which prints them. The thread that reads the pipe
    sends the signal: raised in the hook, the exception would be ignored too.

    Args:
        writing: The end of the pipe of signals to write to.
    """
    print_ignored = sys.unraisablehook

    def hook(unraisable: Any) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            os.write(writing, bytes([_IGNORED]))
        else:
            print_ignored(unraisable)

    sys.unraisablehook = hook


def forget_interrupt() -> None:
    """Have the process end with the exit code that it returns.

    After a KeyboardInterrupt in ``exec`` of a text, by which the import of a dataclass makes its
    methods, ``python -m`` ends itself by SIGINT, even where it was handled. Another ``exec`` clears
    that.
    """
    exec("")


def end_at_once_on_termination() -> None:
    """Let SIGTERM and SIGHUP end the process by themselves, where nothing is kept, as in a server."""
    for number in SIGNALS[1:]:
        if signal.getsignal(number) is _interrupt:
            signal.signal(number, signal.SIG_DFL)


def _interrupt(number: int, frame: Any) -> None:
    _raise(number, frame)  # that it is the handler tells the thread to end the process


def _raise(number: int, frame: Any) -> None:
    global _last
    _last = signal.Signals(number)
    raise KeyboardInterrupt


def _end_after_interrupt(reading: int) -> None:
    """End this process :data:`GRACE` seconds after a signal, unless the command sees to that itself."""
    global _last
    while signals := os.read(reading, 1):
        if signals[0] == _IGNORED:
            _send_to_main_thread(_last)
        elif signals[0] in SIGNALS:
            _last = signal.Signals(signals[0])
            time.sleep(GRACE)
            if signal.getsignal(_last) is _interrupt and not _seen_to.is_set():
                _end_at_once()


def _send_to_main_thread(number: signal.Signals) -> None:
    """Send a signal to this process so that a wait of the main thread ends, where systems can."""
    main = threading.main_thread().ident
    if main is not None and sys.platform != "win32":
        signal.pthread_kill(main, number)
    else:
        _thread.interrupt_main(number)


def say_interrupted() -> None:
    """Say that the command was interrupted, and end the processes that it started."""
    _said.set()
    print("gpuodds: interrupted", file=sys.stderr, flush=True)
    if processes := sys.modules.get("multiprocessing"):
        for child in processes.active_children():
            child.kill()


_said = threading.Event()
_seen_to = threading.Event()  # a signal came where the command keeps what is done, and then ends


def _end_at_once() -> NoReturn:
    """End this process without waiting for its threads."""
    try:
        if not _said.is_set():
            say_interrupted()
    finally:
        os._exit(exit_code())


@contextmanager
def _handled_by(
    handler: Callable[[int, Any], None], signals: Sequence[signal.Signals] = SIGNALS
) -> Iterator[None]:
    """Handle signals within, except those that are ignored: under nohup, or in the background."""
    before = {number: signal.getsignal(number) for number in signals}
    taken = {number: old for number, old in before.items() if old not in (signal.SIG_IGN, None)}
    for number in taken:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number, old in taken.items():
            signal.signal(number, old)


@contextmanager
def wait_on_interrupt(signals: Sequence[signal.Signals] = SIGNALS) -> Iterator[None]:
    """Let signals raise KeyboardInterrupt and nothing more, where rows are kept that are done."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    with _handled_by(_raise, signals):
        try:
            yield
        except KeyboardInterrupt:
            _seen_to.set()
            raise


@contextmanager
def stop_on_interrupt() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether a signal came; a second one interrupts at once."""
    pressed = threading.Event()
    if threading.current_thread() is not threading.main_thread():  # only the main thread gets signals
        yield pressed.is_set
        return

    def press(number: int, frame: Any) -> None:
        global _last
        _last = signal.Signals(number)
        if pressed.is_set():
            raise KeyboardInterrupt
        pressed.set()
        _seen_to.set()

    with _handled_by(press):
        yield pressed.is_set


@contextmanager
def hold_interrupts() -> Iterator[None]:
    """Let what is done within end before a signal interrupts; a second one interrupts at once."""
    with stop_on_interrupt() as pressed:
        yield
    if pressed():
        raise KeyboardInterrupt


def end_match(stopped: bool, failure: Exception | None = None) -> None:
    """End the command with an error if only a part of the match was played.

    Args:
        stopped: Whether a signal came.
        failure: How the server of the equities or a bot failed, if one did.
    """
    if failure is not None:
        raise InputError(f"{failure}; the figures are those of what was played")
    if stopped:
        print("gpuodds: interrupted; the figures are those of what was played", file=sys.stderr)
        raise typer.Exit(exit_code())
