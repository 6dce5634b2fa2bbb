"""Write the shards of a build, their parts, and the plain arrays, while the next piece is counted."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

from gpuodds.backends.counts import Progress
from gpuodds.errors import TableError
from gpuodds.machine.system import result_of
from gpuodds.table_building.counting import Counted
from gpuodds.table_building.kinds.kind import Kind
from gpuodds.tables.files.folder import check_place, write_file
from gpuodds.tables.files.locate import MANIFEST
from gpuodds.tables.files.manifest import Manifest, Piece, Shard
from gpuodds.tables.files.plain_arrays import ArrayWriter, array_writer
from gpuodds.tables.files.shards import decode, encode, read_part, read_shard


class ShardWriter:
    """Encodes and writes one piece at a time in a thread of its own, then the manifest."""

    def __init__(
        self,
        folder: Path,
        manifest: Manifest,
        kind: Kind,
        arrays: ArrayWriter | None,
        thread: ThreadPoolExecutor,
        progress: Progress | None,
    ) -> None:
        """Begin; see :func:`shard_writer`."""
        self._folder = folder
        self._manifest = manifest
        self._kind = kind
        self._shards = manifest.layout.shards(manifest.opponents)
        self._arrays = arrays
        self._thread = thread
        self._progress = progress
        self._written: Future[None] | None = None
        self._reported = 0.0
        self.report_part(0.0)

    def put(self, counted: Counted) -> None:
        """Write a piece when the one before is written; return while it is being written.

        Raises:
            TableError: The one before could not be written.
        """
        self._wait()
        self._written = self._thread.submit(self._write, counted)

    def join(self, number: int) -> None:
        """Write a shard whose parts are all there, and remove these.

        Raises:
            TableError: A part is damaged, the counts break an invariant, or a file cannot be written.
        """
        self._wait()
        pieces = [Piece(number, part) for part in range(self._kind.parts)]
        parts = (read_part(self._folder, self._manifest, piece) for piece in pieces)
        try:
            rows = self._kind.join_parts(self._shards[number], self._manifest.opponents, parts)
        except (TableError, KeyError) as error:
            why = f"the parts of shard {number} lack a column" if isinstance(error, KeyError) else error
            raise TableError(
                f"{why}; without the files *.counts of {self._folder} the same command counts anew"
            ) from None
        self._write(Counted(Piece(number), rows))
        remove_parts(self._folder, self._manifest, self._kind)

    def finish(self) -> None:
        """Wait for the last piece; if all shards are there, write the arrays and complete the table.

        Raises:
            TableError: A file cannot be written.
        """
        self._wait()
        if self._arrays is None:
            return
        for number in self._arrays.missing:
            self._arrays.write(number, read_shard(self._folder, self._manifest, number))
        self._manifest.arrays = self._arrays.finish()
        every = range(len(self._shards))
        read = (read_shard(self._folder, self._manifest, number) for number in every)
        self._kind.complete(self._manifest, read)
        self._manifest.complete = True
        write_file(self._folder / MANIFEST, self._manifest.to_bytes())

    def _wait(self) -> None:
        if self._written is not None:
            written, self._written = self._written, None
            result_of(written)
            self.report_part(0.0)

    def report_part(self, part: float) -> None:
        """Report the fraction of the table that is written, and of the next piece that is counted."""
        if self._progress is not None:
            per_shard = self._kind.parts
            written = len(self._manifest.shards) * per_shard + len(self._manifest.parts)
            done = (written + part) / (len(self._shards) * per_shard)
            self._reported = max(self._reported, done)  # a piece may be counted before the last is kept
            self._progress(self._reported)

    def _write(self, counted: Counted) -> None:
        piece, manifest = counted.piece, self._manifest
        data = encode(counted.rows) if counted.data is None else counted.data
        write_file(self._folder / piece.file, data)
        digest = hashlib.sha256(data).hexdigest()
        if piece.part is None:
            number, span = piece.shard, self._shards[piece.shard]
            if self._arrays is not None:
                self._arrays.write(number, decode(data) if counted.rows is None else counted.rows)
            manifest.shards[number] = Shard(piece.file, span.start, len(span), digest)
            manifest.parts = {p: sha256 for p, sha256 in manifest.parts.items() if p.shard != number}
        else:
            manifest.parts[piece] = digest
        write_file(self._folder / MANIFEST, manifest.to_bytes())


def remove_parts(folder: Path, manifest: Manifest, kind: Kind) -> None:
    """Remove the files of parts that the manifest does not list; the caller holds the folder's lock.

    Raises:
        TableError: There is no regular file in the place of one.
    """
    if kind.parts == 1:
        return
    for number in range(len(manifest.layout.shards(manifest.opponents))):
        for part in range(kind.parts):
            piece = Piece(number, part)
            if piece not in manifest.parts:
                check_place(folder / piece.file)
                with suppress(OSError):
                    (folder / piece.file).unlink()


@contextmanager
def shard_writer(
    folder: Path, manifest: Manifest, kind: Kind, missing: list[int], progress: Progress | None
) -> Iterator[ShardWriter]:
    """Open a :class:`ShardWriter`; at the end, the piece that is being written gets finished.

    Args:
        folder: The table's folder, whose lock the caller holds.
        manifest: Its manifest, to which pieces are added.
        kind: The table.
        missing: The numbers of the shards that will be put or joined.
        progress: Called with the fraction of the table that is written, 0 to 1.
    """
    layout, opponents = manifest.layout, manifest.opponents
    becomes_whole = len(manifest.shards) + len(missing) == len(layout.shards(opponents))
    with array_writer(folder, layout, opponents) as arrays, ThreadPoolExecutor(1) as thread:
        wanted = arrays if becomes_whole and not manifest.complete else None
        yield ShardWriter(folder, manifest, kind, wanted, thread, progress)
