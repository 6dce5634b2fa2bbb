"""Build a table into a folder: shard by shard, here or on a cluster, killed and resumed at will."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from gpuodds.errors import InputError, TableError
from gpuodds.protocol import Progress
from gpuodds.tables.kind import Kind
from gpuodds.tables.store import (
    MANIFEST,
    Manifest,
    Shard,
    array_file,
    encode,
    only_builder,
    read_bytes,
    read_checked,
    read_manifest,
    shard_file,
    write_file,
)


def compute_shard(kind: Kind, number: int, opponents: int, backend: str) -> bytes:
    """Count a shard; return it as the bytes of a Parquet file. This is what a worker does."""
    from gpuodds.backends import choose_backend

    rows = kind.shards(opponents)[number]
    table = kind.compute(rows, opponents, choose_backend(backend))
    if len(table) != len(rows):
        raise TableError(f"{kind.name}: shard {number}: {len(table)} rows, expected {len(rows)}")
    return encode(table)


def build(
    kind: Kind,
    folder: Path,
    opponents: int,
    *,
    backend: str = "auto",
    workers: int = 1,
    scheduler: str | None = None,
    only: range | None = None,
    progress: Progress | None = None,
) -> bool:
    """Build what is missing of a table; return whether it is complete then.

    ``workers`` shards are counted at once by threads of this process, or all of them by the workers
    of the Dask cluster at ``scheduler``. ``only`` are the numbers of the shards to build. ``progress``
    is told the share of the table that is there.

    Raises:
        TableError: The folder holds something else, another process builds there, or a shard cannot be
            written. What was finished is kept, and the next build goes on from there.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TableError(f"{folder}: {error.strerror}") from None
    with only_builder(folder):
        manifest = _begin(kind, folder, opponents)
        whole = len(kind.shards(opponents))
        missing = [n for n in only or range(whole) if n not in manifest.shards]
        if not (min(missing, default=0) >= 0 and max(missing, default=0) < whole):
            raise InputError(f"shards {only}: expected numbers from 0 to {whole - 1}")
        if progress is not None:
            progress(len(manifest.shards) / whole)
        for number, data in _results(kind, missing, opponents, backend, workers, scheduler):
            write_file(folder / shard_file(number), data)
            span = kind.shards(opponents)[number]
            digest = hashlib.sha256(data).hexdigest()
            manifest.shards[number] = Shard(shard_file(number), span.start, len(span), digest)
            write_file(folder / MANIFEST, manifest.to_bytes())
            if progress is not None:
                progress(len(manifest.shards) / whole)
        if len(manifest.shards) == whole and not manifest.complete:
            _finish(folder, manifest)
        return manifest.complete


def _begin(kind: Kind, folder: Path, opponents: int) -> Manifest:
    if not (folder / MANIFEST).exists():
        strangers = [path.name for path in folder.iterdir() if not _is_ours(path.name)]
        if strangers:
            raise TableError(f"{folder}: expected an empty folder, found {strangers[0]}")
        manifest = Manifest(kind, opponents)
        write_file(folder / MANIFEST, manifest.to_bytes())
        return manifest
    manifest = read_manifest(folder)
    fresh = Manifest(kind, opponents)
    if manifest.kind.name != kind.name or manifest.opponents != opponents:
        raise TableError(
            f"{folder}: it holds {manifest.kind.name} with opponents {manifest.opponents}, not "
            f"{kind.name} with {opponents}"
        )
    if manifest.engine != fresh.engine:
        raise TableError(
            f"{folder}: begun by gpuodds {manifest.engine}, this is {fresh.engine}: build elsewhere"
        )
    if not manifest.complete:
        # A shard that was damaged since is built again.
        for number in sorted(manifest.shards):
            try:
                read_bytes(folder, manifest, number)
            except TableError:
                del manifest.shards[number]
    return manifest


def _is_ours(name: str) -> bool:
    return name.startswith(("lock", "manifest.json")) or ".parquet" in name or ".u16" in name


def _finish(folder: Path, manifest: Manifest) -> None:
    # A plain array is put together from the shards, then the table is declared complete.
    if manifest.kind.array:
        parts = []
        for number in range(len(manifest.shards)):
            column = read_checked(folder, manifest, number)[manifest.kind.array]
            parts.append(column.to_numpy().astype("<u2").tobytes())
        write_file(folder / array_file(manifest.kind), b"".join(parts))
    manifest.complete = True
    write_file(folder / MANIFEST, manifest.to_bytes())


def _results(
    kind: Kind, missing: list[int], opponents: int, backend: str, workers: int, scheduler: str | None
) -> Iterator[tuple[int, bytes]]:
    if scheduler is not None:
        yield from _on_a_cluster(kind, missing, opponents, backend, scheduler)
    elif workers == 1:
        for number in missing:
            yield number, compute_shard(kind, number, opponents, backend)
    else:
        yield from _in_threads(kind, missing, opponents, backend, workers)


def _in_threads(
    kind: Kind, missing: list[int], opponents: int, backend: str, workers: int
) -> Iterator[tuple[int, bytes]]:
    from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

    pool = ThreadPoolExecutor(workers)
    left = iter(missing)
    running: dict[Future[bytes], int] = {}

    def start() -> None:
        for number in left:
            running[pool.submit(compute_shard, kind, number, opponents, backend)] = number
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


SCHEDULER_ANSWERS = 10  # seconds
RETRIES = 3  # of a shard whose workers are lost


def _on_a_cluster(
    kind: Kind, missing: list[int], opponents: int, backend: str, scheduler: str
) -> Iterator[tuple[int, bytes]]:
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise InputError("--scheduler: Dask is not installed: pip install 'gpuodds[cluster]'") from None
    try:
        client: Any = Client(scheduler, timeout=SCHEDULER_ANSWERS)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"--scheduler {scheduler}: no answer: {reason}") from None
    with client:
        run: Callable[..., Any] = client.submit
        futures = {
            run(
                compute_shard, kind, number, opponents, backend,
                key=f"gpuodds-{kind.name}-{opponents}-{number}", retries=RETRIES, pure=False,
            ): number
            for number in missing
        }  # fmt: skip
        finished: Any = as_completed(futures, with_results=True)
        for future, data in finished:
            yield futures[future], data
            future.release()
