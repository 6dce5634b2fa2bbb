"""Build a table into a folder, shard by shard; a build that was killed goes on where it stopped.

A shard is written under another name, flushed, and moved to its place; then the manifest is, likewise.
So a build that is killed at any moment leaves the shards that its manifest lists, each with its
checksum, and nothing that a reader could take for one of them. Shards that take minutes are counted in
parts (:attr:`gpuodds.table_building.kinds.kind.Kind.parts`), which are written and listed likewise
until the shard follows from them. The plain arrays are moved to their places when all shards are there:
:mod:`gpuodds.table_building.writing`.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import NamedTuple

from gpuodds.backends.counts import Progress
from gpuodds.errors import InputError, TableError
from gpuodds.table_building.cluster import Tls, count_on_cluster
from gpuodds.table_building.counting import Job, count_in_threads
from gpuodds.table_building.kinds.kind import Kind
from gpuodds.table_building.writing import remove_parts, shard_writer
from gpuodds.tables.files.folder import check_empty, check_place, only_builder, open_file, write_file
from gpuodds.tables.files.locate import MANIFEST
from gpuodds.tables.files.manifest import Manifest, Piece, build_command, read_manifest
from gpuodds.tables.files.origin import this_origin
from gpuodds.tables.files.plain_arrays import check_array
from gpuodds.tables.files.shards import read_bytes


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

    Plain arrays that a table of an older gpuodds lacks are written from its shards.

    Args:
        kind: The table.
        folder: Where to build; an empty folder, one to be made, or one with a part of this table.
        opponents: The largest number of random opponents, 0 if the table has no such number.
        backend: "auto", "cpu", "cuda" or "cuda:0,2".
        workers: How many shards, or parts of them, to count at once, by threads of this process.
        scheduler: The address of a Dask cluster whose workers count instead.
        tls: Certificates for a cluster at ``tls://...``; by default those of Dask's configuration.
        only: The numbers of the shards to build; all by default.
        progress: Called with the fraction of the table that is built, 0 to 1.

    Returns:
        Whether all shards are there. The logger ``gpuodds`` names the damaged ones.

    Raises:
        InputError: There are no such shards, or the scheduler does not answer.
        TableError: The folder holds something else, another process builds there, or a shard cannot be
            counted or written. What was finished is kept, and the next build goes on from there.
    """
    whole = len(kind.layout.shards(opponents))
    wanted = range(whole) if only is None else only
    if not (min(wanted, default=0) >= 0 and max(wanted, default=0) < whole):
        raise InputError(f"shards {only}: expected numbers from 0 to {whole - 1}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TableError(f"{folder}: {error.strerror}") from None
    kind = _kind_of(kind, _find_manifest(kind, folder, opponents))
    with only_builder(folder):
        manifest = _begin(kind, folder, opponents, wanted)
        missing = _list_missing(kind, manifest, wanted)
        for piece in {*missing.pieces, *map(Piece, missing.shards)}:
            check_place(folder / piece.file)
        share = len(missing.pieces) / (whole * kind.parts)
        job = Job(kind, opponents, backend, kind.seconds(opponents) * share)
        with shard_writer(folder, manifest, kind, missing.shards, progress) as writer:
            if scheduler is None or not missing.pieces:
                counted = count_in_threads(job, missing.pieces, workers, writer.report_part)
            else:
                counted = count_on_cluster(job, missing.pieces, scheduler, tls)
            for each in counted:
                writer.put(each)
            if kind.parts > 1:
                for number in missing.shards:
                    writer.join(number)
            writer.finish()
        return manifest.complete


class Missing(NamedTuple):
    """What a build would make."""

    shards: list[int]
    """The numbers of the shards that are missing or damaged."""
    pieces: list[Piece]
    """What is counted for them."""
    arrays: bool
    """Whether it would write the plain arrays, too."""


def find_missing(kind: Kind, folder: Path, opponents: int, only: range | None) -> Missing:
    """Return what a build of all shards, or those of ``only``, would make.

    Raises:
        TableError: A build would refuse the folder.
    """
    whole = len(kind.layout.shards(opponents))
    wanted = range(whole) if only is None else only
    manifest = _find_manifest(kind, folder, opponents) if folder.is_dir() else None
    if manifest is None:
        manifest = kind.new_manifest(opponents)
    _drop_damaged(folder, manifest)
    _check_origin(folder, manifest)
    return _list_missing(kind, manifest, wanted)


def _kind_of(kind: Kind, manifest: Manifest | None) -> Kind:
    return kind if manifest is None else kind.of(manifest)


def _list_missing(kind: Kind, manifest: Manifest, wanted: range) -> Missing:
    shards = [number for number in wanted if number not in manifest.shards]
    parts = [None] if kind.parts == 1 else range(kind.parts)
    pieces = [Piece(number, part) for number in shards for part in parts]
    whole = len(manifest.layout.shards(manifest.opponents))
    arrays = len(manifest.shards) + len(shards) == whole and not manifest.complete
    return Missing(shards, [piece for piece in pieces if piece not in manifest.parts], arrays)


def _begin(kind: Kind, folder: Path, opponents: int, wanted: range) -> Manifest:
    # The manifest, written, of a new build or of one that goes on, without what is damaged.
    manifest = _find_manifest(kind, folder, opponents)
    if manifest is None:
        manifest = kind.new_manifest(opponents)
        write_file(folder / MANIFEST, manifest.to_bytes())
    reasons = _drop_damaged(folder, manifest)
    _check_origin(folder, manifest)
    for number, reason in reasons:
        mended = number in {*wanted, None}
        next_step = "it is built again" if mended else "it is not among those to build"
        logging.getLogger("gpuodds").info("%s: %s", reason, next_step)
    if reasons:
        write_file(folder / MANIFEST, manifest.to_bytes())
    remove_parts(folder, manifest, kind)
    return manifest


def _find_manifest(kind: Kind, folder: Path, opponents: int) -> Manifest | None:
    # The manifest of a build that goes on here, None in an empty folder.
    if not (folder / MANIFEST).exists():
        check_empty(folder, MANIFEST, kind.new_manifest(opponents).to_bytes())
        return None
    manifest = read_manifest(folder)
    if manifest.layout.name != kind.name or manifest.opponents != opponents:
        raise TableError(
            f"{folder}: it holds {manifest.layout.name} with opponents {manifest.opponents}, not "
            f"{kind.name} with {opponents}"
        )
    _check_origin(folder, manifest)
    return manifest


def _check_origin(folder: Path, manifest: Manifest) -> None:
    # All shards of a table are counted alike; plain arrays are made from the shards, by any version.
    here, whole = this_origin(), len(manifest.layout.shards(manifest.opponents))
    if manifest.origin != here and len(manifest.shards) < whole:
        raise TableError(
            f"{folder}: begun by {manifest.origin}, this is {here}: build elsewhere: "
            + build_command(manifest.layout, manifest.opponents, "NEW_FOLDER", new=manifest.clustering)
        )


def _drop_damaged(folder: Path, manifest: Manifest) -> list[tuple[int | None, str]]:
    # Take damaged shards, parts and plain arrays out of the manifest; return the damage of each, with
    # the number of its shard, None for an array.
    reasons: list[tuple[int | None, str]] = []
    for piece in [*map(Piece, sorted(manifest.shards)), *sorted(manifest.parts)]:
        try:
            read_bytes(folder, manifest, piece)
        except TableError as error:
            check_place(folder / piece.file)
            reasons.append((piece.shard, str(error)))
            if piece.part is None:
                del manifest.shards[piece.shard]
                manifest.complete = False
            else:
                del manifest.parts[piece]
    if manifest.complete:
        for array in manifest.arrays:
            path = folder / array.file
            try:
                with open_file(path) as file:
                    check_array(path, array, file, "it differs from the shards")
            except (OSError, TableError) as error:
                check_place(path)
                reason = str(error) if isinstance(error, TableError) else f"{path}: missing"
                reasons.append((None, reason))
                manifest.complete = False
        wanted = manifest.layout.arrays(manifest.opponents)
        if {array.column: array.dtype for array in manifest.arrays} != wanted:
            manifest.complete = False
    return reasons
