"""What a worker process does: one job after another, told to stop where it is not wanted any more."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
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
    (number, "cancelled", None) or (number, "fault", text). Before the first job comes (0, "ready",
    None) or (0, "unready", text), and before that (0, "compiling", whether the code is kept) where
    something is compiled, and (0, "note", text) for the server's stderr.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    os.environ["GPUODDS_THREADS"] = str(threads)
    logging.getLogger("gpuodds").addHandler(logging.NullHandler())
    with suppress(EOFError, OSError):  # the server has gone
        try:
            with _CompilingShown(connection):
                _warm_up(backend)
        except Exception as error:
            connection.send((0, "unready", str(error) or type(error).__name__))
            return
        connection.send((0, "ready", None))
        while True:
            message = connection.recv()
            if message[0] == "job":
                _, number, kind, payload = message
                _run(connection, number, kind, payload, backend)


def _end_with_parent() -> None:
    """End this process when the server's has ended, in the midst of a computation as well."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


class _CompilingShown(logging.Handler):
    """Sends word to the server when something is compiled, rather than loaded."""

    def __init__(self, connection: Connection) -> None:
        """Take the connection to the server."""
        super().__init__()
        self._connection = connection
        self._logger = logging.getLogger("gpuodds")

    def __enter__(self) -> None:
        """Begin to listen."""
        self._logger.addHandler(self)
        self._level = self._logger.level
        self._logger.setLevel(logging.INFO)

    def __exit__(self, *error: object) -> None:
        """Listen no more."""
        self._logger.setLevel(self._level)
        self._logger.removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Send word."""
        from gpuodds.backends.compiling import COMPILING, COMPILING_EACH_TIME, NOT_KEPT

        if record.msg in (COMPILING, COMPILING_EACH_TIME):
            self._connection.send((0, "compiling", record.msg == COMPILING))
        elif record.msg == NOT_KEPT:
            self._connection.send((0, "note", record.getMessage()))


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
    from gpuodds.methods.options import Options, SamplingOptions
    from gpuodds.methods.planner import answer
    from gpuodds.spots.spot import Spot

    arguments = dict(payload["arguments"])
    left = payload["seconds_left"]
    sampling = SamplingOptions(
        **{name: arguments.pop(name) for name in ("samples", "standard_error", "time_limit", "seed")},
        deadline=left - min(MAX_MARGIN, MARGIN * left),
    )
    spot = Spot.of(
        **{name: arguments.pop(name) for name in ("hands", "opponents", "board", "dead")},
    )
    found = answer(
        spot,
        Options(**arguments, backend=backend, sampling=sampling),
        progress=progress,
        on_estimate=(lambda found: emit("estimate", found.to_dict())) if payload["stream"] else None,
    )
    return found.to_dict()


def _kelly(payload: Any, backend: str, emit: Emit, progress: Callable[[float], None]) -> Any:
    from gpuodds.betting import kelly_bet

    return kelly_bet(**payload, backend=backend, progress=progress).to_dict()


def _by_holding(payload: Any, backend: str, emit: Emit, progress: Callable[[float], None]) -> Any:
    """Return the equity of every hand on a board against some random opponents."""
    from gpuodds.api import equity, equity_batch
    from gpuodds.cards import format_cards
    from gpuodds.games.holdem.combos import combo_cards

    board, opponents = payload["board"], payload["opponents"]
    if opponents == 1:  # ranges share the boards to come: a flop takes a ninth of the time
        ranges = equity(
            ["random", "random"],
            board=board,
            method="exact",
            by_hand=True,
            backend=backend,
            progress=progress,
        )
        return {hand.hand: hand.equity for hand in (ranges.by_hand or ((), ()))[0]}
    hands = [hand for hand in combo_cards().tolist() if not set(hand) & set(board)]
    found = equity_batch(
        hands, [board] * len(hands), opponents=opponents, backend=backend, progress=progress
    )
    return {
        format_cards(reversed(hand)): float(value)
        for hand, value in zip(hands, found.equity[:, opponents - 1], strict=True)
    }


JOBS = {"equity": _equity, "kelly": _kelly, "by-holding": _by_holding}


def _warm_up(backend: str) -> None:
    """Compile, or load what is compiled, so that the first question of each kind does not wait."""
    from gpuodds.api import equity, equity_batch
    from gpuodds.methods.evaluate import rank_hands

    rank_hands([[0, 5, 10, 15, 20, 25, 30]])  # what bets with folds and stacks are sampled with
    equity_batch([[50, 46]], [[0, 21, 31]], opponents=1, backend=backend)
    equity(["AsKs", "QhQd"], backend=backend)
    equity("AsKs", opponents=3, board="2s7d9hTc", backend=backend)
    equity(["AsKs", "QhQd"], opponents=1, backend=backend)
    equity(["AsKs", "QhQd"], opponents=1, board="2s7d9hTc", backend=backend)
    equity("AsKs", opponents=3, board="2s7d9h", backend=backend)
    equity(["AsKs", "QQ"], board="2s7d9h", backend=backend)
    equity(["15%", "QQ", "random"], board="2s7d9hTc", backend=backend)
    for hands in (["AsKs", "QQ"], ["15%", "30%", "random"]):
        equity(hands, board="2s7d9h", method="monte-carlo", samples=100, backend=backend)
