"""Count pieces of a table on a Dask cluster; every fault of the cluster is an error of one line."""

from __future__ import annotations

import logging
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any

from gpuodds.errors import InputError, TableError, excerpt
from gpuodds.table_building.counting import Counted, Job, count_piece
from gpuodds.table_building.received import check_received
from gpuodds.tables.files.manifest import Piece
from gpuodds.tables.files.origin import Origin, this_origin

SCHEDULER_TIMEOUT = 10  # seconds
WORKERS_TIMEOUT = 20  # seconds without any worker
CHECK_INTERVAL = 1.0  # seconds
MAX_REASON = 200  # characters of what a worker says
MAX_RETRIES = 3  # of a piece whose count fails
MAX_WORKERS_LOST = 3  # in a row, while no piece comes back
GOES_ON = "what was finished is kept, and the same command goes on from there"

Tls = tuple[Path, Path, Path]
"""Files in PEM: the authority that signed, this machine's certificate, and its key."""


def count_on_cluster(
    job: Job, missing: list[Piece], scheduler: str, tls: Tls | None
) -> Iterator[Counted]:
    """Count pieces on a cluster; yield each, as the bytes of its file, when it comes back.

    Raises:
        InputError: The scheduler does not answer.
        TableError: The scheduler is lost, or its workers are absent, die, or run another gpuodds.
    """
    with _connect(scheduler, tls) as client:
        arrived: SimpleQueue[Any] = SimpleQueue()
        pieces = {}
        for piece in missing:
            payload = pickle.dumps((job, piece))
            key = f"gpuodds-{job.kind.name}-{job.opponents}-{piece.file}"
            future = client.submit(_task(), payload, key=key, retries=MAX_RETRIES, pure=False)
            pieces[future] = piece
            future.add_done_callback(arrived.put)
        watch = _Watch(client, scheduler)
        while pieces:
            try:
                future = arrived.get(timeout=CHECK_INTERVAL)
            except Empty:
                watch.check()
                continue
            piece = pieces[future]
            yield Counted(piece, data=_take(future, job, piece, scheduler))
            watch.reset()
            del pieces[future]


def count_on_worker(payload: bytes) -> dict[str, Any]:
    """Count a piece on a worker: return its bytes and their origin."""
    job, piece = pickle.loads(payload)
    return {"origin": asdict(this_origin()), "data": count_piece(job, piece)}


def _task() -> Callable[[bytes], dict[str, Any]]:
    # A nested function travels as its code, so that it runs on workers without gpuodds, too.
    def count(payload: bytes) -> dict[str, Any]:
        try:
            import gpuodds
        except ImportError as error:
            return {"fault": f"it cannot import gpuodds: {error}"}
        try:
            from gpuodds.table_building.cluster import count_on_worker
            from gpuodds.tables.files.origin import this_origin

            this_origin()
        except ImportError as error:
            have = f"it has gpuodds {gpuodds.__version__}"
            return {"fault": f"{have}, which cannot count for this one: {error}"}
        return count_on_worker(payload)

    return count


@contextmanager
def _connect(scheduler: str, tls: Tls | None) -> Iterator[Any]:
    try:
        from distributed import Client
        from distributed.security import Security
    except ImportError:
        raise InputError("--scheduler: Dask is not installed: pip install 'gpuodds[cluster]'") from None
    with _quiet():
        options = {}
        if tls is not None:
            names = ("tls_ca_file", "tls_client_cert", "tls_client_key")
            files = dict(zip(names, map(str, tls), strict=True))
            options["security"] = Security(require_encryption=True, **files)
        # Made in two steps, so that a client that fails halfway can be closed.
        client: Any = Client.__new__(Client)
        try:
            client.__init__(scheduler, timeout=SCHEDULER_TIMEOUT, set_as_default=False, **options)
        except (OSError, ValueError, TypeError, RuntimeError, AssertionError) as error:
            _close(client)
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise InputError(f"--scheduler {scheduler}: no answer: {reason}") from None
        try:
            yield client
        finally:
            _close(client)


def _close(client: Any) -> None:
    # The garbage collector would do it too, but in any thread. In the one that the next client is
    # starting, closing waits for a lock that this next client holds, which fails after ten seconds.
    with suppress(Exception):
        client.close(timeout=1)
    with suppress(AttributeError):  # It failed before it had a thread.
        client._loop_runner.stop()


@contextmanager
def _quiet() -> Iterator[None]:
    # Dask logs tracebacks of a lost scheduler; here it is one error of one line.
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _take(future: Any, job: Job, piece: Piece, scheduler: str) -> bytes:
    # Return the bytes of a piece that came back, if the worker has the versions of this machine and
    # the counts can be right.
    status = future.status
    if status in ("cancelled", "lost"):
        raise _lost(scheduler)
    try:
        result = future.result(timeout=WORKERS_TIMEOUT)
    except Exception as error:
        if future.status != "error":
            raise _lost(scheduler) from None
        reason = _reason(error)
        if isinstance(error, InputError):
            raise InputError(reason) from None
        raise TableError(
            f"--scheduler {scheduler}: {piece}: {excerpt(type(error).__name__)}: {reason}; {GOES_ON}"
        ) from None
    future.release()
    try:
        if "fault" in result:
            fault = excerpt(str(result["fault"]), MAX_REASON)
        else:
            there, here = Origin(**result["origin"]), this_origin()
            if there == here:
                return check_received(job, piece, result["data"])
            fault = f"it has {excerpt(str(there), MAX_REASON)}, this is {here}"
    except (TableError, KeyError, TypeError, AttributeError) as error:
        reason = _reason(error) if isinstance(error, TableError) else "no result of gpuodds"
        raise TableError(
            f"--scheduler {scheduler}: {piece}: what a worker counted is wrong: {reason}; {GOES_ON}"
        ) from None
    raise TableError(f"--scheduler {scheduler}: a worker cannot count shards of this table: {fault}")


def _reason(error: Exception) -> str:
    return excerpt(str(error).partition("\n")[0], MAX_REASON)


def _lost(scheduler: str) -> TableError:
    return TableError(f"--scheduler {scheduler}: the scheduler was lost; {GOES_ON}")


class _Watch:
    """Watches a cluster while nothing comes back: are there workers, and do they live?"""

    def __init__(self, client: Any, scheduler: str) -> None:
        self._client = client
        self._scheduler = scheduler
        self._seen: set[str] = set()
        self._last_seen = monotonic()

    def reset(self) -> None:
        """Start anew, as a piece came back."""
        self._seen.clear()
        self._last_seen = monotonic()

    def check(self) -> None:
        """Check the workers.

        Raises:
            TableError: The scheduler is lost, there are no workers, or they die one after another.
        """
        try:
            there = set(self._client.nthreads())
        except Exception:
            raise _lost(self._scheduler) from None
        self._seen |= there
        lost = len(self._seen - there)
        if lost >= max(MAX_WORKERS_LOST, len(there)):
            raise self._fault(
                f"{lost} workers were lost and nothing came back, {len(there)} left: see their logs"
            )
        if there:
            self._last_seen = monotonic()
        elif monotonic() - self._last_seen > WORKERS_TIMEOUT:
            raise self._fault(
                f"it has 0 workers, for {WORKERS_TIMEOUT} s: start some with: dask worker "
                f"{self._scheduler} --nthreads 1"
            )

    def _fault(self, text: str) -> TableError:
        return TableError(f"--scheduler {self._scheduler}: {text}; {GOES_ON}")
