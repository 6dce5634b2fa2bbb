"""Build a table into a folder, shard by shard; a build that was killed goes on where it stopped.

A shard is written under another name, flushed, and moved to its place; then the manifest is, likewise.
So a build that is killed at any moment leaves the shards that its manifest lists, each with its
checksum, and nothing that a reader could take for one of them.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator
from pathlib import Path

from gpuodds.backends.protocol import Progress
from gpuodds.errors import InputError, TableError
from gpuodds.tables.building.cluster import Tls, count_on_cluster
from gpuodds.tables.building.counting import Job, count_in_threads
from gpuodds.tables.folder import check_empty, check_place, only_builder, open_file, write_file
from gpuodds.tables.kinds.kind import Kind
from gpuodds.tables.locate import MANIFEST
from gpuodds.tables.manifest import Manifest, Shard, build_command, read_manifest, shard_file
from gpuodds.tables.plain_arrays import check_array, write_array
from gpuodds.tables.shards import read_bytes, read_shard


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
    """Build the missing and the damaged parts of a table; return whether it is complete then.

    Args:
        kind: The table.
        folder: Where to build; an empty folder, one to be made, or one with a part of this table.
        opponents: The largest number of random opponents, 0 if the table has no such number.
        backend: "auto", "cpu", "cuda" or "cuda:0,2".
        workers: How many shards to count at once, by threads of this process.
        scheduler: The address of a Dask cluster whose workers count the shards instead.
        tls: Certificates for a cluster at ``tls://...``; by default those of Dask's configuration.
        only: The numbers of the shards to build; all by default.
        progress: Called with the fraction of the table that is built, 0 to 1.

    Returns:
        Whether all shards are there. The logger ``gpuodds`` names the damaged ones.

    Raises:
        InputError: There are no such shards, or the scheduler does not answer.
        TableError: The folder holds something else, another process builds there, or a shard cannot be
            counted or written. Finished shards are kept, and the next build goes on from there.
    """
    whole = len(kind.layout.shards(opponents))
    wanted = range(whole) if only is None else only
    if not (min(wanted, default=0) >= 0 and max(wanted, default=0) < whole):
        raise InputError(f"shards {only}: expected numbers from 0 to {whole - 1}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TableError(f"{folder}: {error.strerror}") from None
    _find_manifest(kind, folder, opponents)
    with only_builder(folder):
        manifest = _begin(kind, folder, opponents, wanted)
        missing = [number for number in wanted if number not in manifest.shards]
        for number in missing:
            check_place(folder / shard_file(number))
        if progress is not None:
            progress(len(manifest.shards) / whole)
        job = Job(kind, opponents, backend, kind.seconds(opponents) * len(missing) / whole)
        if scheduler is None or not missing:
            counted = count_in_threads(job, missing, workers)
        else:
            counted = count_on_cluster(job, missing, scheduler, tls)
        for number, data in counted:
            _write_shard(folder, manifest, number, data)
            if progress is not None:
                progress(len(manifest.shards) / whole)
        if len(manifest.shards) == whole and not manifest.complete:
            _finish(folder, manifest)
        return manifest.complete


def missing_shards(kind: Kind, folder: Path, opponents: int, only: range | None) -> list[int]:
    """Return the shards that a build would count: those of ``only`` that are missing or damaged.

    Raises:
        TableError: A build would refuse the folder.
    """
    wanted = range(len(kind.layout.shards(opponents))) if only is None else only
    manifest = _find_manifest(kind, folder, opponents) if folder.is_dir() else None
    if manifest is None:
        return list(wanted)
    _drop_damaged(folder, manifest)
    return [number for number in wanted if number not in manifest.shards]


def _begin(kind: Kind, folder: Path, opponents: int, wanted: range) -> Manifest:
    # The manifest, written, of a new build or of one that goes on, without what is damaged.
    manifest = _find_manifest(kind, folder, opponents)
    if manifest is None:
        manifest = Manifest(kind.layout, opponents)
        write_file(folder / MANIFEST, manifest.to_bytes())
    reasons = _drop_damaged(folder, manifest)
    for number, reason in reasons.items():
        mended = number in {*wanted, None}
        what = "it is built again" if mended else "it is not among those to build"
        logging.getLogger("gpuodds").info("%s: %s", reason, what)
    if reasons:
        write_file(folder / MANIFEST, manifest.to_bytes())
    return manifest


def _write_shard(folder: Path, manifest: Manifest, number: int, data: bytes) -> None:
    write_file(folder / shard_file(number), data)
    span = manifest.layout.shards(manifest.opponents)[number]
    digest = hashlib.sha256(data).hexdigest()
    manifest.shards[number] = Shard(shard_file(number), span.start, len(span), digest)
    write_file(folder / MANIFEST, manifest.to_bytes())


def _find_manifest(kind: Kind, folder: Path, opponents: int) -> Manifest | None:
    # The manifest of a build that goes on here, None in an empty folder.
    fresh = Manifest(kind.layout, opponents)
    if not (folder / MANIFEST).exists():
        check_empty(folder, MANIFEST, fresh.to_bytes())
        return None
    manifest = read_manifest(folder)
    if manifest.layout.name != kind.name or manifest.opponents != opponents:
        raise TableError(
            f"{folder}: it holds {manifest.layout.name} with opponents {manifest.opponents}, not "
            f"{kind.name} with {opponents}"
        )
    if manifest.origin != fresh.origin:
        raise TableError(
            f"{folder}: begun by {manifest.origin}, this is {fresh.origin}: build elsewhere: "
            + build_command(kind.layout, opponents, "NEW_FOLDER")
        )
    return manifest


def _drop_damaged(folder: Path, manifest: Manifest) -> dict[int | None, str]:
    # Take damaged shards and plain arrays out of the manifest; return the damage of each shard by
    # number, and of an array by None.
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
        if [array.column for array in manifest.arrays] != list(manifest.layout.arrays):
            manifest.complete = False
    return reasons


def _finish(folder: Path, manifest: Manifest) -> None:
    # Write the plain arrays from the shards, then declare the table complete.
    rows = manifest.layout.row_count(manifest.opponents)
    manifest.arrays = [
        write_array(folder, column, dtype, rows, _values(folder, manifest, column, dtype))
        for column, dtype in manifest.layout.arrays.items()
    ]
    manifest.complete = True
    write_file(folder / MANIFEST, manifest.to_bytes())


def _values(folder: Path, manifest: Manifest, column: str, dtype: str) -> Iterator[bytes]:
    for number in range(len(manifest.shards)):
        values = read_shard(folder, manifest, number)[column].to_numpy()
        yield values.astype(dtype, casting="safe").tobytes()
