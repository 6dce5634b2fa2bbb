"""Count the shards of a table, or parts of them: one after another, or several by a thread pool."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

from gpuodds.backends.choice import run_on
from gpuodds.errors import TableError
from gpuodds.machine.system import first_done
from gpuodds.table_building.kinds.kind import Kind
from gpuodds.tables.files.manifest import Piece
from gpuodds.tables.files.shards import encode

if TYPE_CHECKING:
    import pyarrow as pa

    from gpuodds.backends.counts import Progress
    from gpuodds.backends.operation import Backend


class Job(NamedTuple):
    """What to count: the same for every piece of a table."""

    kind: Kind
    opponents: int
    backend: str
    seconds: float | None = None
    """About how long the CPU takes for all pieces to count; None if it is long."""


class Counted(NamedTuple):
    """A piece that was counted: its rows, the bytes of its Parquet file, or both."""

    piece: Piece
    rows: pa.Table | None = None
    data: bytes | None = None


def count_piece(job: Job, piece: Piece) -> bytes:
    """Return a piece, counted, as the bytes of a Parquet file.

    Raises:
        TableError: The counts break an invariant.
    """
    return encode(_count_rows(job, piece))


def _count_rows(job: Job, piece: Piece, progress: Progress | None = None) -> pa.Table:
    rows = job.kind.layout.shards(job.opponents)[piece.shard]

    def count(on: Backend) -> pa.Table:
        if piece.part is None:
            return job.kind.compute(rows, job.opponents, on, progress)
        return job.kind.compute_part(rows, job.opponents, piece.part, on, progress)

    table, _ = run_on(job.backend, job.seconds, count)
    if len(table) != len(rows):
        raise TableError(f"{job.kind.name}: {piece}: {len(table)} rows, expected {len(rows)}")
    return table


def _count_and_encode(job: Job, piece: Piece) -> Counted:
    rows = _count_rows(job, piece)
    return Counted(piece, rows, encode(rows))


def count_in_threads(
    job: Job, missing: list[Piece], workers: int, progress: Progress | None = None
) -> Iterator[Counted]:
    """Count pieces, ``workers`` at once; yield each when it is finished.

    Several workers encode their pieces; one leaves that to the thread that writes, and calls
    ``progress`` with the fraction of the piece that it counts.
    """
    if workers == 1:
        for piece in missing:
            yield Counted(piece, _count_rows(job, piece, progress))
        return
    pool = ThreadPoolExecutor(workers)
    left = iter(missing)
    running: set[Future[Counted]] = set()

    def start() -> None:
        for piece in left:
            running.add(pool.submit(_count_and_encode, job, piece))
            if len(running) >= workers:
                return

    try:
        start()
        while running:
            done, _ = first_done(running)
            for future in done:
                running.remove(future)
                yield future.result()
            start()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
