"""Build a table into a folder: shard by shard, here or on a cluster; a killed build goes on."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator
from pathlib import Path

from gpuodds.backends.protocol import Progress
from gpuodds.errors import InputError, TableError
from gpuodds.tables.cluster import Tls, count_on_cluster
from gpuodds.tables.folder import (
    check_empty,
    check_place,
    only_builder,
    open_file,
    write_file,
)
from gpuodds.tables.kinds.kind import Kind
from gpuodds.tables.locate import MANIFEST
from gpuodds.tables.manifest import (
    BLOCK,
    Manifest,
    PlainArray,
    Shard,
    array_file,
    build_command,
    read_manifest,
    shard_file,
)
from gpuodds.tables.store import check_array, compute_shard, read_bytes, read_checked


def build(
    kind: Kind,
    folder: Path,
    opponents: int,
    *,
    backend: str = "auto",
    workers: int = 1,
    scheduler: str | None = None,
    tls: Tls | None = None,
    only: range | None = None,
    progress: Progress | None = None,
) -> bool:
    """Build what is missing or damaged of a table; return whether it is complete then.

    Args:
        kind: The table.
        folder: Where; it is made if it is not there, and must be empty or hold a part of this table.
        opponents: The most random opponents, 0 where that makes no sense.
        backend: "auto", "cpu", "cuda" or "cuda:0,2".
        workers: How many shards are counted at once, by threads of this process.
        scheduler: The address of a Dask cluster whose workers count the shards instead.
        tls: Certificates for it, where its address is ``tls://...``; by default those of Dask's
            configuration.
        only: The numbers of the shards to build; all by default.
        progress: Called with the share of the table that is there, 0 to 1.

    Returns:
        Whether all shards are there. Shards that were damaged are named by the logger ``gpuodds``.

    Raises:
        TableError: The folder holds something else, another process builds there, or a shard cannot be
            counted or written. What was finished is kept, and the next build goes on from there.
    """
    whole = len(kind.shards(opponents))
    wanted = range(whole) if only is None else only
    if not (min(wanted, default=0) >= 0 and max(wanted, default=0) < whole):
        raise InputError(f"shards {only}: expected numbers from 0 to {whole - 1}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TableError(f"{folder}: {error.strerror}") from None
    _find_manifest(kind, folder, opponents)
    with only_builder(folder):
        manifest = _find_manifest(kind, folder, opponents)
        if manifest is None:
            manifest = Manifest(kind, opponents)
            write_file(folder / MANIFEST, manifest.to_bytes())
        reasons = _drop_damaged(folder, manifest)
        for number, reason in reasons.items():
            what = (
                "it is built again" if number in {*wanted, None} else "it is not among those to build"
            )
            logging.getLogger("gpuodds").info("%s: %s", reason, what)
        if reasons:
            write_file(folder / MANIFEST, manifest.to_bytes())
        missing = [number for number in wanted if number not in manifest.shards]
        for number in missing:
            check_place(folder / shard_file(number))
        if progress is not None:
            progress(len(manifest.shards) / whole)
        for number, data in _results(kind, missing, opponents, backend, workers, scheduler, tls):
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


def missing_shards(kind: Kind, folder: Path, opponents: int, only: range | None) -> list[int]:
    """Return the shards that a build would count: those wanted that are missing or damaged.

    Raises:
        TableError: A build would refuse the folder.
    """
    wanted = range(len(kind.shards(opponents))) if only is None else only
    manifest = _find_manifest(kind, folder, opponents) if folder.is_dir() else None
    if manifest is None:
        return list(wanted)
    _drop_damaged(folder, manifest)
    return [number for number in wanted if number not in manifest.shards]


def _find_manifest(kind: Kind, folder: Path, opponents: int) -> Manifest | None:
    # The manifest of a build that goes on here, None in an empty folder.
    fresh = Manifest(kind, opponents)
    if not (folder / MANIFEST).exists():
        check_empty(folder, MANIFEST, fresh.to_bytes())
        return None
    manifest = read_manifest(folder)
    if manifest.kind.name != kind.name or manifest.opponents != opponents:
        raise TableError(
            f"{folder}: it holds {manifest.kind.name} with opponents {manifest.opponents}, not "
            f"{kind.name} with {opponents}"
        )
    if manifest.origin != fresh.origin:
        raise TableError(
            f"{folder}: begun by {manifest.origin}, this is {fresh.origin}: build elsewhere: "
            + build_command(kind, opponents, "NEW_FOLDER")
        )
    return manifest


def _drop_damaged(folder: Path, manifest: Manifest) -> dict[int | None, str]:
    # Take shards and plain arrays that are not as they were written out of the manifest: what is wrong
    # with each shard by number, and with an array.
    reasons: dict[int | None, str] = {}
    for number in sorted(manifest.shards):
        try:
            read_bytes(folder, manifest, number)
        except TableError as error:
            check_place(folder / shard_file(number))
            reasons[number] = str(error)
            del manifest.shards[number]
            manifest.complete = False
    if manifest.complete:
        for array in manifest.arrays:
            path = folder / array.file
            try:
                with open_file(path) as file:
                    check_array(path, array, file, "it differs from the shards")
            except (OSError, TableError) as error:
                check_place(path)
                reasons[None] = str(error) if isinstance(error, TableError) else f"{path}: missing"
                manifest.complete = False
        if [array.column for array in manifest.arrays] != list(manifest.kind.arrays):
            manifest.complete = False
    return reasons


def _finish(folder: Path, manifest: Manifest) -> None:
    # Plain arrays are put together from the shards, then the table is declared complete.
    manifest.arrays = []
    for column, dtype in manifest.kind.arrays.items():
        name = array_file(column, dtype)
        pieces = _Blocks(_column(folder, manifest, column, dtype))
        write_file(folder / name, pieces)
        rows = manifest.kind.rows(manifest.opponents)
        manifest.arrays.append(PlainArray(name, column, dtype, rows, tuple(pieces.checksums)))
    manifest.complete = True
    write_file(folder / MANIFEST, manifest.to_bytes())


def _column(folder: Path, manifest: Manifest, column: str, dtype: str) -> Iterator[bytes]:
    for number in range(len(manifest.shards)):
        values = read_checked(folder, manifest, number)[column].to_numpy()
        yield values.astype(dtype, casting="safe").tobytes()


class _Blocks:
    # Parts of a file cut anew into blocks, and the checksum of each that was taken.
    def __init__(self, parts: Iterator[bytes]) -> None:
        self._parts = parts
        self.checksums: list[str] = []

    def __iter__(self) -> Iterator[bytes]:
        left = bytearray()
        for part in self._parts:
            left += part
            while len(left) >= BLOCK:
                yield self._take(left)
        if left:
            yield self._take(left)

    def _take(self, left: bytearray) -> bytes:
        block = bytes(left[:BLOCK])
        del left[:BLOCK]
        self.checksums.append(hashlib.sha256(block).hexdigest())
        return block


def _results(
    kind: Kind,
    missing: list[int],
    opponents: int,
    backend: str,
    workers: int,
    scheduler: str | None,
    tls: Tls | None,
) -> Iterator[tuple[int, bytes]]:
    if not missing:
        return
    if scheduler is not None:
        yield from count_on_cluster(kind, missing, opponents, backend, scheduler, tls)
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
