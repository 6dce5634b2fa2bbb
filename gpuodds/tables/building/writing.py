"""Write the shards of a build, and the plain arrays, while the next shard is counted."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from gpuodds.backends.protocol import Progress
from gpuodds.tables.building.counting import Counted
from gpuodds.tables.folder import write_file
from gpuodds.tables.locate import MANIFEST
from gpuodds.tables.manifest import Manifest, Shard, shard_file
from gpuodds.tables.plain_arrays import ArrayWriter, array_writer
from gpuodds.tables.shards import decode, encode, read_shard


class ShardWriter:
    """Encodes and writes one shard at a time in a thread of its own, then the manifest."""

    def __init__(
        self,
        folder: Path,
        manifest: Manifest,
        arrays: ArrayWriter | None,
        thread: ThreadPoolExecutor,
        progress: Progress | None,
    ) -> None:
        """Begin; see :func:`shard_writer`."""
        self._folder = folder
        self._manifest = manifest
        self._shards = manifest.layout.shards(manifest.opponents)
        self._arrays = arrays
        self._thread = thread
        self._progress = progress
        self._written: Future[None] | None = None
        self._reported = 0.0
        self.report_part(0.0)

    def put(self, shard: Counted) -> None:
        """Write a shard when the one before is written; return while it is being written.

        Raises:
            TableError: The one before could not be written.
        """
        self._wait()
        self._written = self._thread.submit(self._write, shard)

    def finish(self) -> None:
        """Wait for the last shard; if all are there, write the plain arrays and complete the table.

        Raises:
            TableError: A file cannot be written.
        """
        self._wait()
        if self._arrays is None:
            return
        for number in self._arrays.missing:
            self._arrays.write(number, read_shard(self._folder, self._manifest, number))
        self._manifest.arrays = self._arrays.finish()
        self._manifest.complete = True
        write_file(self._folder / MANIFEST, self._manifest.to_bytes())

    def _wait(self) -> None:
        if self._written is not None:
            written, self._written = self._written, None
            written.result()
            self.report_part(0.0)

    def report_part(self, part: float) -> None:
        """Report the fraction of the table that is written, and of the next shard that is counted."""
        if self._progress is not None:
            done = (len(self._manifest.shards) + part) / len(self._shards)
            self._reported = max(self._reported, done)  # a shard may be counted before the last is kept
            self._progress(self._reported)

    def _write(self, shard: Counted) -> None:
        number = shard.number
        data = encode(shard.rows) if shard.data is None else shard.data
        write_file(self._folder / shard_file(number), data)
        if self._arrays is not None:
            self._arrays.write(number, decode(data) if shard.rows is None else shard.rows)
        span, digest = self._shards[number], hashlib.sha256(data).hexdigest()
        self._manifest.shards[number] = Shard(shard_file(number), span.start, len(span), digest)
        write_file(self._folder / MANIFEST, self._manifest.to_bytes())


@contextmanager
def shard_writer(
    folder: Path, manifest: Manifest, missing: list[int], progress: Progress | None
) -> Iterator[ShardWriter]:
    """Open a :class:`ShardWriter`; at the end, the shard that is being written gets finished.

    Args:
        folder: The table's folder, whose lock the caller holds.
        manifest: Its manifest, to which shards are added.
        missing: The numbers of the shards that will be put.
        progress: Called with the fraction of the table that is written, 0 to 1.
    """
    layout, opponents = manifest.layout, manifest.opponents
    becomes_whole = len(manifest.shards) + len(missing) == len(layout.shards(opponents))
    with array_writer(folder, layout, opponents) as arrays, ThreadPoolExecutor(1) as thread:
        wanted = arrays if becomes_whole and not manifest.complete else None
        yield ShardWriter(folder, manifest, wanted, thread, progress)
