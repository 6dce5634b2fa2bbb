"""Count the shards of a table: one after another, or several at once by a thread pool."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, NamedTuple

from gpuodds.backends.choice import run_on
from gpuodds.errors import TableError
from gpuodds.tables.kinds.kind import Kind
from gpuodds.tables.shards import encode

if TYPE_CHECKING:
    import pyarrow as pa

    from gpuodds.backends.protocol import Backend, Progress


class Job(NamedTuple):
    """What to count: the same for every shard of a table."""

    kind: Kind
    opponents: int
    backend: str
    seconds: float | None = None
    """About how long the CPU takes for all shards to count; None if it is long."""


class Counted(NamedTuple):
    """A shard that was counted: its rows, the bytes of its Parquet file, or both."""

    number: int
    rows: pa.Table | None = None
    data: bytes | None = None


def count_shard(job: Job, number: int) -> bytes:
    """Return a shard, counted, as the bytes of a Parquet file.

    Raises:
        TableError: The counts break an invariant.
    """
    return encode(_count_rows(job, number))


def _count_rows(job: Job, number: int, progress: Progress | None = None) -> pa.Table:
    rows = job.kind.layout.shards(job.opponents)[number]

    def count(on: Backend) -> pa.Table:
        return job.kind.compute(rows, job.opponents, on, progress)

    table, _ = run_on(job.backend, job.seconds, count, job.kind.layout.game)
    if len(table) != len(rows):
        raise TableError(f"{job.kind.name}: shard {number}: {len(table)} rows, expected {len(rows)}")
    return table


def _count_and_encode(job: Job, number: int) -> Counted:
    rows = _count_rows(job, number)
    return Counted(number, rows, encode(rows))


def count_in_threads(
    job: Job, missing: list[int], workers: int, progress: Progress | None = None
) -> Iterator[Counted]:
    """Count shards, ``workers`` at once; yield each when it is finished.

    Several workers encode their shards; one leaves that to the thread that writes, and calls
    ``progress`` with the fraction of the shard that it counts.
    """
    if workers == 1:
        for number in missing:
            yield Counted(number, _count_rows(job, number, progress))
        return
    pool = ThreadPoolExecutor(workers)
    left = iter(missing)
    running: set[Future[Counted]] = set()

    def start() -> None:
        for number in left:
            running.add(pool.submit(_count_and_encode, job, number))
            if len(running) >= workers:
                return

    try:
        start()
        while running:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                running.remove(future)
                yield future.result()
            start()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
