"""Count the shards of a table: one after another, or several at once by a thread pool."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import NamedTuple

from gpuodds.backends.choice import run_on
from gpuodds.errors import TableError
from gpuodds.tables.kinds.kind import Kind
from gpuodds.tables.shards import encode


class Job(NamedTuple):
    """What to count: the same for every shard of a table."""

    kind: Kind
    opponents: int
    backend: str
    seconds: float | None = None
    """About how long the CPU takes for all shards to count; None if it is long."""


def count_shard(job: Job, number: int) -> bytes:
    """Return a shard, counted, as the bytes of a Parquet file.

    Raises:
        TableError: The counts break an invariant.
    """
    rows = job.kind.layout.shards(job.opponents)[number]
    table, _ = run_on(job.backend, job.seconds, lambda on: job.kind.compute(rows, job.opponents, on))
    if len(table) != len(rows):
        raise TableError(f"{job.kind.name}: shard {number}: {len(table)} rows, expected {len(rows)}")
    return encode(table)


def count_in_threads(job: Job, missing: list[int], workers: int) -> Iterator[tuple[int, bytes]]:
    """Count shards, ``workers`` at once; yield number and bytes of each when it is finished."""
    if workers == 1:
        for number in missing:
            yield number, count_shard(job, number)
        return
    pool = ThreadPoolExecutor(workers)
    left = iter(missing)
    running: dict[Future[bytes], int] = {}

    def start() -> None:
        for number in left:
            running[pool.submit(count_shard, job, number)] = number
            if len(running) >= workers:
                return

    try:
        start()
        while running:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                number = running.pop(future)
                yield number, future.result()
            start()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
