"""What a worker process does: one job after another, told to stop where it is not wanted any more."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any

from gpuodds.errors import InputError

Emit = Callable[[str, Any], None]

PROGRESS_SECONDS = 0.2
# Of the seconds that are left: what it takes to hand an answer over, as a share and at most.
MARGIN, MAX_MARGIN = 0.1, 0.5


class Cancelled(Exception):
    """Nobody waits for the job any more."""


def serve(connection: Connection, threads: int, backend: str) -> None:
    """Take jobs from a connection until it closes.

    A message is ("job", number, kind, payload) or ("cancel", number); answers are (number, "estimate",
    dict), (number, "progress", share), (number, "answer", dict), (number, "error", text of bad input),
    (number, "cancelled", None) or (number, "fault", text).
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["GPUODDS_THREADS"] = str(threads)
    logging.getLogger("gpuodds").addHandler(logging.NullHandler())
    _warm_up(backend)
    connection.send((0, "ready", None))
    while True:
        try:
            message = connection.recv()
        except (EOFError, OSError):
            return
        if message[0] == "job":
            _, number, kind, payload = message
            _run(connection, number, kind, payload, backend)


def _run(connection: Connection, number: int, kind: str, payload: Any, backend: str) -> None:
    def emit(name: str, value: Any) -> None:
        _stop_if_told(connection, number)
        connection.send((number, name, value))

    last = [monotonic()]

    def progress(share: float) -> None:
        _stop_if_told(connection, number)
        if monotonic() - last[0] > PROGRESS_SECONDS:
            last[0] = monotonic()
            connection.send((number, "progress", share))

    try:
        answer = JOBS[kind](payload, backend, emit, progress)
        connection.send((number, "answer", answer))
    except Cancelled:
        connection.send((number, "cancelled", None))
    except InputError as error:
        connection.send((number, "error", str(error)))
    except MemoryError:
        connection.send((number, "fault", "out of memory"))
    except Exception as error:
        logging.getLogger("gpuodds.server").exception("job %s", kind)
        connection.send((number, "fault", type(error).__name__))


def _stop_if_told(connection: Connection, number: int) -> None:
    while connection.poll():
        message = connection.recv()
        if message == ("cancel", number):
            raise Cancelled


def _equity(payload: Any, backend: str, emit: Emit, progress: Callable[[float], None]) -> Any:
    from gpuodds.engine import answer
    from gpuodds.limits import Limits

    arguments = dict(payload["arguments"])
    left = payload["seconds_left"]
    limits = Limits(
        **{name: arguments.pop(name) for name in ("samples", "standard_error", "time_limit", "seed")},
        deadline=left - min(MAX_MARGIN, MARGIN * left),
    )
    found = answer(
        **arguments,
        backend=backend,
        limits=limits,
        progress=progress,
        on_estimate=(lambda found: emit("estimate", found.to_dict())) if payload["stream"] else None,
    )
    return found.to_dict()


def _kelly(payload: Any, backend: str, emit: Emit, progress: Callable[[float], None]) -> Any:
    from gpuodds.betting import kelly_bet

    return kelly_bet(**payload, backend=backend, progress=progress).to_dict()


def _by_holding(payload: Any, backend: str, emit: Emit, progress: Callable[[float], None]) -> Any:
    """Return the equity of every hand on a board against some random opponents."""
    from gpuodds.cards import format_cards
    from gpuodds.engine import equity_batch
    from gpuodds.holdem.holdings import holding_cards

    board, opponents = payload["board"], payload["opponents"]
    hands = [hand for hand in holding_cards().tolist() if not set(hand) & set(board)]
    found = equity_batch(
        hands, [board] * len(hands), opponents=opponents, backend=backend, progress=progress
    )
    return {
        format_cards(reversed(hand)): float(value)
        for hand, value in zip(hands, found.equity[:, opponents - 1], strict=True)
    }


JOBS = {"equity": _equity, "kelly": _kelly, "by-holding": _by_holding}


def _warm_up(backend: str) -> None:
    """Compile, or load what is compiled, so that the first question does not wait for it."""
    from gpuodds.engine import equity

    equity("AsKs", opponents=3, board="2s7d9h", backend=backend)
    equity(["AsKs", "QQ"], board="2s7d9h", backend=backend)
    equity(["15%", "QQ", "random"], board="2s7d9hTc", backend=backend)
    for hands in (["AsKs", "QQ"], ["15%", "30%", "random"]):
        equity(hands, board="2s7d9h", method="monte-carlo", samples=100, backend=backend)
